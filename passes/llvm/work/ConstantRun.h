//===- ConstantRun.h - one call, as far as constants decide -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_CONSTANTRUN_H
#define SEAMSCOPE_PASSES_CONSTANTRUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class BasicBlock;
class Constant;
class Function;
class Instruction;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace seamscope {

/// Follows a call of a function from block to block, with what is constant in it: some arguments,
/// and integers that are computed from these. Memory is not looked at.
class ConstantRun {
public:
  /// \p Arguments: null where they are not constant.
  ConstantRun(const llvm::Function &F, llvm::ArrayRef<llvm::Constant *> Arguments,
              const llvm::TargetLibraryInfo &Library);

  /// Calls \p Visit for each block that the call executes, as often as it does. False: it takes
  /// more than \p Left instructions, from which its own are taken, \p Visit returned false, or
  /// something else than constants decides where it goes. Blocks that lead to an exception are not
  /// entered.
  bool forEachBlock(unsigned &Left, llvm::function_ref<bool(const llvm::BasicBlock &)> Visit);

  /// The value of \p Of in the current block if it is constant, else null.
  llvm::Constant *constant(const llvm::Value &Of) const;

private:
  void enter(const llvm::BasicBlock &Block, const llvm::BasicBlock *From);
  llvm::Constant *fold(const llvm::Instruction &I) const;

  const llvm::Function &F;
  const llvm::TargetLibraryInfo &Library;
  llvm::DenseMap<const llvm::Value *, llvm::Constant *> Known;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_CONSTANTRUN_H
