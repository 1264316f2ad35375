//===- UsedLanes.cpp - lanes of a vector that anything reads ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/UsedLanes.h"

#include "llvm/ADT/APInt.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace seamscope {
namespace {

/// How far users of users are followed, and how many of them: beyond, all lanes are used.
constexpr unsigned MaxDepth = 6;
constexpr unsigned MaxUsers = 8;

bool isByLane(const Instruction &I) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::sqrt:
    case Intrinsic::fabs:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
      return true;
    default:
      return false;
    }
  return isa<BinaryOperator, UnaryOperator, SelectInst, FCmpInst>(I);
}

APInt lanesUsedOf(const Instruction &I, unsigned Depth);

/// Lanes of \p Operand that \p User reads.
APInt lanesUsedBy(const Instruction &User, const Instruction &Operand, unsigned Lanes,
                  unsigned Depth) {
  APInt None(Lanes, 0);
  if (const auto *Extract = dyn_cast<ExtractElementInst>(&User)) {
    if (const auto *Index = dyn_cast<ConstantInt>(Extract->getIndexOperand());
        Index && Index->getValue().ult(Lanes)) {
      None.setBit(Index->getZExtValue());
      return None;
    }
  } else if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(&User)) {
    const APInt Wanted = lanesUsedOf(*Shuffle, Depth);
    for (unsigned Lane = 0; Lane < Wanted.getBitWidth(); ++Lane) {
      const int From = Shuffle->getMaskValue(Lane);
      if (!Wanted[Lane] || From < 0)
        continue;
      const auto Place = static_cast<unsigned>(From);
      if (Shuffle->getOperand(Place / Lanes) == &Operand)
        None.setBit(Place % Lanes);
    }
    return None;
  } else if (const auto *Type = dyn_cast<FixedVectorType>(User.getType());
             Type && Type->getNumElements() == Lanes && isByLane(User)) {
    return lanesUsedOf(User, Depth);
  }
  return APInt::getAllOnes(Lanes);
}

APInt lanesUsedOf(const Instruction &I, unsigned Depth) {
  const unsigned Lanes = cast<FixedVectorType>(I.getType())->getNumElements();
  if (!Depth || I.hasNUsesOrMore(MaxUsers))
    return APInt::getAllOnes(Lanes);
  APInt Used(Lanes, 0);
  for (const User *Of : I.users()) {
    Used |= lanesUsedBy(*cast<Instruction>(Of), I, Lanes, Depth - 1);
    if (Used.isAllOnes())
      break;
  }
  return Used;
}

} // namespace

uint64_t usedLanes(const Instruction &I) { return lanesUsedOf(I, MaxDepth).popcount(); }

Type *loadedType(const LoadInst &Load) {
  Type *const Ty = Load.getType();
  const auto TakesLanes = [&](const User *User) {
    return isa<ShuffleVectorInst, ExtractElementInst>(User) &&
           cast<Instruction>(User)->getParent() == Load.getParent();
  };
  const bool IsOneLane = isa<FixedVectorType>(Ty) && Load.isSimple() &&
                         all_of(Load.users(), TakesLanes) && usedLanes(Load) == 1;
  return IsOneLane ? Ty->getScalarType() : Ty;
}

} // namespace seamscope
