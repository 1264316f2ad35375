//===- FusedOperators.h - what the operators in a fused kernel executed ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted work has lines of the generated C++, and each statement of that has a mark with the nodes
// of torch's graph that it computes (torch/LoopNodes.h). Together they split the work of a kernel
// into that of its operators, and a rest without one: the code of loops, and loads that several
// operators share.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_FUSEDOPERATORS_H
#define SEAMSCOPE_TOOLS_RUN_FUSEDOPERATORS_H

#include "analysis/work/ExecutedWork.h"
#include "run/join/TorchRun.h"
#include "torch/LoopNodes.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The statements of a kernel that compute the same nodes.
struct FusedOperator {
  uint32_t Number = 0; ///< of the mark; 0 for the rest, too
  /// For each of GeneratedKernel::Uses, the nodes in the graph's PostGrad; mostly one. Several
  /// nodes that ask for the same value share its statements. Empty: the rest.
  std::vector<std::vector<uint32_t>> Nodes;
  ExecutedWork Work;                   ///< over all calls of the kernel
  std::vector<const LineWork *> Lines; ///< of KernelWork::Lines or Separated, ascending
  /// The compiler joined instructions of several statements into one, which has the line of one of
  /// them: this operator has work of others at its lines, or others may have all of its own.
  bool IsJoined = false;
  /// Another kernel of this graph or of its forward pass, or another loop of this kernel, computes
  /// the same node.
  bool IsRecomputed = false;
  /// The part of Work that was executed before already, by a kernel that runs earlier or by an
  /// earlier loop. Nothing: the calls of the kernel differ in it.
  std::optional<ExecutedWork> Again = ExecutedWork();

  bool isRest() const { return Nodes.empty(); }
};

struct FusedKernel {
  /// In the order of the code, then the rest, always. Their work sums up to the kernel's.
  std::vector<FusedOperator> Operators;
  std::vector<CodeLoop> Loops; ///< of the generated file
  /// Lines that had the work of several statements, and these.
  std::vector<std::unique_ptr<LineWork>> Separated;
};

/// Whether work is more than loads and stores.
bool computes(const ExecutedWork &Work);

/// The operators of \p Kernel, whose lines have the file name \p File in \p Work. Nothing if its
/// statements are not marked, or if torch's log lacks nodes of a mark. The result refers to \p
/// Work.
std::optional<FusedKernel> fusedOperators(const CompiledGraphs &Graphs,
                                          const GeneratedKernel &Kernel, const KernelWork &Work,
                                          std::string_view File);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_FUSEDOPERATORS_H
