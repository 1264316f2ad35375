//===- StepDiff.h - the steps of two compiled runs, side by side ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STEPDIFF_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STEPDIFF_H

#include "analysis/compare/Repeats.h"
#include "analysis/compare/StepsAlone.h"

#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The whole step, or a part of it.
struct StepDiffRow {
  std::optional<StepPart> Part;             ///< nothing: the whole step
  int64_t FirstNs = 0, SecondNs = 0;        ///< of all steps
  uint64_t FirstCalls = 0, SecondCalls = 0; ///< kernels and operators in all steps
  RepeatChange Change;                      ///< change of the mean step
};

/// Steps of two runs of one program. Their numbers may differ: the means are compared. The parts of
/// each side add up to its whole steps.
struct StepDiff {
  size_t FirstSteps = 0, SecondSteps = 0;
  StepsBy By = StepsBy::Call;
  bool OnDevice = false;
  std::string_view NotCompared;  ///< why there are no rows; empty: there are
  std::vector<StepDiffRow> Rows; ///< the whole step last
};

/// The intervals assume that the steps of a run are independent, and do not include differences
/// between runs.
StepDiff compareSteps(const StepsAlone &First, const StepsAlone &Second);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STEPDIFF_H
