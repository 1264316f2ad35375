//===- DeviceCode.h - pieces of the code that stamps are made of -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICECODE_H
#define SEAMSCOPE_PASSES_DEVICECODE_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/IRBuilder.h"

namespace seamscope {

constexpr uint32_t WarpSize = 32;

/// Line 0 of the function: stamps belong to no source line.
llvm::DebugLoc stampLocation(const llvm::Function &F);

/// Inline assembly without operands that gives a value.
llvm::CallInst *asmValue(llvm::IRBuilder<> &B, llvm::Type *Ty, llvm::StringRef Text,
                         llvm::StringRef Constraints);

/// A special register. Not by its intrinsic: what the kernel's own code reads again behind the
/// stamp would be kept in registers meanwhile.
llvm::Value *sreg(llvm::IRBuilder<> &B, llvm::StringRef Name);

/// Code that few kernels run.
llvm::Instruction *unlikelyThen(llvm::Value *Condition, llvm::Instruction *Before);

/// The threads of the warp that run together here, a bit for each.
llvm::Value *threadsTogether(llvm::Instruction *Before);

/// Code for the first of \p Together.
llvm::Instruction *thenFirst(llvm::Value *Together, llvm::Instruction *Before);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICECODE_H
