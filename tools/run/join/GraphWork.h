//===- GraphWork.h - what each call of a compiled graph computes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_GRAPHWORK_H
#define SEAMSCOPE_TOOLS_RUN_GRAPHWORK_H

#include "analysis/compare/Parts.h"
#include "torch/CompiledGraphs.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The part of a step that a node's operators belong to; Other if none of them says.
StepPart partOfNode(const FxGraph &Graph, uint32_t Node);

/// The nodes that each call of one graph computes: those after autograd (PostGrad) and captured
/// ones (PreGrad).
class GraphWork {
public:
  /// \p Number: of a graph in the log of \p Graphs, which must outlive this. \p Branches: functions
  /// of its output code, each for a graph that an operator runs.
  GraphWork(const CompiledGraphs &Graphs, uint32_t Number,
            const std::map<std::string, uint32_t> &Branches);

  const CompiledGraph &Graph;
  const std::span<const KernelUse> Uses; ///< its calls

  bool isExtern(size_t Call) const { return code(Call).Extern; }
  const CodeCall &code(size_t Call) const { return Graph.Code.Calls[Uses[Call].Call]; }
  /// The text of a generated kernel; empty: not known, or a library's.
  std::string_view sourceOf(size_t Call) const;

  /// By call, the nodes of PostGrad that it computes.
  const std::vector<std::vector<uint32_t>> &work() const { return Work; }
  /// The captured nodes of which a call computes more than a view, each with the nodes of PostGrad
  /// that it computes for it, rising.
  const std::map<uint32_t, std::vector<uint32_t>> &computedBy(size_t Call) const {
    return Computed[Call];
  }

  /// Whether other calls do a part of a call's work.
  bool sharesNodes(size_t Call) const;
  /// Whether several calls compute a captured node.
  bool isShared(uint32_t Node) const;
  /// The calls that compute parts of a captured node which its owner does not compute.
  std::vector<uint32_t> othersOf(uint32_t Node, int64_t Owner) const;
  /// Whether a node of PostGrad that several generated kernels name is computed in each of them.
  bool isComputedAnew(uint32_t Post) const;
  /// By node of PostGrad, the call that computes it: a library call, else the first one.
  std::map<uint32_t, int64_t> ownersOfPost() const;

private:
  void findWork(const std::map<std::string, uint32_t> &Branches);
  std::vector<uint32_t> workOfExtern(size_t Call) const;
  std::vector<uint32_t> workOfGenerated(size_t Call, const std::set<uint32_t> &Elsewhere) const;
  void findComputed();
  std::vector<uint32_t> capturedFor(uint32_t Post) const;

  const CompiledGraphs &Graphs;
  std::vector<std::vector<uint32_t>> Work;
  std::vector<std::map<uint32_t, std::vector<uint32_t>>> Computed;
  /// Number of calls that compute a node of the captured graph.
  std::map<uint32_t, unsigned> Sharers;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_GRAPHWORK_H
