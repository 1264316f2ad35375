//===- TailCalls.h - calls that end a function -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_TAILCALLS_H
#define SEAMSCOPE_PASSES_TAILCALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace seamscope {

/// The calls of \p F that the back end may turn into jumps, because only a return follows, and that
/// may call \p F again. An exit hook behind them would make recursion that used constant stack
/// overflow it. Excludes musttail calls.
llvm::SmallVector<llvm::CallInst *> findTailCalls(llvm::Function &F);

/// Gives \p Call, one of findTailCalls, its own return if it shares one with other paths. Returns
/// that instruction.
llvm::ReturnInst *separateReturn(llvm::CallInst &Call);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_TAILCALLS_H
