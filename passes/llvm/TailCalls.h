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

/// The calls of \p F that the back end may turn into jumps, since nothing but a return follows, and
/// that may come back to \p F. With an exit hook behind them, recursion that took constant stack
/// would overflow it. Calls marked musttail are not among them.
llvm::SmallVector<llvm::CallInst *> findTailCalls(llvm::Function &F);

/// Gives \p Call, one of findTailCalls, a return of its own right behind it, where it shares one
/// with other paths. The return.
llvm::ReturnInst *separateReturn(llvm::CallInst &Call);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_TAILCALLS_H
