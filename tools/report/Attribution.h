//===- Attribution.h - eager against compiled, in a report ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_ATTRIBUTION_H
#define SEAMSCOPE_TOOLS_REPORT_ATTRIBUTION_H

#include "analysis/core/Statistics.h"
#include "report/Report.h"
#include "run/join/ComparedRuns.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace seamscope::tools {

/// Times of all steps.
PairedTimes pairedTimes(const Attribution &All);

/// Times of the steps of \p Name, see steppedFunctions().
PairedTimes pairedTimes(const Attribution &All, const std::string &Name);

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

/// Of these the tables of kernels, generated ones and libraries', each beside what it replaced.
std::string replacedText(const ReportInput &Input, bool Colours);

/// What runs that record nothing say, see run/join/Unrecorded.h: keys `unrecorded` and
/// `own_compiler`, and lines for people. Without Input.Beside nothing.
void addUnrecordedJson(nlohmann::ordered_json &Report, const ReportInput &Input);
std::string unrecordedText(const ReportInput &Input);

/// Null where there is none.
nlohmann::ordered_json ratioJson(const std::optional<RatioEstimate> &Ratio);

/// Eager over compiled, "1.23x"; "-" where one of them is nothing, "no difference" where the
/// interval of \p Paired, the same times step by step, holds 1.
std::string shownRatio(int64_t Eager, int64_t Compiled, const PairedTimes &Paired);
/// A count in each step, or "12 in 22" where it is not the same in all; a time per step, which may
/// be negative where it is a saving.
std::string shownCount(uint64_t Count, size_t Steps);
std::string shownPerStep(int64_t Ns, size_t Steps);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_ATTRIBUTION_H
