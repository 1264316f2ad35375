//===- ReplayPlan.cpp - kernels that can be replayed, as plain data -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "replay/ReplayPlan.h"

#include "Names.h"

using namespace llvm;

namespace seamscope {

ReplaysPlan planReplays(Module &M, ArrayRef<std::pair<ReplayRoot, std::string>> Kernels) {
  ReplaysPlan Result;
  Result.Of = takeNotes(M);
  if (!Result.Of.Code)
    return Result;
  for (const auto &[Root, Kernel] : Kernels) {
    auto Found = Result.Of.Entries.find(Root.name());
    // A copy that the optimiser made for constant arguments still gets them.
    if (Found == Result.Of.Entries.end() && !Root.Fork)
      Found = Result.Of.Entries.find(kernelSymbol(Root.name()));
    if (Found == Result.Of.Entries.end())
      continue;
    const SnapshotEntry &Entry = Found->second;
    const bool IsSame = Root.signature() == Entry.Signature;
    Result.Kernels.push_back({Root, Kernel, Entry.Entry,
                              IsSame ? Entry.Problem : "the optimiser changed its parameters"});
  }
  return Result;
}

} // namespace seamscope
