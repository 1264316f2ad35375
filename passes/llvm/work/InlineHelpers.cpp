//===- InlineHelpers.cpp - counts what a kernel's helpers do ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/InlineHelpers.h"

#include "Conventions.h"
#include "Keep.h"
#include "Select.h"
#include "work/Callees.h"
#include "work/CountedHelpers.h"
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

/// Largest helper that is inlined, in instructions, and how deep helpers call helpers.
constexpr unsigned MaxSize = 300, MaxDepth = 3;
/// Largest helper that is copied. All copies of a module together have that many, too, or a
/// twentieth of its instructions.
constexpr unsigned MaxCopy = 4000;

class Inliner {
public:
  Inliner(const Module &M, const Callees::Counted &Counted, bool IsExact,
          FunctionAnalysisManager &FAM)
      : IsExact(IsExact), FAM(FAM), Called(Counted, FAM),
        Room(std::max<size_t>(MaxCopy, M.getInstructionCount() / 20)) {}

  void inlineInto(Function &F) {
    SmallVector<CallBase *> Calls = helpersOf(F, MaxDepth, &Inliner::isInlined);
    for (unsigned Depth = MaxDepth; Depth && !Calls.empty(); --Depth) {
      SmallVector<CallBase *> Inner;
      for (CallBase *Call : Calls) {
        InlineFunctionInfo Made;
        if (!InlineFunction(*Call, Made, /*MergeAttributes=*/true).isSuccess())
          continue;
        FAM.invalidate(F, PreservedAnalyses::none());
        copy_if(Made.InlinedCallSites, std::back_inserter(Inner),
                [&](CallBase *Each) { return isInlined(*Each, Depth - 1); });
      }
      Calls = std::move(Inner);
    }
    callCopies(F, MaxDepth);
  }

private:
  /// Those calls of \p F of which \p Test says so, and which matter.
  SmallVector<CallBase *> helpersOf(Function &F, unsigned Depth,
                                    bool (Inliner::*Test)(CallBase &, unsigned)) {
    SmallVector<CallBase *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if ((this->*Test)(*Call, Depth) &&
            (IsExact || computes(F) || computes(*Call->getCalledFunction())))
          Calls.push_back(Call);
    return Calls;
  }

  void callCopies(Function &F, unsigned Depth) {
    const SmallVector<CallBase *> Calls = helpersOf(F, Depth, &Inliner::isCopied);
    for (CallBase *Call : Calls) {
      if (Function *const Copy = copyOf(*Call->getCalledFunction(), Depth))
        callInstead(*Call, *Copy);
    }
    if (!Calls.empty())
      FAM.invalidate(F, PreservedAnalyses::none());
  }

  /// Returns null if all copies together would be too large.
  Function *copyOf(Function &Callee, unsigned Depth) {
    if (Function *const Known = Copies.lookup(&Callee))
      return Known;
    const size_t Size = Callee.getInstructionCount();
    if (Size > Room)
      return nullptr;
    Room -= Size;
    Function *const Copy = Copies[&Callee] = copyToCount(Callee);
    callCopies(*Copy, Depth - 1);
    return Copy;
  }

  /// Whether the work of \p Call is not known, but would be if it was inlined, which changes no
  /// innermost loop.
  bool isInlined(CallBase &Call, unsigned Depth) {
    Function *const Callee = Call.getCalledFunction();
    if (!Depth || !Callee || !canCallCopy(Call) || Callee == Call.getFunction() ||
        Callee->hasFnAttribute(Attribute::NoInline) || Callee->getInstructionCount() > MaxSize ||
        isKnown(Call))
      return false;
    const auto &Loops = FAM.getResult<LoopAnalysis>(*Call.getFunction());
    if (const Loop *const Around = Loops.getLoopFor(Call.getParent());
        Around && Around->isInnermost())
      return false;
    return AttributeFuncs::areInlineCompatible(*Call.getFunction(), *Callee) &&
           FAM.getResult<TargetIRAnalysis>(*Callee).areInlineCompatible(Call.getFunction(),
                                                                        Callee) &&
           isInlineViable(*Callee).isSuccess() &&
           hasKnownParts(*Callee, [&](CallBase &Inner) { return isInlined(Inner, Depth - 1); });
  }

  /// Whether the work of \p Call is not known, but a copy of what it calls can count it.
  bool isCopied(CallBase &Call, unsigned Depth) {
    Function *const Callee = Call.getCalledFunction();
    // Kernels that were inlined have hooks, which a copy has not.
    return Depth && Callee && canCallCopy(Call) && !isCopyToCount(*Callee) &&
           Callee != Call.getFunction() && Callee->getInstructionCount() <= MaxCopy &&
           !isKnown(Call) && !holdsNotedKernel(*Callee) &&
           hasKnownParts(*Callee, [&](CallBase &Inner) { return isCopied(Inner, Depth - 1); });
  }

  /// Whether the work of \p F is that of its instructions, and of calls that \p IsHelper knows.
  template <typename FnT> bool hasKnownParts(Function &F, FnT IsHelper) {
    const auto Returning = returningBlocks(F, /*OrByException=*/false);
    return all_of(instructions(F), [&](Instruction &I) {
      auto *const Inner = dyn_cast<CallBase>(&I);
      return !Returning.contains(I.getParent()) || isKnown(I) || (Inner && IsHelper(*Inner));
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
  DenseMap<Function *, Function *> Copies; ///< by what they copy
  size_t Room;                             ///< instructions that more copies may have
};

} // namespace

void inlineHelpers(Module &M, const Selector &Select, bool IsExact, FunctionAnalysisManager &FAM) {
  Callees::Counted Counted;
  for (Function &F : M)
    if (!F.isDeclaration() && (isOutlinedSymbol(F.getName()) || Select.judge(F, FAM).Kernel))
      Counted.insert(&F);
  Inliner Into(M, Counted, IsExact, FAM);
  for (Function &F : make_early_inc_range(M)) // copies are added
    if (Counted.contains(&F))
      Into.inlineInto(F);
}

} // namespace seamscope
