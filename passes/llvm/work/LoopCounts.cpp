//===- LoopCounts.cpp - how often blocks of loops run ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/LoopCounts.h"

#include "device/DevicePlan.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace seamscope {
namespace {

/// What the code of an amount may cost, in instructions: in front of a loop that is in no other
/// loop, and inside one.
constexpr unsigned BudgetOutside = 100, BudgetInside = 12;

bool isVectorised(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      return I.getType()->isVectorTy() ||
             (isa<StoreInst>(I) && I.getOperand(0)->getType()->isVectorTy());
    });
  });
}

bool hasCalls(const BasicBlock &Block) {
  return any_of(Block,
                [](const Instruction &I) { return isa<CallBase>(I) && !isa<IntrinsicInst>(I); });
}

/// Counts each run of \p Block.
BlockCount ownCounter(BasicBlock &Block) {
  WorkCounter Counter{WorkCounter::Executions};
  Counter.Block = &Block;
  return {Counter, false};
}

} // namespace

SmallPtrSet<const BasicBlock *, 32> returningBlocks(const Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Returning;
  SmallVector<const BasicBlock *> Work;
  for (const BasicBlock &Block : F)
    if (isa<ReturnInst, ResumeInst>(Block.getTerminator()))
      Work.push_back(&Block);
  while (!Work.empty()) {
    const BasicBlock *const Block = Work.pop_back_val();
    if (Returning.insert(Block).second)
      append_range(Work, predecessors(Block));
  }
  return Returning;
}

void separateLoops(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<std::pair<BasicBlock *, BasicBlock *>> Edges;
  for (Loop *L : LI.getLoopsInPreorder())
    for (BasicBlock *From : entriesOf(*L))
      if (LI.getLoopFor(From) != L->getParentLoop() && isa<BranchInst>(From->getTerminator()))
        Edges.push_back({From, L->getHeader()});
  if (Edges.empty())
    return;
  auto &Tree = FAM.getResult<DominatorTreeAnalysis>(F);
  for (const auto &[From, To] : Edges)
    SplitEdge(From, To, &Tree, &LI);
  FAM.invalidate(F, PreservedAnalyses::none());
}

LoopCounts::LoopCounts(Function &F, const SmallPtrSetImpl<const BasicBlock *> &Within, bool IsExact,
                       FunctionAnalysisManager &FAM)
    : F(F), Within(Within), IsExact(IsExact), LI(FAM.getResult<LoopAnalysis>(F)),
      Tree(FAM.getResult<DominatorTreeAnalysis>(F)),
      PostTree(FAM.getResult<PostDominatorTreeAnalysis>(F)),
      Cycles(FAM.getResult<CycleAnalysis>(F)), Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      Costs(FAM.getResult<TargetIRAnalysis>(F)),
      Expander(compat::makeExpander(Evolution, F.getParent()->getDataLayout())),
      Stable(Evolution, Tree, FAM.getResult<TargetLibraryAnalysis>(F)),
      I64(Type::getInt64Ty(F.getContext())), Returning(returningBlocks(F)) {}

/// The innermost loop around \p Block in which something is counted.
Loop *LoopCounts::loopOf(const BasicBlock &Block) const {
  Loop *const L = LI.getLoopFor(&Block);
  return L && (Within.empty() || Within.contains(L->getHeader())) ? L : nullptr;
}

Loop *LoopCounts::loopAround(const Loop &L) const {
  const Loop *const Outer = L.getParentLoop();
  return Outer ? loopOf(*Outer->getHeader()) : nullptr;
}

const SCEV *LoopCounts::stable(const SCEV *Of, const Loop &L) {
  const Loop *Outermost = &L;
  while (const Loop *const Outer = loopAround(*Outermost))
    Outermost = Outer;
  return Stable.rewritten(Of, *Outermost);
}

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
      Of.TakenBack->getType()->isPointerTy())
    Of.TakenBack = nullptr;
  else
    Of.TakenBack = stable(Of.TakenBack, L);
  return Of;
}

