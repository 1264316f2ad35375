//===- ExpectedOps.h - operators expected of an eager step ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_EXPECTEDOPS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_EXPECTEDOPS_H

#include "analysis/compare/PlannedGraph.h"
#include "analysis/core/HostNesting.h"
#include "trace/model/Trace.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A call of a graph.
struct GraphCall {
  uint32_t Graph = 0;
  uint32_t Call = 0;
};

/// The node that an operator belongs to.
struct NodePlace {
  uint32_t Graph = NoEvent; ///< NoEvent: it runs uncompiled, or that is unknown
  uint32_t Node = 0;
  uint32_t Run = 0; ///< of a graph, in the step

  bool operator==(const NodePlace &) const = default;
};

/// The operators that an eager step is expected to run, given what the compiled step did, and where
/// the operators that it did run belong.
class ExpectedOps {
public:
  /// \p Graphs must outlive it. \p Eager: the eager run.
  ExpectedOps(const std::vector<PlannedGraph> &Graphs, const Trace &Eager);

  /// Begins another step.
  void clear();
  /// Whether the eager run has, instead of operator \p Eager of a graph, the operators inside it.
  bool runsInside(const PlannedGraph &Graph, uint32_t Eager) const;

  /// Adds a run of a graph in which these branches ran.
  void addGraph(uint32_t Graph, std::span<const uint32_t> Branches = {});
  /// Adds an operator that runs uncompiled.
  void addUncompiled(ShapedOp Op);

  /// Matches the eager step's operators with the expected ones. Steady steps repeat, and a repeated
  /// step costs nothing.
  void align(const std::vector<ShapedOp> &Calls);

  /// For an operator of the eager step, by its index.
  const AlignedOp &at(size_t Call) const { return Found[Call]; }
  /// Its node, if an operator of that node is expected in its place or on both sides of it.
  NodePlace placeOf(size_t Call) const { return PlaceOf[Call]; }
  /// The call that took it over. Its AlignedOp must have an owner.
  const GraphCall &ownerOf(size_t Call) const { return Owners[Found[Call].Owner]; }

private:
  void findPlaces();

  const std::vector<PlannedGraph> &Graphs;
  std::set<std::string, std::less<>> InEager; ///< names of operators
  std::vector<ShapedOp> Expected;             ///< ShapedOp::Owner is an index of Owners
  std::vector<NodePlace> Places;              ///< by Expected
  std::vector<GraphCall> Owners;
  uint32_t Runs = 0;

  std::vector<ShapedOp> LastExpected, LastCalls;
  std::vector<AlignedOp> Found;   ///< by call
  std::vector<NodePlace> PlaceOf; ///< by call
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_EXPECTEDOPS_H
