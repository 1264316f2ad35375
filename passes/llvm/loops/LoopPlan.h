//===- LoopPlan.h - which loops of a function are timed, as plain data -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of the source is one site, whatever the optimiser made of it: a vector body and its
// remainder, versions behind a check at run time, peeled and unswitched parts. It is timed from
// outside, at the edges that lead into what is left of it and out of that again.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LOOPPLAN_H
#define SEAMSCOPE_PASSES_LOOPPLAN_H

#include "SitePlan.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace seamscope {

/// A part of a function that is entered and left through its edges, with one begin and one end.
struct LoopBracket {
  llvm::SmallVector<llvm::BasicBlock *> Blocks; ///< in the order of the function
  unsigned Depth;                               ///< number of brackets around it
  /// Conditions that hold where it begins. Code generation finds them by going back from the loop,
  /// block by block, and would not come past a hook.
  llvm::SmallVector<std::pair<llvm::Value *, bool>> Guards;
};

/// The edges that lead into a part of a function.
struct EntryEdges {
  explicit EntryEdges(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

  llvm::SmallSetVector<llvm::BasicBlock *, 2> To;   ///< of the part
  llvm::SmallSetVector<llvm::BasicBlock *, 2> From; ///< outside
};

/// A loop of the source in one function.
struct LoopPlan {
  llvm::Function *F;
  SitePlan Site;
  std::string Part; ///< tells the loops of F apart, alike in every file that has F
  llvm::SmallVector<LoopBracket, 1> Brackets;
};

/// A loop that is left alone.
struct LoopSkip {
  llvm::Function *F;
  std::string Name;
  Reason Why;
};

struct LoopsPlan {
  std::vector<LoopPlan> Loops; ///< of one function those further out first
  std::vector<LoopSkip> Skipped;
};

/// Adds to \p Result the loops of \p F, which belongs to the kernel that is shown as \p Kernel.
void planLoops(llvm::Function &F, const std::string &Kernel, const Selector &Select,
               const Options &Opts, llvm::FunctionAnalysisManager &FAM, LoopsPlan &Result);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LOOPPLAN_H
