//===- StepsAlone.h - where the time of compiled steps went ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STEPSALONE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STEPSALONE_H

#include "analysis/compare/Attribution.h"
#include "analysis/torch/Steps.h"

#include <vector>

namespace seamscope::tools {

/// The steps of a run that is not compared.
struct StepsAlone {
  StepsBy By = StepsBy::Call;
  std::vector<StepTimes> Steps; ///< steady steps, in the order of time; without eager times
  size_t Compiling = 0;         ///< further steps in which something was compiled
  size_t WarmUp = 0;            ///< further steps: the first ones, slower than the whole later half
  bool OnDevice = false;        ///< times are of device work: see DeviceStep
};

/// Steps are what stepsBy() says. \p Graphs: of the run, as for attribute().
StepsAlone stepsAlone(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STEPSALONE_H
