//===- AttributionRows.h - what the sections on eager against compiled share ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_ATTRIBUTIONROWS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_ATTRIBUTIONROWS_H

#include "report/sections/Context.h"
#include "run/join/ComparedRuns.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A ratio with its interval of 95 %: a record, or nothing.
Fields<RatioEstimate> ratioFields();
Value ratioValue(const std::optional<RatioEstimate> &Ratio);
Column ratioColumn(std::string Key, std::string Help);

/// Names of the functions (or "" for steps that the program marks), in order of appearance.
std::vector<std::string> steppedFunctions(const Attribution &All);

/// Times of all steps, and of those of \p Name.
PairedTimes pairedTimes(const Attribution &All);
PairedTimes pairedTimes(const Attribution &All, const std::string &Name);

/// Eager over compiled, "1.23x"; "-" where one of them is nothing, "no difference" where the
/// interval of \p Paired, the same times step by step, holds 1.
Cell ratioCell(int64_t Eager, int64_t Compiled, const PairedTimes &Paired);
/// A count in each step, or "12 in 22" where it is not the same in all.
Cell countCell(uint64_t Count, size_t Steps);
/// A time per step, which may be negative where it is a saving.
Cell perStep(int64_t Ns, size_t Steps);

/// For scripts.
const char *keyOf(StepsBy By);
constexpr const char *StepsByHelp =
    "marks of the program, calls of functions, turns of the loop around them";

/// From the eager step to the compiled one, part by part.
Chart waterfallOf(const Attribution &All);

/// Kernels, generated ones and libraries', each beside what it replaced.
void addReplaced(Section &To, const Context &In);
/// `attribution`, for scripts.
void addAttributionData(Section &To, const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_ATTRIBUTIONROWS_H
