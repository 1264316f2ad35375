//===- Keep.cpp - kernels and the inliner ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Keep.h"

#include "CallerLoops.h"
#include "Names.h"
#include "Worth.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Named metadata: one node per noted kernel, {symbol, DISubprogram or null, whether shared}.
constexpr StringLiteral Notes = "seamscope.candidates";

/// Attribute of a kernel to keep from being inlined by the main inliner.
constexpr StringLiteral KeepMark = "seamscope-keep";

/// Whether some call of \p F passes constants with which its loops do less than \p MinWork.
bool hasSmallCall(Function &F, unsigned MinWork, FunctionAnalysisManager &FAM) {
  const Worth Work(F, FAM);
  return any_of(F.users(), [&](const User *U) {
    const auto *Call = dyn_cast<CallBase>(U);
    return Call && definedCallee(*Call) == &F && Work.ofLoops(Call) < MinWork;
  });
}

/// Whether \p F comes from a header: a template, or declared inline.
bool isShared(const Function &F) { return F.hasLinkOnceLinkage() || F.hasWeakLinkage(); }

/// Whether the user, or Inductor by its naming, asked for calls of the function.
bool isNamed(Reason Why) {
  return Why == Reason::Annotated || Why == Reason::Listed || Why == Reason::InductorKernel;
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
  std::optional<CallerLoops> Callers;
  const auto IsByName = [&](const Function &F, Reason Why) {
    return Opts.Keep == KeepMode::All || isNamed(Why) || Select.replays(F);
  };
  const auto IsKept = [&](Function &F, Reason Why) {
    if (F.hasFnAttribute(Attribute::AlwaysInline))
      return false;
    if (IsByName(F, Why))
      return true;
    if (Opts.Keep == KeepMode::None)
      return false;
    if (Why == Reason::Parallel)
      return true;
    if (isShared(F) || F.hasFnAttribute(Attribute::InlineHint))
      return false;
    if (!Callers)
      Callers.emplace(M, FAM);
    return !Callers->repeat(F) && !hasSmallCall(F, Opts.MinWork, FAM);
  };
  // Decide for all functions before changing any: the analyses do not see the changes.
  SmallVector<Function *> Kept, Marked, Others;
  for (auto [F, Why] : Kernels) {
    (!IsKept(*F, Why) ? Others : Deferred && !IsByName(*F, Why) ? Marked : Kept).push_back(F);
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

/// Adds the functions of which \p F holds inlined code.
static void addInlined(const Function &F, DenseSet<const DISubprogram *> &Into) {
  for (const Instruction &I : instructions(F))
    for (const DILocation *Loc = I.getDebugLoc().get(); Loc; Loc = Loc->getInlinedAt())
      if (Loc->getInlinedAt())
        Into.insert(Loc->getScope()->getSubprogram());
}

bool holdsNotedKernel(const Function &F) {
  const NamedMDNode *const Noted = F.getParent()->getNamedMetadata(Notes);
  if (!Noted)
    return false;
  DenseSet<const DISubprogram *> Inside;
  addInlined(F, Inside);
  return any_of(Noted->operands(), [&](const MDNode *Node) {
    return Inside.contains(cast_or_null<DISubprogram>(Node->getOperand(1).get()));
  });
}

std::vector<NotedKernel> takeNotedKernels(Module &M) {
  std::vector<NotedKernel> Result;
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
    addInlined(F, Inside);
  }
  for (const MDNode *Node : Noted->operands()) {
    const StringRef Symbol = cast<MDString>(Node->getOperand(0))->getString();
    auto *Subprogram = cast_or_null<DISubprogram>(Node->getOperand(1).get());
    const Function *F = M.getFunction(Symbol);
    // The optimiser may have removed the calls of a kept function as dead. Without debug
    // information a function whose calls were dead looks the same as an inlined one.
    const bool Kept = !Subprogram && F && F->hasFnAttribute(Attribute::NoInline);
    Result.push_back(
        {Symbol.str(), Subprogram, !mdconst::extract<ConstantInt>(Node->getOperand(2))->isZero(),
         !Kept && !Called.contains(Symbol) && (!Subprogram || Inside.contains(Subprogram))});
  }
  M.eraseNamedMetadata(Noted);
  return Result;
}

} // namespace seamscope
