//===- WorkCounter.h - how often something runs -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_WORKCOUNTER_H
#define SEAMSCOPE_PASSES_WORKCOUNTER_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class PHINode;
class SCEV;
class Value;
} // namespace llvm

namespace seamscope {

/// The way that all iterations of a loop take, or none: from one block to another, or, without
/// that, through the first.
struct UniformWay {
  llvm::Loop *In;
  llvm::BasicBlock *From;
  llvm::BasicBlock *To;

  bool operator==(const UniformWay &) const = default;
};

/// How often something runs, as code that adds to a word.
struct WorkCounter {
  enum Kind {
    Calls,      ///< 1 for each call of the function
    Uniform,    ///< `Amount`, or 1, times `Times`, in front of loop `Around`, if all of `Ways` are
                ///< taken
    Sum,        ///< `Amount`, in front of loop `Around`
    Executions, ///< 1 in `Block`
    Steps,      ///< how far `Variable` of loop `Around` gets, at the exits: `Step` an iteration
    Search,     ///< 1 in `Block`, in a register that is added at the exits of loop `Around`
    Bytes,      ///< `Length`, at the instruction `At`; of a mask, the lanes that it selects
    OfCopy,     ///< word `Step` of those in which the copy that `At` calls counts
  } How;
  llvm::Loop *Around = nullptr;
  llvm::SmallVector<UniformWay, 1> Ways =
      {}; ///< the innermost first. `Amount` is the same in its loop
  const llvm::SCEV *Amount = nullptr;
  const llvm::SCEV *Times = nullptr;
  llvm::BasicBlock *Block = nullptr;
  llvm::Instruction *At = nullptr;
  llvm::Value *Length = nullptr;
  llvm::PHINode *Variable = nullptr;
  int64_t Step = 0;
  uint64_t Unit = 1;   ///< OfCopy: that of the word
  bool IsOnce = false; ///< of Uniform, Sum and Executions: happens once a call at most
  bool IsFull = false; ///< Steps: without the last iteration, which does not go back to the header

  /// What the word has to be divided by.
  uint64_t unit() const {
    return How == Steps ? (Step < 0 ? 0 - uint64_t(Step) : uint64_t(Step)) : Unit;
  }

  bool operator==(const WorkCounter &) const = default;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_WORKCOUNTER_H
