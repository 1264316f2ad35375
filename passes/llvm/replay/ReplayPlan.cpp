//===- ReplayPlan.cpp - kernels that can be replayed, as plain data -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "replay/ReplayPlan.h"

#include "OpenMP.h"
#include "Plan.h"

using namespace llvm;

namespace seamscope {

ReplaysPlan planReplays(Module &M, const Plan &P) {
  ReplaysPlan Result;
  Result.Of = takeNotes(M);
  if (!Result.Of.Code)
    return Result;
  const auto Add = [&](const ReplayRoot &Root, const std::string &Kernel) {
    const auto Found = Result.Of.Entries.find(Root.name());
    if (Found == Result.Of.Entries.end())
      return;
    const SnapshotEntry &Entry = Found->second;
    const bool IsSame = Root.signature() == Entry.Signature;
    Result.Kernels.push_back({Root, Kernel, Entry.Entry,
                              IsSame ? Entry.Problem : "the optimiser changed its parameters"});
  };
  for (const KernelPlan &Kernel : P.Kernels)
    Add({Kernel.F, nullptr}, Kernel.Site.Name);
  for (const CallPlan &Call : P.Calls)
    if (!Call.isMessage() && ForkSite{Call.Call, nullptr}.isPlain())
      Add({Call.Call->getFunction(), cast<CallInst>(Call.Call)}, Call.Site.Name);
  return Result;
}

} // namespace seamscope
