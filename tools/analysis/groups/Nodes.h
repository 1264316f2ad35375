//===- Nodes.h - the nodes of a model, as its runtime names them ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_NODES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_NODES_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// A node of ONNX Runtime: an operator at one place of a model.
struct NodeRow {
  StringId Name = 0, Type = 0, Provider = 0; ///< 0: not known
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< with the nodes of its subgraphs
  int64_t SelfNs = 0;  ///< without them
};

/// Longest SelfNs first; empty for traces of other producers.
std::vector<NodeRow> nodeRows(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_NODES_H
