//===- CountsByKey.cpp - counts of operations and bytes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/CountsByKey.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace seamscope {

std::string typeName(const Type *Ty) {
  const Type *const Element = Ty->getScalarType();
  if (Element->isHalfTy())
    return "f16";
  if (Element->isBFloatTy())
    return "bf16";
  if (Element->isFloatTy())
    return "f32";
  if (Element->isDoubleTy())
    return "f64";
  if (Element->isX86_FP80Ty())
    return "x87";
  if (Element->isFP128Ty() || Element->isPPC_FP128Ty())
    return "f128";
  if (Element->isIntegerTy())
    return "i" + std::to_string(Element->getIntegerBitWidth());
  return {};
}

bool isOnStack(const Value *Pointer) { return isa<AllocaInst>(getUnderlyingObject(Pointer)); }

} // namespace seamscope
