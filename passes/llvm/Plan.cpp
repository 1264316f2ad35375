//===- Plan.cpp - what to instrument, as plain data ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Plan.h"

#include "Conventions.h"
#include "Hookable.h"
#include "Keep.h"
#include "Names.h"
#include "OpenMP.h"
#include "SitePlan.h"
#include "UserPlace.h"
#include "work/CountedHelpers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace seamscope {
namespace {

/// Makes the plan of one module.
class Planner {
public:
  Planner(Module &M, const Selector &Select, const Options &Opts, FunctionAnalysisManager &FAM)
      : M(M), Select(Select), Opts(Opts), FAM(FAM), Forks(M), Messages(messageCalls(M)) {}

  Plan run() {
    if (!isSupportedTarget(M)) {
      for (Function &F : M)
        if (!F.isDeclaration())
          Result.Skipped.push_back({&F, Reason::UnsupportedTarget});
      return std::move(Result);
    }
    Result.Groups = planGroups(M);
    for (Function &F : M)
      if (!F.isDeclaration() && !isCopyToCount(F)) {
        planFunction(F);
        Functions.try_emplace(kernelSymbol(F.getName()), &F);
      }
    if (Opts.Regions)
      for (const ForkSite &Fork : Forks.forks())
        planFork(Fork);
    planMessages();
    Result.Launches = planLaunches(M, Select, Opts);
    const std::vector<NotedKernel> Noted = takeNotedKernels(M);
    planAllLoops(Noted);
    planInlined(Noted);
    if (Opts.Regions && Opts.Waits)
      planAllWaits();
    planAllReplays();
    // Bodies that are timed are not skipped.
    erase_if(Result.Skipped, [&](const SkipPlan &S) { return Bodies.contains(S.F); });
    return std::move(Result);
  }

private:
  void planAllReplays() {
    std::vector<std::pair<ReplayRoot, std::string>> Kernels;
    for (const KernelPlan &Kernel : Result.Kernels)
      Kernels.push_back({{Kernel.F, nullptr}, Kernel.Site.Name});
    for (const CallPlan &Call : Result.Calls)
      if (!Call.isMessage() && ForkSite{Call.Call, nullptr}.isPlain())
        Kernels.push_back({{Call.Call->getFunction(), cast<CallInst>(Call.Call)}, Call.Site.Name});
    Result.Replays = planReplays(M, Kernels);
  }

  void planFunction(Function &F) {
    const Verdict V = Select.judge(F, FAM);
    if (!V.Kernel) {
      Result.Skipped.push_back({&F, V.Why});
      return;
    }
    SitePlan Site = kernelSite(F, Select, Opts);
    if (Site.Name == displayName(F))
      if (const std::optional<LibraryKernel> OfLibrary = libraryKernel(F)) {
        Site.Name = Site.Kernel = OfLibrary->Name;
        Site.File = OfLibrary->Source.File;
        Site.Line = OfLibrary->Source.Line;
      }
    Chosen[&F] = kernelOf(Site);
    Result.Kernels.push_back({&F, V.Why, std::move(Site)});
  }

  /// Names the kernels whose time is only in that of their callers. A library of templates has
  /// hundreds of them: only the first from headers get an entry, and one more counts the others.
  void planInlined(const std::vector<NotedKernel> &Noted) {
    constexpr size_t MostShared = 32;
    size_t Shared = 0;
    StringSet<> Forking; // kernels that are timed by their forks
    for (const RegionPlan &Region : Result.Regions)
      Forking.insert(Region.Site.Kernel);
    for (const NotedKernel &K : Noted) {
      if (!K.Inlined || (Result.Loops.Inside.contains(K.Subprogram) &&
                         !Result.Loops.Untimed.contains(K.Subprogram)))
        continue;
      KernelPlan *Timed = nullptr; // still called from other files
      for (KernelPlan &Kernel : Result.Kernels)
        if (Kernel.F->getName() == K.Symbol)
          Timed = &Kernel;
      if (Timed && !K.Shared) {
        Timed->Site.Flags |= SEAMSCOPE_SITE_INLINED;
        continue;
      }
      const std::string Name = shownName(K.Symbol, M, Select, Opts);
      if (Forking.contains(Name) || (K.Shared && ++Shared > MostShared))
        continue;
      SitePlan Site = makeKernel(Name, K.Symbol, sourceOf(K.Subprogram, M));
      Site.Flags = SEAMSCOPE_SITE_INLINED;
      Result.Inlined.push_back({std::move(Site), K.Shared, K.Subprogram});
    }
    if (Shared > MostShared) {
      SitePlan Site = makeKernel("", "", {M.getSourceFileName(), 0, 0});
      Site.Flags = SEAMSCOPE_SITE_INLINED | SEAMSCOPE_SITE_COUNT;
      Site.Line = static_cast<uint32_t>(Shared - MostShared);
      Result.Inlined.push_back({std::move(Site), false, nullptr});
    }
  }

