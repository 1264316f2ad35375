//===- UniformValues.h - what is the same in each iteration -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectoriser and the unroller put tests in front of the loops that they make of an inner loop:
// is there enough for one vector, is there a rest. The tests run in each iteration of the loop
// around, and have the same result each time. Then the inner loops' iterations can be counted in
// front of the outer loop: this file finds such values, and computes them there.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_UNIFORMVALUES_H
#define SEAMSCOPE_PASSES_UNIFORMVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace seamscope {

/// The blocks from which \p L is entered.
llvm::SmallVector<llvm::BasicBlock *, 2> entriesOf(const llvm::Loop &L);

/// Values and ways in one loop, outside of its inner loops.
class UniformValues {
public:
  /// \p Returning: blocks that can be left by a return; on ways to others the program ends.
  UniformValues(const llvm::Loop &L, const llvm::LoopInfo &LI,
                const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Returning)
      : L(L), LI(LI), Returning(Returning) {}

  bool isUniform(const llvm::Value &Of);
  /// Whether \p Block runs in each iteration or in none.
  bool isUniform(const llvm::BasicBlock &Block);
  /// Whether each iteration takes the way from \p From to \p To, or none does.
  bool isUniform(const llvm::BasicBlock &From, const llvm::BasicBlock &To);

  /// Computes what is uniform with code at \p B, in front of the loop.
  llvm::Value *value(llvm::Value &Of, llvm::IRBuilder<> &B);
  /// Whether the block runs.
  llvm::Value *runs(llvm::BasicBlock &Block, llvm::IRBuilder<> &B);
  /// Whether the way is taken.
  llvm::Value *isTaken(llvm::BasicBlock &From, llvm::BasicBlock &To, llvm::IRBuilder<> &B);

private:
  const llvm::Loop *innerLoop(const llvm::BasicBlock &Block) const;
  bool isOnlyWayOut(const llvm::Loop &Inner, const llvm::BasicBlock &From,
                    const llvm::BasicBlock &To) const;

  const llvm::Loop &L;
  const llvm::LoopInfo &LI;
  const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Returning;
  llvm::DenseMap<const llvm::Value *, bool> Known;         ///< false while it is being found out
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Made; ///< of a block: whether it runs
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_UNIFORMVALUES_H
