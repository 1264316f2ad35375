//===- DeviceCounts.h - the work of GPU instructions ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICECOUNTS_H
#define SEAMSCOPE_PASSES_DEVICECOUNTS_H

#include "work/CountsByKey.h"

namespace llvm {
class CallBase;
class Instruction;
} // namespace llvm

namespace seamscope {

/// What accesses of memory count as.
enum class MemoryKind {
  Data,   ///< "read" and "write". On a GPU also accesses through pointers of unknown kind
  Shared, ///< "shared_read" and "shared_write"
  None,   ///< a function's own stack; constants and parameters of GPU code: not counted
  Mixed,  ///< several of these
};

/// The kind of memory that \p Pointer, an operand of \p By, points to.
MemoryKind memoryKind(const llvm::Value *Pointer, const llvm::Instruction &By);

/// Adds \p Bytes that \p By reads or writes, by \p Key, at \p Pointer.
void addBytes(WorkCounts &Into, llvm::StringRef Key, const llvm::Value *Pointer,
              const llvm::Instruction &By, uint64_t Bytes, std::string &Unknown);

/// If \p Call is of an NVVM intrinsic, adds what one thread's execution of it does, or sets
/// \p Unknown, and returns true. Of instructions that a whole warp executes together, a thread has
/// one part in 32, which is always a whole number.
bool addDeviceWork(const llvm::CallBase &Call, WorkCounts &Into, std::string &Unknown);

/// dynamicBytes() (WorkCounts.h) of NVVM intrinsics.
llvm::Value *deviceLength(const llvm::Instruction &I, WorkCounts &OfByte);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICECOUNTS_H
