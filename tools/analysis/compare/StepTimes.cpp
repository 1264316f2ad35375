//===- StepTimes.cpp - times of a step in two runs, by part ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepTimes.h"

namespace seamscope::tools {

StepTimes sumOf(const std::vector<StepTimes> &Steps) {
  StepTimes Sum;
  for (const StepTimes &Each : Steps) {
    Sum.EagerNs += Each.EagerNs;
    Sum.CompiledNs += Each.CompiledNs;
    Sum.GuardsNs += Each.GuardsNs;
    Sum.InCompiledNs += Each.InCompiledNs;
    Sum.BetweenGraphsNs += Each.BetweenGraphsNs;
    Sum.Backward.EagerNs += Each.Backward.EagerNs;
    Sum.Backward.CompiledNs += Each.Backward.CompiledNs;
    for (size_t I = 0; I < StepParts; ++I) {
      Sum.Of[I].EagerNs += Each.Of[I].EagerNs;
      Sum.Of[I].CompiledNs += Each.Of[I].CompiledNs;
      Sum.Of[I].Kernels += Each.Of[I].Kernels;
      Sum.Of[I].Ops += Each.Of[I].Ops;
    }
  }
  return Sum;
}

} // namespace seamscope::tools
