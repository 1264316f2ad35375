//===- SiteTable.cpp - the table and its registration, in IR ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout is that of runtime/include/seamscope/abi.h. Entries join the comdat of their
// function, so that a function that the linker drops takes its entry along, and all
// entries of a DSO stand side by side between __start_ and __stop_ of their section.
//
//===----------------------------------------------------------------------===//
#include "SiteTable.h"
#include "Compat.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace seamscope {

static constexpr StringLiteral ModuleName = "__seamscope_module_v1";
static constexpr StringLiteral GateName = "__seamscope_gate_v1";

SiteTable::SiteTable(Module &M) : M(M) {
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  Type *I16 = Type::getInt16Ty(C);
  // id, kind, flags, name, linkage_name, kernel, file, line, column, ops, reserved[3]
  SiteTy = StructType::get(
      C, {I32, I16, I16, I32, I32, I32, I32, I32, I32, I32, ArrayType::get(I32, 3)});
  static_assert(sizeof(SeamscopeSite) == 48, "the IR type follows abi.h");
}

GlobalVariable *SiteTable::hidden(StringRef Name, Type *Ty, Constant *Init) {
  if (GlobalVariable *Old = M.getGlobalVariable(Name, /*AllowInternal=*/true))
    return Old;
  auto *G =
      new GlobalVariable(M, Ty, /*isConstant=*/false, GlobalValue::LinkOnceODRLinkage, Init, Name);
  G->setVisibility(GlobalValue::HiddenVisibility);
  if (compat::targetTriple(M).supportsCOMDAT())
    G->setComdat(M.getOrInsertComdat(Name));
  return G;
}

GlobalVariable *SiteTable::gate() {
  Type *I32 = Type::getInt32Ty(M.getContext());
  return hidden(GateName, I32, ConstantInt::get(I32, 0));
}

Constant *SiteTable::offsetTo(StringRef Text, GlobalVariable *Site) {
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  if (Text.empty())
    return ConstantInt::get(I32, 0);
  GlobalVariable *&String = Strings[Text];
  if (!String) {
    Constant *Data = ConstantDataArray::getString(C, Text);
    String = new GlobalVariable(M, Data->getType(), true, GlobalValue::PrivateLinkage, Data,
                                "seamscope.str");
    String->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    String->setAlignment(Align(1));
  }
  Type *I64 = Type::getInt64Ty(C);
  return ConstantExpr::getTrunc(ConstantExpr::getSub(ConstantExpr::getPtrToInt(String, I64),
                                                     ConstantExpr::getPtrToInt(Site, I64)),
                                I32);
}

GlobalVariable *SiteTable::add(const SitePlan &Site, Function &Owner) {
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  Type *I16 = Type::getInt16Ty(C);
  auto *G = new GlobalVariable(M, SiteTy, /*isConstant=*/false, GlobalValue::PrivateLinkage,
                               nullptr, "seamscope.site");
  G->setSection(SEAMSCOPE_SITES_SECTION);
  G->setAlignment(Align(16));
  G->setInitializer(ConstantStruct::get(
      SiteTy, {ConstantInt::get(I32, 0), ConstantInt::get(I16, Site.Kind), ConstantInt::get(I16, 0),
               offsetTo(Site.Name, G), offsetTo(Site.LinkageName, G), offsetTo(Site.Kernel, G),
               offsetTo(Site.Source.File, G), ConstantInt::get(I32, Site.Source.Line),
               ConstantInt::get(I32, Site.Source.Column), offsetTo(Site.Ops, G),
               Constant::getNullValue(ArrayType::get(I32, 3))}));
  Triple Target = compat::targetTriple(M);
  if (Comdat *Group = getOrCreateFunctionComdat(Owner, Target)) {
    G->setComdat(Group);
    Used.push_back(G);
  } else {
    appendToUsed(M, {G});
  }
  return G;
}

Function *SiteTable::makeHook(StringRef Name, StringRef Callee, GlobalVariable *Registered) {
  LLVMContext &C = M.getContext();
  auto *FnTy = FunctionType::get(Type::getVoidTy(C), false);
  auto *F = Function::createWithDefaultAttr(FnTy, GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  if (compat::targetTriple(M).supportsCOMDAT())
    F->setComdat(M.getOrInsertComdat(Name));
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  B.CreateCall(M.getOrInsertFunction(Callee, Type::getVoidTy(C), B.getPtrTy()), {Registered});
  B.CreateRetVoid();
  return F;
}

void SiteTable::finish() {
  appendToCompilerUsed(M, Used);
  // Another module of the same link, merged with this one before, may have brought them.
  if (M.getNamedValue("seamscope.module_ctor_v1"))
    return;
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  auto *Ptr = PointerType::getUnqual(C);
  const auto Bound = [&](StringRef Name) -> Constant * {
    // Weak: no entry survives the link when no instrumented function does.
    auto *G = new GlobalVariable(M, SiteTy, false, GlobalValue::ExternalWeakLinkage, nullptr, Name);
    G->setVisibility(GlobalValue::HiddenVisibility);
    return G;
  };
  // abi, site_size, sites, sites_end, gate, next
  auto *ModuleTy = StructType::get(C, {I32, I32, Ptr, Ptr, Ptr, Ptr});
  GlobalVariable *Registered =
      hidden(ModuleName, ModuleTy,
             ConstantStruct::get(ModuleTy, {ConstantInt::get(I32, SEAMSCOPE_ABI_VERSION),
                                            ConstantInt::get(I32, sizeof(SeamscopeSite)),
                                            Bound("__start_" SEAMSCOPE_SITES_SECTION),
                                            Bound("__stop_" SEAMSCOPE_SITES_SECTION), gate(),
                                            Constant::getNullValue(Ptr)}));
  Function *Ctor = makeHook("seamscope.module_ctor_v1", "__seamscope_register_v1", Registered);
  Function *Dtor = makeHook("seamscope.module_dtor_v1", "__seamscope_unregister_v1", Registered);
  // Priority 0: kernels that run in constructors are seen, and in destructors too.
  appendToGlobalCtors(M, Ctor, 0, Ctor->hasComdat() ? Ctor : nullptr);
  appendToGlobalDtors(M, Dtor, 0, Dtor->hasComdat() ? Dtor : nullptr);
}

} // namespace seamscope