  /// The forks in each function that were inlined there, each moved into a block of its own.
  DenseMap<const Function *, SmallVector<InlinedFork, 2>> isolateInlinedForks() {
    DenseMap<const Function *, SmallVector<InlinedFork, 2>> Inlined;
    for (const CallPlan &Fork : Result.Calls) {
      const DILocation *Loc = Fork.Call->getDebugLoc().get();
      if (Fork.isMessage() || !Loc || !Loc->getInlinedAt())
        continue;
      SplitBlock(Fork.Call->getParent(), Fork.Call->getIterator());
      SplitBlock(Fork.Call->getParent(), Fork.Call->getNextNode()->getIterator());
      FAM.invalidate(*Fork.Call->getFunction(), PreservedAnalyses::none());
      Inlined[Fork.Call->getFunction()].push_back({Fork.Call, &Fork.Site});
    }
    return Inlined;
  }

  void planAllLoops(const std::vector<NotedKernel> &Noted) {
    const auto InlinedForks = isolateInlinedForks();
    const bool Any = Opts.Loops != "off";
    const auto ForksIn = [&](const Function &F) -> ArrayRef<InlinedFork> {
      const auto Found = InlinedForks.find(&F);
      return Found == InlinedForks.end() ? ArrayRef<InlinedFork>() : Found->second;
    };
    for (const KernelPlan &Kernel : Result.Kernels)
      if (const ArrayRef<InlinedFork> Inlined = ForksIn(*Kernel.F); Any || !Inlined.empty())
        planLoops(*Kernel.F, kernelOf(Kernel.Site), Kernel.Why == Reason::Loops, Inlined, Select,
                  Opts, FAM, Result.Loops);
    NotedBySubprogram BySubprogram;
    for (const NotedKernel &Kernel : Noted)
      if (Kernel.Subprogram)
        BySubprogram[Kernel.Subprogram] = &Kernel;
    for (const SkipPlan &Skip : Result.Skipped)
      if (const ArrayRef<InlinedFork> Inlined = ForksIn(*Skip.F);
          !Inlined.empty() || (Any && !BySubprogram.empty() && holdsCallsOfUser(Skip.Why)))
        planInlinedCalls(*Skip.F, BySubprogram, Inlined, Select, Opts, FAM, Result.Loops);
    erase_if(Result.Calls,
             [&](const CallPlan &Fork) { return Result.Loops.JoinedForks.contains(Fork.Call); });
    nameForksApart();
    if (Any)
      for (const RegionPlan &Region : Result.Regions)
        planLoops(*Region.Body, kernelOf(Region.Site), false, {}, Select, Opts, FAM, Result.Loops);
  }

  /// Forks of one kernel in one function that are timed one by one would count as so many calls of
  /// it: they get the names of their regions.
  void nameForksApart() {
    DenseMap<const Function *, RegionPlan *> RegionOfBody;
    for (RegionPlan &Region : Result.Regions)
      RegionOfBody[Region.Body] = &Region;
    DenseMap<const CallBase *, RegionPlan *> RegionOf;
    for (const ForkSite &Fork : Forks.forks())
      if (RegionPlan *Region = RegionOfBody.lookup(Fork.Body))
        RegionOf[Fork.Call] = Region;
    std::map<std::tuple<const Function *, const DILocation *, std::string>,
             SmallVector<CallPlan *, 1>>
        Forking;
    for (CallPlan &Fork : Result.Calls) {
      const DILocation *Loc = Fork.Call->getDebugLoc().get();
      if (RegionOf.contains(Fork.Call))
        Forking[{Fork.Call->getFunction(), Loc ? Loc->getInlinedAt() : nullptr, Fork.Site.Name}]
            .push_back(&Fork);
    }
    for (const auto &[Key, Of] : Forking)
      if (any_of(Of, [&](const CallPlan *Fork) {
            return RegionOf[Fork->Call] != RegionOf[Of.front()->Call];
          }))
        for (CallPlan *Fork : Of) {
          SitePlan &Region = RegionOf[Fork->Call]->Site;
          Fork->Site.Name = Fork->Site.Kernel = Region.Kernel = Region.Name;
        }
  }

