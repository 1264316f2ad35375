//===- ConstantKernels.h - kernels that compute the same at each call -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_CONSTANTKERNELS_H
#define SEAMSCOPE_TOOLS_RUN_CONSTANTKERNELS_H

#include "analysis/compare/Attribution.h"
#include "analysis/groups/Advice.h"
#include "run/join/TorchRun.h"

#include <optional>
#include <vector>

namespace seamscope::tools {

/// By node of the graph's PostGrad, whether its value depends only on parameters and buffers of
/// modules. Empty if it is not known which inputs those are, or if the graph is not for inference.
std::vector<bool> constantNodes(const CompiledGraph &Graph);

/// The finding "constant-kernels": the time of calls that compute from parameters alone.
std::optional<Advice> adviseOnConstants(const TorchRun &Torch, const Attribution &All);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_CONSTANTKERNELS_H
