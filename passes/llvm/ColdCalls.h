//===- ColdCalls.h - calls that cost their callers no registers -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a hook, even though it is all but never reached, makes the register
// allocator put what lives across it into callee-saved registers, and those are
// saved and restored at each call of the instrumented function: with recording
// off, up to twelve instructions of some twenty that the hooks would cost.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_COLDCALLS_H
#define SEAMSCOPE_PASSES_COLDCALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace seamscope {

using EmitHook = llvm::function_ref<void(llvm::IRBuilder<> &, llvm::ArrayRef<llvm::Value *>)>;

/// The function \p Name of the module, which does what \p Emit emits with its parameters, returns
/// nothing and preserves its callers' general registers. Null where the target has no calling
/// convention for that: the code then stands at the call itself.
llvm::Function *makeColdCall(llvm::Module &M, llvm::StringRef Name,
                             llvm::ArrayRef<llvm::Type *> Parameters,
                             llvm::AttributeList Attributes, EmitHook Emit);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_COLDCALLS_H
