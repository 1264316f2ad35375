//===- ColdCalls.cpp - calls that cost their callers no registers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ColdCalls.h"

#include "Compat.h"
#include "LinkOnce.h"
#include "seamscope/abi.h"

using namespace llvm;

namespace seamscope {

/// All supported LLVM majors generate preserve_most code on these targets; on others some stop with
/// an error.
bool hasColdCalls(const Module &M) {
  const Triple Target = compat::targetTriple(M);
  return Target.getArch() == Triple::x86_64 || Target.getArch() == Triple::aarch64;
}

Function *makeColdCall(Module &M, StringRef Name, ArrayRef<Type *> Parameters,
                       AttributeList Attributes, EmitHook Emit) {
  if (!hasColdCalls(M))
    return nullptr;
  // All files of a program share one copy of those that one compiler makes: majors differ in which
  // registers preserve_most saves.
  const std::string Shared =
      (Name + ".v" + Twine(SEAMSCOPE_ABI_VERSION) + "." + Twine(LLVM_VERSION_MAJOR)).str();
  if (Function *Old = M.getFunction(Shared))
    return Old;
  LLVMContext &C = M.getContext();
  Function *F = makeLinkOnce(M, Shared,
                             FunctionType::get(Type::getVoidTy(C), Parameters, /*isVarArg=*/false));
  F->setCallingConv(CallingConv::PreserveMost);
  F->addFnAttrs(AttrBuilder(C, Attributes.getFnAttrs()));
  // Inlining it would restore the plain call.
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::Cold);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<Value *> Values;
  for (Argument &Parameter : F->args())
    Values.push_back(&Parameter);
  Emit(B, Values);
  B.CreateRetVoid();
  return F;
}

} // namespace seamscope
