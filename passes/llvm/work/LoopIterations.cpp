//===- LoopIterations.cpp - how often loops iterate ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of iterations, and sums over them, as expressions of values that exist before the loop.
//
//===----------------------------------------------------------------------===//
#include "work/LoopCounts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace seamscope {

LoopCounts::EvenVariable LoopCounts::evenVariable(const SCEV *Of, const Loop &L) const {
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Of);
  if (!Recurrence || Recurrence->getLoop() != &L || !Recurrence->isAffine())
    return {};
  const auto *Step = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(Evolution));
  return Step && !Step->isZero() ? EvenVariable{Recurrence, &Step->getAPInt()} : EvenVariable();
}

/// The count of a loop that tests a variable for equality, in steps, as the remainder of an
/// unrolled loop does. ScalarEvolution cannot prove that the variable meets its bound; but since
/// the loop ends, it does, and with a step that is a power of two their distance is a multiple of
/// it.
const SCEV *LoopCounts::countIfItEnds(Loop &L) {
  const SCEV *const None = Evolution.getCouldNotCompute();
  const BasicBlock *const Exiting = L.getExitingBlock();
  const auto *Branch = Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  const auto *Test =
      Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Test || !Test->isEquality() || !Evolution.isSCEVable(Test->getOperand(0)->getType()) ||
      L.contains(Branch->getSuccessor(0)) == (Test->getPredicate() == ICmpInst::ICMP_EQ))
    return None;
  const SCEV *Variable = Evolution.getSCEV(Test->getOperand(0));
  const SCEV *Bound = Evolution.getSCEV(Test->getOperand(1));
  if (Evolution.isLoopInvariant(Variable, &L))
    std::swap(Variable, Bound);
  const EvenVariable Even = evenVariable(Variable, L);
  if (!Even || !Even.Step->abs().isPowerOf2() || !Evolution.isLoopInvariant(Bound, &L) ||
      !Bound->getType()->isIntegerTy())
    return None;
  const SCEV *const Start = Even.Recurrence->getStart();
  const SCEV *const Distance = Even.Step->isStrictlyPositive()
                                   ? Evolution.getMinusSCEV(Bound, Start)
                                   : Evolution.getMinusSCEV(Start, Bound);
  return Evolution.getUDivExpr(Distance, Evolution.getConstant(Even.Step->abs()));
}

const LoopCounts::LoopFacts &LoopCounts::factsOf(Loop &L) {
  const auto [Known, New] = Facts.try_emplace(&L);
  LoopFacts &Of = Known->second;
  if (!New)
    return Of;
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *Block : Exiting)
    if (any_of(successors(Block),
               [&](const BasicBlock *To) { return !L.contains(To) && returns(*To); }))
      Of.Exits.push_back(Block);
  if (Of.Exits.empty() || !L.getLoopLatch())
    return Of;
  SmallVector<const SCEV *, 2> Counts;
  for (BasicBlock *Block : Of.Exits) {
    const SCEV *Count = Evolution.getExitCount(&L, Block);
    if (isa<SCEVCouldNotCompute>(Count) && Exiting.size() == 1)
      Count = countIfItEnds(L);
    if (isa<SCEVCouldNotCompute>(Count) || !Tree.dominates(Block, L.getLoopLatch()))
      return Of;
    Counts.push_back(Count);
  }
  Of.TakenBack = Counts.size() == 1
                     ? Counts.front()
                     : Evolution.getUMinFromMismatchedTypes(Counts, /*Sequential=*/true);
  if (isa<SCEVCouldNotCompute>(Of.TakenBack) ||
      Evolution.getTypeSizeInBits(Of.TakenBack->getType()) > 64 ||
      Of.TakenBack->getType()->isPointerTy()) {
    Of.TakenBack = nullptr;
    return Of;
  }
  Of.TakenBack = stable(Of.TakenBack, L);
  for (const SCEV *Count : Counts)
    Of.Counts.push_back(stable(Count, L));
  return Of;
}