  /// Whether kernels that were inlined into a function which is skipped for this reason are timed
  /// there.
  static bool holdsCallsOfUser(Reason Why) {
    return Why == Reason::ProgramEntry || Why == Reason::StartupCode ||
           Why == Reason::StandardLibrary || Why == Reason::TooSmall || Why == Reason::NoMemory;
  }

  /// Plans the waits in regions, in kernels, and in other functions that a region may call.
  void planAllWaits() {
    DenseMap<const Function *, KernelRef> Known;
    for (const KernelPlan &Kernel : Result.Kernels)
      Known[Kernel.F] = kernelOf(Kernel.Site);
    for (const RegionPlan &Region : Result.Regions)
      Known[Region.Body] = kernelOf(Region.Site);
    SmallVector<TeamStart> Teams;
    for (const ForkSite &Fork : Forks.forks())
      if (const auto Found = Known.find(Fork.Body); Found != Known.end())
        if (auto *Call = dyn_cast<CallInst>(Fork.Call))
          Teams.push_back({Call, Fork.Body, Found->second, Fork.startsLeague()});
    DenseMap<const CallBase *, KernelRef> KernelOfCall;
    for (const CallPlan &Own : Result.Calls)
      KernelOfCall[Own.Call] = kernelOf(Own.Site);
    const auto KernelOf = [&](const Function &F) -> std::optional<KernelRef> {
      if (const auto Found = Known.find(&F); Found != Known.end())
        return Found->second;
      if (isOutlinedSymbol(F.getName())) {
        // With -g and without inlining, a body only calls the function that has its code.
        for (const User *Use : F.users())
          if (const auto *Call = dyn_cast<CallBase>(Use);
              Call && Known.contains(Call->getFunction()))
            return Known.lookup(Call->getFunction());
        return std::nullopt;
      }
      if (!wanted(&F, F))
        return std::nullopt;
      const SourcePoint Source = sourceOf(F);
      return KernelRef{shownName(kernelSymbol(F.getName()), M, Select, Opts), Source.File,
                       Source.Line};
    };
    Result.Waits = planWaits(M, Teams, Messages, KernelOfCall, KernelOf);
    for (const TaskPlan &Task : Result.Waits.Tasks)
      Bodies.insert(Task.Body);
  }

  void planFork(const ForkSite &Fork) {
    Function &Body = *Fork.Body;
    Function &Caller = *Fork.Call->getFunction();
    const std::string Symbol = Forks.origin(Fork);
    const Function *Kernel = Functions.lookup(Symbol);
    const std::optional<Reason> NoRegion = whyNotHookable(Body);
    if (!wanted(Kernel, Caller) || NoRegion == Reason::AlreadyInstrumented)
      return;
    const GroupPlan *Group =
        Result.Groups.empty()
            ? nullptr
            : groupAround(Result.Groups, *Fork.Call, FAM.getResult<DominatorTreeAnalysis>(Caller));
    const SourcePoint Source = sourceOf(*Fork.Call, Body);
    const auto [Name, Place] =
        Group ? std::pair(Group->Site.Name, Source) : kernelOfFork(Fork, Symbol, Kernel, Source);
    const auto Known = Chosen.find(Kernel);
    KernelRef Of = Group                   ? kernelOf(Group->Site)
                   : Known != Chosen.end() ? Known->second
                                           : KernelRef{Name, Place.File, Place.Line};
    Of.Name = Name;
    if (!NoRegion && Bodies.insert(&Body).second)
      Result.Regions.push_back(
          {&Body,
           makeSite(SEAMSCOPE_SITE_REGION, regionName(Name, Fork.startsLeague(), Source),
                    Body.getName(), Of, Source),
           Fork.startsLeague()});
    // The thread that starts the team is timed too: by its kernel, by the region around a nested
    // fork, or else by the fork itself.
    const bool Covered = Group || (Kernel == &Caller && Chosen.contains(&Caller)) ||
                         Bodies.contains(&Caller) || isOutlinedSymbol(Caller.getName());
    auto *Call = dyn_cast<CallInst>(Fork.Call);
    if (!Covered && Call && !whyNotHookable(Caller))
      Result.Calls.push_back({Call, makeKernel(Name, Symbol, Place), ("." + Body.getName()).str()});
  }

