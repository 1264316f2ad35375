//===- Worth.h - what is worth a hook ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hook pays where the time of what it times is many times its own: some 30 ns when recording.
// The compiler cannot know times, so this file estimates work, in instructions as LLVM's cost
// tables weigh them. The estimate takes from the code what is known (trip counts, branches that
// are unlikely, a profile) and assumes the rest:
//
//   a loop whose trip count is known before it runs                64 iterations,
//     if it computes floating point, was vectorised or is a GPU's  1000
//   a search, which runs until it meets something                  8
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_WORTH_H
#define SEAMSCOPE_PASSES_WORTH_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BlockFrequencyInfo;
class BranchProbabilityInfo;
class CallBase;
class Loop;
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace seamscope {

class CallerLoops;

/// The expected work of the loops of one function.
class Worth {
public:
  /// \p AssumesMany: loops run often unless it is known that they do not.
  Worth(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, bool AssumesMany = false);

  /// All loops in one call of the function. \p Call is a call of it whose constant arguments are
  /// used.
  uint64_t ofLoops(const llvm::CallBase *Call = nullptr) const;

  /// One run of \p L, from outside.
  uint64_t of(const llvm::Loop &L, const llvm::CallBase *Call = nullptr) const;

private:
  uint64_t trips(const llvm::Loop &L, const llvm::CallBase *Call) const;
  uint64_t assumedTrips(const llvm::Loop &L) const;
  uint64_t tripsWith(const llvm::Loop &L, const llvm::CallBase &Call) const;
  double entries(const llvm::Loop &L) const;

  const llvm::Function &F;
  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &Evolution;
  const llvm::BlockFrequencyInfo &Frequencies;
  const llvm::BranchProbabilityInfo &Probabilities;
  const llvm::TargetTransformInfo &Costs;
  const bool AssumesMany;
};

/// Whether a function with the loops of \p F is worth hooks of its own. \p MinWork is the option's;
/// it is higher for recursive functions, and lower for those that no loop calls.
bool isWorthHooks(llvm::Function &F, unsigned MinWork, const CallerLoops &Callers,
                  llvm::FunctionAnalysisManager &FAM);

/// Whether a loop of a kernel is, by the expected work of one run. \p IsAskedFor: an option asks
/// for loops of its level.
bool isWorthHooks(uint64_t WorkOfLoop, unsigned MinWork, bool IsAskedFor);

/// Whether a loop inside a timed loop is.
bool isWorthInside(const llvm::Loop &L, const Worth &Work, unsigned MinWork,
                   llvm::ScalarEvolution &Evolution);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_WORTH_H
