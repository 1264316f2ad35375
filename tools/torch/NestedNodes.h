//===- NestedNodes.h - what kernels compute of nested graphs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_NESTEDNODES_H
#define SEAMSCOPE_TOOLS_TORCH_NESTEDNODES_H

#include "torch/FxGraph.h"
#include "torch/Provenance.h"

#include <map>
#include <string>

namespace seamscope::tools {

/// torch's map ends where a node was captured into a nested graph, as the forward function of an
/// autograd.Function is. Completes \p Map for such nodes of \p PostGrad: by the line of Python that
/// both graphs have of them, and of the nodes of a line by the operator where one has it.
/// Nodes of graphs that higher-order operators run, as cond, are mapped in each pair of
/// branchesOf(), by their full names.
void mapNestedNodes(const FxGraph &PreGrad, const FxGraph &PostGrad, Provenance &Map);

/// By graph of \p PreGrad that a higher-order operator runs if and as often as it decides, that of
/// \p PostGrad, in order; empty where they do not pair up.
std::map<std::string, std::string> branchesOf(const FxGraph &PreGrad, const FxGraph &PostGrad);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_NESTEDNODES_H