/// Whether the innermost cycle around \p Block has several ways in (goto), and is thus not a loop.
bool LoopCounts::isInOtherCycle(const BasicBlock &Block) const {
  const auto *const Around = Cycles.getCycle(&Block);
  return Around && !Around->isReducible();
}

bool LoopCounts::isEnteredOnce(const Loop &L) const {
  for (const auto *Around = Cycles.getCycle(L.getHeader()); Around;
       Around = Around->getParentCycle())
    if (Around->getHeader() != L.getHeader() &&
        (Within.empty() || Within.contains(Around->getHeader())))
      return false;
  return true;
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

/// How often \p Block of \p L runs each time that the loop is entered, if that depends on a test of
/// a variable that rises evenly against a bound, as in the vector part and the tail of a tiled
/// loop; null: unknown.
const SCEV *LoopCounts::iterationsWith(Loop &L, const BasicBlock &Block) {
  // The block behind the test that runs exactly when this one does.
  const BasicBlock *First = &Block;
  const BranchInst *Branch = nullptr;
  for (const DomTreeNode *Node = Tree.getNode(&Block); Node && Node->getIDom();
       Node = Node->getIDom()) {
    First = Node->getBlock();
    const BasicBlock *const Above = Node->getIDom()->getBlock();
    if (LI.getLoopFor(First) != &L || !PostTree.dominates(&Block, First) ||
        (First != &Block && canGoAround(L, *First, Block)))
      return nullptr;
    if (First->getSinglePredecessor() == Above && LI.getLoopFor(Above) == &L &&
        !PostTree.dominates(&Block, Above)) {
      Branch = dyn_cast<BranchInst>(Above->getTerminator());
      break;
    }
  }
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  const SCEV *const Of = iterations(L, positionIn(L, *Branch->getParent()));
  auto *const Test = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Of || !Test || !Test->getOperand(0)->getType()->isIntegerTy() ||
      Evolution.getTypeSizeInBits(Test->getOperand(0)->getType()) > 64)
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
    const SCEV *const Next = Evolution.getAddExpr(Right, Evolution.getOne(Right->getType()));
    const bool CanAdd = !Evolution.getSignedRangeMax(Right).isMaxSignedValue();
    const SCEV *const Upto = CanAdd ? iterationsBelow(L, Variable, Next, true, Of) : nullptr;
    const SCEV *const Below = iterationsBelow(L, Variable, Right, true, Of);
    if (!Upto || !Below || !Variable.Step->isOne())
      return nullptr;
    const SCEV *const Equal = Evolution.getMinusSCEV(Upto, Below);
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

/// Whether code in front of \p L runs when it is entered, and in no other loop.
bool LoopCounts::hasRoomBefore(const Loop &L) const {
  const auto Entries = entriesOf(L);
  return !Entries.empty() && all_of(Entries, [&](const BasicBlock *From) {
    return isa<BranchInst>(From->getTerminator()) && LI.getLoopFor(From) == L.getParentLoop();
  });
}

/// Whether code behind \p L runs when it is left, and in no loop that begins there.
bool LoopCounts::hasRoomBehind(const Loop &L) const {
  SmallVector<BasicBlock *> Exits;
  L.getUniqueExitBlocks(Exits);
  return all_of(Exits, [&](const BasicBlock *Exit) {
    const Loop *const Around = LI.getLoopFor(Exit);
    return !returns(*Exit) ||
           (Exit->getFirstInsertionPt() != Exit->end() && (!Around || Around->contains(&L)));
  });
}

bool LoopCounts::canCompute(Loop &Around, ArrayRef<const SCEV *> Amounts) {
  // What does not change in the loop around is computed in front of that.
  const Loop *const Outer = Around.getParentLoop();
  const unsigned Budget =
      !Outer || all_of(Amounts,
                       [&](const SCEV *Amount) { return Evolution.isLoopInvariant(Amount, Outer); })
          ? BudgetOutside
          : BudgetInside;
  return hasRoomBefore(Around) && all_of(entriesOf(Around), [&](BasicBlock *From) {
           Instruction *const At = From->getTerminator();
           return all_of(
                      Amounts,
                      [&](const SCEV *Amount) { return Expander.isSafeToExpandAt(Amount, At); }) &&
                  !Expander.isHighCostExpansion(Amounts, &Around, Budget, &Costs, At);
         });
}

bool LoopCounts::isEnteredInEach(const Loop &Inner, Loop &Outer) {
  const BasicBlock *const Before = Inner.getLoopPreheader();
  return Before && LI.getLoopFor(Before) == &Outer &&
         positionIn(Outer, *Before) != Position::SomeIterations;
}

SmallVector<std::pair<Value *, bool>, 4> LoopCounts::conditionsBetween(const Loop &Outer,
                                                                       const Loop &Inner) const {
  SmallVector<std::pair<Value *, bool>, 4> Found;
  for (const DomTreeNode *Node = Tree.getNode(Inner.getHeader());
       Node->getBlock() != Outer.getHeader(); Node = Node->getIDom()) {
    const BasicBlock *const Block = Node->getBlock();
    const BasicBlock *const Above = Node->getIDom()->getBlock();
    const auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
    const Loop *const L = LI.getLoopFor(Above);
    // An entry of a loop has the latch as a second predecessor.
    if (Branch && Branch->isConditional() && L && L->contains(&Inner) &&
        Branch->getSuccessor(0) != Branch->getSuccessor(1) &&
        Tree.dominates(BasicBlockEdge(Above, Block), Block))
      Found.push_back({Branch->getCondition(), Branch->getSuccessor(0) == Block});
  }
  return Found;
}

bool LoopCounts::takesChunks(const Loop &L) const {
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    return LI.getLoopFor(Block) == &L && any_of(*Block, [&](const Instruction &I) {
             const auto *Call = dyn_cast<CallBase>(&I);
             const Function *const Called = Call ? Call->getCalledFunction() : nullptr;
             return Called && Called->getName().starts_with("__kmpc_dispatch_next");
           });
  });
}

