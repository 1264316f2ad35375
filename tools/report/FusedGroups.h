//===- FusedGroups.h - fused groups of operators, in a report -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_FUSEDGROUPS_H
#define SEAMSCOPE_TOOLS_REPORT_FUSEDGROUPS_H

#include "report/Report.h"

#include <nlohmann/json_fwd.hpp>

namespace seamscope::tools {

/// Gives the row of \p Kernel its operators as objects, and `group`, the work of a call by their
/// semantics; nothing where it is no group.
void addGroup(nlohmann::ordered_json &Into, const Trace &Source, const Site &Kernel);

/// A table of the groups, in the order of the table of kernels, each with its operators; empty
/// where the trace has none.
std::string fusedGroupsText(const ReportInput &Input, bool Colours);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_FUSEDGROUPS_H
