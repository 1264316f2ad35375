//===- CallerLoops.h - functions that loops and recursions call ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_CALLERLOOPS_H
#define SEAMSCOPE_PASSES_CALLERLOOPS_H

#include "OpenMP.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/PassManager.h"

namespace seamscope {

/// The function of this module that \p Call calls, through aliases; null if there is none.
llvm::Function *definedCallee(const llvm::CallBase &Call);

/// Whether another function of the module calls \p F by name.
bool isCalledDirectly(const llvm::Function &F);

/// The functions of a module that a loop or a recursion reaches, through any number of calls. Loops
/// of `main` are how the program repeats its kernels and do not count.
class CallerLoops {
public:
  CallerLoops(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  bool repeat(const llvm::Function &F) const { return Repeated.contains(&F); }
  /// Whether \p F may call itself, directly or through functions of the module.
  bool isRecursive(const llvm::Function &F) const { return Recursive.contains(&F); }

private:
  void add(llvm::Function *F);
  void addCallsOf(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

  ForkGraph Forks;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<llvm::Function *, 4>> Callees;
  llvm::DenseSet<const llvm::Function *> Repeated, Recursive;
  llvm::SmallVector<const llvm::Function *> Work;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_CALLERLOOPS_H
