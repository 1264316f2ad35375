//===- Callees.cpp - the work of functions that kernels call ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Callees.h"

#include "CallerLoops.h"
#include "work/LoopCounts.h"
#include "work/WorkCounts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace seamscope {

WorkCounts Callees::workWithCallee(const Instruction &I, const TargetLibraryInfo &Library,
                                   std::string &Unknown) {
  WorkCounts Counts = workOf(I, Library, Unknown);
  const auto *const Call = dyn_cast<CallBase>(&I);
  if (Call && !Unknown.empty())
    if (const Function *const Called = definedCallee(*Call))
      add(*Called, Counts, Unknown);
  return Counts;
}

void Callees::add(const Function &F, WorkCounts &Into, std::string &Unknown) {
  if (Own.contains(&F)) // it counts its own work
    return Unknown.clear();
  const auto Found = Known.find(&F);
  if (Found == Known.end() && (F.isInterposable() || Depth == MaxDepth))
    return;
  const CallWork Of = Found != Known.end() ? Found->second : find(F);
  if (!Of.IsKnown)
    return;
  Unknown.clear();
  Into.add(Of.Counts);
}

Callees::CallWork Callees::find(const Function &Callee) {
  ++Depth;
  auto &F = const_cast<Function &>(Callee);
  const auto &Library = FAM.getResult<TargetLibraryAnalysis>(F);
  const auto &Tree = FAM.getResult<DominatorTreeAnalysis>(F);
  CallWork Of;
  Of.IsKnown = FAM.getResult<LoopAnalysis>(F).empty();
  // Blocks that lead to an exception do not count.
  const auto Returning = returningBlocks(F, /*OrByException=*/false);
  for (const BasicBlock &Each : F) {
    if (!Of.IsKnown)
      break;
    if (!Returning.contains(&Each))
      continue;
    const bool RunsOnce = all_of(F, [&](const BasicBlock &Block) {
      return !isa<ReturnInst>(Block.getTerminator()) || Tree.dominates(&Each, &Block);
    });
    for (const Instruction &I : Each) {
      std::string Unknown;
      const WorkCounts Counts = workWithCallee(I, Library, Unknown);
      WorkCounts OfEach;
      Of.IsKnown &=
          Unknown.empty() && !dynamicBytes(I, Library, OfEach) && (Counts.empty() || RunsOnce);
      Of.Counts.add(Counts);
    }
  }
  --Depth;
  return Known[&Callee] = Of;
}

} // namespace seamscope
