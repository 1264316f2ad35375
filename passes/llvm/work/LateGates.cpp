//===- LateGates.cpp - gates that follow from a call's words ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/LateWork.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace seamscope {

/// What \p Make computes in front of all gates; nothing if the call would have to keep more for it.
std::optional<LateNumber> LateWork::withoutNewInputs(function_ref<Number()> Make) {
  const size_t Places = New.size(), OldCommon = Steps[0].size();
  const unsigned Gate = std::exchange(Into, 0);
  UniformValues *const OldUniform = std::exchange(Uniform, nullptr);
  const Value *const OldBase = std::exchange(Base, nullptr);
  const bool WasOnlyKept = std::exchange(OnlyKept, true);
  if (!WasOnlyKept)
    Left = 200;
  const Number Result = Make();
  const bool IsFree = !Failed && hasRoom();
  if (!IsFree)
    takeBack(Places, Inputs.size(), OldCommon, OldCommon);
  Failed = false;
  Into = Gate;
  Uniform = OldUniform;
  Base = OldBase;
  OnlyKept = WasOnlyKept;
  return IsFree ? std::optional(Result) : std::nullopt;
}

/// Bounds the search: code may go in circles that are no loops, and ways multiply.
bool LateWork::goOn() { return Left && Left--; }

/// Whether a call reaches \p Block, which is in no loop. What a value is that it did not compute
/// does not matter: the block that computes it is not reached either.
LateNumber LateWork::reached(BasicBlock &Block) {
  if (Block.isEntryBlock())
    return always();
  if (LI.getLoopFor(&Block) || !goOn())
    return fail();
  if (const std::optional<Number> Old = known({&Block, nullptr, Into}))
    return *Old;
  Number Result = never();
  for (BasicBlock *From : predecessors(&Block)) {
    if (Failed)
      return {};
    const Loop *const In = LI.getLoopFor(From);
    if (!In) {
      Result = either(Result, takes(*From, Block));
      continue;
    }
    // A loop that was entered ends, and there is one way out.
    const Loop &Whole = *In->getOutermostLoop();
    if (Whole.getUniqueExitBlock() != &Block)
      return fail();
    Result = either(Result, entered(Whole));
  }
  known({&Block, nullptr, Into}) = Result;
  return Result;
}

LateNumber LateWork::takes(BasicBlock &From, BasicBlock &To) {
  const auto *const Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (!Branch)
    return fail();
  const Number Is = reached(From);
  if (Failed || Branch->isUnconditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return Is;
  const bool IsFirst = Branch->getSuccessor(0) == &To;
  if (const auto Test = withoutNewInputs([&] { return condition(*Branch->getCondition()); }))
    return both(Is, IsFirst ? *Test : inverse(*Test));
  // Gates on one of both ways say which one a call took.
  for (const unsigned Way : {0, 1})
    if (const auto Passed = gatesBehind(*Branch->getSuccessor(Way)); !Passed.empty()) {
      Number Test = never();
      for (const unsigned Gate : Passed)
        Test = either(Test, isPassed(Gate));
      return both(Is, (Way == 0) == IsFirst ? Test : inverse(Test));
    }
  return fail();
}

/// Gates of which a call passes one if, and only if, it takes the only way to \p First; empty:
/// these are not known.
SmallVector<unsigned> LateWork::gatesBehind(const BasicBlock &First) const {
  constexpr size_t MostBlocks = 20;
  SmallVector<unsigned> Found;
  SmallSetVector<const BasicBlock *, 8> Todo;
  if (First.getSinglePredecessor())
    Todo.insert(&First);
  for (size_t I = 0; I < Todo.size(); ++I) {
    const BasicBlock &At = *Todo[I];
    const auto Gate = find_if(Gates, [&](const LateGate &Each) { return Each.Block == &At; });
    if (Gate != Gates.end() && &*Gate != Deriving) {
      Found.push_back(static_cast<unsigned>(Gate - Gates.begin()));
      continue;
    }
    if (LI.getLoopFor(&At) || succ_empty(&At) || Todo.size() > MostBlocks ||
        !all_of(successors(&At), [&](auto *Next) { return Tree.dominates(&First, Next); }))
      return {};
    Todo.insert(succ_begin(&At), succ_end(&At));
  }
  return Found;
}

LateNumber LateWork::isPassed(unsigned Gate) {
  if (const auto Known = Derived.find(Gate); Known != Derived.end())
    return Known->second;
  Kept.insert(Gate);
  return add(LateByte, 64, {Number::GateWord, Gate});
}

LateNumber LateWork::entered(const Loop &L) {
  Number Result = never();
  for (BasicBlock *From : entriesOf(L))
    Result = either(Result, takes(*From, *L.getHeader()));
  return Result;
}

/// The value of \p Phi, which is in no loop, in a call that reaches it.
std::optional<LateNumber> LateWork::chosenByWay(PHINode &Phi) {
  if (!IsWhole || LI.getLoopFor(Phi.getParent()) || !Phi.getType()->isIntegerTy())
    return std::nullopt;
  return withoutNewInputs([&] {
    if (!goOn())
      return fail();
    BasicBlock &Block = *Phi.getParent();
    // What comes out of a loop must be one value: which exit a call took is not known.
    DenseMap<const Loop *, Number> OfLoop;
    std::optional<Number> Result;
    for (unsigned I = 0; I < Phi.getNumIncomingValues() && !Failed; ++I) {
      BasicBlock &From = *Phi.getIncomingBlock(I);
      const Loop *In = LI.getLoopFor(&From);
      In = In ? In->getOutermostLoop() : nullptr;
      const Number Here = value(*Phi.getIncomingValue(I));
      if (In && (In->getUniqueExitBlock() != &Block ||
                 OfLoop.try_emplace(In, Here).first->second != Here))
        return fail();
      if (!Result)
        Result = Here;
      else if (Here != *Result)
        Result = choose(In ? entered(*In) : takes(From, Block), Here, *Result);
    }
    return *Result;
  });
}

void LateWork::deriveGates() {
  if (!IsWhole)
    return;
  for (const auto &[Number, Gate] : enumerate(Gates)) {
    if (Kept.contains(Number))
      continue;
    New.clear();
    Around = Gate.Entered;
    Deriving = &Gate;
    const auto Is = withoutNewInputs(
        [&] { return Gate.Block ? reached(*Gate.Block) : entered(*Gate.Entered); });
    if (Is)
      Derived[Number] = *Is;
  }
}

SmallVector<LateGate> LateWork::gates() const {
  SmallVector<LateGate> Open;
  for (const auto &[Number, Gate] : enumerate(Gates))
    if (!Derived.contains(Number))
      Open.push_back(Gate);
  return Open;
}

} // namespace seamscope
