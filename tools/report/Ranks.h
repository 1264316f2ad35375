//===- Ranks.h - the processes of a run, in a report ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RANKS_H
#define SEAMSCOPE_TOOLS_REPORT_RANKS_H

#include "report/Report.h"

#include <nlohmann/json.hpp>

#include <string>

namespace seamscope::tools {

/// The processes, and how each kernel's time differs between them; empty without Input.Ranks.
std::string ranksText(const ReportInput &Input, bool Colours);

/// Adds the same as `Report["ranks"]`; nothing without Input.Ranks.
void addRanksJson(nlohmann::ordered_json &Report, const ReportInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RANKS_H
