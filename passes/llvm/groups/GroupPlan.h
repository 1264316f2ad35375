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

/// The markers with one frame.
struct GroupPlan {
  llvm::AllocaInst *Frame;
  llvm::SmallVector<llvm::CallInst *, 1> Enters, Exits;
  SitePlan Site;
};

std::vector<GroupPlan> planGroups(llvm::Module &M);

/// Whether \p F has markers: its groups are timed in its place.
bool hasGroups(const llvm::Function &F);

/// The group that is open where \p Call is made, if any.
const GroupPlan *groupAround(const std::vector<GroupPlan> &Groups, const llvm::CallBase &Call,
                             const llvm::DominatorTree &Tree);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_GROUPPLAN_H
