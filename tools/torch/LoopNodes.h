//===- LoopNodes.h - the nodes that a loop of a generated kernel computes --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `seamscope run` has Inductor mark the statements of a C++ kernel, where loops are timed, with the
// number of the buffer that they compute a part of:
//
//   for(int64_t x1=...; x1<...; x1+=...)
//   {
//       auto tmp4 = tmp3.exp(); // [seamscope 1]
//       tmp_acc0_vec = tmp_acc0_vec + tmp4; // [seamscope 2]
//   }
//
// Beside torch's map from calls of kernels to nodes stand those of each number. A number is a
// buffer's and not a node's: all nodes that Inductor fused into it come together.
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
                      ///< which is where clang says that such a loop stands
  uint32_t Last = 0;  ///< of the brace that closes it
  std::vector<uint32_t> Buffers; ///< the numbers of the statements in it, also in its inner loops,
                                 ///< rising; empty: none is marked
};

/// The loops of \p Source, by line. A loop that has no braces is left out, and so are those of one
/// line on which several begin: their site could be any. Where braces do not match there are none.
std::vector<CodeLoop> codeLoops(std::string_view Source);

/// What a loop computes for one call of its kernel.
struct LoopNodes {
  std::vector<uint32_t> PostNodes; ///< of the graph's PostGrad, rising
  std::vector<uint32_t> PreNodes;  ///< of the graph's PreGrad, rising
};

/// The nodes of the loop at \p Line; nothing: unknown. That is so where no statement in it is
/// marked, torch's log has no nodes for a mark, or a node that is none of the call's.
std::optional<LoopNodes> nodesOfLoop(const CompiledGraphs &Graphs, const KernelUse &Use,
                                     std::span<const CodeLoop> Loops, uint32_t Line);

/// A line of generated code without its mark.
std::string_view withoutMark(std::string_view Line);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_LOOPNODES_H