LoopCounts::Position LoopCounts::positionIn(Loop &L, const BasicBlock &Block) {
  const BasicBlock *const Latch = L.getLoopLatch();
  if (isInOtherCycle(Block))
    return Position::SomeIterations;
  if (&Block == L.getHeader())
    return Position::EachIteration;
  // An inner loop may go back to the outer one's header from its own.
  if (!Latch || LI.getLoopFor(Latch) != &L || !Tree.dominates(&Block, Latch))
    return Position::SomeIterations;
  const auto &Exits = factsOf(L).Exits;
  if (all_of(Exits, [&](const BasicBlock *Exit) { return Tree.dominates(&Block, Exit); }))
    return Position::EachIteration;
  if (all_of(Exits, [&](const BasicBlock *Exit) {
        return Exit != &Block && Tree.dominates(Exit, &Block);
      }))
    return Position::EachFullIteration;
  return Position::SomeIterations;
}

/// How often blocks of \p L at that position run each time that the loop is entered; null: unknown.
const SCEV *LoopCounts::iterations(Loop &L, Position Where) {
  const SCEV *const Taken = factsOf(L).TakenBack;
  if (!Taken || Where == Position::SomeIterations)
    return nullptr;
  return Where == Position::EachIteration ? Evolution.getTripCountFromExitCount(Taken, I64, &L)
                                          : Evolution.getNoopOrZeroExtend(Taken, I64);
}

/// How often \p Block of \p L runs each time that the loop is entered, if it runs in each iteration
/// that no exit in front of it has ended; null: it does not, or unknown.
const SCEV *LoopCounts::iterationsBetween(Loop &L, const BasicBlock &Block) {
  const LoopFacts &Of = factsOf(L);
  if (Of.Counts.size() < 2 || LI.getLoopFor(L.getLoopLatch()) != &L ||
      !Tree.dominates(&Block, L.getLoopLatch()))
    return nullptr;
  SmallVector<const SCEV *, 4> Runs;
  for (const auto &[Exit, Count] : zip_equal(Of.Exits, Of.Counts))
    if (Exit != &Block && Tree.dominates(Exit, &Block))
      Runs.push_back(Evolution.getNoopOrZeroExtend(Count, I64));
    else if (Tree.dominates(&Block, Exit))
      Runs.push_back(Evolution.getTripCountFromExitCount(Count, I64, &L));
    else
      return nullptr;
  return Evolution.getUMinExpr(Runs, /*Sequential=*/true);
}

/// In how many of the first \p Of iterations \p Variable, which rises by a constant and does not
/// wrap, is below \p Bound.
const SCEV *LoopCounts::iterationsBelow(Loop &L, const EvenVariable &Variable, const SCEV *Bound,
                                        bool IsSigned, const SCEV *Of) {
  // No program steps a variable of 64 bits through 2^63, even where the compiler cannot know where
  // it starts: a thread's share of an OpenMP loop.
  const SCEVAddRecExpr &Recurrence = *Variable.Recurrence;
  const bool StaysSigned =
      Recurrence.hasNoSignedWrap() || Evolution.getTypeSizeInBits(Recurrence.getType()) == 64;
  // 0 <= v && v < b, as one comparison of unsigned numbers.
  if (!IsSigned && !Recurrence.hasNoUnsignedWrap() && StaysSigned &&
      Evolution.isKnownNonNegative(Bound)) {
    const SCEV *const Zero = Evolution.getZero(Bound->getType());
    const SCEV *const Below = iterationsBelow(L, Variable, Bound, /*IsSigned=*/true, Of);
    const SCEV *const Negative = iterationsBelow(L, Variable, Zero, /*IsSigned=*/true, Of);
    return Below && Negative ? Evolution.getMinusSCEV(Below, Negative) : nullptr;
  }
  if (!Variable.Step->isStrictlyPositive() || Variable.Step->getActiveBits() > 32 ||
      !(IsSigned ? StaysSigned : Recurrence.hasNoUnsignedWrap()) ||
      !Evolution.isLoopInvariant(Bound, &L))
    return nullptr;
  const SCEV *const Start = Recurrence.getStart();
  const SCEV *const End =
      IsSigned ? Evolution.getSMaxExpr(Bound, Start) : Evolution.getUMaxExpr(Bound, Start);
  // The distance of two signed numbers fits an unsigned one.
  const SCEV *const Distance =
      Evolution.getNoopOrZeroExtend(Evolution.getMinusSCEV(End, Start), I64);
  const SCEV *const By = Evolution.getConstant(I64, Variable.Step->getZExtValue());
  return Evolution.getUMinExpr(Evolution.getUDivCeilSCEV(Distance, By), Of);
}

