//===- Select.cpp - which functions are kernels ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Select.h"

#include "CallerLoops.h"
#include "Compat.h"
#include "Conventions.h"
#include "Hookable.h"
#include "Messages.h"
#include "Names.h"
#include "OpenMP.h"
#include "Worth.h"
#include "groups/GroupMarkers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/SpecialCaseList.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Whether an instruction is the work that makes a loop worth timing.
bool isWork(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return !isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand()));
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return !isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()));
  if (isa<MemIntrinsic>(I))
    return true;
  return I.getType()->isFPOrFPVectorTy() && (I.isBinaryOp() || isa<FPMathOperator>(I));
}

Expected<std::vector<GlobPattern>> compileGlobs(const std::vector<std::string> &Texts,
                                                StringRef Option) {
  std::vector<GlobPattern> Globs;
  for (const std::string &Text : Texts) {
    Expected<GlobPattern> Glob = GlobPattern::create(Text, /*MaxSubPatterns=*/1024);
    if (!Glob)
      return createStringError(inconvertibleErrorCode(), "option '" + Option + "': bad glob '" +
                                                             Text +
                                                             "': " + toString(Glob.takeError()));
    Globs.push_back(std::move(*Glob));
  }
  return Globs;
}

Expected<std::unique_ptr<SpecialCaseList>> readList(const std::vector<std::string> &Files,
                                                    StringRef Option) {
  if (Files.empty())
    return nullptr;
  std::string Message;
  auto List = SpecialCaseList::create(Files, *vfs::getRealFileSystem(), Message);
  if (!List)
    return createStringError(inconvertibleErrorCode(), "option '" + Option + "': " + Message);
  return List;
}

/// The string behind one field of an llvm.global.annotations entry.
std::optional<StringRef> annotationText(const ConstantStruct &Entry) {
  const auto *Global = dyn_cast<GlobalVariable>(Entry.getOperand(1)->stripPointerCasts());
  if (!Global || !Global->hasInitializer())
    return std::nullopt;
  const auto *Data = dyn_cast<ConstantDataArray>(Global->getInitializer());
  if (!Data || !Data->isCString())
    return std::nullopt;
  return Data->getAsCString();
}

} // namespace

DenseMap<const Function *, Annotations> readAnnotations(const Module &M) {
  DenseMap<const Function *, Annotations> Result;
  const GlobalVariable *Table = M.getGlobalVariable("llvm.global.annotations");
  if (!Table || !Table->hasInitializer())
    return Result;
  const auto *Array = dyn_cast<ConstantArray>(Table->getInitializer());
  if (!Array)
    return Result;
  for (const Use &Operand : Array->operands()) {
    const auto *Entry = dyn_cast<ConstantStruct>(Operand);
    if (!Entry || Entry->getNumOperands() < 2)
      continue;
    const auto *F = dyn_cast<Function>(Entry->getOperand(0)->stripPointerCasts());
    std::optional<StringRef> Text = annotationText(*Entry);
    if (!F || !Text || !Text->consume_front("seamscope."))
      continue;
    Annotations &A = Result[F];
    if (*Text == "off") {
      A.Off = true;
    } else if (*Text == "kernel") {
      A.Kernel = true;
    } else if (Text->consume_front("ops=")) {
      A.Kernel = true;
      A.Ops = Text->str();
    } else if (Text->consume_front("name=")) {
      A.Kernel = true;
      A.Name = Text->str();
    } else {
      const std::string Message =
          ("seamscope: unknown annotation 'seamscope." + *Text + "' on '" + F->getName() +
           "'; known annotations: seamscope.kernel, seamscope.off, seamscope.ops=A,B and "
           "seamscope.name=X")
              .str();
      compat::warn(M.getContext(), Message);
    }
  }
  return Result;
}

struct Selector::State {
  State(const Options &Opts, const Module &M) : Opts(Opts), Forks(M) {
    for (const MessageCall &Message : messageCalls(M))
      Communicating.insert(Message.Call->getFunction());
  }

  const Options &Opts;
  ForkGraph Forks;
  DenseSet<const Function *> Communicating;
  std::vector<GlobPattern> Kernels, Exclude, Replay;
  std::unique_ptr<SpecialCaseList> Allow, Deny;
  DenseMap<const Function *, Annotations> Marks;
  std::optional<CallerLoops> Callers; ///< made when a decision depends on it
  bool InductorModule = false;
  bool InductorWrapper = false;

  static bool matches(const std::vector<GlobPattern> &Globs, const Function &F) {
    return !Globs.empty() && matches(Globs, F.getName(), displayName(F));
  }

  static bool matches(const std::vector<GlobPattern> &Globs, StringRef Symbol, StringRef Shown) {
    return any_of(Globs,
                  [&](const GlobPattern &Glob) { return Glob.match(Symbol) || Glob.match(Shown); });
  }

  static bool matches(const SpecialCaseList *List, const Function &F) {
    if (!List)
      return false;
    StringRef File = F.getParent()->getSourceFileName();
    if (const DISubprogram *SP = F.getSubprogram())
      File = SP->getFilename();
    return List->inSection("", "fun", F.getName()) || List->inSection("", "fun", displayName(F)) ||
           List->inSection("", "src", File) ||
           List->inSection("", "src", F.getParent()->getSourceFileName());
  }
};

