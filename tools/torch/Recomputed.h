//===- Recomputed.h - nodes that kernels compute again --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_RECOMPUTED_H
#define SEAMSCOPE_TOOLS_TORCH_RECOMPUTED_H

#include "torch/FxGraph.h"

#include <string_view>

namespace seamscope::tools {

/// Whether a node is pointwise and costs something (views and casts do not). Inductor computes such
/// nodes again in each kernel that needs them instead of storing them (rematerialisation).
bool isPointwise(const FxNode &Node);

/// Whether the generated C++ \p Source can compute a node. torch's map of a kernel includes nodes
/// that only lead to its inputs; for a node that needs a function such as exp, the code shows this.
bool canCompute(std::string_view Source, const FxNode &Node);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_RECOMPUTED_H
