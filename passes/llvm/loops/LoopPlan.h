//===- LoopPlan.h - which loops of a function are timed, as plain data -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of the source is one site, whatever the optimiser turned it into: a vector body and its
// remainder, versions behind a run-time check, peeled and unswitched parts. Hooks on the edges into
// and out of these parts time it from outside.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LOOPPLAN_H
#define SEAMSCOPE_PASSES_LOOPPLAN_H

#include "SitePlan.h"
#include "loops/Brackets.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace seamscope {

struct NotedKernel;

/// A loop of the source in one function, or what is left there of a kernel's call that was inlined:
/// the site says which.
struct LoopPlan {
  llvm::Function *F;
  SitePlan Site;
  std::string Part; ///< distinguishes the loops of F, the same way in every file that has F
  llvm::SmallVector<LoopBracket, 1> Brackets;

  bool isInlinedCall() const { return Site.Kind == SEAMSCOPE_SITE_KERNEL; }
};

/// A fork in a function that it was inlined into, alone in its block; and its kernel's site.
struct InlinedFork {
  llvm::CallBase *Call;
  const SitePlan *Site;
};

/// A loop that is not timed.
struct LoopSkip {
  llvm::Function *F;
  std::string Name;
  Reason Why;
};

struct LoopsPlan {
  std::vector<LoopPlan> Loops; ///< outer loops of a function first
  std::vector<LoopSkip> Skipped;
  llvm::DenseSet<const llvm::DISubprogram *> Inside;  ///< functions that timed loops come from
  llvm::DenseSet<const llvm::DISubprogram *> Untimed; ///< of which some inlined call is not timed
  llvm::DenseSet<const llvm::CallBase *> JoinedForks; ///< timed with all that their call left
};

using NotedBySubprogram = llvm::DenseMap<const llvm::DISubprogram *, const NotedKernel *>;

/// Adds the loops of \p F, which belongs to \p Kernel, to \p Result, and the
/// calls of other kernels that \p Forks are left of. \p IsChosenByCode: nobody named the kernel;
/// its only loop is not timed then.
void planLoops(llvm::Function &F, const KernelRef &Kernel, bool IsChosenByCode,
               llvm::ArrayRef<InlinedFork> Forks, const Selector &Select, const Options &Opts,
               llvm::FunctionAnalysisManager &FAM, LoopsPlan &Result);

/// Adds the calls of the kernels \p Noted that were inlined into \p F, which is not a kernel, and
/// the loops in them. Without debug information there is nothing to tell these by.
void planInlinedCalls(llvm::Function &F, const NotedBySubprogram &Noted,
                      llvm::ArrayRef<InlinedFork> Forks, const Selector &Select,
                      const Options &Opts, llvm::FunctionAnalysisManager &FAM, LoopsPlan &Result);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LOOPPLAN_H
