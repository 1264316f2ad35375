//===- MaskedLanes.h - lanes that a mask selects ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_MASKEDLANES_H
#define SEAMSCOPE_PASSES_MASKEDLANES_H

#include "work/CountsByKey.h"

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Instruction;
class IntrinsicInst;
} // namespace llvm

namespace seamscope {

/// The mask of an intrinsic that loads or stores lanes of a vector; null: it has none.
llvm::Value *maskOf(const llvm::IntrinsicInst &Call);

/// The mask of \p I if that is known at run time alone and workOf() therefore has \p Most, with
/// `masked_read` or `masked_write`; null: not so. \p OfLane: the bytes of a lane.
llvm::Value *dynamicMask(const llvm::Instruction &I, const WorkCounts &Most, WorkCounts &OfLane);

/// The number of lanes that \p Mask selects, as an integer of 64 bits.
llvm::Value *lanesOf(llvm::Value &Mask, llvm::IRBuilder<> &B);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_MASKEDLANES_H
