//===- LoopApply.h - hooks around loops, in IR ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LOOPAPPLY_H
#define SEAMSCOPE_PASSES_LOOPAPPLY_H

#include "Hooks.h"
#include "loops/LoopPlan.h"

#include "llvm/ADT/MapVector.h"

namespace seamscope {

/// Where the hooks of one bracket stand: before these instructions.
struct LoopPlaces {
  llvm::Instruction *Enter;
  llvm::SmallVector<llvm::Instruction *, 2> Exits;
};

/// The brackets of one function.
struct LoopsOfFunction {
  struct Bracket {
    const LoopPlan *Plan;
    unsigned Depth;
    LoopPlaces Places;
    llvm::ArrayRef<std::pair<llvm::Value *, bool>> Guards;
    bool Continues = false; ///< where it begins another bracket may have its end
  };
  llvm::SmallVector<Bracket> Brackets;
  unsigned Depths = 0; ///< of which each has a frame
};

using LoopsInModule = llvm::MapVector<llvm::Function *, LoopsOfFunction>;

/// Makes a block of each edge that leads into a bracket or out of it. To be done before anything
/// else changes the functions, which would have other blocks afterwards.
LoopsInModule splitLoopEdges(const std::vector<LoopPlan> &Plans);

/// Gives the brackets that begin where another one of their depth ends, with next to nothing
/// between the two, that end: one stamp does for both.
void joinAdjacent(LoopsOfFunction &Its);

/// Behind the hook at the begin of \p Bracket: says what the code before it has tested.
void assumeGuards(const LoopsOfFunction::Bracket &Bracket);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LOOPAPPLY_H
