//===- Attribution.h - eager against compiled, in a report ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_ATTRIBUTION_H
#define SEAMSCOPE_TOOLS_REPORT_ATTRIBUTION_H

#include "report/Report.h"
#include "run/ComparedRuns.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace seamscope::tools {

/// What the calls of one kernel took in the steps compared, beside what they replaced.
CallTimes timesOf(const Attribution &All, const TorchRun &Torch, const GeneratedKernel &Kernel);

/// Ratios of steps: median, least and greatest.
struct Spread {
  double Median = 0, Min = 0, Max = 0;
};

/// Eager over compiled time of the steps of \p Name; nothing when there are none.
std::optional<Spread> speedupOf(const Attribution &All, const std::string &Name);

/// Names of the functions (or "" for steps that the program marks), in order of appearance.
std::vector<std::string> steppedFunctions(const Attribution &All);

/// Adds `attribution` and the times of each kernel. Without Input.Compared it adds nothing.
void addAttributionJson(nlohmann::ordered_json &Report, const ReportInput &Input);

/// The same as tables; empty without Input.Compared.
std::string attributionText(const ReportInput &Input, bool Colours);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_ATTRIBUTION_H
