//===- UsedLanes.h - lanes of a vector that anything reads ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimiser writes the sum of two numbers as one of vectors, of which it takes one lane: the
// end of a reduction. The code generator makes that one addition again.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_USEDLANES_H
#define SEAMSCOPE_PASSES_USEDLANES_H

#include <cstdint>

namespace llvm {
class Instruction;
class LoadInst;
class Type;
} // namespace llvm

namespace seamscope {

/// The number of lanes of the result of \p I, a vector of a fixed length, that its users read.
uint64_t usedLanes(const llvm::Instruction &I);

/// What \p Load loads once it is machine code: if shuffles and extractions behind it read one lane
/// of a vector alone, the code generator loads that element.
llvm::Type *loadedType(const llvm::LoadInst &Load);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_USEDLANES_H
