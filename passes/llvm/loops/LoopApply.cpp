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
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace seamscope {
namespace {

/// Routes the edges from \p From to \p To through a new block. Returns its terminator.
Instruction *splitEdges(BasicBlock *To, ArrayRef<BasicBlock *> From, const char *Name) {
  if (!To->isLandingPad())
    return SplitBlockPredecessors(To, From, Name)->getTerminator();
  SmallVector<BasicBlock *, 2> New;
  SplitLandingPadPredecessors(To, From, Name, ".rest", New);
  return New.front()->getTerminator();
}

/// Splits a bracket's edges, always with new blocks: hooks of brackets that share an edge then
/// nest, as inner brackets are split later and get the inner side.
LoopPlaces splitBracket(const LoopBracket &Bracket) {
  SmallPtrSet<const BasicBlock *, 16> Inside(Bracket.Blocks.begin(), Bracket.Blocks.end());
  const EntryEdges Entries(Bracket.Blocks);
  LoopPlaces Places{};
  SmallVector<BasicBlock *> Leaving(Bracket.Blocks.begin(), Bracket.Blocks.end());
  if (Entries.To.size() == 1) {
    Places.Enter = splitEdges(Entries.To.front(), Entries.From.getArrayRef(), ".seamscope.loop");
  } else {
    // All entries come from one block, the common dominator; its edges to other places leave the
    // bracket.
    BasicBlock *Last = Entries.From.front();
    BasicBlock *Hook = SplitBlock(Last, Last->getTerminator()->getIterator());
    // Its branch gets a block of its own: a bracket inside this one may split that again.
    BasicBlock *Branch = SplitBlock(Hook, Hook->getTerminator()->getIterator());
    Places.Enter = Hook->getTerminator();
    Inside.insert(Branch);
    Leaving.push_back(Branch);
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

namespace {

/// Finds a path from the end of a bracket to the begin of another that is too short to need stamps
/// at both ends.
class ShortPath {
public:
  explicit ShortPath(const DenseMap<BasicBlock *, size_t> &Begins) : Begins(Begins) {}

  /// Searches from the begin of \p Block. Returns the first block of a bracket, or null.
  BasicBlock *find(BasicBlock *Block) {
    if (!Seen.insert(Block).second)
      return nullptr;
    for (const Instruction &Each : *Block)
      if (!isFree(Each) && !--Left)
        return nullptr;
    if (Begins.contains(Block))
      return Block;
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    if (!Branch)
      return nullptr;
    for (BasicBlock *Next : Branch->successors()) {
      const unsigned Before = Left;
      if (BasicBlock *Found = find(Next)) {
        for (BasicBlock *Other : Branch->successors())
          if (Other != Next)
            Leaving.emplace_back(Block, Other);
        return Found;
      }
      Left = Before - 1;
      if (!Left || Branch->getNumSuccessors() == 1)
        return nullptr;
    }
    return nullptr;
  }

  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 2> Leaving; ///< edges that leave the path

private:
  /// Whether \p I costs nothing. Instructions that may take long use up the budget and end the
  /// path.
  bool isFree(const Instruction &I) {
    if (isa<PHINode, AssumeInst>(I) || I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd())
      return true;
    if (isa<CallBase>(I) || I.mayReadFromMemory() || I.isVolatile() || I.isAtomic())
      Left = 1;
    return false;
  }

  const DenseMap<BasicBlock *, size_t> &Begins;
  SmallPtrSet<const BasicBlock *, 8> Seen;
  unsigned Left = 17; ///< instructions allowed, plus one
};

} // namespace

void joinAdjacent(LoopsOfFunction &Loops) {
  DenseMap<BasicBlock *, size_t> Begins;
  for (size_t I = 0; I < Loops.Brackets.size(); ++I)
    Begins[Loops.Brackets[I].Places.Enter->getParent()] = I;
  std::set<std::pair<BasicBlock *, unsigned>> Ends; // made on edges that leave a path, by depth
  for (LoopsOfFunction::Bracket &Bracket : Loops.Brackets) {
    SmallVector<Instruction *, 2> Open = std::move(Bracket.Places.Exits);
    Bracket.Places.Exits.clear();
    // Each join moves exits to the edges that leave the path, so the number of joins is limited.
    for (unsigned Joins = 0; !Open.empty();) {
      Instruction *Exit = Open.pop_back_val();
      ShortPath Path(Begins);
      BasicBlock *Next =
          Joins < 8 && Exit->getNumSuccessors() == 1 ? Path.find(Exit->getSuccessor(0)) : nullptr;
      if (!Next || Loops.Brackets[Begins[Next]].Depth != Bracket.Depth) {
        if (!is_contained(Bracket.Places.Exits, Exit))
          Bracket.Places.Exits.push_back(Exit);
        continue;
      }
      ++Joins;
      Loops.Brackets[Begins[Next]].Continues = true;
      // Two brackets may continue each other in a loop: both leave it by the same edges.
      for (const auto &[From, To] : Path.Leaving) {
        BasicBlock *const End = Ends.contains({To, Bracket.Depth}) ? To : SplitEdge(From, To);
        Ends.insert({End, Bracket.Depth});
        Open.push_back(End->getTerminator());
      }
    }
  }
}

/// Negations are written as inverted compares, because ScalarEvolution does not look through `not`.
static void assume(IRBuilder<> &B, Value *Condition, bool Holds) {
  Value *First, *Second;
  if (Holds ? match(Condition, m_LogicalAnd(m_Value(First), m_Value(Second)))
            : match(Condition, m_LogicalOr(m_Value(First), m_Value(Second)))) {
    assume(B, First, Holds);
    assume(B, Second, Holds);
    return;
  }
  if (match(Condition, m_Not(m_Value(First))))
    return assume(B, First, !Holds);
  const auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (Holds)
    B.CreateAssumption(Condition);
  else if (Compare)
    B.CreateAssumption(B.CreateICmp(Compare->getInversePredicate(), Compare->getOperand(0),
                                    Compare->getOperand(1)));
  else
    B.CreateAssumption(B.CreateNot(Condition));
  // ScalarEvolution loses the fact that a number is not negative if it meets other conditions
  // first.
  const auto *With = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
  if (!With)
    return;
  const auto Range = ConstantRange::makeExactICmpRegion(
      Holds ? Compare->getPredicate() : Compare->getInversePredicate(), With->getValue());
  if (Range.isAllNonNegative())
    B.CreateAssumption(
        B.CreateICmpULT(Compare->getOperand(0),
                        B.getInt(APInt::getSignedMinValue(With->getValue().getBitWidth()))));
}

void assumeGuards(const LoopsOfFunction::Bracket &Bracket) {
  IRBuilder<> B(Bracket.Places.Enter);
  B.SetCurrentDebugLocation(HookWriter::hookLocation(*Bracket.Places.Enter->getFunction()));
  for (const auto &[Condition, Holds] : Bracket.Guards)
    assume(B, Condition, Holds);
}

LoopsInModule splitLoopEdges(const std::vector<LoopPlan> &Plans) {
  LoopsInModule All;
  SmallVector<std::pair<const LoopPlan *, const LoopBracket *>> Order;
  for (const LoopPlan &Plan : Plans)
    for (const LoopBracket &Bracket : Plan.Brackets)
      Order.emplace_back(&Plan, &Bracket);
  // Outer brackets first: blocks that an inner one adds lie inside them.
  stable_sort(Order,
              [](const auto &A, const auto &B) { return A.second->Depth < B.second->Depth; });
  for (const auto &[Plan, Bracket] : Order) {
    LoopsOfFunction &Loops = All[Plan->F];
    Loops.Brackets.push_back({Plan, Bracket->Depth, splitBracket(*Bracket), Bracket->Guards});
    Loops.Depths = std::max(Loops.Depths, Bracket->Depth + 1);
  }
  return All;
}

} // namespace seamscope
