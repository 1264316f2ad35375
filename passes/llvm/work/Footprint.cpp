//===- Footprint.cpp - distinct bytes that a function touches --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Footprint.h"

#include "loops/SourceLoop.h"
#include "work/LoopCounts.h"
#include "work/WorkCounts.h"

#include "seamscope/abi.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace seamscope {
namespace {

/// With more, a function's code in front of loops would grow too much.
constexpr size_t MaxArrays = SEAMSCOPE_WORK_ARRAYS, MaxRanges = 64;

/// A load or store at one place.
struct Access {
  Value *Pointer;
  uint64_t Bytes;
  bool IsWrite;
};

/// What is touched, once or by several iterations.
struct Extent {
  const SCEV *Begin, *End, *Bytes;
};

std::optional<Access> accessOf(Instruction &I) {
  const auto Make = [&](Value *Pointer, Type *Ty, bool IsWrite) -> std::optional<Access> {
    const TypeSize Size = I.getModule()->getDataLayout().getTypeStoreSize(Ty);
    if (Size.isScalable() || isOnStack(Pointer))
      return std::nullopt;
    return Access{Pointer, Size.getFixedValue(), IsWrite};
  };
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Make(Load->getPointerOperand(), Load->getType(), false);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Make(Store->getPointerOperand(), Store->getValueOperand()->getType(), true);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    if (Call->getIntrinsicID() == Intrinsic::masked_load)
      return Make(Call->getArgOperand(0), Call->getType(), false);
    if (Call->getIntrinsicID() == Intrinsic::masked_store)
      return Make(Call->getArgOperand(1), Call->getArgOperand(0)->getType(), true);
  }
  return std::nullopt;
}

class Finder {
public:
  Finder(LoopCounts &Counts, bool IsExact)
      : Counts(Counts), Evolution(Counts.evolution()), IsExact(IsExact) {}

  void look(Instruction &I) {
    const std::optional<Access> Found = accessOf(I);
    Loop *const L = Found ? Counts.loopOf(*I.getParent()) : nullptr;
    if (!L || Counts.isInOtherCycle(*I.getParent()))
      return;
    const SCEV *const Address = Evolution.getSCEV(Found->Pointer);
    const auto *Base = dyn_cast<SCEVUnknown>(Evolution.getPointerBase(Address));
    if (!Base)
      return;
    const SCEV *Number = Evolution.getPtrToIntExpr(Address, Counts.wordType());
    if (isa<SCEVCouldNotCompute>(Number))
      return;
    Number = Counts.stable(Number, *L);
    // A pointer that is loaded in several places is one.
    const Value *From = Base->getValue();
    const auto *Load = dyn_cast<LoadInst>(From);
    if (Load)
      From = Load->getPointerOperand();
    const FootprintArray Of = {From, Load != nullptr, Found->IsWrite, &I};
    for (Group &Known : Groups) {
      if (Known.In != L || !isSame(Known.Array, Of))
        continue;
      if (const std::optional<APInt> Distance =
              Evolution.computeConstantDifference(Number, Known.First)) {
        Known.Parts.push_back({Distance->getSExtValue(), Found->Bytes});
        Known.Accesses.push_back(&I);
        return;
      }
    }
    Groups.push_back({L, Of, Number, {{0, Found->Bytes}}, {&I}});
  }

  Footprint find() {
    for (Group &Of : Groups)
      if (const Extent One = ofIteration(Of); isStreamed(Of, One))
        Result.Streaming.insert(Of.Accesses.begin(), Of.Accesses.end());
      else
        add(Of, One);
    return std::move(Result);
  }

private:
  static bool isSame(const FootprintArray &One, const FootprintArray &Other) {
    return One.Base == Other.Base && One.IsLoaded == Other.IsLoaded && One.IsWrite == Other.IsWrite;
  }

  /// Loads or stores of one array in one loop, at constant distances.
  struct Group {
    Loop *In;
    FootprintArray Array;
    const SCEV *First;
    SmallVector<std::pair<int64_t, uint64_t>, 4> Parts; ///< distance from First, bytes
    SmallVector<Instruction *, 4> Accesses;
  };

  /// Whether one loop of the source alone walks through the array, and touches other bytes each
  /// time. The optimiser may have made several loops of it, which share its iterations.
  bool isStreamed(const Group &Of, const Extent &One) const {
    return isNewEachTime(*Of.In, One) && all_of(Groups, [&](const Group &Other) {
             return &Other == &Of || !isSame(Other.Array, Of.Array) ||
                    (Other.In != Of.In && sourceLoop(*Other.In) == sourceLoop(*Of.In));
           });
  }

