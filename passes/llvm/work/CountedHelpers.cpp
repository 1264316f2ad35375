//===- CountedHelpers.cpp - functions that count for their callers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/CountedHelpers.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace seamscope {
namespace {

constexpr StringLiteral CopyMark = "seamscope-counts";
constexpr StringLiteral Suffix = ".seamscope";

} // namespace

Function *copyToCount(Function &F) {
  SmallVector<Type *> Types(F.getFunctionType()->params());
  Types.push_back(PointerType::get(F.getContext(), 0));
  auto *const Copy = Function::Create(FunctionType::get(F.getReturnType(), Types, false),
                                      GlobalValue::InternalLinkage, F.getAddressSpace(),
                                      F.getName() + Suffix, F.getParent());
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip(F.args(), Copy->args())) {
    New.setName(Old.getName());
    Map[&Old] = &New;
  }
  SmallVector<ReturnInst *> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Copy->setComdat(nullptr);
  Copy->setDSOLocal(true);
  Copy->removeFnAttr(Attribute::Speculatable);
  Copy->setMemoryEffects(Copy->getMemoryEffects() | MemoryEffects::argMemOnly());
  Copy->addFnAttr(CopyMark);
  Copy->addFnAttr("seamscope-instrumented"); // the caller has its time, as before
  return Copy;
}

bool isCopyToCount(const Function &F) { return F.hasFnAttribute(CopyMark); }

StringRef nameOfCopied(const Function &Copy) {
  return Copy.getName().slice(0, Copy.getName().rfind(Suffix));
}

Function *copyCalledBy(const CallBase &Call) {
  Function *const F = Call.getCalledFunction();
  return F && isCopyToCount(*F) ? F : nullptr;
}

bool canCallCopy(const CallBase &Call) {
  const Function *const F = Call.getCalledFunction();
  return F && !F->isDeclaration() && !F->isInterposable() && !F->isVarArg() && !F->hasSection() &&
         F->getFunctionType() == Call.getFunctionType() && !Call.isMustTailCall() &&
         (isa<CallInst>(Call) || isa<InvokeInst>(Call)) && !F->isPresplitCoroutine() &&
         !F->hasFnAttribute(Attribute::OptimizeNone) && !F->hasFnAttribute(Attribute::Naked) &&
         !F->callsFunctionThatReturnsTwice() && none_of(*F, [](const BasicBlock &Block) {
           return Block.hasAddressTaken() || Block.getTerminatingMustTailCall();
         });
}

void callInstead(CallBase &Call, Function &Copy) {
  SmallVector<Value *> Arguments(Call.args());
  Arguments.push_back(PoisonValue::get(wordsOfCopy(Copy)->getType()));
  SmallVector<OperandBundleDef> Bundles;
  Call.getOperandBundlesAsDefs(Bundles);
  CallBase *New = nullptr;
  if (auto *const Invoke = dyn_cast<InvokeInst>(&Call))
    New = InvokeInst::Create(&Copy, Invoke->getNormalDest(), Invoke->getUnwindDest(), Arguments,
                             Bundles, "", Call.getIterator());
  else
    // Not a tail call: the words are on the stack.
    New = CallInst::Create(&Copy, Arguments, Bundles, "", Call.getIterator());
  New->setCallingConv(Call.getCallingConv());
  New->setAttributes(Call.getAttributes());
  if (New->getAttributes().hasFnAttr(Attribute::Memory))
    New->setMemoryEffects(New->getAttributes().getMemoryEffects() | MemoryEffects::argMemOnly());
  New->copyMetadata(Call);
  if (isa<FPMathOperator>(New))
    New->copyFastMathFlags(&Call);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

Value *wordsOfCopy(Function &Copy) { return Copy.getArg(Copy.arg_size() - 1); }

void setWordsOfCopy(CallBase &Call, Value *Words) {
  Call.setArgOperand(Call.arg_size() - 1, Words);
}

bool hasWordsOfCopy(const CallBase &Call) {
  return !isa<PoisonValue>(Call.getArgOperand(Call.arg_size() - 1));
}

} // namespace seamscope
