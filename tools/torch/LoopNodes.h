//===- LoopNodes.h - nodes that a loop of a generated kernel computes -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If loops are timed, `seamscope run` makes Inductor mark each statement of a C++ kernel with the
// number of the buffer that it helps to compute, and of the nodes that it computes itself:
//
//   for(int64_t x1=...; x1<...; x1+=...)
//   {
//       auto tmp3 = tmp0 - tmp2; // [seamscope 1:0]
//       auto tmp4 = tmp3.exp(); // [seamscope 1:1]
//       tmp_acc0_vec = tmp_acc0_vec + tmp4; // [seamscope 2:2]
//   }
//
// The nodes of each number are logged next to torch's map from kernel calls to nodes. A buffer has
// all nodes that Inductor fused into it. The second number stands for one node, or for several that
// have the same value. Loads have no first number; the second one is left out if it is not known.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_LOOPNODES_H
#define SEAMSCOPE_TOOLS_TORCH_LOOPNODES_H

#include "torch/CompiledGraphs.h"

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A `for` loop of a generated file.
struct CodeLoop {
  uint32_t First = 0;  ///< line of the `for`, from 1, or of the OpenMP directive before it,
                       ///< which clang takes as the loop's line
  uint32_t Last = 0;   ///< line of the closing brace
  bool IsRest = false; ///< for the elements that a loop over whole vectors leaves: in a branch
                       ///< that is marked as unlikely, or its variable does not begin at 0
  std::vector<uint32_t> Buffers; ///< numbers of the statements in it and its inner loops,
                                 ///< ascending; empty: none is marked
};

/// The loops of \p Source, by line. Leaves out loops without braces, and loops that begin on the
/// same line, which cannot be told apart. Returns none if braces do not match.
std::vector<CodeLoop> codeLoops(std::string_view Source);

/// The innermost of \p Loops that contains \p Line; null: none does.
const CodeLoop *innermostLoop(std::span<const CodeLoop> Loops, uint32_t Line);

/// The lines of \p Source.
std::vector<std::string_view> linesOf(std::string_view Source);

/// The lines of \p Source that have the number of their nodes, with it.
std::map<uint32_t, uint32_t> markedLines(std::string_view Source);

/// What a loop computes for one call of its kernel.
struct LoopNodes {
  std::vector<uint32_t> PostNodes; ///< in the graph's PostGrad, ascending
  std::vector<uint32_t> PreNodes;  ///< in the graph's PreGrad, ascending
};

/// The nodes of the loop at \p Line; None if its statements are not marked, or if torch's log lacks
/// nodes for a mark or has one that the call does not compute.
std::optional<LoopNodes> nodesOfLoop(const CompiledGraphs &Graphs, const KernelUse &Use,
                                     std::span<const CodeLoop> Loops, uint32_t Line);

/// "exp, sub".
std::string nodeNames(const FxGraph &Graph, const std::vector<uint32_t> &Nodes);

/// A line of generated code without its mark.
std::string_view withoutMark(std::string_view Line);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_LOOPNODES_H
