//===- FilledVector.h - values that std::vector::assign writes --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libstdc++'s std::vector::assign(n, value) is a function with loops, of which the one that runs
// depends on the vector's capacity. Each of them writes n values, so the work of a call follows
// from its arguments, exactly: the loops, inlined, would have bounds. Cascade sums of Inductor call
// it.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_FILLEDVECTOR_H
#define SEAMSCOPE_PASSES_FILLEDVECTOR_H

#include <cstdint>

namespace llvm {
class CallBase;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace seamscope {

struct VectorFill {
  llvm::Value *Values; ///< number of values that a call writes; null for other calls
  uint64_t Bytes;      ///< of each value
};

/// The values that \p Call writes, if it calls vector::assign(n, value) of a vector on the caller's
/// stack, whose values are copied without calls.
VectorFill filledVector(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &Library);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_FILLEDVECTOR_H
