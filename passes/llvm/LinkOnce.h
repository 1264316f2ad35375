//===- LinkOnce.h - functions that modules share ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LINKONCE_H
#define SEAMSCOPE_PASSES_LINKONCE_H

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// Adds a function without a body to the module. Each module of a program may define it: the linker
/// keeps one copy, hidden from other libraries. Sanitizers do not instrument it.
llvm::Function *makeLinkOnce(llvm::Module &M, llvm::StringRef Name, llvm::FunctionType *Type);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LINKONCE_H
