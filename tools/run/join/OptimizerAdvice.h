//===- OptimizerAdvice.h - optimizers that run in eager mode --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_OPTIMIZERADVICE_H
#define SEAMSCOPE_TOOLS_RUN_OPTIMIZERADVICE_H

#include "analysis/compare/Attribution.h"
#include "analysis/groups/Advice.h"

#include <optional>

namespace seamscope::tools {

/// The finding "eager-optimizer": steps of a torch optimizer within the steps of a training loop,
/// in which nothing compiled runs. Nothing if steps are calls, which contain no optimizer.
std::optional<Advice> adviseOnOptimizer(const Trace &Source, const Attribution &All);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_OPTIMIZERADVICE_H
