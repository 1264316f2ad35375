//===- Snapshot.cpp - kernels as they are before the inliner -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "replay/Snapshot.h"

#include "Conventions.h"
#include "Hookable.h"
#include "OpenMP.h"
#include "replay/Invoker.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/StripDeadPrototypes.h"
#include "llvm/Transforms/IPO/StripSymbols.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Named metadata: options of the compiler; {name, signature, entry, problem} of each root; {name,
/// what it is} of each variable, and of each function that a pointer may have.
constexpr StringLiteral OptionsNote = "seamscope.replay.options",
                        RootNote = "seamscope.replay.roots", DataNote = "seamscope.replay.data";
/// What a name of DataNote is.
constexpr StringLiteral Declared = "0", Defined = "1", OfFunction = "2";
constexpr StringLiteral CodeName = "seamscope.replay.code";

/// Everything that \p From refers to, itself included.
SetVector<GlobalValue *> reachable(ArrayRef<Function *> From) {
  SetVector<GlobalValue *> Found;
  SmallPtrSet<const Constant *, 32> Seen;
  SmallVector<Constant *> Constants;
  const auto Add = [&](Value *V) {
    if (auto *C = dyn_cast_or_null<Constant>(V); C && Seen.insert(C).second)
      Constants.push_back(C);
  };
  for (Function *Each : From)
    Add(Each);
  while (!Constants.empty()) {
    Constant *C = Constants.pop_back_val();
    if (auto *G = dyn_cast<GlobalValue>(C))
      Found.insert(G);
    for (Value *Operand : C->operands()) // an initialiser, an aliasee, a personality
      Add(Operand);
    if (auto *F = dyn_cast<Function>(C))
      for (Instruction &I : instructions(F))
        for (Value *Operand : I.operands())
          Add(Operand);
  }
  return Found;
}

/// Whether the functions of \p Reached call others through pointers.
bool callsPointers(const SetVector<GlobalValue *> &Reached) {
  return any_of(Reached, [](GlobalValue *G) {
    auto *F = dyn_cast<Function>(G);
    return F && any_of(instructions(*F), [](const Instruction &I) {
             const auto *Call = dyn_cast<CallBase>(&I);
             return Call && Call->isIndirectCall();
           });
  });
}

/// Functions that such a pointer may have: their addresses are in memory, or will be.
SmallVector<Function *> pointedTo(Module &M) {
  SmallVector<Function *> Found;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
        F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/true, /*IgnoreAssumeLikeCalls=*/true,
                          /*IgnoreLLVMUsed=*/true))
      Found.push_back(&F);
  return Found;
}

/// Why code with \p Reached cannot run alone; empty: it can.
std::string problemOf(const SetVector<GlobalValue *> &Reached) {
  // libomp finds locks by their numbers, in a table of the process.
  constexpr StringLiteral Locks[] = {"omp_set_lock", "omp_set_nest_lock", "omp_test_lock",
                                     "omp_test_nest_lock"};
  for (const GlobalValue *G : Reached) {
    if (G->isThreadLocal())
      return ("it uses '" + G->getName() + "', of which each thread has a copy").str();
    if (is_contained(Locks, G->getName()))
      return ("it uses locks of OpenMP (" + G->getName() + ")").str();
  }
  return {};
}

/// Whether a function is a kernel, or may be one once it is optimised: then it may have loops that
/// are worth a hook.
bool mayBeKernel(const Verdict &Now) {
  return Now.Kernel || is_contained({Reason::TooSmall, Reason::NoLoop, Reason::NoMemory}, Now.Why);
}

std::vector<ReplayRoot> rootsOf(Module &M, const Selector &Select, FunctionAnalysisManager &FAM) {
  std::vector<ReplayRoot> Roots;
  const ForkGraph Forks(M);
  for (Function &F : M) {
    if (F.isDeclaration() || !Select.replays(F))
      continue;
    if (mayBeKernel(Select.judge(F, FAM))) {
      if (!F.isVarArg())
        Roots.push_back({&F, nullptr});
    } else if (isProgramEntry(F.getName()) && !whyNotHookable(F)) {
      for (const ForkSite &Fork : Forks.forks())
        if (Fork.Call->getFunction() == &F && Fork.isPlain())
          Roots.push_back({&F, cast<CallInst>(Fork.Call)});
    }
  }
  return Roots;
}

/// Options of the compiler that choose the processor, each behind a blank: clang writes it into
/// each function, but code that another compiler wrote gets it from the command alone.
std::string targetOptions(const std::vector<ReplayRoot> &Roots) {
  if (all_of(Roots, [](const ReplayRoot &R) { return R.F->hasFnAttribute("target-cpu"); }))
    return {};
  auto Command = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!Command)
    return {};
  SmallVector<StringRef> Words;
  (*Command)->getBuffer().split(Words, '\0');
  std::string Found;
  for (StringRef Word : Words)
    if (Word.starts_with("-march=") || Word.starts_with("-mcpu=") || Word.starts_with("-mtune="))
      Found += " " + Word.str();
  return Found;
}

