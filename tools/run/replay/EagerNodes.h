//===- EagerNodes.h - what a kernel computes, in eager mode ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_EAGERNODES_H
#define SEAMSCOPE_TOOLS_RUN_EAGERNODES_H

#include "torch/FxGraph.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Nodes of a graph as Python.
struct EagerNodes {
  struct Input {
    std::string Name;
    std::string Type; ///< of its elements, "f32"
    std::vector<int64_t> Sizes, Strides;
  };
  std::vector<Input> Inputs;
  std::vector<std::string> Statements; ///< `exp = torch.ops.aten.exp.default(sub); del sub`
  std::vector<std::string> Outputs;    ///< names
  std::string Problem;                 ///< why there is none of this; empty: nothing is missing
};

/// The \p Nodes of \p Graph, which are in its order. A value is given up after its last use, as in
/// a program.
EagerNodes eagerNodes(const FxGraph &Graph, std::span<const uint32_t> Nodes);

/// The text of call.json for measure.py.
std::string callText(const EagerNodes &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_EAGERNODES_H
