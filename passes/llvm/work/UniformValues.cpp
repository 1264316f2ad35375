//===- UniformValues.cpp - what is the same in each iteration --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/UniformValues.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Whether \p I computes its result from its operands alone, and cannot fail.
bool isPlain(const Instruction &I) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(&I))
    return !Binary->isIntDivRem() && Binary->getType()->isIntegerTy();
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::abs:
      return Call->getType()->isIntegerTy();
    default:
      return false;
    }
  return isa<ICmpInst, SelectInst, FreezeInst, CastInst, GetElementPtrInst>(I) &&
         !I.getType()->isVectorTy();
}

} // namespace

SmallVector<BasicBlock *, 2> entriesOf(const Loop &L) {
  SmallVector<BasicBlock *, 2> Entries;
  for (BasicBlock *From : predecessors(L.getHeader()))
    if (!L.contains(From))
      Entries.push_back(From);
  return Entries;
}

/// The outermost loop in L around \p Block; null: the block is in none.
const Loop *UniformValues::innerLoop(const BasicBlock &Block) const {
  const Loop *Inner = LI.getLoopFor(&Block);
  while (Inner && Inner != &L && Inner->getParentLoop() != &L)
    Inner = Inner->getParentLoop();
  return Inner == &L ? nullptr : Inner;
}

bool UniformValues::isOnlyWayOut(const Loop &Inner, const BasicBlock &From,
                                 const BasicBlock &To) const {
  SmallVector<Loop::Edge> Edges;
  Inner.getExitEdges(Edges);
  return all_of(Edges, [&](const Loop::Edge &Edge) {
    return !Returning.contains(Edge.second) || (Edge.first == &From && Edge.second == &To);
  });
}

bool UniformValues::isUniform(const BasicBlock &From, const BasicBlock &To) {
  if (!L.contains(&From) || !L.contains(&To))
    return false;
  // An inner loop that is entered is left.
  if (const Loop *const Inner = innerLoop(From)) {
    const auto Entries = entriesOf(*Inner);
    return isOnlyWayOut(*Inner, From, To) && !Entries.empty() &&
           all_of(Entries, [&](const BasicBlock *Entry) {
             return !innerLoop(*Entry) && isUniform(*Entry, *Inner->getHeader());
           });
  }
  const auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (!Branch || !isUniform(From))
    return false;
  return Branch->isUnconditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
         any_of(successors(&From),
                [&](const BasicBlock *Next) { return !Returning.contains(Next); }) ||
         isUniform(*Branch->getCondition());
}

bool UniformValues::isUniform(const BasicBlock &Block) {
  if (&Block == L.getHeader())
    return true;
  if (LI.getLoopFor(&Block) != &L || Block.isEHPad())
    return false;
  const auto [Found, New] = Known.try_emplace(&Block, false);
  if (!New)
    return Found->second;
  const bool Is =
      all_of(predecessors(&Block), [&](const BasicBlock *From) { return isUniform(*From, Block); });
  return Known[&Block] = Is;
}

bool UniformValues::isUniform(const Value &Of) {
  if (L.isLoopInvariant(&Of))
    return true;
  const auto &I = cast<Instruction>(Of);
  if (LI.getLoopFor(I.getParent()) != &L)
    return false;
  const auto [Found, New] = Known.try_emplace(&I, false);
  if (!New)
    return Found->second;
  bool Is = false;
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    Is = Phi->getParent() != L.getHeader() && all_of(Phi->blocks(), [&](const BasicBlock *From) {
           return isUniform(*From, *Phi->getParent()) &&
                  isUniform(*Phi->getIncomingValueForBlock(From));
         });
  else
    Is = isPlain(I) &&
         all_of(I.operands(), [&](const Use &Operand) { return isUniform(*Operand.get()); });
  return Known[&I] = Is;
}

Value *UniformValues::isTaken(BasicBlock &From, BasicBlock &To, IRBuilder<> &B) {
  if (const Loop *const Inner = innerLoop(From)) {
    Value *Any = B.getFalse();
    for (BasicBlock *Entry : entriesOf(*Inner))
      Any = B.CreateLogicalOr(Any, isTaken(*Entry, *Inner->getHeader(), B));
    return Any;
  }
  Value *const Runs = runs(From, B);
  auto *const Branch = cast<BranchInst>(From.getTerminator());
  if (Branch->isUnconditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return Runs;
  if (any_of(successors(&From), [&](const BasicBlock *Next) { return !Returning.contains(Next); }))
    return Runs;
  Value *Condition = value(*Branch->getCondition(), B);
  if (Branch->getSuccessor(0) != &To)
    Condition = B.CreateNot(Condition);
  return B.CreateLogicalAnd(Runs, Condition);
}

Value *UniformValues::runs(BasicBlock &Block, IRBuilder<> &B) {
  if (&Block == L.getHeader())
    return B.getTrue();
  if (Value *const Old = Made.lookup(&Block))
    return Old;
  Value *Any = B.getFalse();
  for (BasicBlock *From : predecessors(&Block))
    Any = B.CreateLogicalOr(Any, isTaken(*From, Block, B));
  return Made[&Block] = Any;
}

Value *UniformValues::value(Value &Of, IRBuilder<> &B) {
  if (L.isLoopInvariant(&Of))
    return &Of;
  if (Value *const Old = Made.lookup(&Of))
    return Old;
  auto &I = cast<Instruction>(Of);
  Value *New = nullptr;
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    for (BasicBlock *From : Phi->blocks()) {
      Value *const Incoming = value(*Phi->getIncomingValueForBlock(From), B);
      New = New ? B.CreateSelect(isTaken(*From, *Phi->getParent(), B), Incoming, New) : Incoming;
    }
  } else {
    SmallVector<Value *> Operands;
    for (Use &Operand : I.operands())
      Operands.push_back(value(*Operand.get(), B));
    Instruction *const Copy = I.clone();
    for (unsigned Number = 0; Number < Operands.size(); ++Number)
      Copy->setOperand(Number, Operands[Number]);
    // It may be computed where the original would not be.
    Copy->dropPoisonGeneratingFlags();
    Copy->dropUnknownNonDebugMetadata();
    New = B.Insert(Copy);
  }
  return Made[&Of] = New;
}

} // namespace seamscope
