//===- NestedNodes.h - map from kernels to nodes of nested graphs ---------===//
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

/// torch's map ends at nodes in a nested graph, such as an autograd.Function's forward. Completes
/// \p Map for such nodes of \p PostGrad: by the Python line in both graphs and, within a line, by
/// operator.
///
/// Nodes of graphs that higher-order operators run, like cond, are mapped in each pair of
/// branchesOf(), by full name.
void mapNestedNodes(const FxGraph &PreGrad, const FxGraph &PostGrad, Provenance &Map);

/// Maps each graph of \p PreGrad that a higher-order operator may run to its counterpart in \p
/// PostGrad, in order; empty if they do not pair up.
std::map<std::string, std::string> branchesOf(const FxGraph &PreGrad, const FxGraph &PostGrad);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_NESTEDNODES_H
