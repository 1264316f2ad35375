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

/// The hooks of one bracket go before these instructions.
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
    bool Continues = false; ///< another bracket may end where this one begins
  };
  llvm::SmallVector<Bracket> Brackets;
  unsigned Depths = 0; ///< each depth has a frame
};

using LoopsInModule = llvm::MapVector<llvm::Function *, LoopsOfFunction>;

/// Splits each edge into or out of a bracket with a block. Call it before any other change to the
/// functions: plans refer to their blocks.
LoopsInModule splitLoopEdges(const std::vector<LoopPlan> &Plans);

/// If a bracket begins right after another one of its depth, lets one stamp end the first and begin
/// the second.
void joinAdjacent(LoopsOfFunction &Loops);

/// Repeats, as assumptions behind the hook that begins \p Bracket, what the code before it has
/// tested.
void assumeGuards(const LoopsOfFunction::Bracket &Bracket);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LOOPAPPLY_H
