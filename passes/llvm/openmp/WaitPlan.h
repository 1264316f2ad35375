//===- WaitPlan.h - where threads of a team wait, as plain data ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a region a thread works, waits for other threads, or runs tasks, which it may also do while it
// waits. Each call of the OpenMP runtime that may wait is therefore a site, and so is the body of
// each task.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_WAITPLAN_H
#define SEAMSCOPE_PASSES_WAITPLAN_H

#include "Messages.h"
#include "SitePlan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <optional>
#include <vector>

namespace seamscope {

/// A place in the source at which threads wait.
struct WaitPlan {
  llvm::Function *F;
  SitePlan Site;    ///< `Ops`: the construct
  std::string Part; ///< distinguishes the waits of F, the same way in every file that has F
  llvm::SmallVector<llvm::CallBase *, 1> Calls; ///< several if the optimiser made copies
};

struct TaskPlan {
  llvm::Function *Body;
  SitePlan Site;
};

struct WaitsPlan {
  std::vector<WaitPlan> Waits; ///< in the order of the module
  std::vector<TaskPlan> Tasks;
};

/// The kernel that a function's code belongs to; None to skip the function.
using KernelOf = llvm::function_ref<std::optional<KernelRef>(const llvm::Function &)>;

/// A call that starts a team and returns when all its threads are done.
struct TeamStart {
  llvm::CallInst *Call;
  llvm::Function *Body;
  KernelRef Kernel;
  bool IsTeams;
};

/// \p KernelOfCall has calls that belong to another kernel than their function.
WaitsPlan planWaits(const llvm::Module &M, llvm::ArrayRef<TeamStart> Teams,
                    llvm::ArrayRef<MessageCall> Messages,
                    const llvm::DenseMap<const llvm::CallBase *, KernelRef> &KernelOfCall,
                    KernelOf Kernel);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_WAITPLAN_H
