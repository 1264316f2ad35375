//===- Brackets.cpp - parts of a function that hooks can go around ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "loops/Brackets.h"

#include "loops/SourceLoop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace seamscope {

EntryEdges::EntryEdges(ArrayRef<BasicBlock *> Blocks) {
  const SmallPtrSet<BasicBlock *, 16> Inside(Blocks.begin(), Blocks.end());
  for (BasicBlock *Block : Blocks)
    for (BasicBlock *Before : predecessors(Block))
      if (!Inside.contains(Before)) {
        To.insert(Block);
        From.insert(Before);
      }
}

/// Whether \p Inside can be entered and left through edges that can be split.
bool BracketMaker::hasEdgesForHooks(const BlockSet &Inside) const {
  const auto CanSplit = [&](const BasicBlock *From) {
    return !isa<IndirectBrInst, CallBrInst>(From->getTerminator()) &&
           Tree.isReachableFromEntry(From);
  };
  for (BasicBlock *Block : Inside) {
    for (const BasicBlock *From : predecessors(Block))
      if (!Inside.contains(From) && (!CanSplit(From) || Block->isEHPad()))
        return false;
    for (const BasicBlock *To : successors(Block))
      if (!Inside.contains(To) && (!CanSplit(Block) || (To->isEHPad() && !To->isLandingPad())))
        return false;
  }
  return true;
}

SmallVector<LoopBracket, 1> BracketMaker::around(const Parts &Of, unsigned Depth) const {
  const auto &[Loops, Blocks] = Of;
  if (Loops.size() + Blocks.size() > 1)
    if (const BlockSet Inside = blocksAround(Of); !Inside.empty() && hasEdgesForHooks(Inside))
      return {inOrder(Inside, Depth)};
  SmallVector<LoopBracket, 1> Found;
  for (Loop *L : Loops) {
    const BlockSet Inside(L->block_begin(), L->block_end());
    if (!hasEdgesForHooks(Inside))
      return {};
    Found.push_back(inOrder(Inside, Depth));
  }
  for (BasicBlock *Block : Blocks) {
    BlockSet Inside;
    Inside.insert(Block);
    if (!hasEdgesForHooks(Inside))
      return {};
    Found.push_back(inOrder(Inside, Depth));
  }
  return Found;
}

/// The blocks of the parts, and those on paths to them from their nearest common dominator, which
/// is outside if it is no part. Empty if other loops are among these.
BracketMaker::BlockSet BracketMaker::blocksAround(const Parts &Of) const {
  const auto &[Loops, Blocks] = Of;
  const Loop *Parent =
      Loops.empty() ? LI.getLoopFor(Blocks.front()) : Loops.front()->getParentLoop();
  BasicBlock *Before = Loops.empty() ? Blocks.front() : Loops.front()->getHeader();
  for (Loop *L : Loops)
    Before = Tree.findNearestCommonDominator(Before, L->getHeader());
  for (BasicBlock *Block : Blocks)
    Before = Tree.findNearestCommonDominator(Before, Block);
  BlockSet Inside;
  if (is_contained(Blocks, Before) ||
      any_of(Loops, [&](const Loop *L) { return L->getHeader() == Before; })) {
    if (Before->isEntryBlock())
      return {}; // no edge leads there
    Inside.insert(Before);
  }
  SmallVector<BasicBlock *> Open;
  const auto Add = [&](BasicBlock *Block) {
    if (Block != Before && Tree.isReachableFromEntry(Block) && Inside.insert(Block).second)
      Open.push_back(Block);
  };
  for (Loop *L : Loops)
    for (BasicBlock *Block : L->blocks())
      Add(Block);
  for (BasicBlock *Block : Blocks)
    Add(Block);
  while (!Open.empty()) {
    BasicBlock *Block = Open.pop_back_val();
    const Loop *Around = LI.getLoopFor(Block);
    if (Around != Parent && none_of(Of.Loops, [&](const Loop *L) { return L->contains(Around); }))
      return {};
    for (BasicBlock *From : predecessors(Block))
      Add(From);
  }
  // A loop that ends where these begin has no room for a hook before its branch.
  if (LI.getLoopFor(Before) != Parent && EntryEdges(to_vector(Inside)).To.size() != 1)
    return {};
  return Inside;
}

/// In the order of the program.
size_t BracketMaker::positionOf(const BasicBlock &Block) const {
  if (Positions.empty())
    for (const BasicBlock *Each : ReversePostOrderTraversal<Function *>(&F))
      Positions.try_emplace(Each, Positions.size());
  return Positions.lookup(&Block);
}

