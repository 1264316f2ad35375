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
#include "work/Footprint.h"
#include "work/WorkCounter.h"

namespace seamscope {

/// What is counted in one function, or in one inlined kernel in a function that is not a kernel.
struct FunctionWork {
  llvm::Function
      *F; ///< a copy that counts for its callers has no site, and words from the second on
  const LoopPlan *Within;            ///< the inlined kernel; null: all of F
  SitePlan Site;                     ///< `Ops` is the description that docs/formats.md defines
  std::vector<WorkCounter> Counters; ///< the first is the calls
  Footprint Touched;                 ///< the sums of its arrays are behind
};

/// Finds the work of all kernels, regions and tasks of \p P. \p IsExact: also count blocks of
/// innermost loops that run in some iterations only.
std::vector<FunctionWork> planWork(const Plan &P, bool IsExact, llvm::FunctionAnalysisManager &FAM);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_WORKPLAN_H
