//===- MaskedLanes.cpp - lanes that a mask selects --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/MaskedLanes.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace seamscope {

Value *maskOf(const IntrinsicInst &Call) {
  for (Value *Argument : Call.args())
    if (Argument->getType()->isIntOrIntVectorTy(1) && isa<VectorType>(Argument->getType()))
      return Argument;
  return nullptr;
}

Value *dynamicMask(const Instruction &I, const WorkCounts &Most, WorkCounts &OfLane) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  Value *const Mask = Call ? maskOf(*Call) : nullptr;
  const auto *Ty = Mask ? dyn_cast<FixedVectorType>(Mask->getType()) : nullptr;
  if (!Ty)
    return nullptr;
  for (const auto &[Key, Bytes] : Most)
    if (StringRef Plain = Key; Plain.consume_front("masked_"))
      OfLane.add(Plain, Bytes / Ty->getNumElements());
  return OfLane.empty() ? nullptr : Mask;
}

Value *lanesOf(Value &Mask, IRBuilder<> &B) {
  const unsigned Lanes = cast<FixedVectorType>(Mask.getType())->getNumElements();
  Value *const Bits = B.CreateBitCast(&Mask, B.getIntNTy(Lanes));
  Value *const Wide = B.CreateZExtOrTrunc(Bits, B.getIntNTy(std::max(64u, Lanes)));
  return B.CreateZExtOrTrunc(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Wide), B.getInt64Ty());
}

} // namespace seamscope
