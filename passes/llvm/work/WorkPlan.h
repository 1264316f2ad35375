//===- WorkPlan.h - the work of a function, by how often it runs -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of one pass through a block is known when the function is compiled, so a program counts
// only how often blocks run. Blocks that run equally often share a counter. For most loops
// ScalarEvolution knows their number of iterations as an expression of values that exist before the
// loop: one addition in front of it counts all of them. Nothing is added to loops without inner
// loops, unless they are searches, whose number of iterations nobody knows before.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_WORKPLAN_H
#define SEAMSCOPE_PASSES_WORKPLAN_H

#include "Plan.h"

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Loop;
class SCEV;
} // namespace llvm

namespace seamscope {

/// How often something runs, as code that adds to a word.
struct WorkCounter {
  enum Kind {
    Calls,      ///< 1 for each call of the function
    Sum,        ///< `Amount`, in front of loop `Around`
    Executions, ///< 1 in `Block`
    Steps,      ///< how far `Variable` of loop `Around` gets, at the exits: `Step` an iteration
    Search,     ///< 1 in `Block`, in a register that is added at the exits of loop `Around`
    Bytes,      ///< `Length`, at the instruction `At`
  } How;
  llvm::Loop *Around = nullptr;
  const llvm::SCEV *Amount = nullptr;
  llvm::BasicBlock *Block = nullptr;
  llvm::Instruction *At = nullptr;
  llvm::Value *Length = nullptr;
  llvm::PHINode *Variable = nullptr;
  int64_t Step = 0;
  bool IsFull = false; ///< Steps: without the last iteration, which does not go back to the header

  /// What the word has to be divided by.
  uint64_t unit() const {
    return How == Steps ? (Step < 0 ? 0 - uint64_t(Step) : uint64_t(Step)) : 1;
  }

  bool operator==(const WorkCounter &) const = default;
};

/// What is counted in one function, or in one inlined kernel in a function that is not a kernel.
struct FunctionWork {
  llvm::Function *F;
  const LoopPlan *Within;            ///< the inlined kernel; null: all of F
  SitePlan Site;                     ///< `Ops` is the description that docs/formats.md defines
  std::vector<WorkCounter> Counters; ///< number n adds to word n
};

/// Finds the work of all kernels, regions and tasks of \p P. \p IsExact: also count blocks of
/// innermost loops that run in some iterations only.
std::vector<FunctionWork> planWork(const Plan &P, bool IsExact, llvm::FunctionAnalysisManager &FAM);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_WORKPLAN_H
