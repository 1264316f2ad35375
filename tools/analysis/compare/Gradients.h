//===- Gradients.h - what took over an operator's backward pass ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_GRADIENTS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_GRADIENTS_H

#include "analysis/compare/Alignment.h"

#include <vector>

namespace seamscope::tools {

/// Finds for each of \p Calls, what autograd's engine ran for one operator of the forward pass,
/// what took it over. \p Expected: what compiled graphs compute for that operator's gradient. Both
/// are of one operator, so their order does not matter: the same operator and shapes are Proven;
/// others go, ByOrder, to the owner that computes most of what is left; views to that of what they
/// are for. Without an owner nothing is found.
std::vector<AlignedOp> alignGradient(const std::vector<ShapedOp> &Expected,
                                     const std::vector<ShapedOp> &Calls);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_GRADIENTS_H
