//===- DeviceCode.h - helpers that emit the code of stamps -----------------===//
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

/// Line 0 of the function: stamps do not belong to a source line.
llvm::DebugLoc stampLocation(const llvm::Function &F);

/// Emits inline assembly without operands that returns a value.
llvm::CallInst *asmValue(llvm::IRBuilder<> &B, llvm::Type *Ty, llvm::StringRef Text,
                         llvm::StringRef Constraints);

/// Reads a special register. Not with its intrinsic: LLVM would merge that with the kernel's own
/// later reads and keep the value in a register meanwhile.
llvm::Value *sreg(llvm::IRBuilder<> &B, llvm::StringRef Name);

/// Returns the end of a new block before \p Before that rarely runs.
llvm::Instruction *unlikelyThen(llvm::Value *Condition, llvm::Instruction *Before);

/// The threads of the warp that run together here, one bit each.
llvm::Value *threadsTogether(llvm::Instruction *Before);

/// Returns the end of a new block that only the first thread of \p Together runs.
llvm::Instruction *thenFirst(llvm::Value *Together, llvm::Instruction *Before);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICECODE_H
