//===- LoopNodes.h - nodes that a loop of a generated kernel computes -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If loops are timed, `seamscope run` makes Inductor mark each statement of a C++ kernel with the
// number of the buffer that it helps to compute:
//
//   for(int64_t x1=...; x1<...; x1+=...)
//   {
//       auto tmp4 = tmp3.exp(); // [seamscope 1]
//       tmp_acc0_vec = tmp_acc0_vec + tmp4; // [seamscope 2]
//   }
//
// The nodes of each number are logged next to torch's map from kernel calls to nodes. A number
// stands for a buffer, so all nodes that Inductor fused into it come together.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_LOOPNODES_H
#define SEAMSCOPE_TOOLS_TORCH_LOOPNODES_H

#include "torch/CompiledGraphs.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A `for` loop of a generated file.
struct CodeLoop {
  uint32_t First = 0; ///< line of the `for`, from 1, or of the OpenMP directive before it,
                      ///< which clang takes as the loop's line
  uint32_t Last = 0;  ///< line of the closing brace
  std::vector<uint32_t> Buffers; ///< numbers of the statements in it and its inner loops,
                                 ///< ascending; empty: none is marked
};

/// The loops of \p Source, by line. Leaves out loops without braces, and loops that begin on the
/// same line, which cannot be told apart. Returns none if braces do not match.
std::vector<CodeLoop> codeLoops(std::string_view Source);

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
