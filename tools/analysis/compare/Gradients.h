//===- Gradients.h - which calls compute an operator's gradient -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_GRADIENTS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_GRADIENTS_H

#include "analysis/compare/Alignment.h"

#include <vector>

namespace seamscope::tools {

/// Finds the compiled call that took over each of \p Calls, which autograd's engine ran for one
/// forward operator. \p Expected: what compiled graphs compute for that operator's gradient. As
/// both are of one operator, their order does not matter. Calls with the same operator and shapes
/// are Proven. Others go, ByOrder, to the owner that computes most of the rest; views go to the
/// owner of what they are for. Without an owner nothing is found.
std::vector<AlignedOp> alignGradient(const std::vector<ShapedOp> &Expected,
                                     const std::vector<ShapedOp> &Calls);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_GRADIENTS_H
