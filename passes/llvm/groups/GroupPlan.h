//===- GroupPlan.h - operator groups that the MLIR passes marked -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Markers are calls (seamscope/group.h). Markers that other passes changed, for example when a
// coroutine was split, stay calls, which the runtime handles.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_GROUPPLAN_H
#define SEAMSCOPE_PASSES_GROUPPLAN_H

#include "SitePlan.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace seamscope {

/// A group and the places where it begins: several if code was copied.
struct GroupPlan {
  SitePlan Site;
  llvm::SmallVector<llvm::CallInst *, 1> Enters;
};

/// The groups of a function that share a frame; only one of them is open at a time.
struct GroupsPlan {
  llvm::AllocaInst *Frame;
  std::vector<GroupPlan> Groups;
  llvm::SmallVector<llvm::CallInst *> Exits; ///< each may close any of the groups
};

std::vector<GroupsPlan> planGroups(llvm::Module &M);

/// The group that is open at \p Call, or null.
const GroupPlan *groupAround(const std::vector<GroupsPlan> &All, const llvm::CallBase &Call,
                             const llvm::DominatorTree &Tree);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_GROUPPLAN_H