/// What is the same in each iteration of \p L, if sums over these can be added in front of it; else
/// null.
UniformValues *LoopCounts::uniformIn(Loop &L) {
  const auto [Known, New] = Uniform.try_emplace(&L);
  if (!New)
    return Known->second.get();
  const SCEV *const Times = iterations(L, Position::EachIteration);
  const auto Entries = entriesOf(L);
  if (Times && Entries.size() == 1 && canCompute(L, {Times}))
    Known->second = std::make_unique<UniformValues>(L, LI, Returning);
  return Known->second.get();
}

/// A counter in front of \p L, or of the outermost loop around in which nothing else changes.
WorkCounter LoopCounts::uniform(Loop &L, BasicBlock &From, BasicBlock *To, const SCEV *Amount) {
  WorkCounter Counter{WorkCounter::Uniform};
  Counter.Around = &L;
  Counter.Amount = Amount;
  Counter.Times = iterations(L, Position::EachIteration);
  Counter.Ways = {{&L, &From, To}};
  const SCEV *Times = Counter.Times;
  SmallVector<UniformWay, 1> Ways = Counter.Ways;
  for (Loop *Inner = &L;;) {
    BasicBlock *const Before = Inner->getLoopPreheader();
    Loop *const Outer = Before ? loopOf(*Before) : nullptr;
    if (!Outer || Outer != Inner->getParentLoop() || !all_of(Ways, [&](const UniformWay &Way) {
          return isSameInLoop(*uniformIn(*Way.In), *Outer, *Way.From, Way.To,
                              Way.In == &L ? Amount : nullptr);
        }))
      break;
    Position Where = positionIn(*Outer, *Before);
    UniformValues *const Values = uniformIn(*Outer);
    if (Where == Position::SomeIterations && Values &&
        Values->isUniform(*Before, *Inner->getHeader())) {
      Where = Position::EachIteration;
      Ways.push_back({Outer, Before, Inner->getHeader()});
    }
    Times = sumOver(*Outer, Where, Times);
    if (!Times)
      break;
    if (entriesOf(*Outer).size() == 1 && canCompute(*Outer, {Times})) {
      Counter.Around = Outer;
      Counter.Times = Times;
      Counter.Ways = Ways;
    }
    Inner = Outer;
  }
  Counter.IsOnce = isEnteredOnce(*Counter.Around);
  return Counter;
}