/// Variables are those of the program: a definition here is only for one that the program lost.
void openData(GlobalVariable &G) {
  G.setComdat(nullptr);
  if (!G.isDeclaration()) {
    G.setLinkage(GlobalValue::WeakAnyLinkage);
    G.setSection("");
  }
  G.setVisibility(GlobalValue::DefaultVisibility);
  G.setDSOLocal(false); // it may be far away
}

MDNode *textNode(LLVMContext &C, ArrayRef<StringRef> Texts) {
  SmallVector<Metadata *> Operands;
  for (StringRef Text : Texts)
    Operands.push_back(MDString::get(C, Text));
  return MDNode::get(C, Operands);
}

StringRef textIn(const MDNode &Node, unsigned Operand) {
  return cast<MDString>(Node.getOperand(Operand))->getString();
}

} // namespace

void takeSnapshot(Module &M, const Selector &Select, StringRef Level, ModuleAnalysisManager &MAM) {
  if (M.getNamedMetadata(RootNote)) // a second pipeline over the module
    return;
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  const std::vector<ReplayRoot> Roots = rootsOf(M, Select, FAM);
  if (Roots.empty())
    return;
  LLVMContext &C = M.getContext();
  NamedMDNode *Notes = M.getOrInsertNamedMetadata(RootNote);
  SetVector<GlobalValue *> Needed;
  SmallVector<Function *> Invokers;
  for (const ReplayRoot &Root : Roots) {
    const std::string Name = "seamscope_replay_" + std::to_string(Invokers.size());
    Function *Invoker = makeInvoker(M, Root, Name, GlobalValue::ExternalLinkage, true);
    Invokers.push_back(Invoker);
    const SetVector<GlobalValue *> Reached = reachable(Invoker);
    Needed.insert(Reached.begin(), Reached.end());
    Notes->addOperand(
        textNode(C, {Root.name(), Root.signature(), Name, StringRef(problemOf(Reached))}));
  }
  SmallVector<Function *> Pointed;
  if (callsPointers(Needed))
    Pointed = pointedTo(M);
  const SetVector<GlobalValue *> ByPointers = reachable(Pointed);
  Needed.insert(ByPointers.begin(), ByPointers.end());
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Clone = CloneModule(
      M, Map, [&](const GlobalValue *G) { return Needed.contains(const_cast<GlobalValue *>(G)); });
  NamedMDNode *Data = M.getOrInsertNamedMetadata(DataNote);
  for (GlobalVariable &G : make_early_inc_range(Clone->globals()))
    if (G.getName().starts_with("llvm.")) // tables of the module
      G.eraseFromParent();
  for (GlobalVariable &G : make_early_inc_range(Clone->globals())) {
    G.removeDeadConstantUsers();
    if (G.use_empty() && G.isDeclaration()) {
      G.eraseFromParent();
    } else if (G.isConstant() && !G.isDeclaration()) {
      G.setComdat(nullptr);
    } else if (G.isDeclaration() && G.getName().starts_with("__")) {
      continue; // of the linker or the system, such as __dso_handle
    } else if (!G.isThreadLocal() && G.hasName()) {
      Data->addOperand(textNode(C, {G.getName(), G.isDeclaration() ? Declared : Defined}));
      openData(G);
    }
  }
  for (Function &F : *Clone)
    F.setComdat(nullptr);
  for (Function *Of : Pointed) {
    auto *F = cast<Function>(Map[Of]);
    if (F->hasLocalLinkage()) {
      F->setLinkage(GlobalValue::ExternalLinkage);
      F->setVisibility(GlobalValue::HiddenVisibility);
    }
    Data->addOperand(textNode(C, {F->getName(), OfFunction}));
  }
  for (Function *Invoker : Invokers)
    Invoker->eraseFromParent();
  stripNonLineTableDebugInfo(*Clone);
  StripDeadDebugInfoPass().run(*Clone, MAM);
  StripDeadPrototypesPass().run(*Clone, MAM);
  M.getOrInsertNamedMetadata(OptionsNote)
      ->addOperand(textNode(C, {Level.str() + targetOptions(Roots)}));
  std::string Text;
  raw_string_ostream OS(Text);
  Clone->print(OS, nullptr);
  Constant *Init = ConstantDataArray::getString(C, Text);
  auto *Code = new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, Init, CodeName);
  Code->setAlignment(Align(1));
  appendToCompilerUsed(M, {Code});
}

Snapshot takeNotes(Module &M) {
  Snapshot Result;
  NamedMDNode *Roots = M.getNamedMetadata(RootNote), *Options = M.getNamedMetadata(OptionsNote),
              *Data = M.getNamedMetadata(DataNote);
  if (!Roots || !Options || !Data)
    return Result;
  Result.Code = M.getGlobalVariable(CodeName, /*AllowInternal=*/true);
  Result.Options = textIn(*Options->getOperand(0), 0).str();
  for (const MDNode *Node : Roots->operands())
    Result.Entries[textIn(*Node, 0)] = {textIn(*Node, 1).str(), textIn(*Node, 2).str(),
                                        textIn(*Node, 3).str()};
  for (const MDNode *Node : Data->operands())
    Result.Data.emplace_back(textIn(*Node, 0).str(), textIn(*Node, 1)[0] - '0');
  for (NamedMDNode *Each : {Roots, Options, Data})
    M.eraseNamedMetadata(Each);
  return Result;
}

} // namespace seamscope
