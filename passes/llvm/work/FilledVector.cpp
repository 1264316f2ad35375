//===- FilledVector.cpp - values that std::vector::assign writes -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/FilledVector.h"

#include "work/CountsByKey.h"

#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Whether \p F only moves data, allocates and frees memory.
bool onlyMoves(const Function &F, const TargetLibraryInfo &Library) {
  return all_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return !I.getType()->isFPOrFPVectorTy() || !(I.isBinaryOp() || I.isUnaryOp());
    return isa<MemIntrinsic>(I) || I.isLifetimeStartOrEnd() || isa<AssumeInst>(I) ||
           Call->doesNotReturn() || isAllocationFn(Call, &Library) ||
           getFreedOperand(Call, &Library);
  });
}

} // namespace

VectorFill filledVector(const CallBase &Call, const TargetLibraryInfo &Library) {
  const Function *const Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Call.arg_size() != 3 ||
      !Callee->getName().starts_with("_ZNSt6vectorI") ||
      !Callee->getName().contains("E14_M_fill_assignEmRK"))
    return {};
  const uint64_t Bytes = Callee->getParamDereferenceableBytes(2); // of a reference to the value
  if (!Bytes || !isOnStack(Call.getArgOperand(0)) || !onlyMoves(*Callee, Library))
    return {};
  return {Call.getArgOperand(1), Bytes};
}

} // namespace seamscope
