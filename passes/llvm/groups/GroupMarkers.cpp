//===- GroupMarkers.cpp - calls that mark operator groups ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "groups/GroupMarkers.h"

using namespace llvm;

namespace seamscope {

/// Direct calls of \p Name with the arguments that the MLIR passes give it.
static SmallVector<CallInst *> markers(const Module &M, StringRef Name, unsigned Arguments) {
  SmallVector<CallInst *> Calls;
  if (const Function *F = M.getFunction(Name))
    for (const Use &U : F->uses()) {
      auto *Call = dyn_cast<CallInst>(U.getUser());
      if (Call && Call->isCallee(&U) && Call->arg_size() == Arguments)
        Calls.push_back(Call);
    }
  return Calls;
}

SmallVector<CallInst *> groupEnters(const Module &M) {
  return markers(M, "__seamscope_group_enter_v1", 2);
}

SmallVector<CallInst *> groupExits(const Module &M) {
  return markers(M, "__seamscope_group_exit_v1", 1);
}

bool hasGroups(const Function &F) {
  return any_of(groupEnters(*F.getParent()),
                [&](const CallInst *Call) { return Call->getFunction() == &F; });
}

} // namespace seamscope