/// A counter in front of the loop around \p Inner, if each of its iterations adds \p Amount in
/// front of the inner one, or none does.
std::optional<WorkCounter> LoopCounts::uniformSum(Loop &Inner, const SCEV *Amount) {
  Loop *const Outer = loopAround(Inner);
  const auto Entries = entriesOf(Inner);
  UniformValues *const Values = Outer ? uniformIn(*Outer) : nullptr;
  if (!Values || Entries.size() != 1 || !hasRoomBefore(Inner) ||
      !Values->isUniform(*Entries.front(), *Inner.getHeader()))
    return std::nullopt;
  const auto Varies = [&](const SCEV *Part) {
    if (const auto *Leaf = dyn_cast<SCEVUnknown>(Part))
      return !Values->isUniform(*Leaf->getValue());
    if (const auto *Division = dyn_cast<SCEVUDivExpr>(Part))
      return !isa<SCEVConstant>(Division->getRHS());
    return isa<SCEVAddRecExpr>(Part) && !Evolution.isLoopInvariant(Part, Outer);
  };
  if (SCEVExprContains(Amount, Varies))
    return std::nullopt;
  return uniform(*Outer, *Entries.front(), Inner.getHeader(), Amount);
}

/// A counter in front of \p L, if each of its iterations runs \p Block, or none does.
std::optional<WorkCounter> LoopCounts::uniformRuns(Loop &L, BasicBlock &Block) {
  UniformValues *const Values = uniformIn(L);
  if (!Values || !Values->isUniform(Block))
    return std::nullopt;
  return uniform(L, Block, nullptr, nullptr);
}

/// A counter in front of \p L, or of the outermost loop around it for which the sum has a closed
/// form.
std::optional<WorkCounter> LoopCounts::sumFor(Loop &L, const SCEV *Amount) {
  SmallVector<std::pair<Loop *, const SCEV *>, 4> Found;
  for (Loop *Around = &L; Around && Amount;) {
    Found.push_back({Around, Amount});
    BasicBlock *const Before = Around->getLoopPreheader();
    Loop *const Outer = Before ? loopOf(*Before) : nullptr;
    if (!Outer || Outer != Around->getParentLoop())
      break;
    Amount = sumOver(*Outer, positionIn(*Outer, *Before), Amount);
    Around = Outer;
  }
  for (const auto &[Around, Sum] : reverse(Found)) {
    if (std::optional<WorkCounter> Uniform = uniformSum(*Around, Sum))
      return Uniform;
    if (canCompute(*Around, {Sum})) {
      WorkCounter Counter{WorkCounter::Sum};
      Counter.Around = Around;
      Counter.Amount = Sum;
      Counter.IsOnce = isEnteredOnce(*Around);
      return Counter;
    }
  }
  return std::nullopt;
}

/// A counter that reads a variable of \p L at its exits, which changes by the same number in each
/// iteration.
std::optional<WorkCounter> LoopCounts::stepsFor(Loop &L, Position Where) {
  if (!L.getLoopLatch() || LI.getLoopFor(L.getLoopLatch()) != &L || !hasRoomBefore(L) ||
      !hasRoomBehind(L))
    return std::nullopt;
  for (PHINode &Variable : L.getHeader()->phis()) {
    if (!Variable.getType()->isIntegerTy(64) && !Variable.getType()->isPointerTy())
      continue;
    const EvenVariable Even = evenVariable(Evolution.getSCEV(&Variable), L);
    if (!Even || Even.Step->getSignificantBits() > 32)
      continue;
    WorkCounter Counter{WorkCounter::Steps};
    Counter.Around = &L;
    Counter.Variable = &Variable;
    Counter.Step = Even.Step->getSExtValue();
    Counter.IsFull = Where == Position::EachFullIteration;
    return Counter;
  }
  return std::nullopt;
}

