//===- OpenMP.h - parallel regions as clang emits them ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_OPENMP_H
#define SEAMSCOPE_PASSES_OPENMP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// A call that starts a team, and the function every thread of the team runs.
struct ForkSite {
  llvm::CallBase *Call;
  llvm::Function *Body;
};

/// The function that \p Call hands to a team of threads, or null when it is no fork or
/// the body is not defined here.
llvm::Function *forkBody(const llvm::CallBase &Call);

/// Every fork of \p M, in module order.
llvm::SmallVector<ForkSite> findForks(llvm::Module &M);

/// Whether \p F calls the OpenMP runtime to start a team.
bool hasFork(const llvm::Function &F);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_OPENMP_H
