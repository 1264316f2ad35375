//===- InlineHelpers.cpp - counts what a kernel's helpers do ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/InlineHelpers.h"

#include "Conventions.h"
#include "Select.h"
#include "work/Callees.h"
#include "work/LoopCounts.h"
#include "work/WorkCounts.h"

#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Largest helper, in instructions, and how deep helpers that call helpers are inlined.
constexpr unsigned MaxSize = 300, MaxDepth = 3;

class Inliner {
public:
  Inliner(const Callees::Counted &Counted, bool IsExact, FunctionAnalysisManager &FAM)
      : IsExact(IsExact), FAM(FAM), Called(Counted, FAM) {}

  void inlineInto(Function &F) {
    SmallVector<CallBase *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (isHelper(*Call, MaxDepth) &&
            (IsExact || computes(F) || computes(*Call->getCalledFunction())))
          Calls.push_back(Call);
    for (unsigned Depth = MaxDepth; Depth && !Calls.empty(); --Depth) {
      SmallVector<CallBase *> Inner;
      for (CallBase *Call : Calls) {
        InlineFunctionInfo Made;
        if (!InlineFunction(*Call, Made, /*MergeAttributes=*/true).isSuccess())
          continue;
        FAM.invalidate(F, PreservedAnalyses::none());
        copy_if(Made.InlinedCallSites, std::back_inserter(Inner),
                [&](CallBase *Each) { return isHelper(*Each, Depth - 1); });
      }
      Calls = std::move(Inner);
    }
  }

private:
  /// Whether the work of \p Call is not known, but would be if it was inlined, which changes no
  /// innermost loop.
  bool isHelper(CallBase &Call, unsigned Depth) {
    Function *const Callee = Call.getCalledFunction();
    if (!Depth || !Callee || Callee->isDeclaration() || Callee->isInterposable() ||
        Callee == Call.getFunction() || Callee->hasFnAttribute(Attribute::NoInline) ||
        Callee->hasFnAttribute(Attribute::OptimizeNone) || Callee->isPresplitCoroutine() ||
        Callee->hasFnAttribute(Attribute::Naked) ||
        Callee->getFunctionType() != Call.getFunctionType() ||
        Callee->getInstructionCount() > MaxSize || isKnown(Call))
      return false;
    const auto &Loops = FAM.getResult<LoopAnalysis>(*Call.getFunction());
    if (const Loop *const Around = Loops.getLoopFor(Call.getParent());
        Around && Around->isInnermost())
      return false;
    const auto Returning = returningBlocks(*Callee, /*OrByException=*/false);
    return AttributeFuncs::areInlineCompatible(*Call.getFunction(), *Callee) &&
           FAM.getResult<TargetIRAnalysis>(*Callee).areInlineCompatible(Call.getFunction(),
                                                                        Callee) &&
           isInlineViable(*Callee).isSuccess() &&
           all_of(instructions(*Callee), [&](Instruction &I) {
             auto *const Inner = dyn_cast<CallBase>(&I);
             return !Returning.contains(I.getParent()) || isKnown(I) ||
                    (Inner && isHelper(*Inner, Depth - 1));
           });
  }

  bool isKnown(const Instruction &I) {
    std::string Unknown;
    auto &In = const_cast<Function &>(*I.getFunction());
    Called.workWithCallee(I, FAM.getResult<TargetLibraryAnalysis>(In), Unknown);
    return Unknown.empty();
  }

  bool IsExact;
  FunctionAnalysisManager &FAM;
  Callees Called;
};

} // namespace

void inlineHelpers(Module &M, const Selector &Select, bool IsExact, FunctionAnalysisManager &FAM) {
  Callees::Counted Counted;
  for (Function &F : M)
    if (!F.isDeclaration() && (isOutlinedSymbol(F.getName()) || Select.judge(F, FAM).Kernel))
      Counted.insert(&F);
  Inliner Into(Counted, IsExact, FAM);
  for (Function &F : M)
    if (Counted.contains(&F))
      Into.inlineInto(F);
}

} // namespace seamscope
