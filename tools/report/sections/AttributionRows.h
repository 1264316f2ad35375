//===- AttributionRows.h - what the sections on eager against compiled share ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_ATTRIBUTIONROWS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_ATTRIBUTIONROWS_H

#include "report/sections/Context.h"
#include "run/join/ComparedRuns.h"
#include "run/join/Unrecorded.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A ratio with its 95 % interval: a record, or nothing.
Fields<RatioEstimate> ratioFields();
Value ratioValue(const std::optional<RatioEstimate> &Ratio);
Column ratioColumn(std::string Key, std::string Help);

/// "1.93 ms in eager mode and 1.22 ms compiled: 1.57x (95 % 1.43 to 1.72), 14 steps of 1 run each".
std::string takesText(const PairedTimes &Times, const std::optional<RatioEstimate> &Ratio);
/// The effect of compilation in a sentence, by unrecorded steps; empty if it is not known.
std::string speedupText(const Unrecorded &Of);
/// The same, and whether recorded steps disagree.
std::string speedupText(const ReportContext &In);
/// The ratio by recorded steps, if it differs by more than both intervals: recorded times are then
/// not the program's.
std::optional<RatioEstimate> disagreement(const ReportContext &In);
/// Sentences on other findings from such steps, one a line.
std::vector<std::string> unrecordedLines(const Unrecorded &Of);

/// Names of the functions (or "" for steps that the program marks), in order of appearance.
std::vector<std::string> steppedFunctions(const Attribution &All);

/// What one of \p Steps is: "a call of Net".
std::string stepText(StepsBy By, const std::vector<StepTimes> &Steps);

/// Eager over compiled, "1.23x", by the estimator of \p Paired, which has the same times step by
/// step. "-" if one of them is nothing, "no difference" if its interval contains 1. If very long
/// steps put the quotient of the two times outside the interval, it ends in " (trimmed)".
Cell ratioCell(int64_t Eager, int64_t Compiled, const PairedTimes &Paired);
/// A count for each step, or "12 in 22" if it is not the same in all.
Cell countCell(uint64_t Count, size_t Steps);
/// A time per step, which may be negative for a saving.
Cell perStep(int64_t Ns, size_t Steps);

/// For scripts.
const char *keyOf(StepsBy By);
constexpr const char *StepsByHelp =
    "marks of the program, calls of functions, turns of the loop around them";

/// From the eager step to the compiled one, part by part.
Chart waterfallOf(const Attribution &All);

/// Kernels, generated ones and libraries', each with what it replaced.
void addReplaced(Section &To, const Context &In);
/// `attribution`, for scripts.
void addAttributionData(Section &To, const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_ATTRIBUTIONROWS_H
