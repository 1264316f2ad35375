//===- Keep.cpp - kernels and the inliner ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Keep.h"

#include "Conventions.h"
#include "LoopWork.h"
#include "Names.h"
#include "OpenMP.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Named metadata: one node per noted kernel, {symbol, DISubprogram or null, whether shared}.
constexpr StringLiteral Notes = "seamscope.candidates";

/// Attribute of a kernel to keep from being inlined by the main inliner.
constexpr StringLiteral KeepMark = "seamscope-keep";

/// The function that \p V refers to, through aliases; null if it is not defined in this module.
Function *definedFunction(Value *V) {
  auto *F = dyn_cast<Function>(V->stripPointerCastsAndAliases());
  return F && !F->isDeclaration() ? F : nullptr;
}

Function *definedCallee(const CallBase &Call) { return definedFunction(Call.getCalledOperand()); }

/// The functions of a module that a loop or a recursion reaches, through any number of calls. Loops
/// of `main` are how the program repeats its kernels and do not count.
class RepeatedCode {
public:
  RepeatedCode(Module &M, FunctionAnalysisManager &FAM) : Forks(M) {
    for (Function &F : M)
      if (!F.isDeclaration() && !isProgramEntry(F.getName()))
        addCallsOf(F, FAM);
    CallGraph Graph(M);
    for (auto It = scc_begin(&Graph); !It.isAtEnd(); ++It)
      if (It.hasCycle())
        for (CallGraphNode *Node : *It)
          if (Function *F = Node->getFunction())
            add(F);
    while (!Work.empty())
      for (Function *Callee : Callees[Work.pop_back_val()])
        add(Callee);
  }

  bool contains(const Function &F) const { return Repeated.contains(&F); }

private:
  void add(Function *F) {
    if (Repeated.insert(F).second)
      Work.push_back(F);
  }

  void addCallsOf(Function &F, FunctionAnalysisManager &FAM) {
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

  ForkGraph Forks;
  DenseMap<const Function *, SmallVector<Function *, 4>> Callees;
  DenseSet<const Function *> Repeated;
  SmallVector<const Function *> Work;
};

/// Whether some call of \p F passes constants with which its loops do less than \p MinWork.
bool hasSmallCall(Function &F, unsigned MinWork, FunctionAnalysisManager &FAM) {
  const auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &Evolution = FAM.getResult<ScalarEvolutionAnalysis>(F);
  return any_of(F.users(), [&](const User *U) {
    const auto *Call = dyn_cast<CallBase>(U);
    if (!Call || definedCallee(*Call) != &F)
      return false;
    const std::optional<uint64_t> Work = boundedWork(Loops, Evolution, Call);
    return Work && *Work < MinWork;
  });
}

bool isCalledDirectly(const Function &F) {
  return any_of(F.users(), [&](const User *U) {
    const auto *Call = dyn_cast<CallBase>(U);
    return Call && Call->getCalledOperand() == &F && Call->getFunction() != &F;
  });
}

/// Whether \p F comes from a header: a template, or declared inline.
bool isShared(const Function &F) { return F.hasLinkOnceLinkage() || F.hasWeakLinkage(); }

/// Whether the reason makes a function a kernel whatever its code looks like.
bool isNamed(Reason Why) {
  return Why == Reason::Annotated || Why == Reason::Listed || Why == Reason::Parallel ||
         Why == Reason::InductorKernel;
}

void note(Function &F) {
  LLVMContext &C = F.getContext();
  Metadata *Shared = ConstantAsMetadata::get(ConstantInt::getBool(C, isShared(F)));
  F.getParent()->getOrInsertNamedMetadata(Notes)->addOperand(
      MDTuple::get(C, {MDString::get(C, F.getName()), F.getSubprogram(), Shared}));
}

} // namespace

void keepKernels(Module &M, const Selector &Select, const Options &Opts,
                 FunctionAnalysisManager &FAM, bool Deferred) {
  SmallVector<std::pair<Function *, Reason>> Kernels;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::NoInline))
      if (const Verdict V = Select.judge(F, FAM); V.Kernel && V.Why != Reason::All)
        Kernels.push_back({&F, V.Why});
  std::optional<RepeatedCode> Repeated;
  const auto IsKept = [&](Function &F, Reason Why) {
    if (Opts.Keep == KeepMode::None || F.hasFnAttribute(Attribute::AlwaysInline))
      return false;
    if (Opts.Keep == KeepMode::All || isNamed(Why))
      return true;
    if (isShared(F) || F.hasFnAttribute(Attribute::InlineHint))
      return false;
    if (!Repeated)
      Repeated.emplace(M, FAM);
    return !Repeated->contains(F) && !hasSmallCall(F, Opts.MinWork, FAM);
  };
  // Decide for all functions before changing any: the analyses do not see the changes.
  SmallVector<Function *> Kept, Marked, Others;
  for (auto [F, Why] : Kernels) {
    const bool ByName = Opts.Keep == KeepMode::All || (isNamed(Why) && Why != Reason::Parallel);
    (!IsKept(*F, Why) ? Others : Deferred && !ByName ? Marked : Kept).push_back(F);
  }
  for (Function *F : Kept)
    F->addFnAttr(Attribute::NoInline);
  for (Function *F : Marked)
    F->addFnAttr(KeepMark);
  for (Function *F : concat<Function *>(Marked, Others))
    if (isCalledDirectly(*F))
      note(*F);
}

void applyKeepMark(Function &F) {
  if (!F.hasFnAttribute(KeepMark))
    return;
  F.removeFnAttr(KeepMark);
  F.addFnAttr(Attribute::NoInline);
}

std::vector<InlinedKernel> takeInlinedKernels(Module &M) {
  std::vector<InlinedKernel> Result;
  NamedMDNode *Noted = M.getNamedMetadata(Notes);
  if (!Noted)
    return Result;
  // Called: symbols that still have calls, also of a copy made for constant arguments. Inside:
  // functions with code inlined into others.
  StringMap<bool> Called;
  DenseSet<const DISubprogram *> Inside;
  for (Function &F : M) {
    if (!F.isDeclaration() && isCalledDirectly(F))
      Called[kernelSymbol(F.getName())] = true;
    for (Instruction &I : instructions(F))
      for (const DILocation *Loc = I.getDebugLoc().get(); Loc; Loc = Loc->getInlinedAt())
        if (Loc->getInlinedAt())
          Inside.insert(Loc->getScope()->getSubprogram());
  }
  for (const MDNode *Node : Noted->operands()) {
    const StringRef Symbol = cast<MDString>(Node->getOperand(0))->getString();
    auto *Subprogram = cast_or_null<DISubprogram>(Node->getOperand(1).get());
    const Function *F = M.getFunction(Symbol);
    if (!Subprogram && F && F->hasFnAttribute(Attribute::NoInline))
      continue; // it was kept; the optimiser removed its calls as dead
    // Without debug information a function whose calls were removed as dead looks the same as an
    // inlined one.
    if (!Called.contains(Symbol) && (!Subprogram || Inside.contains(Subprogram)))
      Result.push_back({Symbol.str(), Subprogram,
                        !mdconst::extract<ConstantInt>(Node->getOperand(2))->isZero()});
  }
  M.eraseNamedMetadata(Noted);
  return Result;
}

} // namespace seamscope
