//===- SiteTable.cpp - the table and its registration, in IR ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// abi.h defines the layout, and site.def the fields. An entry joins the comdat of its function, so
// that the linker drops both together. All entries of a DSO lie between __start_ and __stop_ of
// their section.
//
//===----------------------------------------------------------------------===//
#include "SiteTable.h"
#include "Compat.h"
#include "Conventions.h"
#include "LinkOnce.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace seamscope {

static constexpr StringLiteral ModuleName = "__seamscope_module_v3";
static constexpr StringLiteral GateName = "__seamscope_gate_v3";

SiteTable::SiteTable(Module &M) : M(M) {
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  SmallVector<Type *> Fields = {I32}; // id
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field)                                                  \
  Fields.push_back(IntegerType::get(C, 8 * sizeof(SeamscopeSite::field)));
#define SEAMSCOPE_SITE_TEXT(field, Field) Fields.push_back(I32);
#include "seamscope/site.def"
  Fields.append(5, I32); // throttle, work, reserved
  SiteTy = StructType::get(C, Fields);
  static_assert(sizeof(SeamscopeSite) == 64, "the entry size of ABI version 3");
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

/// The offset of \p To from \p From in bytes, an i32.
static Constant *distance(GlobalVariable *To, GlobalVariable *From) {
  Type *const I32 = Type::getInt32Ty(To->getContext()), *const I64 =
                                                            Type::getInt64Ty(To->getContext());
  return ConstantExpr::getTrunc(ConstantExpr::getSub(ConstantExpr::getPtrToInt(To, I64),
                                                     ConstantExpr::getPtrToInt(From, I64)),
                                I32);
}

Constant *SiteTable::offsetTo(StringRef Text, GlobalVariable *Site) {
  LLVMContext &C = M.getContext();
  if (Text.empty())
    return ConstantInt::get(Type::getInt32Ty(C), 0);
  GlobalVariable *&String = Strings[Text];
  if (!String) {
    Constant *Data = ConstantDataArray::getString(C, Text);
    String = new GlobalVariable(M, Data->getType(), true, GlobalValue::PrivateLinkage, Data,
                                "seamscope.str");
    String->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    String->setAlignment(Align(1));
  }
  return distance(String, Site);
}

GlobalVariable *SiteTable::makeEntry(const SitePlan &Site, const std::string &SharedName,
                                     GlobalVariable *Work) {
  LLVMContext &C = M.getContext();
  const bool Shared = !SharedName.empty();
  if (GlobalVariable *Old = Shared ? M.getGlobalVariable(SharedName) : nullptr)
    return Old;
  auto *G =
      new GlobalVariable(M, SiteTy, /*isConstant=*/false,
                         Shared ? GlobalValue::LinkOnceODRLinkage : GlobalValue::PrivateLinkage,
                         nullptr, Shared ? Twine(SharedName) : Twine("seamscope.site"));
  G->setSection(SEAMSCOPE_SITES_SECTION);
  G->setAlignment(Align(16));
  SmallVector<Constant *> Fields = {ConstantInt::get(Type::getInt32Ty(C), 0)}; // id
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field)                                                  \
  Fields.push_back(ConstantInt::get(SiteTy->getElementType(Fields.size()), Site.Field));
#define SEAMSCOPE_SITE_TEXT(field, Field) Fields.push_back(offsetTo(Site.Field, G));
#include "seamscope/site.def"
  if (Work)
    Fields.append({ConstantInt::get(Type::getInt32Ty(C), 0), distance(Work, G)}); // throttle, work
  while (Fields.size() < SiteTy->getNumElements())
    Fields.push_back(Constant::getNullValue(SiteTy->getElementType(Fields.size())));
  G->setInitializer(ConstantStruct::get(SiteTy, Fields));
  if (Shared) {
    G->setVisibility(GlobalValue::HiddenVisibility);
    G->setComdat(M.getOrInsertComdat(SharedName));
  }
  return G;
}

void SiteTable::addInlined(const SitePlan &Site, bool Shared) {
  appendToUsed(M, {makeEntry(Site, Shared ? "seamscope.inlined." + Site.LinkageName : "")});
}

/// The comdat of a function, made if it has none; null if there can be none.
static Comdat *groupOf(Function &Owner) {
  const Module &M = *Owner.getParent();
  // In flang's modules LLVM's OpenMP pass turns functions into declarations under ThinLTO and
  // leaves their comdat, which breaks the module.
  if (!Owner.hasComdat() && !isSourceFile(M.getSourceFileName()))
    return nullptr;
  Triple Target = compat::targetTriple(M);
  return getOrCreateFunctionComdat(Owner, Target);
}

GlobalVariable *SiteTable::add(const SitePlan &Site, Function &Owner, const Twine &Part,
                               GlobalVariable *Work) {
  // The linker keeps one copy of a function that is in many files, and ThinLTO may inline another
  // copy: all copies refer to one entry, by name.
  const bool Shared = Owner.hasLinkOnceODRLinkage() || Owner.hasWeakODRLinkage();
  GlobalVariable *G =
      makeEntry(Site, Shared ? ("seamscope.site." + Owner.getName() + Part).str() : "", Work);
  if (Shared) {
    Used.push_back(G);
  } else if (Comdat *Group = groupOf(Owner)) {
    G->setComdat(Group);
    Used.push_back(G);
  } else {
    appendToUsed(M, {G});
  }
  return G;
}

Function *SiteTable::makeHook(StringRef Name, StringRef Callee, GlobalVariable *Registered) {
  LLVMContext &C = M.getContext();
  Function *F = makeLinkOnce(M, Name, FunctionType::get(Type::getVoidTy(C), false));
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  B.CreateCall(M.getOrInsertFunction(Callee, Type::getVoidTy(C), B.getPtrTy()), {Registered});
  B.CreateRetVoid();
  return F;
}

void SiteTable::finish() {
  appendToCompilerUsed(M, Used);
  // An LTO link may have merged a module that already has them.
  if (M.getNamedValue("seamscope.module_ctor_v3"))
    return;
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  auto *Ptr = PointerType::getUnqual(C);
  const auto Bound = [&](StringRef Name) -> Constant * {
    // Weak, because the link drops all entries if it drops all instrumented functions.
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
  Function *Ctor = makeHook("seamscope.module_ctor_v3", "__seamscope_register_v3", Registered);
  Function *Dtor = makeHook("seamscope.module_dtor_v3", "__seamscope_unregister_v3", Registered);
  // Priority 0, so that kernels that run in constructors and destructors are recorded too.
  appendToGlobalCtors(M, Ctor, 0, Ctor->hasComdat() ? Ctor : nullptr);
  appendToGlobalDtors(M, Dtor, 0, Dtor->hasComdat() ? Dtor : nullptr);
}

} // namespace seamscope