  /// Messages of kernels are waits of these (planAllWaits); others are kernels themselves.
  void planMessages() {
    unsigned Number = 0;
    for (const MessageCall &Message : Messages) {
      Function &Caller = *Message.Call->getFunction();
      if (Chosen.contains(&Caller) || Bodies.contains(&Caller) || whyNotHookable(Caller) ||
          isOutlinedSymbol(Caller.getName()))
        continue;
      const DILocation *Loc = Message.Call->getDebugLoc().get();
      const DISubprogram *From =
          Loc && Loc->getInlinedAt() ? Loc->getScope()->getSubprogram() : nullptr;
      const std::string Symbol = kernelSymbol(From ? symbolOf(*From) : Caller.getName()).str();
      if (!wanted(Functions.lookup(Symbol), Caller))
        continue;
      const std::string Name = shownName(Symbol, M, Select, Opts) + " [" + Message.Function + "]";
      Result.Calls.push_back(
          {Message.Call,
           makeKernel(Name, Symbol, placeOfKernel(*Message.Call, sourceOf(*Message.Call, Caller))),
           (CallPlan::MessagePart + Twine(Number++)).str()});
    }
  }

  /// The place of the inlined function that \p Call comes from; else \p Source, that of the call.
  SourcePoint placeOfKernel(const CallBase &Call, const SourcePoint &Source) const {
    const DILocation *Loc = Call.getDebugLoc().get();
    return Loc && Loc->getInlinedAt() ? sourceOf(Loc->getScope()->getSubprogram(), M) : Source;
  }

  /// The name and place of the kernel that \p Fork belongs to: function \p Symbol, which is
  /// \p Kernel unless it is inlined everywhere. \p Source: of the fork.
  std::pair<std::string, SourcePoint> kernelOfFork(const ForkSite &Fork, StringRef Symbol,
                                                   const Function *Kernel,
                                                   const SourcePoint &Source) const {
    const ForkSite &Outer = Forks.outermost(Fork);
    const DILocation *Loc = Outer.Call->getDebugLoc().get();
    std::string Name = shownName(Symbol, M, Select, Opts);
    if (Name == displayName(Symbol, M)) {
      std::optional<LibraryKernel> OfLibrary = libraryKernel(Loc);
      if (!OfLibrary && Kernel)
        OfLibrary = libraryKernel(*Kernel);
      if (OfLibrary)
        return {OfLibrary->Name, OfLibrary->Source};
    }
    SourcePoint Place = placeOfKernel(*Outer.Call, Source);
    Place.Line = targetLine(Symbol).value_or(Place.Line);
    return {std::move(Name), std::move(Place)};
  }

  /// Whether to time regions of \p Kernel (null once it is inlined everywhere) that \p Caller
  /// forks.
  bool wanted(const Function *Kernel, const Function &Caller) const {
    if (Kernel && Chosen.contains(Kernel))
      return true;
    for (const Function *F : {Kernel, &Caller})
      if (F && (Select.isExcluded(*F) || whyNotHookable(*F) == Reason::InstrumentationDisabled))
        return false;
    return Opts.Kernels.empty() && Opts.Select != "marked";
  }

  std::string regionName(StringRef Kernel, bool IsTeams, const SourcePoint &Source) {
    const unsigned Ordinal = ++Ordinals[Kernel];
    const StringRef Construct = IsTeams ? " [teams " : " [parallel ";
    if (Source.Line)
      return (Kernel + Construct + sys::path::filename(Source.File) + ":" + Twine(Source.Line) +
              "]")
          .str();
    return (Kernel + Construct + "#" + Twine(Ordinal) + "]").str();
  }

