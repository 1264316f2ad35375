//===- InlineHelpers.h - counts what a kernel's helpers do ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel counts its own code. Functions that it calls without hooks, such as a constructor that
// fills a container or the sum over the lanes of a vector, would have unknown work. Their calls
// outside of innermost loops are inlined after the optimiser, if they are small. Others call copies
// that count for their caller (CountedHelpers). Loops do not change.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_INLINEHELPERS_H
#define SEAMSCOPE_PASSES_INLINEHELPERS_H

#include "llvm/IR/PassManager.h"

namespace seamscope {

class Selector;

/// Inlines calls of functions into the kernels and parallel regions of \p M whose work would be
/// unknown because of them, or replaces them by calls of copies that count. \p IsExact: those that
/// do not compute count, too (`work=exact`).
void inlineHelpers(llvm::Module &M, const Selector &Select, bool IsExact,
                   llvm::FunctionAnalysisManager &FAM);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_INLINEHELPERS_H
