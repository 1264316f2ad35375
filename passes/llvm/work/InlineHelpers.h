//===- InlineHelpers.h - counts what a kernel's helpers do ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel counts its own code, so what a function does that it calls and that has no hooks is
// unknown: a constructor of a container that fills it, the sum over the lanes of a vector. Calls of
// them outside of innermost loops are inlined, after the optimiser has decided otherwise: one call
// less for each iteration of an outer loop, and the loops of both as they were.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_INLINEHELPERS_H
#define SEAMSCOPE_PASSES_INLINEHELPERS_H

#include "llvm/IR/PassManager.h"

namespace seamscope {

class Selector;

/// Inlines calls of small functions into the kernels and parallel regions of \p M whose work would
/// be unknown because of them. \p IsExact: those that do not compute count, too (`work=exact`).
void inlineHelpers(llvm::Module &M, const Selector &Select, bool IsExact,
                   llvm::FunctionAnalysisManager &FAM);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_INLINEHELPERS_H
