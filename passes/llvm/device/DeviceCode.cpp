//===- DeviceCode.cpp - helpers that emit the code of stamps ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "device/DeviceCode.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace seamscope {

DebugLoc stampLocation(const Function &F) {
  if (DISubprogram *SP = F.getSubprogram())
    return DILocation::get(F.getContext(), 0, 0, SP);
  return {};
}

CallInst *asmValue(IRBuilder<> &B, Type *Ty, StringRef Text, StringRef Constraints) {
  CallInst *Read = B.CreateCall(InlineAsm::get(FunctionType::get(Ty, false), Text, Constraints,
                                               /*hasSideEffects=*/true));
  Read->setDoesNotThrow();
  return Read;
}

Value *sreg(IRBuilder<> &B, StringRef Name) {
  return asmValue(B, B.getInt32Ty(), ("mov.u32 $0, %" + Name + ";").str(), "=r");
}

Instruction *unlikelyThen(Value *Condition, Instruction *Before) {
  return SplitBlockAndInsertIfThen(Condition, Before->getIterator(), /*Unreachable=*/false,
                                   MDBuilder(Before->getContext()).createBranchWeights(1, 100000));
}

Value *threadsTogether(Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(stampLocation(*Before->getFunction()));
  return asmValue(B, B.getInt32Ty(), "activemask.b32 $0;", "=r");
}

Instruction *thenFirst(Value *Together, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(stampLocation(*Before->getFunction()));
  Value *First = B.CreateIntrinsic(Intrinsic::cttz, {B.getInt32Ty()}, {Together, B.getTrue()});
  Value *Lane = sreg(B, "laneid");
  return SplitBlockAndInsertIfThen(B.CreateICmpEQ(First, Lane), Before->getIterator(), false);
}

} // namespace seamscope