/// In how many of the first \p Of iterations \p Variable has that value, if it changes by one.
const SCEV *LoopCounts::iterationsAt(Loop &L, const EvenVariable &Variable, const SCEV *Value,
                                     const SCEV *Of) {
  if (!Variable.Step->abs().isOne() || !Evolution.isLoopInvariant(Value, &L))
    return nullptr;
  // It may wrap, but not come back to where it started: the low byte of another variable does.
  if (!Variable.Recurrence->hasNoSelfWrap() &&
      Evolution.getTypeSizeInBits(Variable.Recurrence->getType()) < 64)
    return nullptr;
  const SCEV *const Start = Variable.Recurrence->getStart();
  const SCEV *const Distance =
      Evolution.getNoopOrZeroExtend(Variable.Step->isOne() ? Evolution.getMinusSCEV(Value, Start)
                                                           : Evolution.getMinusSCEV(Start, Value),
                                    I64);
  const SCEV *const Behind = Evolution.getMinusSCEV(Evolution.getUMaxExpr(Of, Distance), Distance);
  return Evolution.getUMinExpr(Behind, Evolution.getOne(I64));
}

/// How often \p Switch leads to \p First in \p Of runs of it, if it asks for a variable that
/// changes by one; null: unknown.
const SCEV *LoopCounts::iterationsOfCases(Loop &L, const SwitchInst &Switch,
                                          const BasicBlock &First, const SCEV *Of) {
  constexpr unsigned MaxCases = 4; // each has a term in the sum
  const EvenVariable Variable = evenVariable(Evolution.getSCEV(Switch.getCondition()), L);
  const bool IsDefault = Switch.getDefaultDest() == &First;
  const SCEV *Runs = IsDefault ? Of : Evolution.getZero(I64);
  unsigned Cases = 0;
  for (const auto &Case : Switch.cases()) {
    if ((Case.getCaseSuccessor() == &First) == IsDefault)
      continue;
    const SCEV *const Here =
        Variable
            ? iterationsAt(L, Variable, Evolution.getConstant(Case.getCaseValue()->getValue()), Of)
            : nullptr;
    if (!Here || ++Cases > MaxCases)
      return nullptr;
    Runs = IsDefault ? Evolution.getMinusSCEV(Runs, Here) : Evolution.getAddExpr(Runs, Here);
  }
  return Runs;
}

