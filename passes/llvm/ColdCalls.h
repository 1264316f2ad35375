//===- ColdCalls.h - calls that cost their callers no registers -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a hook, even one that almost never runs, makes the register allocator keep values that
// live across it in callee-saved registers. Saving and restoring those on each call of the
// instrumented function takes up to twelve of the about twenty instructions that hooks would cost
// with recording off.
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

/// Whether the target has a calling convention that preserves the caller's general registers.
bool hasColdCalls(const llvm::Module &M);

/// Returns the void function \p Name, which preserves the caller's general registers and whose body
/// \p Emit emits from its parameters. Null without hasColdCalls: emit the code at the call
/// then.
llvm::Function *makeColdCall(llvm::Module &M, llvm::StringRef Name,
                             llvm::ArrayRef<llvm::Type *> Parameters,
                             llvm::AttributeList Attributes, EmitHook Emit);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_COLDCALLS_H