Selector::Selector(std::unique_ptr<State> S) : S(std::move(S)) {}
Selector::Selector(Selector &&) = default;
Selector::~Selector() = default;

Expected<Selector> Selector::create(const Options &Opts, const Module &M) {
  auto S = std::make_unique<State>(Opts, M);
  auto Kernels = compileGlobs(Opts.Kernels, "kernels");
  if (!Kernels)
    return Kernels.takeError();
  S->Kernels = std::move(*Kernels);
  auto Exclude = compileGlobs(Opts.Exclude, "exclude");
  if (!Exclude)
    return Exclude.takeError();
  S->Exclude = std::move(*Exclude);
  auto Replay = compileGlobs(Opts.Replay, "replay");
  if (!Replay)
    return Replay.takeError();
  S->Replay = std::move(*Replay);
  auto Allow = readList(Opts.AllowList, "allow-list");
  if (!Allow)
    return Allow.takeError();
  S->Allow = std::move(*Allow);
  auto Deny = readList(Opts.DenyList, "deny-list");
  if (!Deny)
    return Deny.takeError();
  S->Deny = std::move(*Deny);
  S->Marks = readAnnotations(M);
  S->InductorModule = isInductorModule(M);
  S->InductorWrapper = isInductorWrapper(M);
  return Selector(std::move(S));
}

const Annotations &Selector::annotations(const Function &F) const {
  static const Annotations None;
  auto It = S->Marks.find(&F);
  return It == S->Marks.end() ? None : It->second;
}

bool Selector::names(StringRef Symbol, StringRef Shown) const {
  return State::matches(S->Kernels, Symbol, Shown);
}

bool Selector::excludes(StringRef Symbol, StringRef Shown) const {
  return State::matches(S->Exclude, Symbol, Shown);
}

bool Selector::replays(const Function &F) const { return State::matches(S->Replay, F); }

bool Selector::isExcluded(const Function &F) const {
  return annotations(F).Off || State::matches(S->Exclude, F) || State::matches(S->Deny.get(), F) ||
         (S->Allow && !State::matches(S->Allow.get(), F));
}

std::optional<Verdict> Selector::asked(const Function &F) const {
  const Annotations &Marks = annotations(F);
  if (Marks.Off)
    return Verdict{false, Reason::AnnotatedOff};
  if (isExcluded(F))
    return Verdict{false, Reason::Excluded};
  if (Marks.Kernel)
    return Verdict{true, Reason::Annotated};
  if (State::matches(S->Kernels, F))
    return Verdict{true, Reason::Listed};
  if (!S->Kernels.empty() || S->Opts.Select == "marked")
    return Verdict{false, Reason::NotListed};
  return std::nullopt;
}

Verdict Selector::judge(Function &F, FunctionAnalysisManager &FAM) const {
  const auto No = [](Reason R) { return Verdict{false, R}; };
  const auto Yes = [](Reason R) { return Verdict{true, R}; };
  StringRef Name = F.getName();

  // Functions that cannot be instrumented, whoever asks.
  if (const std::optional<Reason> Why = whyNotHookable(F))
    return No(*Why);
  if (isInductorProbe(Name))
    return No(Reason::InductorProbe);
  if (S->Forks.isBody(F) || isOutlinedSymbol(Name))
    return No(Reason::OutlinedBody);

  if (const std::optional<Verdict> Asked = asked(F))
    return *Asked;

  // Functions that are kernels only if the user names them.
  const std::string Shown = displayName(F);
  if (isOpenMPHelper(Name))
    return No(Reason::OpenMPHelper);
  if (isStartupCode(F))
    return No(Reason::StartupCode);
  if (S->InductorModule || isInductorName(Name))
    return Name == "kernel" || isInductorName(Name) ? Yes(Reason::InductorKernel)
                                                    : No(Reason::InductorHelper);
  // A call of one of them contains the time of all kernels that it calls.
  if (S->InductorWrapper || isInductorRuntime(Shown))
    return No(Reason::InductorHelper);
  if (isProgramEntry(Name))
    return No(Reason::ProgramEntry);
  if (S->Opts.Select == "all")
    return Yes(Reason::All);
  if (isStandardLibrary(Shown))
    return No(Reason::StandardLibrary);

  if (hasGroups(F))
    return No(Reason::Grouped);

  // Otherwise the code decides.
  if (hasFork(F))
    return Yes(Reason::Parallel);
  if (S->Communicating.contains(&F))
    return Yes(Reason::Messages);
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return No(Reason::NoLoop);
  const bool Works = any_of(LI, [](const Loop *L) {
    return any_of(L->blocks(), [](const BasicBlock *BB) {
      return any_of(*BB, [](const Instruction &I) { return isWork(I); });
    });
  });
  if (!Works)
    return No(Reason::NoMemory);
  if (!S->Callers)
    S->Callers.emplace(*F.getParent(), FAM);
  if (!isWorthHooks(F, S->Opts.MinWork, *S->Callers, FAM))
    return No(Reason::TooSmall);
  return Yes(Reason::Loops);
}

} // namespace seamscope
