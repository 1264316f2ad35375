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

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace seamscope {

struct NotedKernel;

/// A part of a function with hooks on the edges into and out of it.
struct LoopBracket {
  llvm::SmallVector<llvm::BasicBlock *> Blocks; ///< in the order of the function
  unsigned Depth;                               ///< number of brackets around it
  /// Conditions that hold where it begins. Code generation finds them by walking back from the
  /// loop, block by block, which a hook would stop.
  llvm::SmallVector<std::pair<llvm::Value *, bool>> Guards;
};

/// The edges that lead into a part of a function.
struct EntryEdges {
  explicit EntryEdges(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

  llvm::SmallSetVector<llvm::BasicBlock *, 2> To;   ///< inside
  llvm::SmallSetVector<llvm::BasicBlock *, 2> From; ///< outside
};

/// A loop of the source in one function, or what is left there of a kernel's call that was inlined:
/// the site says which.
struct LoopPlan {
  llvm::Function *F;
  SitePlan Site;
  std::string Part; ///< distinguishes the loops of F, the same way in every file that has F
  llvm::SmallVector<LoopBracket, 1> Brackets;

  bool isInlinedCall() const { return Site.Kind == SEAMSCOPE_SITE_KERNEL; }
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
};

using NotedBySubprogram = llvm::DenseMap<const llvm::DISubprogram *, const NotedKernel *>;

/// Adds the loops of \p F, which belongs to the kernel shown as \p Kernel, to \p Result.
/// \p IsChosenByCode: nobody named the kernel; its only loop is not timed then.
void planLoops(llvm::Function &F, const std::string &Kernel, bool IsChosenByCode,
               const Selector &Select, const Options &Opts, llvm::FunctionAnalysisManager &FAM,
               LoopsPlan &Result);

/// Adds the calls of the kernels \p Noted that were inlined into \p F, which is not a kernel, and
/// the loops in them. Without debug information there is nothing to tell these by.
void planInlinedCalls(llvm::Function &F, const NotedBySubprogram &Noted, const Selector &Select,
                      const Options &Opts, llvm::FunctionAnalysisManager &FAM, LoopsPlan &Result);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LOOPPLAN_H
