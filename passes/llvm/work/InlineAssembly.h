//===- InlineAssembly.h - the work of inline assembly -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_INLINEASSEMBLY_H
#define SEAMSCOPE_PASSES_INLINEASSEMBLY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace seamscope {

/// What one instruction of an inline assembly does.
struct AssemblyOperation {
  llvm::StringRef Key;     ///< of work.def
  bool IsDouble;           ///< else single precision
  bool IsPacked;           ///< computes all lanes of a register
  uint64_t Lanes;          ///< that it computes
  const llvm::Value *Read; ///< the address of a memory operand, or null
  uint64_t Bytes;          ///< that it reads there
};

/// The operations of the inline assembly \p Call on an x86 processor, if all of its instructions
/// are known: additions, multiplications, divisions, square roots, minima, maxima and fused
/// multiply-adds of floating-point registers. A template that is empty or a comment has none.
std::optional<llvm::SmallVector<AssemblyOperation, 1>>
assemblyOperations(const llvm::CallBase &Call);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_INLINEASSEMBLY_H
