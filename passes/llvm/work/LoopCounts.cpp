//===- LoopCounts.cpp - how often blocks of loops run ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/LoopCounts.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
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

SmallPtrSet<const BasicBlock *, 32> returningBlocks(const Function &F, bool OrByException) {
  SmallPtrSet<const BasicBlock *, 32> Returning;
  SmallVector<const BasicBlock *> Work;
  for (const BasicBlock &Block : F)
    if (isa<ReturnInst>(Block.getTerminator()) ||
        (OrByException && isa<ResumeInst>(Block.getTerminator())))
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
      Tree(FAM.getResult<DominatorTreeAnalysis>(F)), Cycles(FAM.getResult<CycleAnalysis>(F)),
      Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)),
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
    Known->second = std::make_unique<UniformValues>(L, LI, Evolution, Returning);
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
    const auto Entries = entriesOf(*Inner);
    BasicBlock *const Before = Entries.size() == 1 ? Entries.front() : nullptr;
    Loop *const Outer = Before ? loopOf(*Before) : nullptr;
    if (!Outer || Outer != Inner->getParentLoop() || !all_of(Ways, [&](const UniformWay &Way) {
          return isSameInLoop(*uniformIn(*Way.In), *Outer, *Way.From, Way.To,
                              Way.In == &L ? Amount : nullptr);
        }))
      break;
    Position Where =
        Before->getSingleSuccessor() ? positionIn(*Outer, *Before) : Position::SomeIterations;
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
  if (!Values->isUniform(Amount))
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

WorkCounter LoopCounts::counterFor(Loop &L, Position Where) {
  if (std::optional<WorkCounter> Sum = sumFor(L, iterations(L, Where)))
    return *Sum;
  if (std::optional<WorkCounter> Steps = stepsFor(L, Where))
    return *Steps;
  BasicBlock *const Block = Where == Position::EachIteration ? L.getHeader() : L.getLoopLatch();
  // A word in memory would be the longest chain of a tight loop; in other loops a register would be
  // live across the inner ones.
  const bool InRegister = L.isInnermost() && hasRoomBehind(L);
  WorkCounter Counter{InRegister ? WorkCounter::Search : WorkCounter::Executions};
  Counter.Block = Block;
  if (InRegister)
    Counter.Around = &L;
  return Counter;
}

/// Whether whoever comes to \p From also comes to \p To in the same iteration of \p L, null: the
/// same call, unless the program ends before.
bool LoopCounts::alwaysReaches(const Loop *L, const BasicBlock &From, const BasicBlock &To) const {
  SmallPtrSet<const BasicBlock *, 16> Seen = {&From};
  SmallVector<const BasicBlock *> Work = {&From};
  while (!Work.empty()) {
    const BasicBlock *const Block = Work.pop_back_val();
    if (Block == &To)
      continue;
    if (succ_empty(Block))
      return false;
    for (const BasicBlock *Next : successors(Block)) {
      if (!returns(*Next))
        continue;
      if (L && (Next == L->getHeader() || !L->contains(Next)))
        return false;
      if (Seen.insert(Next).second)
        Work.push_back(Next);
    }
  }
  return true;
}

/// The first block that runs exactly when \p Block does, so that these share a counter.
BasicBlock &LoopCounts::firstLike(BasicBlock &Block) const {
  BasicBlock *First = &Block;
  const Loop *const L = LI.getLoopFor(&Block);
  for (const DomTreeNode *Above = Tree.getNode(&Block)->getIDom(); Above;
       Above = Above->getIDom()) {
    BasicBlock *const Other = Above->getBlock();
    if (LI.getLoopFor(Other) == L && !isInOtherCycle(*Other) &&
        (Within.empty() || Within.contains(Other)) && !Other->isEHPad() &&
        alwaysReaches(L, *Other, Block))
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
  const auto *const Cycle = Cycles.getCycle(Own.Counter.Block);
  Own.Counter.IsOnce = !Cycle || !(Within.empty() || Within.contains(Cycle->getHeader()));
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
  std::optional<WorkCounter> Sum = sumFor(*L, iterationsBetween(*L, Block));
  if (!Sum)
    Sum = sumFor(*L, iterationsWith(*L, Block));
  if (Sum)
    return {*Sum, false};
  if (std::optional<WorkCounter> Runs = uniformRuns(*L, Block))
    return {*Runs, false};
  if (IsWorthOne && (IsExact || !L->isInnermost() || hasCalls(Block)))
    return ownCounter(firstLike(Block));
  return {counterFor(*L, Position::EachIteration), true};
}

} // namespace seamscope
