//===- Brackets.cpp - parts of a function that hooks can go around ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "loops/Brackets.h"

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

SmallVector<LoopBracket, 1>
BracketMaker::around(const LoopCopies &Loops, ArrayRef<BasicBlock *> Blocks, unsigned Depth) const {
  if (Loops.size() + Blocks.size() > 1)
    if (const BlockSet Inside = blocksAround(Loops, Blocks);
        !Inside.empty() && hasEdgesForHooks(Inside))
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

/// The blocks of the loops and \p Blocks, and those on paths to them from their nearest common
/// dominator outside. Empty if other loops are among these.
BracketMaker::BlockSet BracketMaker::blocksAround(const LoopCopies &Loops,
                                                  ArrayRef<BasicBlock *> Blocks) const {
  const Loop *Parent =
      Loops.empty() ? LI.getLoopFor(Blocks.front()) : Loops.front()->getParentLoop();
  BasicBlock *Before = Loops.empty() ? Blocks.front() : Loops.front()->getHeader();
  for (Loop *L : Loops)
    Before = Tree.findNearestCommonDominator(Before, L->getHeader());
  for (BasicBlock *Block : Blocks)
    Before = Tree.findNearestCommonDominator(Before, Block);
  while (is_contained(Blocks, Before) ||
         any_of(Loops, [&](const Loop *L) { return L->contains(Before); })) {
    const auto *Node = Tree.getNode(Before);
    const auto *Up = Node ? Node->getIDom() : nullptr;
    if (!Up)
      return {};
    Before = Up->getBlock();
  }
  BlockSet Inside;
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
    if (Around != Parent && none_of(Loops, [&](const Loop *L) { return L->contains(Around); }))
      return {};
    for (BasicBlock *From : predecessors(Block))
      Add(From);
  }
  // A loop that ends where these begin has no room for a hook before its branch.
  if (LI.getLoopFor(Before) != Parent && EntryEdges(to_vector(Inside)).To.size() != 1)
    return {};
  return Inside;
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
