//===- Invoker.h - a kernel's call with arguments from memory --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_REPLAY_INVOKER_H
#define SEAMSCOPE_PASSES_REPLAY_INVOKER_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <string>

namespace seamscope {

/// A kernel by itself: a function, or a fork whose body is one.
struct ReplayRoot {
  llvm::Function *F = nullptr;
  llvm::CallInst *Fork = nullptr; ///< null: the function is called

  /// The name of the function or of the body.
  llvm::StringRef name() const;
  /// What a call passes: the function's arguments, or those of the body that the fork has.
  llvm::SmallVector<llvm::Type *> types() const;
  /// A struct of that.
  llvm::StructType *arguments() const;
  /// The types as text, and whether it is a fork: equal for what can be called in the same way.
  std::string signature() const;
};

/// Makes a function \p Name(arguments, result), which calls \p Root of \p M and stores what it
/// returns. Without \p HasResult it is \p Name(arguments).
llvm::Function *makeInvoker(llvm::Module &M, const ReplayRoot &Root, const llvm::Twine &Name,
                            llvm::GlobalValue::LinkageTypes Linkage, bool HasResult);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_REPLAY_INVOKER_H
