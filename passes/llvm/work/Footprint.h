//===- Footprint.h - distinct bytes that a function touches -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops may load a byte many times. The distinct bytes of an array are what a cache that is large
// enough would let through. Where addresses change evenly from iteration to iteration, their range
// and number are known before the outermost loop. Of each array, the least and the largest address
// count, and the sum of the bytes of all ranges. The distinct bytes of a call are at most the
// smaller of the span and the sum: a span has gaps where columns of a matrix are read, a sum counts
// twice where ranges overlap. Nothing is kept of arrays that one loop of the source walks through
// once.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_FOOTPRINT_H
#define SEAMSCOPE_PASSES_FOOTPRINT_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
class SCEV;
class Value;
} // namespace llvm

namespace seamscope {

class LoopCounts;

/// What is reached through one pointer, by loads or by stores.
struct FootprintArray {
  const llvm::Value *Base = nullptr; ///< the pointer, or where it is loaded from
  bool IsLoaded = false;
  bool IsWrite = false;
  const llvm::Instruction *First = nullptr; ///< a load or store of it
};

/// `Left` `Is` `Right`, of numbers that do not change in a loop.
struct FootprintTest {
  llvm::CmpInst::Predicate Is;
  const llvm::SCEV *Left, *Right;
};

/// Addresses that the loops from `Around` inwards touch at most. The expressions are of 64 bits.
struct FootprintRange {
  unsigned Array = 0;
  llvm::Loop *Around = nullptr; ///< the range is known in front of this loop
  const llvm::SCEV *Begin = nullptr, *End = nullptr;
  const llvm::SCEV *Bytes = nullptr; ///< that are touched of it, more if they overlap
  bool IsOnce = false;               ///< a call enters the loop once at most
  /// Inner loops may not be entered, and the numbers above may then have any value. Something is
  /// touched only if all of `Tests` hold.
  bool MayBeSkipped = false;
  llvm::SmallVector<FootprintTest, 2> Tests;
};

struct Footprint {
  std::vector<FootprintArray> Arrays;
  std::vector<FootprintRange> Ranges;
  llvm::SmallPtrSet<const llvm::Instruction *, 32> Covered; ///< loads and stores in the ranges
  /// Those that touch other bytes each time: what they execute is distinct.
  llvm::SmallPtrSet<const llvm::Instruction *, 32> Streaming;
};

/// The footprint of the loops in \p Blocks. Loads and stores whose addresses do not change evenly,
/// or whose range would have to be computed often, are not covered.
Footprint findFootprint(llvm::ArrayRef<llvm::BasicBlock *> Blocks, LoopCounts &Counts,
                        bool IsExact);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_FOOTPRINT_H
