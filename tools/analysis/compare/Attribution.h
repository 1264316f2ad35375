//===- Attribution.h - where the time between two runs went --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a step of a compiled run with the same step of an eager run. All
// time of both steps is attributed to parts, to the ns. An eager operator goes
// to the kernel call that took over its work: the compiled graphs say which
// operators are expected in which order, and the eager run's sequence is
// matched with that. What cannot be placed is Unattributed, never spread.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_ATTRIBUTION_H
#define SEAMSCOPE_TOOLS_ANALYSIS_ATTRIBUTION_H

#include "analysis/compare/CallTimes.h"
#include "analysis/compare/PlannedGraph.h"
#include "analysis/compare/StepTimes.h"
#include "analysis/compare/StepWork.h"

#include <map>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Steps that are not compared.
struct LeftOut {
  uint64_t Steps = 0;
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
};

struct Attribution {
  std::vector<StepTimes> Steps;              ///< steady steps, by time
  std::vector<std::vector<CallTimes>> Calls; ///< by graph and call
  OpsByShape Unplaced;                       ///< eager operators that are Unattributed
  /// Library calls that left no event, by the operator that they stand for. Their time and that of
  /// the eager operators is StepPart::Unknown.
  std::map<std::string, uint64_t> WithoutEvent;
  LeftOut Compiling, WarmUp;
  uint64_t NumPySteps = 0; ///< steps whose eager time outside of operators is StepPart::Unknown
  size_t Unpaired = 0;
  int64_t CompilingNs = 0;    ///< in the whole compiled run
  bool OnDevice = false;      ///< times are of device work: see DeviceStep
  StepsBy By = StepsBy::Call; ///< in both runs
  bool OneRun = false;        ///< one process ran both, alternating

  /// Null for calls that never run in a step by themselves (those of backward graphs), and for
  /// calls that no compared step made.
  const CallTimes *find(uint32_t Graph, uint32_t Call) const {
    return Graph < Calls.size() && Call < Calls[Graph].size() && Calls[Graph][Call].Calls
               ? &Calls[Graph][Call]
               : nullptr;
  }
};

/// Times are of device work (DeviceStep) if both runs have such work, else of the steps' threads.
/// \p Graphs: of the compiled run, in the order of compilation. \p Eager: read with
/// ReadOptions::Autograd, or what ran for its backward passes stays Unattributed.
Attribution attribute(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs,
                      const Trace &Eager);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_ATTRIBUTION_H
