//===- UniformValues.cpp - what is the same in each iteration --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/UniformValues.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

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

/// Finds whether values are the same in a loop around.
class SameOutside {
public:
  using Made = bool;

  SameOutside(UniformValues &Values, const Loop &Outer) : Values(Values), Outer(Outer) {}

  static Made always() { return true; }
  static Made never() { return true; }
  static Made either(Made One, Made Other) { return One && Other; }
  static Made both(Made One, Made Other) { return One && Other; }
  static Made inverse(Made Of) { return Of; }
  static Made choose(Made Is, Made Then, Made Else) { return Is && Then && Else; }
  Made value(Value &Of) {
    if (Values.loop().isLoopInvariant(&Of))
      return Outer.isLoopInvariant(&Of);
    std::optional<Made> &Is = made(Of);
    if (!Is) {
      auto &I = cast<Instruction>(Of);
      if (auto *const Phi = dyn_cast<PHINode>(&I))
        Is = Values.chosen(*Phi, *this);
      else if (const SCEV *const Exit = Values.atExit(Of))
        Is = !changes(Exit);
      else
        Is = all_of(I.operands(), [&](Use &Operand) { return value(*Operand.get()); });
    }
    return *Is;
  }
  bool changes(const SCEV *Of) {
    return SCEVExprContains(Of, [&](const SCEV *Part) {
      if (const auto *Leaf = dyn_cast<SCEVUnknown>(Part))
        return !value(*Leaf->getValue());
      return isa<SCEVAddRecExpr>(Part);
    });
  }
  std::optional<Made> &made(const Value &Of) { return All[&Of]; }

private:
  UniformValues &Values;
  const Loop &Outer;
  std::map<const Value *, std::optional<Made>> All;
};

} // namespace

bool isSameInLoop(UniformValues &Values, const Loop &Outer, BasicBlock &From, BasicBlock *To,
                  const SCEV *Amount) {
  SameOutside Is(Values, Outer);
  return Values.takes(&From, To, Is) && !(Amount && Is.changes(Amount));
}

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
  return Branch && isUniform(From) && (hasOneWay(From) || isUniform(*Branch->getCondition()));
}

bool UniformValues::hasOneWay(const BasicBlock &From) const {
  const auto &Branch = *cast<BranchInst>(From.getTerminator());
  return Branch.isUnconditional() || Branch.getSuccessor(0) == Branch.getSuccessor(1) ||
         any_of(successors(&From),
                [&](const BasicBlock *Next) { return !Returning.contains(Next); });
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
  const auto [Found, New] = Known.try_emplace(&I, false);
  if (!New)
    return Found->second;
  bool Is = false;
  if (LI.getLoopFor(I.getParent()) != &L) {
    const SCEV *const Exit = atExit(const_cast<Value &>(Of));
    Is = Exit && isUniform(Exit);
  } else if (const auto *Phi = dyn_cast<PHINode>(&I))
    Is = Phi->getParent() != L.getHeader() && all_of(Phi->blocks(), [&](const BasicBlock *From) {
           return isUniform(*From, *Phi->getParent()) &&
                  isUniform(*Phi->getIncomingValueForBlock(From));
         });
  else
    Is = isPlain(I) &&
         all_of(I.operands(), [&](const Use &Operand) { return isUniform(*Operand.get()); });
  return Known[&I] = Is;
}

const SCEV *UniformValues::atExit(Value &Of) const {
  const auto *I = dyn_cast<Instruction>(&Of);
  const Loop *const Inner = I && L.contains(I) ? innerLoop(*I->getParent()) : nullptr;
  if (!Inner || !Of.getType()->isIntegerTy() || Of.getType()->isIntegerTy(1))
    return nullptr;
  const SCEV *const Exit = Evolution.getSCEVAtScope(&Of, &L);
  return Evolution.isLoopInvariant(Exit, Inner) ? Exit : nullptr;
}

bool UniformValues::isUniform(const SCEV *Of) {
  return !SCEVExprContains(Of, [&](const SCEV *Part) {
    if (const auto *Leaf = dyn_cast<SCEVUnknown>(Part))
      return !isUniform(*Leaf->getValue());
    if (const auto *Division = dyn_cast<SCEVUDivExpr>(Part))
      return !isa<SCEVConstant>(Division->getRHS());
    return isa<SCEVAddRecExpr>(Part) && !Evolution.isLoopInvariant(Part, &L);
  });
}

Value *UniformCode::expand(const SCEV *Of, Type *As) {
  ValueToSCEVMapTy Leaves;
  SCEVExprContains(Of, [&](const SCEV *Part) {
    if (const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
        Leaf && !Values.loop().isLoopInvariant(Leaf->getValue()))
      Leaves[Leaf->getValue()] = Evolution.getSCEV(value(*Leaf->getValue()));
    return false;
  });
  return Expander.expandCodeFor(SCEVParameterRewriter::rewrite(Of, Evolution, Leaves), As,
                                B->GetInsertPoint());
}

Value *UniformCode::value(Value &Of) {
  if (Values.loop().isLoopInvariant(&Of))
    return &Of;
  if (const std::optional<Value *> Old = made(Of))
    return *Old;
  auto &I = cast<Instruction>(Of);
  Value *New = nullptr;
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    New = Values.chosen(*Phi, *this);
  } else if (const SCEV *const Exit = Values.atExit(Of)) {
    New = expand(Exit, Of.getType());
  } else {
    SmallVector<Value *> Operands;
    for (Use &Operand : I.operands())
      Operands.push_back(value(*Operand.get()));
    Instruction *const Copy = I.clone();
    for (unsigned Number = 0; Number < Operands.size(); ++Number)
      Copy->setOperand(Number, Operands[Number]);
    // It may be computed where the original would not be.
    Copy->dropPoisonGeneratingFlags();
    Copy->dropUnknownNonDebugMetadata();
    New = B->Insert(Copy);
  }
  made(Of) = New;
  return New;
}

} // namespace seamscope
