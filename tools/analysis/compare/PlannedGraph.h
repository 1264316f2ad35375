//===- PlannedGraph.h - compiled graphs and their eager operators ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PLANNEDGRAPH_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PLANNEDGRAPH_H

#include "analysis/compare/Alignment.h"
#include "analysis/compare/Parts.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A call that a compiled graph makes.
struct PlannedCall {
  std::vector<SiteId> Sites; ///< of a generated kernel, rising; empty if it is not in the trace
  std::string Operator;      ///< of a library kernel: its name in the trace
  bool Generated = false;
  StepPart Part = StepPart::Other;
  std::optional<int64_t> Bytes = {}; ///< lower bound of bytes read and written; nothing: unknown
  bool Shared = false;               ///< other calls also do a part of the operators' work
  /// The library operator, such as aten::convolution, for which a generated kernel changes the
  /// layout of inputs; that is most of its work. No eager operator does this. Empty: it does not.
  std::string LayoutFor = {};
  /// The branch that makes the call; nothing: the graph itself.
  std::optional<uint32_t> Branch = {};
};

/// Two calls of a graph that together do the work of an operator.
struct SharedWork {
  uint32_t Owner = 0, Other = 0;
  /// The operator, as an index of PlannedGraph::Eager; nothing: a part of one, wherever that is
  /// placed.
  std::optional<uint32_t> Eager;
};

/// A graph within a graph. A higher-order operator, such as cond or while_loop, decides whether and
/// how often it runs.
struct PlannedBranch {
  std::vector<ShapedOp> Eager; ///< as of the graph
  std::vector<uint32_t> EagerNodes;
  std::map<uint32_t, std::vector<uint32_t>> Runs; ///< see PlannedGraph
};

/// A compiled graph: its calls, and the operators that the program runs instead in eager mode.
/// ShapedOp::Owner is an index of Calls.
struct PlannedGraph {
  std::string Region; ///< the scope around its calls, see CompiledBackward
  std::vector<PlannedCall> Calls;
  std::vector<ShapedOp> Eager;
  std::vector<uint32_t> EagerNodes; ///< by Eager, its node in the captured graph
  /// Operators that several calls compute, by index of Eager: the operators that each is made of. A
  /// Python function, such as multi_head_attention_forward, runs these instead of one that has its
  /// name.
  std::map<uint32_t, std::vector<ShapedOp>> Inside = {};
  std::vector<SharedWork> Shared;
  std::vector<PlannedBranch> Branches;
  /// By index of Eager, the branches that run before that operator, as indices of Branches.
  std::map<uint32_t, std::vector<uint32_t>> Runs;
  std::optional<uint32_t> Backward; ///< the graph of its backward pass, if there is one
  bool CallsNumPy = false; ///< in eager mode the program calls NumPy, which leaves no events
  /// For the graph of a backward pass: what it computes for a node of the captured graph.
  std::map<uint32_t, std::vector<ShapedOp>> ForNode;
  /// For a graph that computes gradients itself, as with torch.func.grad: the operators that do.
  std::vector<ShapedOp> Gradients;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PLANNEDGRAPH_H
