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
// The number of a team in its league has no function that only libomp exports. libgomp's knows no
// league of libomp and returns 0 for each team, in which the tools see that the number is unknown.
//
//===----------------------------------------------------------------------===//
#include "TeamThread.h"

#include "LinkOnce.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace seamscope {

/// An existing reference already decides whether the linker must find \p Name.
static FunctionCallee weakFunction(Module &M, StringRef Name, FunctionType *Ty) {
  const bool IsNew = !M.getNamedValue(Name);
  FunctionCallee Callee = M.getOrInsertFunction(Name, Ty);
  if (IsNew)
    cast<Function>(Callee.getCallee())->setLinkage(GlobalValue::ExternalWeakLinkage);
  return Callee;
}

/// \p Asked: functions that return the number, the preferred one first. Those of libomp take its
/// location of the call.
static Function *numberFunction(Module &M, StringRef Name, ArrayRef<StringRef> Asked) {
  if (Function *Old = M.getFunction(Name))
    return Old;
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  Type *const Ptr = PointerType::getUnqual(C);
  Function *F = makeLinkOnce(M, Name, FunctionType::get(I32, false));
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::Cold);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  for (const StringRef Each : Asked) {
    const bool TakesPlace = Each.starts_with("__kmpc_");
    FunctionCallee Number = weakFunction(
        M, Each,
        FunctionType::get(I32, TakesPlace ? ArrayRef<Type *>(Ptr) : ArrayRef<Type *>(), false));
    auto *Ask = BasicBlock::Create(C, "ask", F), *Next = BasicBlock::Create(C, "next", F);
    B.CreateCondBr(B.CreateIsNotNull(Number.getCallee()), Ask, Next);
    B.SetInsertPoint(Ask);
    Value *Place = ConstantPointerNull::get(cast<PointerType>(Ptr));
    B.CreateRet(B.CreateCall(Number, TakesPlace ? ArrayRef(Place) : ArrayRef<Value *>()));
    B.SetInsertPoint(Next);
  }
  B.CreateRet(ConstantInt::getSigned(I32, -1));
  return F;
}

Function *teamThreadFunction(Module &M) {
  return numberFunction(M, "seamscope.team_thread_v1",
                        {"__kmpc_bound_thread_num", "__kmpc_global_thread_num"});
}

Function *teamFunction(Module &M) {
  return numberFunction(M, "seamscope.team_v1", {"omp_get_team_num"});
}

} // namespace seamscope
