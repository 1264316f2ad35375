//===- Unexplained.h - time of compiled code without an event ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library call may leave no event in the trace: with cpp_wrapper, generated
// code calls it without torch's dispatcher. Such time belongs neither to the
// framework nor to the neighbouring kernels.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_UNEXPLAINED_H
#define SEAMSCOPE_TOOLS_ANALYSIS_UNEXPLAINED_H

#include "analysis/compare/GraphRuns.h"

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// The stretches of a step in which compiled code may have run calls that left no event, in the
/// order of time; they overlap no work. They are around calls of a graph's run that were not found,
/// and in compiled code, such as \p Regions, whose graph is not known. \p Work: of the step; \p
/// Runs: GraphRuns::find(Work).
std::vector<TimeSpan> unexplainedTime(const Trace &Input, const Step &Of,
                                      const std::vector<WorkItem> &Work,
                                      const std::vector<GraphRun> &Runs,
                                      const std::vector<PlannedGraph> &Graphs,
                                      const std::vector<uint32_t> &Regions);

/// The calls of a graph's run that were not found, as indices of PlannedGraph::Calls, rising.
std::vector<uint32_t> callsNotFound(const GraphRun &Run, const PlannedGraph &Graph);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_UNEXPLAINED_H
