//===- LinkOnce.h - functions that every module brings ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LINKONCE_H
#define SEAMSCOPE_PASSES_LINKONCE_H

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// A new function of the module, without a body, that each module of a program may bring: the link
/// keeps one of them, and no other library sees it. No sanitizer looks into it.
llvm::Function *makeLinkOnce(llvm::Module &M, llvm::StringRef Name, llvm::FunctionType *Type);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LINKONCE_H
