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
} // namespace llvm

namespace seamscope {

/// The number of lanes of the result of \p I, a vector of a fixed length, that its users read.
uint64_t usedLanes(const llvm::Instruction &I);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_USEDLANES_H
