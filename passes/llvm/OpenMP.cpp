//===- OpenMP.cpp - parallel regions as clang emits them -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma omp parallel` becomes an internal function `<kernel>.omp_outlined` and a call
// __kmpc_fork_call(location, argument count, body, arguments...). The body is found
// through the call, not by its name.
//
//===----------------------------------------------------------------------===//
#include "OpenMP.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace seamscope {

Function *forkBody(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return nullptr;
  StringRef Name = Callee->getName();
  if (Name != "__kmpc_fork_call" && Name != "__kmpc_fork_call_if" && Name != "__kmpc_fork_teams")
    return nullptr;
  if (Call.arg_size() < 3)
    return nullptr;
  auto *Body = dyn_cast<Function>(Call.getArgOperand(2)->stripPointerCasts());
  return Body && !Body->isDeclaration() ? Body : nullptr;
}

SmallVector<ForkSite> findForks(Module &M) {
  SmallVector<ForkSite> Forks;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Body = forkBody(*Call))
          Forks.push_back({Call, Body});
  return Forks;
}

bool hasFork(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && forkBody(*Call))
      return true;
  return false;
}

} // namespace seamscope
