//===- StepsAlone.cpp - where the time of compiled steps went -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepsAlone.h"
#include "analysis/compare/CompiledSide.h"

#include <utility>

namespace seamscope::tools {

StepsAlone stepsAlone(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs) {
  StepsAlone All;
  const TimeOf Whose = timeToCount(Compiled);
  const CompiledSide Side(Compiled, Graphs, Whose);
  All.By = stepsBy(Compiled, Side.work());
  All.OnDevice = Whose == TimeOf::Device;
  const std::vector<Step> Steps = stepsOf(Compiled, All.By);
  // Compared with themselves: which steps compile or are warm-up does not depend on another run.
  size_t Unpaired = 0;
  for (const StepPair &Pair : pairSteps(Compiled, Steps, Compiled, Steps, Unpaired)) {
    if (Pair.Use == StepUse::Compiling) {
      ++All.Compiling;
      continue;
    }
    if (Pair.Use == StepUse::WarmUp) {
      ++All.WarmUp;
      continue;
    }
    CompiledStepWork Of = Side.step(Steps[Pair.Compiled]);
    if (All.By != StepsBy::Mark || !Of.isEmpty()) // after the last step that did anything
      All.Steps.push_back(std::move(Of.Times));
  }
  return All;
}

} // namespace seamscope::tools
