//===- UnrolledLoops.h - loops of Python that became copies in a graph ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_UNROLLEDLOOPS_H
#define SEAMSCOPE_TOOLS_RUN_UNROLLEDLOOPS_H

#include "analysis/groups/Advice.h"
#include "torch/CompileLog.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// A line of the program that a loop ran repeatedly while dynamo captured the graph.
struct UnrolledLine {
  SourceLine Where;
  uint64_t Copies = 0;
  size_t Nodes = 0;    ///< of all copies
  size_t AllNodes = 0; ///< of all unrolled lines in this graph
  size_t GraphNodes = 0;
};

/// The line with the most nodes; nothing if no line has \p Least copies. Lines of the same module
/// with the same callers are copies of each other: a loop over layers, each a module, does not
/// count.
std::optional<UnrolledLine> unrolledLine(const FxGraph &Graph, const NodeOrigins &Origins,
                                         uint64_t Least);

/// The finding "unrolled-loop": graphs that consist of copies and took long to compile.
std::vector<Advice> adviseOnUnrolledLoops(const CompileLog &Log);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_UNROLLEDLOOPS_H
