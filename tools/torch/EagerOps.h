//===- EagerOps.h - the eager operators of a captured node ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_EAGEROPS_H
#define SEAMSCOPE_TOOLS_TORCH_EAGEROPS_H

#include "torch/FxGraph.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// The operators that a node of a captured graph calls without torch.compile, named like the
/// outermost ones in an eager profile ("aten::linear", not the aten::addmm inside). Empty for nodes
/// that call none: inputs, parts of a tuple, sizes.
std::vector<std::string> eagerOps(const FxGraph &Graph, uint32_t Node);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_EAGEROPS_H
