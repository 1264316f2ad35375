//===- EagerOps.h - what a node of a captured graph runs without compiling ===//
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

/// The operators that the node of a graph captured by dynamo calls when it runs without
/// torch.compile, as a profiler of the eager program names the outermost of them ("aten::linear",
/// not the aten::addmm inside). Empty for what calls none: inputs, parts of a tuple, sizes.
std::vector<std::string> eagerOps(const FxGraph &Graph, uint32_t Node);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_EAGEROPS_H
