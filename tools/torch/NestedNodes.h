//===- NestedNodes.h - what kernels compute of nested graphs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_NESTEDNODES_H
#define SEAMSCOPE_TOOLS_TORCH_NESTEDNODES_H

#include "torch/FxGraph.h"
#include "torch/Provenance.h"

namespace seamscope::tools {

/// torch's map ends where a node was captured into a nested graph, as the forward function of an
/// autograd.Function is. Completes \p Map for such nodes of \p PostGrad: by the line of Python that
/// both graphs have of them, and of the nodes of a line by the operator where one has it.
void mapNestedNodes(const FxGraph &PreGrad, const FxGraph &PostGrad, Provenance &Map);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_NESTEDNODES_H
