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

/// Whether the user's options allow timing \p Launch in \p Caller.
bool isWanted(const LaunchCall &Launch, const Function &Caller, const Selector &Select,
              const Options &Opts) {
  const std::string Shown = Launch.Name.empty() ? displayName(Launch.Symbol) : Launch.Name;
  if (Select.isExcluded(Caller) || Select.excludes(Launch.Symbol, Shown) ||
      (Launch.Kernel && Select.annotations(*Launch.Kernel).Off))
    return false;
  if (Opts.Kernels.empty() && Opts.Select != "marked")
    return true;
  if (const std::optional<Verdict> Asked = Select.asked(Caller); Asked && Asked->Kernel)
    return true;
  return Select.names(Launch.Symbol, Shown) ||
         (Launch.Kernel && Select.annotations(*Launch.Kernel).Kernel);
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
      const std::optional<LaunchCall> Launch = Launches.look(*Call);
      if (!Launch)
        continue;
      if (Part) {
        Result.Parts.push_back(Call);
        continue;
      }
      if (!isWanted(*Launch, F, Select, Opts))
        continue;
      std::string Name = Launch->Name;
      if (Launch->Kernel)
        Name = Select.annotations(*Launch->Kernel).Name;
      if (Name.empty())
        Name = shownName(Launch->Symbol, M, Select, Opts);
      const DILocation *At = Launches.placeOf(*Call);
      const SourcePoint Source = At ? sourceOf(*At) : SourcePoint{M.getSourceFileName(), 0, 0};
      Result.Calls.push_back(
          {Call, Launch->Kernel,
           makeSite(SEAMSCOPE_SITE_LAUNCH, Name, Launch->Symbol, {Name, Source.File, 0}, Source)});
    }
  }
  return Result;
}

} // namespace seamscope