  /// Strides of which nobody knows the size are taken to be those of rows.
  bool isNewEachTime(const Loop &In, const Extent &One) const {
    SmallVector<APInt, 4> Steps;
    for (const Loop *L = &In; L; L = Counts.loopAround(*L)) {
      const SCEVAddRecExpr *Along = nullptr;
      SCEVExprContains(One.Begin, [&](const SCEV *Part) {
        const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Part);
        if (Recurrence && Recurrence->getLoop() == L)
          Along = Recurrence;
        return Along != nullptr;
      });
      if (!Along && !Counts.takesChunks(*L))
        return false;
      const auto *Step =
          Along ? dyn_cast<SCEVConstant>(Along->getStepRecurrence(Evolution)) : nullptr;
      if (Step && (is_contained(Steps, Step->getAPInt()) ||
                   Step->getAPInt().abs().ult(cast<SCEVConstant>(One.Bytes)->getAPInt())))
        return false;
      if (Step)
        Steps.push_back(Step->getAPInt());
    }
    return true;
  }

  /// What one iteration touches.
  Extent ofIteration(Group &Of) const {
    sort(Of.Parts);
    const int64_t Begin = Of.Parts.front().first;
    int64_t End = Begin;
    uint64_t Bytes = 0;
    for (const auto &[At, Size] : Of.Parts) {
      const int64_t To = At + static_cast<int64_t>(Size);
      Bytes += static_cast<uint64_t>(std::max<int64_t>(0, To - std::max(At, End)));
      End = std::max(To, End);
    }
    const auto Moved = [&](int64_t By) {
      return Evolution.getAddExpr(
          Of.First, Evolution.getConstant(Of.First->getType(), static_cast<uint64_t>(By), true));
    };
    return {Moved(Begin), Moved(End), Evolution.getConstant(Counts.wordType(), Bytes)};
  }

  /// The least or the largest value of \p Of in the iterations of \p L up to \p Last; null: not
  /// known.
  const SCEV *extreme(const Loop &L, const SCEV *Of, const SCEV *Last, bool IsLeast) const {
    if (Evolution.isLoopInvariant(Of, &L))
      return Of;
    const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Of);
    if (!Recurrence || Recurrence->getLoop() != &L || !Recurrence->isAffine())
      return nullptr;
    const SCEV *const Begin = Recurrence->getStart();
    const SCEV *const End = Recurrence->evaluateAtIteration(Last, Evolution);
    const SCEV *const Step = Recurrence->getStepRecurrence(Evolution);
    if (Evolution.isKnownNonNegative(Step))
      return IsLeast ? Begin : End;
    if (Evolution.isKnownNonPositive(Step))
      return IsLeast ? End : Begin;
    return IsLeast ? Evolution.getUMinExpr(Begin, End) : Evolution.getUMaxExpr(Begin, End);
  }

  /// What all iterations of \p L touch, of which one touches \p One.
  std::optional<Extent> ofLoop(Loop &L, const Extent &One) const {
    const SCEV *const Times = Counts.iterations(L, LoopCounts::Position::EachIteration);
    if (!Times)
      return std::nullopt;
    const SCEV *const Last = Evolution.getMinusSCEV(Times, Evolution.getOne(Times->getType()));
    const auto Same = [&](const SCEV *Of) { return Evolution.isLoopInvariant(Of, &L); };
    Extent All = {extreme(L, One.Begin, Last, true), extreme(L, One.End, Last, false), One.Bytes};
    if (!All.Begin || !All.End)
      return std::nullopt;
    if (!Same(One.Begin) || !Same(One.End))
      All.Bytes = Counts.sumOver(L, LoopCounts::Position::EachIteration, One.Bytes);
    if (!All.Bytes || !Same(All.Bytes))
      return std::nullopt;
    return All;
  }

  /// Whether an iteration touches bytes that the one before has touched, so that there are no gaps.
  bool overlaps(const Extent &One) const {
    const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(One.Begin);
    const auto *Step =
        Recurrence ? dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(Evolution)) : nullptr;
    return Step && !Step->isZero() &&
           cast<SCEVConstant>(One.Bytes)->getAPInt().ugt(Step->getAPInt().abs());
  }

  void add(Group &Of, const Extent &One) {
    std::optional<Extent> All = ofLoop(*Of.In, One);
    if (!All)
      return;
    if (overlaps(One))
      All->Bytes = Evolution.getMinusSCEV(All->End, All->Begin);
    FootprintRange Best, Range;
    for (Loop *Around = Of.In; All;) {
      Range.Around = Around;
      std::tie(Range.Begin, Range.End, Range.Bytes) = std::tie(All->Begin, All->End, All->Bytes);
      if (isWorth(*Around) && Counts.canCompute(*Around, {Range.Begin, Range.End, Range.Bytes}))
        Best = Range;
      Loop *const Outer = Counts.loopAround(*Around);
      if (!Outer)
        break;
      Range.MayBeSkipped |= !Counts.isEnteredInEach(*Around, *Outer);
      All = ofLoop(*Outer, Around == Of.In ? fromTheStart(*All) : *All);
      Around = Outer;
    }
    if (!Best.Around || Result.Ranges.size() == MaxRanges)
      return;
    const std::optional<unsigned> Array = arrayOf(Of);
    if (!Array)
      return;
    Best.Array = *Array;
    Best.IsOnce = Counts.isEnteredOnce(*Best.Around);
    if (Best.MayBeSkipped)
      addTests(*Of.In, Best);
    Result.Ranges.push_back(std::move(Best));
    Result.Covered.insert(Of.Accesses.begin(), Of.Accesses.end());
  }

  /// The remainder of a vectorised loop begins where the vectors end, or at 0 if there were none.
  /// If its end does not depend on that, it lies in the range of the whole loop.
  Extent fromTheStart(const Extent &Of) const {
    ValueToSCEVMapTy Starts;
    SCEVExprContains(Of.Begin, [&](const SCEV *Leaf) {
      const auto *Unknown = dyn_cast<SCEVUnknown>(Leaf);
      const auto *Phi = Unknown ? dyn_cast<PHINode>(Unknown->getValue()) : nullptr;
      if (Phi && Phi->getType()->isIntegerTy() &&
          !Evolution.getSignedRangeMin(Unknown).isNegative() &&
          any_of(Phi->incoming_values(),
                 [](const Use &Of) { return match(Of.get(), PatternMatch::m_Zero()); }))
        Starts[Unknown->getValue()] = Evolution.getZero(Phi->getType());
      return false;
    });
    const auto Rewritten = [&](const SCEV *Part) {
      return SCEVParameterRewriter::rewrite(Part, Evolution, Starts);
    };
    if (Starts.empty() || Rewritten(Of.End) != Of.End)
      return Of;
    return {Rewritten(Of.Begin), Of.End, Rewritten(Of.Bytes)};
  }

  /// The tests that lead from `Around` to \p Inner, as far as they have one result.
  void addTests(const Loop &Inner, FootprintRange &Range) {
    for (const auto &[Condition, IsTrue] : Counts.conditionsBetween(*Range.Around, Inner))
      addTest(*Condition, IsTrue, Range);
  }

  void addTest(const Value &Condition, bool IsTrue, FootprintRange &Range) {
    const Value *Left = nullptr, *Right = nullptr;
    using namespace PatternMatch;
    if (IsTrue ? match(&Condition, m_LogicalAnd(m_Value(Left), m_Value(Right)))
               : match(&Condition, m_LogicalOr(m_Value(Left), m_Value(Right)))) {
      addTest(*Left, IsTrue, Range);
      addTest(*Right, IsTrue, Range);
      return;
    }
    const auto *Test = dyn_cast<ICmpInst>(&Condition);
    if (!Test || !Test->getOperand(0)->getType()->isIntegerTy())
      return;
    const FootprintTest Made = {IsTrue ? Test->getPredicate() : Test->getInversePredicate(),
                                Evolution.getSCEV(Test->getOperand(0)),
                                Evolution.getSCEV(Test->getOperand(1))};
    const auto IsSame = [&](const SCEV *Of) { return Evolution.isLoopInvariant(Of, Range.Around); };
    if (IsSame(Made.Left) && IsSame(Made.Right) &&
        Counts.canCompute(*Range.Around, {Made.Left, Made.Right}))
      Range.Tests.push_back(Made);
  }

  /// A loop in another one may have few iterations, and code in front of it would cost as much as
  /// they do.
  bool isWorth(const Loop &L) const {
    const Loop *const Outer = Counts.loopAround(L);
    return IsExact || !Outer || !L.isInnermost() || Counts.takesChunks(*Outer);
  }

  std::optional<unsigned> arrayOf(const Group &Of) {
    for (unsigned Number = 0; Number < Result.Arrays.size(); ++Number)
      if (isSame(Result.Arrays[Number], Of.Array))
        return Number;
    if (Result.Arrays.size() == MaxArrays)
      return std::nullopt;
    Result.Arrays.push_back(Of.Array);
    return static_cast<unsigned>(Result.Arrays.size() - 1);
  }

  LoopCounts &Counts;
  ScalarEvolution &Evolution;
  const bool IsExact;
  std::vector<Group> Groups;
  Footprint Result;
};

} // namespace

Footprint findFootprint(ArrayRef<BasicBlock *> Blocks, LoopCounts &Counts, bool IsExact) {
  Finder Of(Counts, IsExact);
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : *Block)
      Of.look(I);
  return Of.find();
}

} // namespace seamscope
