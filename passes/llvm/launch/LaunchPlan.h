//===- LaunchPlan.h - which launches of GPU work to time --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LAUNCHPLAN_H
#define SEAMSCOPE_PASSES_LAUNCHPLAN_H

#include "Select.h"
#include "SitePlan.h"

#include "llvm/IR/InstrTypes.h"

namespace seamscope {

/// A call in host code that launches GPU work.
struct LaunchPlan {
  llvm::CallBase *Call;
  const llvm::Function *Kernel; ///< the host function that stands for the kernel; null: unknown
  SitePlan Site;
};

struct LaunchesPlan {
  std::vector<LaunchPlan> Calls;
  /// Calls that are part of launches, such as the call in a stub. If a link inlines them into other
  /// code, they are not launches of their own.
  std::vector<llvm::CallBase *> Parts;
};

/// Whether \p Call is a launch that has hooks, or part of one.
bool isMarkedLaunch(const llvm::CallBase &Call);

/// The plan for the host module \p M.
LaunchesPlan planLaunches(llvm::Module &M, const Selector &Select, const Options &Opts);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LAUNCHPLAN_H
