//===- TailCalls.cpp - calls that end a function ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TailCalls.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace seamscope {

/// Whether \p I does not produce code between a call and a return.
static bool isNoCode(const Instruction &I) {
  return I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd();
}

static bool mayComeBack(const CallInst &Call) {
  if (!Call.isTailCall() || Call.isMustTailCall() || Call.isInlineAsm() ||
      isa<IntrinsicInst>(Call) || Call.cannotDuplicate() || Call.isConvergent() ||
      Call.doesNotReturn() || Call.hasFnAttr(Attribute::ReturnsTwice) ||
      Call.hasOperandBundlesOtherThan({LLVMContext::OB_kcfi, LLVMContext::OB_ptrauth}))
    return false;
  const Function *Callee = Call.getCalledFunction();
  return !Callee || !Callee->isDeclaration() || !Callee->hasFnAttribute(Attribute::NoCallback);
}

/// The last call in \p Block before its terminator, if \p Value is its result, undefined or null.
static CallInst *lastCall(BasicBlock &Block, const Value *Value) {
  Instruction *I = Block.getTerminator()->getPrevNode();
  while (I && isNoCode(*I))
    I = I->getPrevNode();
  auto *Call = dyn_cast_or_null<CallInst>(I);
  if (!Call || !mayComeBack(*Call))
    return nullptr;
  return !Value || Value == Call || isa<UndefValue>(Value) ? Call : nullptr;
}

SmallVector<CallInst *> findTailCalls(Function &F) {
  SmallVector<CallInst *> Calls;
  if (F.doesNotRecurse() || F.getFnAttribute("disable-tail-calls").getValueAsBool())
    return Calls;
  for (BasicBlock &Block : F) {
    const auto *Return = dyn_cast<ReturnInst>(Block.getTerminator());
    if (!Return)
      continue;
    const Value *Result = Return->getReturnValue();
    if (CallInst *Call = lastCall(Block, Result)) {
      Calls.push_back(Call);
      continue;
    }
    // A block that only returns: CodeGenPrepare copies the return into its predecessors.
    if (any_of(Block, [&](const Instruction &I) {
          return !isa<PHINode>(I) && !isNoCode(I) && &I != Return;
        }))
      continue;
    for (BasicBlock *Before : predecessors(&Block)) {
      const auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
      if (!Branch || Branch->isConditional())
        continue;
      const auto *Phi = dyn_cast_or_null<PHINode>(Result);
      const Value *Here =
          Phi && Phi->getParent() == &Block ? Phi->getIncomingValueForBlock(Before) : Result;
      if (CallInst *Call = lastCall(*Before, Here))
        Calls.push_back(Call);
    }
  }
  return Calls;
}

ReturnInst *separateReturn(CallInst &Call) {
  BasicBlock &Block = *Call.getParent();
  if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
    return Return;
  auto *Branch = cast<BranchInst>(Block.getTerminator());
  BasicBlock *Shared = Branch->getSuccessor(0);
  auto *Old = cast<ReturnInst>(Shared->getTerminator());
  Value *Result = Old->getReturnValue();
  if (auto *Phi = dyn_cast_or_null<PHINode>(Result); Phi && Phi->getParent() == Shared)
    Result = Phi->getIncomingValueForBlock(&Block);
  auto *Return = ReturnInst::Create(Block.getContext(), Result, &Block);
  Return->setDebugLoc(Old->getDebugLoc());
  Shared->removePredecessor(&Block);
  Branch->eraseFromParent();
  if (pred_empty(Shared))
    DeleteDeadBlock(Shared);
  return Return;
}

} // namespace seamscope
