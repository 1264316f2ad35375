//===- ColdCalls.cpp - calls that cost their callers no registers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ColdCalls.h"

#include "Compat.h"

using namespace llvm;

namespace seamscope {

/// All supported LLVM majors generate preserve_most code on these targets; on others some stop with
/// an error.
static bool hasPreserveMost(const Module &M) {
  const Triple Target = compat::targetTriple(M);
  return Target.getArch() == Triple::x86_64 || Target.getArch() == Triple::aarch64;
}

Function *makeColdCall(Module &M, StringRef Name, ArrayRef<Type *> Parameters,
                       AttributeList Attributes, EmitHook Emit) {
  if (!hasPreserveMost(M))
    return nullptr;
  if (Function *Old = M.getFunction(Name))
    return Old;
  LLVMContext &C = M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(C), Parameters, /*isVarArg=*/false);
  auto *F = Function::createWithDefaultAttr(Type, GlobalValue::InternalLinkage, 0, Name, &M);
  F->setCallingConv(CallingConv::PreserveMost);
  F->addFnAttrs(AttrBuilder(C, Attributes.getFnAttrs()));
  // Inlining it would restore the plain call.
  for (const Attribute::AttrKind Kind :
       {Attribute::NoInline, Attribute::Cold, Attribute::DisableSanitizerInstrumentation})
    F->addFnAttr(Kind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<Value *> Values;
  for (Argument &Parameter : F->args())
    Values.push_back(&Parameter);
  Emit(B, Values);
  B.CreateRetVoid();
  return F;
}

} // namespace seamscope
