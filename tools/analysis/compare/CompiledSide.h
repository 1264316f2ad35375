//===- CompiledSide.h - where the time of a compiled step went ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of a step's time is attributed to parts, to the ns. No other run is
// needed.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_COMPILEDSIDE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_COMPILEDSIDE_H

#include "analysis/compare/ExpectedOps.h"
#include "analysis/compare/GraphRuns.h"
#include "analysis/compare/PlannedGraph.h"
#include "analysis/compare/StepTimes.h"

#include <utility>
#include <vector>

namespace seamscope::tools {

/// What one step did.
struct CompiledStepWork {
  StepTimes Times; ///< of the compiled run alone

  /// A run of a graph, or an operator outside of all graphs.
  struct Piece {
    uint32_t Graph = NoEvent;
    SiteId Operator = 0;                 ///< if Graph is NoEvent
    std::vector<uint32_t> Branches = {}; ///< those of the graph that ran
  };
  std::vector<Piece> Order;                         ///< as they ran, without backward operators
  std::vector<std::pair<GraphCall, int64_t>> Calls; ///< calls of graphs, with their time in ns
  std::vector<GraphCall> NotFound;                  ///< calls that left no event: StepPart::Unknown

  /// Whether nothing ran in it.
  bool isEmpty() const { return Nothing && !Times.Backward.CompiledNs; }
  bool Nothing = false;
};

/// The steps of a compiled run.
class CompiledSide {
public:
  /// \p Input and \p Graphs must outlive it. With TimeOf::Device times are as in DeviceStep.
  CompiledSide(const Trace &Input, const std::vector<PlannedGraph> &Graphs, TimeOf Whose);

  CompiledStepWork step(const Step &Of) const;

  const StepWork &work() const { return Work; }

private:
  const Trace &Input;
  const std::vector<PlannedGraph> &Graphs;
  const TimeOf Whose;
  const StepWork Work;
  const GraphRuns Runs;
};

/// The part that a stretch of work belongs to which is in no graph's plan.
StepPart partOfWork(const Trace &Input, const WorkItem &Item);

/// For the items that autograd's engine ran.
int64_t backwardNs(const std::vector<WorkItem> &Work);

std::vector<TimeSpan> spansOf(const std::vector<WorkItem> &Work);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COMPILEDSIDE_H
