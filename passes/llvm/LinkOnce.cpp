//===- LinkOnce.cpp - functions that modules share -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LinkOnce.h"

#include "Compat.h"

using namespace llvm;

namespace seamscope {

Function *makeLinkOnce(Module &M, StringRef Name, FunctionType *Type) {
  auto *F = Function::createWithDefaultAttr(Type, GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  if (compat::targetTriple(M).supportsCOMDAT())
    F->setComdat(M.getOrInsertComdat(Name));
  return F;
}

} // namespace seamscope
