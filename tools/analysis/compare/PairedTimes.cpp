//===- PairedTimes.cpp - times of the same steps in two runs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PairedTimes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace seamscope::tools {
namespace {

/// Student's t for a two-sided interval of 95 %, by degrees of freedom from 1.
double studentT(uint64_t Freedom) {
  constexpr double Table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                              2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                              2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                              2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
  return Freedom <= std::size(Table) ? Table[Freedom - 1] : 1.96;
}

} // namespace

void PairedTimes::add(int64_t EagerNs, int64_t CompiledNs) {
  PairedTimes One;
  One.Steps = 1;
  One.Eager = static_cast<double>(EagerNs);
  One.Compiled = static_cast<double>(CompiledNs);
  addSteps(One);
}

void PairedTimes::addSteps(const PairedTimes &Other) {
  if (!Other.Steps)
    return;
  const auto Mine = static_cast<double>(Steps), Theirs = static_cast<double>(Other.Steps);
  const double Whole = Mine + Theirs;
  const double E = Other.Eager - Eager, C = Other.Compiled - Compiled;
  const double Between = Mine * Theirs / Whole;
  EagerEager += Other.EagerEager + E * E * Between;
  CompiledCompiled += Other.CompiledCompiled + C * C * Between;
  EagerCompiled += Other.EagerCompiled + E * C * Between;
  Eager += E * Theirs / Whole;
  Compiled += C * Theirs / Whole;
  Steps += Other.Steps;
}

void PairedTimes::addBeside(const PairedTimes &Other) {
  Steps = std::max(Steps, Other.Steps);
  Eager += Other.Eager;
  Compiled += Other.Compiled;
  EagerEager += Other.EagerEager;
  CompiledCompiled += Other.CompiledCompiled;
  EagerCompiled += Other.EagerCompiled;
}

std::optional<RatioEstimate> PairedTimes::ratio() const {
  if (Steps < 3 || Compiled <= 0)
    return std::nullopt;
  const double Ratio = Eager / Compiled;
  const auto Freedom = static_cast<double>(Steps - 1);
  const double Residual =
      std::max(0.0, EagerEager - 2 * Ratio * EagerCompiled + Ratio * Ratio * CompiledCompiled);
  const double Error = std::sqrt(Residual / Freedom / static_cast<double>(Steps)) / Compiled;
  const double Half = studentT(Steps - 1) * Error;
  // Times are not negative.
  return RatioEstimate{Ratio, std::max(Ratio - Half, 0.0), Ratio + Half};
}

} // namespace seamscope::tools
