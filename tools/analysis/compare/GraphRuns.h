//===- GraphRuns.h - finds the graph runs in a step's work ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_GRAPHRUNS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_GRAPHRUNS_H

#include "analysis/compare/StepWork.h"
#include "trace/io/SeededHash.h"

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

struct PlannedCall;
struct PlannedGraph;

/// One execution of a graph: work items [First, End), each with the graph's call that it belongs
/// to.
struct GraphRun {
  uint32_t Graph = 0;
  uint32_t First = 0, End = 0;
  std::vector<int32_t> CallOf;         ///< -1: none; the graph also allocates and makes views
  size_t Matched = 0;                  ///< calls that were found
  std::vector<uint32_t> Branches = {}; ///< those that ran, in the order of their begins
};

/// Finds graphs in the work of a step by the order of their calls. A graph fits if all of its
/// generated kernels come in order; a library call may be hidden, as some do not appear as
/// operators. If the trace has compiled regions, a graph is looked for only in those with its
/// number.
class GraphRuns {
public:
  /// \p Input and \p Graphs must outlive it.
  GraphRuns(const Trace &Input, const std::vector<PlannedGraph> &Graphs, bool TellsRegions);

  /// In the order of time. If several graphs fit, the one with most calls.
  std::vector<GraphRun> find(const std::vector<WorkItem> &Work) const;

private:
  std::optional<GraphRun> fit(const std::vector<WorkItem> &Work, uint32_t First,
                              uint32_t Graph) const;
  /// The same for a graph with branches, each of which may run any number of times.
  std::optional<GraphRun> fitBranches(const std::vector<WorkItem> &Work, uint32_t First,
                                      uint32_t Graph) const;
  /// Which of \p Calls, numbers of the graph's calls, the item is: the next one from \p From on,
  /// skipping only library calls; Calls.size(): none.
  size_t next(const WorkItem &Item, const PlannedGraph &Graph, const std::vector<uint32_t> &Calls,
              size_t From) const;
  bool is(const WorkItem &Item, const PlannedCall &Call) const;
  /// The graphs whose first call, or first generated call, may be \p Item, rising.
  std::span<const uint32_t> beginningWith(const WorkItem &Item) const;

  const Trace &Input;
  const std::vector<PlannedGraph> &Graphs;
  bool TellsRegions;
  std::unordered_map<SiteId, std::vector<uint32_t>> ByKernel; ///< by the first generated call
  /// By the first call, if a library's.
  std::unordered_map<std::string_view, std::vector<uint32_t>, SeededHash> ByOperator;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_GRAPHRUNS_H