  Module &M;
  const Selector &Select;
  const Options &Opts;
  FunctionAnalysisManager &FAM;
  ForkGraph Forks;
  const SmallVector<MessageCall> Messages;
  Plan Result;
  StringMap<Function *> Functions;              ///< by the symbol in the source
  DenseMap<const Function *, KernelRef> Chosen; ///< functions that are kernels
  DenseSet<const Function *> Bodies;
  StringMap<unsigned> Ordinals;
};

void printSite(raw_ostream &OS, StringRef Heading, const SitePlan &Site) {
  OS << Heading << " '" << Site.Name << "' symbol=" << Site.LinkageName
     << " source=" << (Site.File.empty() ? "?" : Site.File);
  if (Site.Line)
    OS << ':' << Site.Line;
  if (Site.Column)
    OS << ':' << Site.Column;
  if (!Site.Ops.empty())
    OS << (Site.Kind == SEAMSCOPE_SITE_LOOP        ? " inlined-from="
           : Site.Kind == SEAMSCOPE_SITE_TEAM_WAIT ? " construct="
                                                   : " ops=")
       << join(split(Site.Ops, '\n'), " <- ");
}

} // namespace

void Plan::print(raw_ostream &OS, const Module &M) const {
  OS << "seamscope plan for '" << M.getSourceFileName() << "'\n";
  for (const KernelPlan &K : Kernels) {
    printSite(OS, "  kernel", K.Site);
    OS << " because " << text(K.Why) << '\n';
  }
  for (const GroupsPlan &InFrame : Groups)
    for (const GroupPlan &G : InFrame.Groups) {
      printSite(OS, "  group", G.Site);
      OS << " in=" << InFrame.Frame->getFunction()->getName() << '\n';
    }
  for (const CallPlan &C : Calls) {
    printSite(OS, C.isMessage() ? "  message" : "  fork", C.Site);
    OS << " in=" << C.Call->getFunction()->getName() << '\n';
  }
  for (const RegionPlan &R : Regions) {
    printSite(OS, "  region", R.Site);
    OS << " of='" << R.Site.Kernel << "'\n";
  }
  for (const LoopPlan &L : Loops.Loops) {
    printSite(OS, L.isInlinedCall() ? "  inlined kernel" : "  loop", L.Site);
    OS << " of='" << L.Site.Kernel << "' in=" << L.F->getName() << " parts=" << L.Brackets.size()
       << " depth=" << L.Brackets.front().Depth << '\n';
  }
  for (const TaskPlan &T : Waits.Tasks) {
    printSite(OS, "  task", T.Site);
    OS << " of='" << T.Site.Kernel << "'\n";
  }
  for (const WaitPlan &W : Waits.Waits) {
    printSite(OS, "  wait", W.Site);
    OS << " of='" << W.Site.Kernel << "' in=" << W.F->getName() << " calls=" << W.Calls.size()
       << '\n';
  }
  for (const LaunchPlan &L : Launches.Calls) {
    printSite(OS, "  launch", L.Site);
    OS << " in=" << L.Call->getFunction()->getName()
       << " by=" << (L.Kernel ? L.Kernel->getName() : "?") << '\n';
  }
  for (const InlinedPlan &I : Inlined) {
    printSite(OS, "  inlined", I.Site);
    OS << '\n';
  }
  for (const LoopSkip &S : Loops.Skipped)
    OS << "  skip '" << S.Name << "' in=" << S.F->getName() << ": " << text(S.Why) << '\n';
  for (const SkipPlan &S : Skipped)
    OS << "  skip " << S.F->getName() << ": " << text(S.Why) << '\n';
  OS << "  total kernels=" << kernels() << " regions=" << Regions.size()
     << " skipped=" << Skipped.size() << " launches=" << Launches.Calls.size();
  if (loops())
    OS << " loops=" << loops();
  OS << '\n';
}

Plan makePlan(Module &M, const Selector &Select, const Options &Opts,
              FunctionAnalysisManager &FAM) {
  return Planner(M, Select, Opts, FAM).run();
}

} // namespace seamscope
