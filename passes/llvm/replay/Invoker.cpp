//===- Invoker.cpp - a kernel's call with arguments from memory -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "replay/Invoker.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace seamscope {

/// Arguments of __kmpc_fork_call before those of the body: place, count, body.
static constexpr unsigned ForkArguments = 3;

StringRef ReplayRoot::name() const {
  return Fork ? Fork->getArgOperand(2)->stripPointerCastsAndAliases()->getName() : F->getName();
}

SmallVector<Type *> ReplayRoot::types() const {
  SmallVector<Type *> Types;
  if (!Fork)
    Types.append(F->getFunctionType()->param_begin(), F->getFunctionType()->param_end());
  else
    for (unsigned I = ForkArguments; I < Fork->arg_size(); ++I)
      Types.push_back(Fork->getArgOperand(I)->getType());
  return Types;
}

StructType *ReplayRoot::arguments() const {
  LLVMContext &C = Fork ? Fork->getContext() : F->getContext();
  return StructType::get(C, types());
}

std::string ReplayRoot::signature() const {
  std::string Text = Fork ? "fork" : "call";
  raw_string_ostream OS(Text);
  for (Type *Each : types())
    OS << ' ' << *Each;
  return Text;
}

Function *makeInvoker(Module &M, const ReplayRoot &Root, const Twine &Name,
                      GlobalValue::LinkageTypes Linkage, bool HasResult) {
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::getUnqual(C);
  SmallVector<Type *, 2> Parameters(HasResult ? 2 : 1, Ptr);
  auto *Invoker =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Parameters, false), Linkage, Name, M);
  // A caller's frame can be unwound through it.
  Invoker->setUWTableKind(UWTableKind::Default);
  // Vectors are passed as the kernel takes them.
  const Function &Like = *Root.F;
  for (const char *Each : {"target-cpu", "target-features", "tune-cpu"})
    if (Like.hasFnAttribute(Each))
      Invoker->addFnAttr(Like.getFnAttribute(Each));
  IRBuilder<> B(BasicBlock::Create(C, "entry", Invoker));
  StructType *Struct = Root.arguments();
  SmallVector<Value *> Values;
  for (unsigned I = 0; I < Struct->getNumElements(); ++I)
    Values.push_back(
        B.CreateLoad(Struct->getElementType(I), B.CreateStructGEP(Struct, Invoker->getArg(0), I)));
  if (Root.Fork) {
    auto *Call = cast<CallInst>(Root.Fork->clone());
    for (unsigned I = 0; I < Values.size(); ++I)
      Call->setArgOperand(ForkArguments + I, Values[I]);
    Call->setDebugLoc(DebugLoc());
    B.Insert(Call);
  } else {
    CallInst *Call = B.CreateCall(Root.F, Values);
    Call->setCallingConv(Root.F->getCallingConv());
    // Of parameters, for how they are passed.
    const AttributeList Of = Root.F->getAttributes();
    SmallVector<AttributeSet> Each;
    for (unsigned I = 0; I < Values.size(); ++I)
      Each.push_back(Of.getParamAttrs(I));
    Call->setAttributes(AttributeList::get(C, AttributeSet(), Of.getRetAttrs(), Each));
    // Without a use of its result, a call that writes nothing would be removed.
    if (HasResult && !Call->getType()->isVoidTy())
      B.CreateStore(Call, Invoker->getArg(1));
  }
  B.CreateRetVoid();
  return Invoker;
}

} // namespace seamscope