/// Whether both may run in one pass of the loop around them.
bool BracketMaker::runsAfter(const BasicBlock &Later, const BasicBlock &Earlier) const {
  SmallPtrSet<BasicBlock *, 1> Not;
  if (const Loop *Around = LI.getLoopFor(&Earlier)->getParentLoop())
    Not.insert(Around->getHeader());
  return isPotentiallyReachable(&Earlier, &Later, &Not, &Tree, &LI);
}

/// The one of \p Known, copies of a source loop in the order of the program, that \p L is of; null:
/// a new one.
Parts *BracketMaker::copyWith(const Loop &L, MutableArrayRef<Parts> Known) const {
  const std::optional<uint64_t> Copy = copyOf(L);
  const auto Follows = [&](const Loop *Other) {
    return runsAfter(*L.getHeader(), *Other->getHeader());
  };
  // A remainder runs after the copy that it is of, and before the next one.
  if (!Copy)
    for (Parts &Each : reverse(Known))
      if (any_of(Each.Loops, Follows))
        return &Each;
  for (Parts &Each : Known)
    if (any_of(Each.Loops, [&](const Loop *Other) {
          return (Copy && copyOf(*Other) == Copy) || !Follows(Other);
        }))
      return &Each;
  return nullptr;
}

SmallVector<Parts, 1> BracketMaker::executions(const Parts &All,
                                               ArrayRef<const void *> Sources) const {
  // By source, its copies in the order of the program.
  MapVector<const void *, SmallVector<Parts, 1>> Copies;
  LoopCopies Loops = All.Loops;
  stable_sort(Loops, [&](const Loop *A, const Loop *B) {
    return positionOf(*A->getHeader()) < positionOf(*B->getHeader());
  });
  for (Loop *L : Loops) {
    SmallVector<Parts, 1> &Known = Copies[sourceLoop(*L)];
    Parts *const Same = copyWith(*L, Known);
    (Same ? *Same : Known.emplace_back()).Loops.push_back(L);
  }
  SmallVector<std::pair<BasicBlock *, const void *>> Blocks;
  for (size_t I = 0; I < All.Blocks.size(); ++I)
    Blocks.emplace_back(All.Blocks[I], Sources[I]);
  stable_sort(Blocks, [&](const auto &A, const auto &B) {
    return positionOf(*A.first) < positionOf(*B.first);
  });
  for (const auto &[Block, Source] : Blocks)
    Copies[Source].emplace_back().Blocks.push_back(Block);
  SmallVector<Parts, 1> Result;
  for (const auto &[Source, Of] : Copies) {
    if (Result.empty())
      Result.resize(Of.size());
    if (Result.size() != Of.size())
      return {};
    for (size_t I = 0; I < Of.size(); ++I) {
      append_range(Result[I].Loops, Of[I].Loops);
      append_range(Result[I].Blocks, Of[I].Blocks);
    }
  }
  return Result;
}

LoopBracket BracketMaker::inOrder(const BlockSet &Inside, unsigned Depth) const {
  LoopBracket Bracket{{}, Depth, {}};
  for (BasicBlock &Block : F)
    if (Inside.contains(&Block))
      Bracket.Blocks.push_back(&Block);
  if (!F.hasOptNone())
    addGuards(Bracket);
  return Bracket;
}

/// Walks back like ScalarEvolution's getPredecessorWithUniqueSuccessorForBB.
void BracketMaker::addGuards(LoopBracket &Bracket) const {
  constexpr unsigned Most = 16;
  const EntryEdges Entries(Bracket.Blocks);
  if (Entries.From.size() != 1)
    return;
  const BasicBlock *From = Entries.From.front();
  const BasicBlock *To = Entries.To.size() == 1 ? Entries.To.front() : nullptr;
  while (From && Bracket.Guards.size() < Most) {
    if (const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
        To && Branch && Branch->isConditional() &&
        Branch->getSuccessor(0) != Branch->getSuccessor(1) &&
        !isa<Constant>(Branch->getCondition()))
      Bracket.Guards.emplace_back(Branch->getCondition(), Branch->getSuccessor(0) == To);
    if (const BasicBlock *Single = From->getSinglePredecessor()) {
      To = From;
      From = Single;
    } else if (const Loop *L = LI.getLoopFor(From)) {
      To = L->getHeader();
      From = L->getLoopPredecessor();
    } else {
      return;
    }
  }
}

} // namespace seamscope
