//===- StepTimes.h - times of a step in two runs, by part -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STEPTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STEPTIMES_H

#include "analysis/compare/Parts.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace seamscope::tools {

struct PartTimes {
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
  uint64_t Kernels = 0; ///< calls of kernels and operators in the compiled run
  uint64_t Ops = 0;     ///< in the eager run
};

using Parts = std::array<PartTimes, StepParts>;

/// A stretch of a step in both runs.
struct PassTimes {
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
};

/// A step in both runs; its parts sum to its two times.
struct StepTimes {
  std::string Name; ///< name of the function or step
  uint32_t Run = 0; ///< which of several pairs of runs
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
  int64_t GuardsNs = 0; ///< part of the compiled run's overhead
  /// Part of the compiled run's overhead that is in calls of compiled functions and their backward
  /// passes. The rest is the program's own Python, its loss and its optimizer.
  int64_t InCompiledNs = 0;
  /// Compiled run: operators in such calls that are in no graph, so they run between graphs.
  int64_t BetweenGraphsNs = 0;
  PassTimes Backward; ///< time in which autograd's engine ran; of all parts
  Parts Of = {};
};

/// All of the steps together; without a name.
StepTimes sumOf(const std::vector<StepTimes> &Steps);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STEPTIMES_H
