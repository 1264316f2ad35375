//===- Recomputed.h - what kernels compute again -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_RECOMPUTED_H
#define SEAMSCOPE_TOOLS_TORCH_RECOMPUTED_H

#include "torch/FxGraph.h"

#include <string_view>

namespace seamscope::tools {

/// Whether a node is computed element by element, of elements at the same place: what Inductor
/// computes in each kernel that needs it where it would be stored for all of them otherwise
/// (rematerialisation). Views and casts are none: they cost nothing that counts.
bool isPointwise(const FxNode &Node);

/// Whether generated C++ \p Source can compute a node. torch's map of a kernel has nodes that only
/// lead to what it reads; of one that needs a function as exp the code tells.
bool canCompute(std::string_view Source, const FxNode &Node);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_RECOMPUTED_H