std::optional<WorkCounter> LoopCounts::counterFor(Loop &L, Position Where) {
  if (std::optional<WorkCounter> Sum = sumFor(L, iterations(L, Where)))
    return Sum;
  if (std::optional<WorkCounter> Steps = stepsFor(L, Where))
    return Steps;
  BasicBlock *const Block = Where == Position::EachIteration ? L.getHeader() : L.getLoopLatch();
  // Vectors of GPU code are two numbers of 16 bits, or loads: they do not make a loop tight.
  if (L.isInnermost() && isVectorised(L) && !IsExact && !isDeviceModule(*F.getParent()))
    return std::nullopt;
  // A word in memory would be the longest chain of a tight loop; in other loops a register would be
  // live across the inner ones.
  const bool InRegister = L.isInnermost() && hasRoomBehind(L);
  WorkCounter Counter{InRegister ? WorkCounter::Search : WorkCounter::Executions};
  Counter.Block = Block;
  if (InRegister)
    Counter.Around = &L;
  return Counter;
}

/// Whether an iteration of \p L that comes to \p From can end without \p Through.
bool LoopCounts::canGoAround(const Loop &L, const BasicBlock &From, const BasicBlock &Through) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *> Work = {&From};
  while (!Work.empty())
    for (const BasicBlock *To : successors(Work.pop_back_val())) {
      if (To == &Through || !L.contains(To))
        continue;
      if (To == L.getHeader())
        return true;
      if (Seen.insert(To).second)
        Work.push_back(To);
    }
  return false;
}

/// The first block that runs exactly when \p Block does, so that these share a counter.
BasicBlock &LoopCounts::firstLike(BasicBlock &Block) const {
  BasicBlock *First = &Block;
  const Loop *const L = LI.getLoopFor(&Block);
  for (const DomTreeNode *Above = Tree.getNode(&Block)->getIDom(); Above;
       Above = Above->getIDom()) {
    BasicBlock *const Other = Above->getBlock();
    if (LI.getLoopFor(Other) == L && !isInOtherCycle(*Other) &&
        (Within.empty() || Within.contains(Other)) && PostTree.dominates(&Block, Other) &&
        !Other->isEHPad() && (!L || !canGoAround(*L, *Other, Block)))
      First = Other;
    if (L && Other == L->getHeader())
      break;
  }
  return *First;
}

BlockCount LoopCounts::outsideLoops(BasicBlock &Block, bool IsWorthOne) {
  if (Within.empty() && (Block.isEntryBlock() || all_of(F, [&](const BasicBlock &Other) {
                           return !isa<ReturnInst, ResumeInst>(Other.getTerminator()) ||
                                  Tree.dominates(&Block, &Other);
                         })))
    return {WorkCounter{WorkCounter::Calls}, false};
  if (!IsWorthOne && Within.empty())
    return {WorkCounter{WorkCounter::Calls}, true};
  BlockCount Own = ownCounter(firstLike(Block));
  const auto *const Cycle = Cycles.getCycle(Own.Counter->Block);
  Own.Counter->IsOnce = !Cycle || !(Within.empty() || Within.contains(Cycle->getHeader()));
  return Own;
}

BlockCount LoopCounts::of(BasicBlock &Block, bool IsWorthOne) {
  if (isInOtherCycle(Block))
    return ownCounter(Block);
  Loop *const L = loopOf(Block);
  if (!L)
    return outsideLoops(Block, IsWorthOne);
  const Position Where = positionIn(*L, Block);
  if (Where != Position::SomeIterations)
    return {counterFor(*L, Where), false};
  if (std::optional<WorkCounter> Sum = sumFor(*L, iterationsWith(*L, Block)))
    return {Sum, false};
  if (std::optional<WorkCounter> Runs = uniformRuns(*L, Block))
    return {Runs, false};
  if (IsWorthOne && (IsExact || !L->isInnermost() || hasCalls(Block)))
    return ownCounter(firstLike(Block));
  return {counterFor(*L, Position::EachIteration), true};
}

} // namespace seamscope
