//===- Loops.h - the loops of kernels, in a report -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_LOOPS_H
#define SEAMSCOPE_TOOLS_REPORT_LOOPS_H

#include "report/Report.h"

#include <nlohmann/json_fwd.hpp>

namespace seamscope::tools {

/// Gives a kernel its `loops`; an empty array where it has none.
void addLoops(nlohmann::ordered_json &Into, const ReportInput &Input, SiteId Kernel);

/// A tree of kernels, regions and loops, kernels in the order of their table. Where all loops are
/// not asked for, a few of a few kernels, and none of kernels with a single one; empty where there
/// is none to show.
std::string loopsText(const ReportInput &Input, bool Colours);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_LOOPS_H
