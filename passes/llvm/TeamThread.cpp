//===- TeamThread.cpp - the number of a thread in its team -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// omp_get_thread_num may resolve to the wrong runtime's: libgomp exports it too. Only libomp
// exports __kmpc_bound_thread_num, and clang does not emit calls of it, so another runtime with the
// same entry points may lack it. References are therefore weak: a program that links without the
// plugin also links with it.
//
//   if (&__kmpc_bound_thread_num)  return __kmpc_bound_thread_num(0);   // the team's
//   if (&__kmpc_global_thread_num) return __kmpc_global_thread_num(0);  // the process's
//   return -1;                                                          // unknown
//
//===----------------------------------------------------------------------===//
#include "TeamThread.h"

#include "LinkOnce.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace seamscope {

static constexpr StringLiteral FunctionName = "seamscope.team_thread_v1";

/// An existing reference already decides whether the linker must find \p Name.
static FunctionCallee weakFunction(Module &M, StringRef Name, FunctionType *Ty) {
  const bool IsNew = !M.getNamedValue(Name);
  FunctionCallee Callee = M.getOrInsertFunction(Name, Ty);
  if (IsNew)
    cast<Function>(Callee.getCallee())->setLinkage(GlobalValue::ExternalWeakLinkage);
  return Callee;
}

Function *teamThreadFunction(Module &M) {
  if (Function *Old = M.getFunction(FunctionName))
    return Old;
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  auto *Ptr = PointerType::getUnqual(C);
  Function *F = makeLinkOnce(M, FunctionName, FunctionType::get(I32, false));
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::Cold);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  for (const StringRef Name : {"__kmpc_bound_thread_num", "__kmpc_global_thread_num"}) {
    FunctionCallee Number = weakFunction(M, Name, FunctionType::get(I32, {Ptr}, false));
    auto *Ask = BasicBlock::Create(C, "ask", F), *Next = BasicBlock::Create(C, "next", F);
    B.CreateCondBr(B.CreateIsNotNull(Number.getCallee()), Ask, Next);
    B.SetInsertPoint(Ask);
    B.CreateRet(B.CreateCall(Number, {ConstantPointerNull::get(Ptr)}));
    B.SetInsertPoint(Next);
  }
  B.CreateRet(ConstantInt::getSigned(I32, -1));
  return F;
}

} // namespace seamscope
