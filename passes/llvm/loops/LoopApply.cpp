//===- LoopApply.cpp - hooks around loops, in IR ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "loops/LoopApply.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Every edge of \p From to \p To leads through a new block; its end.
Instruction *splitEdges(BasicBlock *To, ArrayRef<BasicBlock *> From, const char *Name) {
  if (!To->isLandingPad())
    return SplitBlockPredecessors(To, From, Name)->getTerminator();
  SmallVector<BasicBlock *, 2> New;
  SplitLandingPadPredecessors(To, From, Name, ".rest", New);
  return New.front()->getTerminator();
}

/// Splits a bracket's edges. Always with blocks of their own, so that hooks of brackets that have
/// an edge in common stand one behind the other: those of the inner bracket, which is split later,
/// on the inner side.
LoopPlaces splitBracket(const LoopBracket &Bracket) {
  SmallPtrSet<const BasicBlock *, 16> Inside(Bracket.Blocks.begin(), Bracket.Blocks.end());
  const EntryEdges Entries(Bracket.Blocks);
  LoopPlaces Places{};
  SmallVector<BasicBlock *> Leaving(Bracket.Blocks.begin(), Bracket.Blocks.end());
  if (Entries.To.size() == 1) {
    Places.Enter = splitEdges(Entries.To.front(), Entries.From.getArrayRef(), ".seamscope.loop");
  } else {
    // From one block, the common dominator: what it leads to besides leaves the bracket again.
    BasicBlock *Last = Entries.From.front();
    Places.Enter = SplitBlock(Last, Last->getTerminator()->getIterator())->getTerminator();
    Inside.insert(Places.Enter->getParent());
    Leaving.push_back(Places.Enter->getParent());
  }
  MapVector<BasicBlock *, SmallSetVector<BasicBlock *, 2>> Exits;
  for (BasicBlock *Block : Leaving)
    for (BasicBlock *To : successors(Block))
      if (!Inside.contains(To))
        Exits[To].insert(Block);
  for (auto &[To, From] : Exits)
    Places.Exits.push_back(splitEdges(To, From.getArrayRef(), ".seamscope.done"));
  return Places;
}

} // namespace

void assumeGuards(const LoopsOfFunction::Bracket &Bracket) {
  IRBuilder<> B(Bracket.Places.Enter);
  B.SetCurrentDebugLocation(HookWriter::hookLocation(*Bracket.Places.Enter->getFunction()));
  for (const auto &[Condition, Holds] : Bracket.Guards) {
    B.CreateAssumption(Holds ? Condition : B.CreateNot(Condition));
    // That a number is not negative is lost where ScalarEvolution meets it after other conditions.
    const auto *Compare = dyn_cast<ICmpInst>(Condition);
    const auto *With = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
    if (!With)
      continue;
    const auto Range = ConstantRange::makeExactICmpRegion(
        Holds ? Compare->getPredicate() : Compare->getInversePredicate(), With->getValue());
    if (Range.isAllNonNegative())
      B.CreateAssumption(
          B.CreateICmpULT(Compare->getOperand(0),
                          B.getInt(APInt::getSignedMinValue(With->getValue().getBitWidth()))));
  }
}

LoopsInModule splitLoopEdges(const std::vector<LoopPlan> &Plans) {
  LoopsInModule All;
  SmallVector<std::pair<const LoopPlan *, const LoopBracket *>> Order;
  for (const LoopPlan &Plan : Plans)
    for (const LoopBracket &Bracket : Plan.Brackets)
      Order.emplace_back(&Plan, &Bracket);
  // Outer ones first: what an inner one splits off lies inside of them.
  stable_sort(Order,
              [](const auto &A, const auto &B) { return A.second->Depth < B.second->Depth; });
  for (const auto &[Plan, Bracket] : Order) {
    LoopsOfFunction &Its = All[Plan->F];
    Its.Brackets.push_back({Plan, Bracket->Depth, splitBracket(*Bracket), Bracket->Guards});
    Its.Depths = std::max(Its.Depths, Bracket->Depth + 1);
  }
  return All;
}

} // namespace seamscope
