//===- SymbolicFloats.h - Python floats as inputs of graphs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_SYMBOLICFLOATS_H
#define SEAMSCOPE_TOOLS_RUN_SYMBOLICFLOATS_H

#include "analysis/compare/Attribution.h"
#include "analysis/groups/Advice.h"
#include "torch/CompileLog.h"

#include <optional>

namespace seamscope::tools {

/// The floats that a captured graph takes as tensors and reads as symbols ("Sym(zf3)").
size_t symbolicFloats(const FxGraph &Graph);

/// The finding "symbolic-floats": guards and reads of such inputs at each call, if much time is
/// outside of kernels.
std::optional<Advice> adviseOnFloats(const CompileLog &Log, const Attribution &All);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_SYMBOLICFLOATS_H
