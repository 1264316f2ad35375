//===- LaunchPlan.cpp - which launches of GPU work to time -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "launch/LaunchPlan.h"

#include "Hookable.h"
#include "Names.h"
#include "launch/LaunchCalls.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Whether the user's options leave the launch of \p What in \p Caller to be timed.
bool isWanted(const LaunchCall &What, const Function &Caller, const Selector &Select,
              const Options &Opts) {
  const std::string Shown = What.Name.empty() ? displayName(What.Symbol) : What.Name;
  if (Select.isExcluded(Caller) || Select.excludes(What.Symbol, Shown) ||
      (What.Kernel && Select.annotations(*What.Kernel).Off))
    return false;
  if (Opts.Kernels.empty() && Opts.Select != "marked")
    return true;
  if (const std::optional<Verdict> Asked = Select.asked(Caller); Asked && Asked->Kernel)
    return true;
  return Select.names(What.Symbol, Shown) ||
         (What.Kernel && Select.annotations(*What.Kernel).Kernel);
}

} // namespace

LaunchesPlan planLaunches(Module &M, const Selector &Select, const Options &Opts) {
  LaunchesPlan Result;
  if (!Opts.Launches)
    return Result;
  const LaunchCalls Launches(M);
  if (!Launches.any())
    return Result;
  for (Function &F : M) {
    if (whyNotHookable(F))
      continue;
    const bool Part = Launches.isPartOfLaunch(F);
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || isMarkedLaunch(*Call) || isa<CallBrInst>(Call) || Call->isMustTailCall())
        continue;
      const std::optional<LaunchCall> What = Launches.look(*Call);
      if (!What)
        continue;
      if (Part) {
        Result.Parts.push_back(Call);
        continue;
      }
      if (!isWanted(*What, F, Select, Opts))
        continue;
      std::string Name = What->Name;
      if (What->Kernel)
        Name = Select.annotations(*What->Kernel).Name;
      if (Name.empty())
        Name = shownName(What->Symbol, M, Select, Opts);
      const DILocation *At = Launches.placeOf(*Call);
      const SourcePoint Source = At ? sourceOf(*At) : SourcePoint{M.getSourceFileName(), 0, 0};
      Result.Calls.push_back(
          {Call, What->Kernel, makeSite(SEAMSCOPE_SITE_LAUNCH, Name, What->Symbol, Name, Source)});
    }
  }
  return Result;
}

} // namespace seamscope
