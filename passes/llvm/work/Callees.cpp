//===- Callees.cpp - the work of functions that kernels call ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Callees.h"

#include "CallerLoops.h"
#include "work/ConstantRun.h"
#include "work/LoopCounts.h"
#include "work/WorkCounts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace seamscope {

/// The arguments of \p Call for which \p ConstantOf returns a constant; null for the others.
template <typename FnT>
static std::vector<Constant *> argumentsOf(const CallBase &Call, FnT ConstantOf) {
  std::vector<Constant *> Found;
  for (const Use &Each : Call.args())
    Found.push_back(ConstantOf(*Each.get()));
  return Found;
}

WorkCounts Callees::workWithCallee(const Instruction &I, const TargetLibraryInfo &Library,
                                   std::string &Unknown) {
  WorkCounts Counts = workOf(I, Library, Unknown);
  const auto *const Call = dyn_cast<CallBase>(&I);
  if (Call && !Unknown.empty())
    if (const Function *const Called = definedCallee(*Call))
      add(*Called, argumentsOf(*Call, [](Value &Of) { return dyn_cast<ConstantInt>(&Of); }), Counts,
          Unknown);
  return Counts;
}

void Callees::add(const Function &F, const Arguments &Of, WorkCounts &Into, std::string &Unknown) {
  if (Own.contains(&F)) // it counts its own work
    return Unknown.clear();
  if (F.isInterposable() || Depth == MaxDepth)
    return;
  ++Depth;
  CallWork Work = Known.contains(&F) ? Known.lookup(&F) : Known[&F] = find(F);
  if (!Work.IsKnown) {
    const auto Found = Followed.find({&F, Of});
    Work = Found != Followed.end() ? Found->second : Followed[{&F, Of}] = follow(F, Of);
  }
  --Depth;
  if (!Work.IsKnown)
    return;
  Unknown.clear();
  Into.add(Work.Counts);
}

/// The work of a call with these arguments, if they decide which way it takes.
Callees::CallWork Callees::follow(const Function &Callee, const Arguments &Of) {
  const auto &Library = FAM.getResult<TargetLibraryAnalysis>(const_cast<Function &>(Callee));
  ConstantRun Run(Callee, Of, Library);
  struct BlockWork {
    WorkCounts Each;
    SmallVector<const Instruction *> ByValue; ///< that depends on values
  };
  DenseMap<const BasicBlock *, std::unique_ptr<BlockWork>> Blocks;
  CallWork Sum;
  const auto Visit = [&](const BasicBlock &Block) {
    std::unique_ptr<BlockWork> &Work = Blocks[&Block];
    if (!Work) {
      Work = std::make_unique<BlockWork>();
      for (const Instruction &I : Block) {
        std::string Unknown;
        WorkCounts OfEach;
        const WorkCounts Counts = workOf(I, Library, Unknown);
        if (!Unknown.empty() || dynamicBytes(I, Library, OfEach))
          Work->ByValue.push_back(&I);
        else
          Work->Each.add(Counts);
      }
    }
    Sum.Counts.add(Work->Each);
    return all_of(Work->ByValue, [&](const Instruction *I) {
      WorkCounts OfEach;
      if (const Value *const Length = dynamicBytes(*I, Library, OfEach)) {
        const auto *const Is = cast_or_null<ConstantInt>(Run.constant(*Length));
        if (Is)
          Sum.Counts.add(OfEach, Is->getZExtValue());
        return Is != nullptr;
      }
      std::string Unknown;
      Sum.Counts.add(workOf(*I, Library, Unknown));
      const auto *const Call = dyn_cast<CallBase>(I);
      const Function *const Called = Call ? definedCallee(*Call) : nullptr;
      if (Called)
        add(*Called, argumentsOf(*Call, [&](Value &Of) { return Run.constant(Of); }), Sum.Counts,
            Unknown);
      return Unknown.empty();
    });
  };
  Sum.IsKnown = Run.forEachBlock(Left, Visit);
  return Sum;
}

Callees::CallWork Callees::find(const Function &Callee) {
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
  return Of;
}

} // namespace seamscope
