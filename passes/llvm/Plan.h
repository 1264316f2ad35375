//===- Plan.h - what to instrument, as plain data --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a plan changes nothing; `opt -passes='print<seamscope-plan>'` prints it.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_PLAN_H
#define SEAMSCOPE_PASSES_PLAN_H

#include "Select.h"
#include "SitePlan.h"
#include "groups/GroupPlan.h"
#include "launch/LaunchPlan.h"
#include "loops/LoopPlan.h"
#include "openmp/WaitPlan.h"
#include "replay/ReplayPlan.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

namespace seamscope {

/// A function timed from entry to every exit.
struct KernelPlan {
  llvm::Function *F;
  Reason Why;
  SitePlan Site;
};

/// The body of a parallel region, timed on every thread.
struct RegionPlan {
  llvm::Function *Body;
  SitePlan Site;
  bool IsTeams; ///< of a `teams` construct: each thread is alone in a team of its own
};

/// A fork or message in a function that is not a kernel (main, or after inlining): the call is
/// timed as the kernel.
struct CallPlan {
  llvm::CallBase *Call;
  SitePlan Site;
  std::string
      Part; ///< distinguishes the calls of a function, the same way in every file that has it

  bool isMessage() const { return llvm::StringRef(Part).starts_with(MessagePart); }
  static constexpr llvm::StringLiteral MessagePart = ".message";
};

/// A function that is not instrumented.
struct SkipPlan {
  llvm::Function *F;
  Reason Why;
};

/// A kernel that is not timed because its calls were inlined before the plan was made.
struct InlinedPlan {
  SitePlan Site;
  bool Shared;                    ///< other files have the same function, and share its entry
  llvm::DISubprogram *Subprogram; ///< null without debug information
};

/// Everything the pass will do to a module.
struct Plan {
  std::vector<KernelPlan> Kernels;
  std::vector<RegionPlan> Regions;
  std::vector<CallPlan> Calls;
  std::vector<GroupsPlan> Groups;
  std::vector<SkipPlan> Skipped;
  std::vector<InlinedPlan> Inlined;
  LaunchesPlan Launches;
  LoopsPlan Loops;
  WaitsPlan Waits;
  ReplaysPlan Replays;

  /// The sites that are kernels.
  size_t kernels() const {
    size_t Count = Kernels.size() + Calls.size() + inlinedCalls();
    for (const GroupsPlan &InFrame : Groups)
      Count += InFrame.Groups.size();
    return Count;
  }
  size_t loops() const { return Loops.Loops.size() - inlinedCalls(); }
  bool empty() const {
    return Kernels.empty() && Regions.empty() && Calls.empty() && Groups.empty() &&
           Inlined.empty() && Launches.Calls.empty() && Loops.Loops.empty() &&
           Waits.Waits.empty() && Waits.Tasks.empty();
  }
  void print(llvm::raw_ostream &OS, const llvm::Module &M) const;

private:
  size_t inlinedCalls() const {
    return llvm::count_if(Loops.Loops, [](const LoopPlan &L) { return L.isInlinedCall(); });
  }
};

/// Makes the plan for \p M. \p FAM provides the analyses of its functions.
Plan makePlan(llvm::Module &M, const Selector &Select, const Options &Opts,
              llvm::FunctionAnalysisManager &FAM);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_PLAN_H
