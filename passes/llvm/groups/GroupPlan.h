//===- GroupPlan.h - groups of operators that MLIR marked ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The markers are calls (seamscope/group.h). What is not as the passes over MLIR wrote it, after a
// coroutine was split for example, stays a call, which the runtime serves.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_GROUPPLAN_H
#define SEAMSCOPE_PASSES_GROUPPLAN_H

#include "SitePlan.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace seamscope {

/// One group, and the places where it begins: several where code was copied.
struct GroupPlan {
  SitePlan Site;
  llvm::SmallVector<llvm::CallInst *, 1> Enters;
};

/// The groups that share a frame: those of a function, of which one is open at a time.
struct GroupsPlan {
  llvm::AllocaInst *Frame;
  std::vector<GroupPlan> Groups;
  llvm::SmallVector<llvm::CallInst *> Exits; ///< of any of them
};

std::vector<GroupsPlan> planGroups(llvm::Module &M);

/// Whether \p F has markers: its groups are timed in its place.
bool hasGroups(const llvm::Function &F);

/// The group that is open where \p Call is made, if any.
const GroupPlan *groupAround(const std::vector<GroupsPlan> &All, const llvm::CallBase &Call,
                             const llvm::DominatorTree &Tree);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_GROUPPLAN_H
