//===- OpenMP.cpp - parallel regions of a module ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma omp parallel` becomes a function of its own, the body, and a call
// __kmpc_fork_call(location, argument count, body, arguments...). The body is found through the
// call: clang names it `<kernel>.omp_outlined`, OMPIRBuilder (of flang and MLIR)
// `<kernel>..omp_par`.
//
//===----------------------------------------------------------------------===//
#include "OpenMP.h"

#include "Conventions.h"
#include "Names.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace seamscope {

static constexpr StringLiteral ForkNames[] = {"__kmpc_fork_call", "__kmpc_fork_call_if",
                                              "__kmpc_fork_teams"};

/// Field \p Number of the ident_t that is the call's first argument, or null.
static const Constant *identField(const CallBase &Call, unsigned Number) {
  const auto *Ident = Call.arg_size()
                          ? dyn_cast<GlobalVariable>(Call.getArgOperand(0)->stripPointerCasts())
                          : nullptr;
  const auto *Fields = Ident && Ident->hasInitializer()
                           ? dyn_cast<ConstantStruct>(Ident->getInitializer())
                           : nullptr;
  return Fields && Fields->getNumOperands() > Number ? Fields->getOperand(Number) : nullptr;
}

uint64_t identFlags(const CallBase &Call) {
  const auto *Flags = dyn_cast_or_null<ConstantInt>(identField(Call, 1));
  return Flags ? Flags->getZExtValue() : 0;
}

std::pair<unsigned, unsigned> directivePlace(const CallBase &Call) {
  const Constant *Field = identField(Call, 4);
  const auto *Global = Field ? dyn_cast<GlobalVariable>(Field->stripPointerCasts()) : nullptr;
  const auto *Data = Global && Global->hasInitializer()
                         ? dyn_cast<ConstantDataSequential>(Global->getInitializer())
                         : nullptr;
  if (!Data || !Data->isCString())
    return {};
  StringRef Text = Data->getAsCString();
  unsigned Line = 0, Column = 0;
  if (!Text.consume_back(";;"))
    return {};
  const auto [Rest, ColumnText] = Text.rsplit(';');
  if (Rest.rsplit(';').second.getAsInteger(10, Line) || ColumnText.getAsInteger(10, Column))
    return {};
  return {Line, Column};
}

/// The function that \p Call makes a team of threads run, or null if it is not a fork or the body
/// is not defined here.
static Function *forkBody(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !is_contained(ForkNames, Callee->getName()) || Call.arg_size() < 3)
    return nullptr;
  auto *Body = dyn_cast<Function>(Call.getArgOperand(2)->stripPointerCastsAndAliases());
  return Body && !Body->isDeclaration() ? Body : nullptr;
}

bool ForkSite::startsLeague() const {
  return Call->getCalledFunction()->getName() == "__kmpc_fork_teams";
}

bool ForkSite::isPlain() const {
  return isa<CallInst>(Call) && Call->getCalledFunction()->getName() == "__kmpc_fork_call";
}

bool hasFork(const Function &F) {
  return any_of(ForkNames, [&](StringRef Name) {
    const Function *Callee = F.getParent()->getFunction(Name);
    return Callee && any_of(Callee->users(), [&](const User *U) {
             const auto *Call = dyn_cast<CallBase>(U);
             return Call && Call->getFunction() == &F && forkBody(*Call);
           });
  });
}

ForkGraph::ForkGraph(const Module &M) {
  SmallPtrSet<const Function *, 8> Callers;
  for (StringRef Name : ForkNames)
    if (const Function *Callee = M.getFunction(Name))
      for (const User *U : Callee->users())
        if (const auto *Call = dyn_cast<CallBase>(U))
          Callers.insert(Call->getFunction());
  if (Callers.empty())
    return;
  for (const Function &F : M)
    if (Callers.contains(&F))
      for (const Instruction &I : instructions(F))
        if (const auto *Call = dyn_cast<CallBase>(&I))
          if (Function *Body = forkBody(*Call)) {
            FirstFork.try_emplace(Body, Forks.size());
            Forks.push_back({const_cast<CallBase *>(Call), Body});
          }
}

/// The function that the code of \p Fork was inlined from, or an empty string. Debug information
/// has it; line tables alone lack symbols, so the body's name is used.
static std::string inlinedFrom(const ForkSite &Fork) {
  const StringRef Body = Fork.Body->getName();
  const StringRef ByName = withoutOutlinedSuffix(Body);
  const DILocation *Loc = Fork.Call->getDebugLoc().get();
  if (Loc && !Loc->getInlinedAt())
    return {};
  if (Loc) {
    const DISubprogram *From = Loc->getScope()->getSubprogram();
    if (!From->getLinkageName().empty())
      return withoutOutlinedSuffix(From->getLinkageName()).str();
    if (ByName == Body)
      return withoutOutlinedSuffix(From->getName()).str();
  }
  return ByName == Body ? std::string() : kernelSymbol(ByName).str();
}

const ForkSite &ForkGraph::outermost(const ForkSite &First) const {
  SmallPtrSet<const Function *, 4> Seen;
  const ForkSite *Fork = &First;
  while (inlinedFrom(*Fork).empty()) {
    const Function &Caller = *Fork->Call->getFunction();
    const auto Around = FirstFork.find(&Caller);
    if (Around == FirstFork.end() || !Seen.insert(&Caller).second)
      break;
    Fork = &Forks[Around->second];
  }
  return *Fork;
}

std::string ForkGraph::origin(const ForkSite &First) const {
  const ForkSite &Fork = outermost(First);
  std::string Symbol = inlinedFrom(Fork);
  return Symbol.empty() ? kernelSymbol(Fork.Call->getFunction()->getName()).str() : Symbol;
}

} // namespace seamscope