/// How often \p Block of \p L runs each time that the loop is entered, if that depends on a test of
/// a variable that rises evenly against a bound, as in the vector part and the tail of a tiled
/// loop, or on a switch over one; null: unknown.
const SCEV *LoopCounts::iterationsWith(Loop &L, const BasicBlock &Block) {
  // The block behind the test that runs exactly when this one does.
  const BasicBlock *First = &Block;
  const Instruction *Chooser = nullptr;
  for (const DomTreeNode *Node = Tree.getNode(&Block); Node && Node->getIDom();
       Node = Node->getIDom()) {
    First = Node->getBlock();
    const BasicBlock *const Above = Node->getIDom()->getBlock();
    if (LI.getLoopFor(First) != &L || !alwaysReaches(&L, *First, Block))
      return nullptr;
    if (First->getUniquePredecessor() == Above && LI.getLoopFor(Above) == &L &&
        !alwaysReaches(&L, *Above, Block)) {
      Chooser = Above->getTerminator();
      break;
    }
  }
  const SCEV *const Of = Chooser ? iterations(L, positionIn(L, *Chooser->getParent())) : nullptr;
  if (!Of)
    return nullptr;
  const auto CanCompute = [&](const Value &Compared) {
    return Compared.getType()->isIntegerTy() &&
           Evolution.getTypeSizeInBits(Compared.getType()) <= 64;
  };
  if (const auto *Switch = dyn_cast<SwitchInst>(Chooser))
    return CanCompute(*Switch->getCondition()) ? iterationsOfCases(L, *Switch, *First, Of)
                                               : nullptr;
  const auto *Branch = dyn_cast<BranchInst>(Chooser);
  const auto *Test =
      Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1)
          ? dyn_cast<ICmpInst>(Branch->getCondition())
          : nullptr;
  if (!Test || !CanCompute(*Test->getOperand(0)))
    return nullptr;
  ICmpInst::Predicate Is = Test->getPredicate();
  const SCEV *Left = Evolution.getSCEV(Test->getOperand(0));
  const SCEV *Right = Evolution.getSCEV(Test->getOperand(1));
  if (Evolution.isLoopInvariant(Left, &L)) {
    std::swap(Left, Right);
    Is = ICmpInst::getSwappedPredicate(Is);
  }
  const EvenVariable Variable = evenVariable(Left, L);
  if (!Variable)
    return nullptr;
  if (ICmpInst::isEquality(Is)) {
    const SCEV *const Equal = iterationsAt(L, Variable, Right, Of);
    if (!Equal)
      return nullptr;
    return (Branch->getSuccessor(0) == First) == (Is == ICmpInst::ICMP_EQ)
               ? Equal
               : Evolution.getMinusSCEV(Of, Equal);
  }
  const bool IsSigned = ICmpInst::isSigned(Is);
  const bool IsBelow = ICmpInst::isLT(Is) || ICmpInst::isLE(Is);
  // v <= b is v < b + 1, unless b is the largest number; v > b is not v <= b.
  if (ICmpInst::isLE(Is) || ICmpInst::isGT(Is)) {
    const unsigned Bits = static_cast<unsigned>(Evolution.getTypeSizeInBits(Right->getType()));
    const APInt Largest = IsSigned ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits);
    if ((IsSigned ? Evolution.getSignedRangeMax(Right) : Evolution.getUnsignedRangeMax(Right)) ==
        Largest)
      return nullptr;
    Right = Evolution.getAddExpr(Right, Evolution.getOne(Right->getType()));
  }
  const SCEV *const Below = iterationsBelow(L, Variable, Right, IsSigned, Of);
  const bool RunsBelow = (Branch->getSuccessor(0) == First) == IsBelow;
  return !Below || RunsBelow ? Below : Evolution.getMinusSCEV(Of, Below);
}

/// The sum of \p Amount, which is added at that position of \p L, over the loop's iterations; null:
/// there is no closed form.
const SCEV *LoopCounts::sumOver(Loop &L, Position Where, const SCEV *Amount) {
  const SCEV *const Times = iterations(L, Where);
  if (!Times)
    return nullptr;
  if (Evolution.isLoopInvariant(Amount, &L))
    return Evolution.getMulExpr(Amount, Times);
  // The sum of the first n values of {a,+,b,...} is the n-th value of {0,+,a,+,b,...}.
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Amount);
  if (!Recurrence || Recurrence->getLoop() != &L || Recurrence->getNumOperands() > 3)
    return nullptr;
  SmallVector<const SCEV *, 4> Operands = {Evolution.getZero(I64)};
  append_range(Operands, Recurrence->operands());
  const SCEV *const Sum = SCEVAddRecExpr::evaluateAtIteration(Operands, Times, Evolution);
  return isa<SCEVCouldNotCompute>(Sum) ? nullptr : Sum;
}

} // namespace seamscope
