//===- Brackets.h - parts of a function that hooks can go around -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_BRACKETS_H
#define SEAMSCOPE_PASSES_BRACKETS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"

#include <utility>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace seamscope {

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

using LoopCopies = llvm::SmallVector<llvm::Loop *, 2>;

/// Loops and blocks of one level, which no other of these loops contains.
struct Parts {
  LoopCopies Loops;
  llvm::SmallVector<llvm::BasicBlock *, 2> Blocks;
};

/// Makes brackets in one function.
class BracketMaker {
public:
  BracketMaker(llvm::Function &F, const llvm::LoopInfo &LI, const llvm::DominatorTree &Tree)
      : F(F), LI(LI), Tree(Tree) {}

  /// One bracket around all parts or, where hooks cannot go around all, one around each. Empty
  /// where they cannot go around some part either.
  llvm::SmallVector<LoopBracket, 1> around(const Parts &Of, unsigned Depth) const;

  /// Splits the parts of some code by the copies of it that run one after the other, since a loop
  /// around it was unrolled. \p Sources: for each block, what it is a copy of. Empty: the parts do
  /// not tell.
  llvm::SmallVector<Parts, 1> executions(const Parts &All,
                                         llvm::ArrayRef<const void *> Sources) const;

private:
  using BlockSet = llvm::SmallPtrSet<llvm::BasicBlock *, 16>;

  bool hasEdgesForHooks(const BlockSet &Inside) const;
  BlockSet blocksAround(const Parts &Of) const;
  size_t positionOf(const llvm::BasicBlock &Block) const;
  Parts *copyWith(const llvm::Loop &L, llvm::MutableArrayRef<Parts> Known) const;
  bool runsAfter(const llvm::BasicBlock &Later, const llvm::BasicBlock &Earlier) const;
  LoopBracket inOrder(const BlockSet &Inside, unsigned Depth) const;
  void addGuards(LoopBracket &Bracket) const;

  llvm::Function &F;
  const llvm::LoopInfo &LI;
  const llvm::DominatorTree &Tree;
  mutable llvm::DenseMap<const llvm::BasicBlock *, size_t> Positions; ///< set at the first question
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_BRACKETS_H
