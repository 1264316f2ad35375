//===- CallerLoops.cpp - functions that loops and recursions call ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CallerLoops.h"

#include "Conventions.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace seamscope {

/// The function that \p V refers to, through aliases; null if it is not defined in this module.
static Function *definedFunction(Value *V) {
  auto *F = dyn_cast<Function>(V->stripPointerCastsAndAliases());
  return F && !F->isDeclaration() ? F : nullptr;
}

Function *definedCallee(const CallBase &Call) { return definedFunction(Call.getCalledOperand()); }

bool isCalledDirectly(const Function &F) {
  return any_of(F.users(), [&](const User *U) {
    const auto *Call = dyn_cast<CallBase>(U);
    return Call && Call->getCalledOperand() == &F && Call->getFunction() != &F;
  });
}

CallerLoops::CallerLoops(Module &M, FunctionAnalysisManager &FAM) : Forks(M) {
  for (Function &F : M)
    if (!F.isDeclaration() && !isProgramEntry(F.getName()))
      addCallsOf(F, FAM);
  CallGraph Graph(M);
  for (auto It = scc_begin(&Graph); !It.isAtEnd(); ++It)
    if (It.hasCycle())
      for (CallGraphNode *Node : *It)
        if (Function *F = Node->getFunction()) {
          Recursive.insert(F);
          add(F);
        }
  while (!Work.empty())
    for (Function *Callee : Callees[Work.pop_back_val()])
      add(Callee);
}

void CallerLoops::add(Function *F) {
  if (Repeated.insert(F).second)
    Work.push_back(F);
}

void CallerLoops::addCallsOf(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo *Loops = nullptr;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      continue;
    SmallVector<Function *, 4> Reached;
    if (Function *Callee = definedCallee(*Call))
      Reached.push_back(Callee);
    for (Value *Argument : Call->args()) {
      Function *Passed = Argument->getType()->isPointerTy() ? definedFunction(Argument) : nullptr;
      if (!Passed)
        continue;
      // A function that is passed on may be called in a loop, but a team runs its body once a
      // thread.
      if (Forks.isBody(*Passed))
        Reached.push_back(Passed);
      else
        add(Passed);
    }
    if (Reached.empty())
      continue;
    if (!Loops)
      Loops = &FAM.getResult<LoopAnalysis>(F);
    for (Function *Callee : Reached) {
      if (Loops->getLoopFor(Call->getParent()))
        add(Callee);
      else
        Callees[&F].push_back(Callee);
    }
  }
}

} // namespace seamscope
