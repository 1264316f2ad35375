//===- LoopPlan.cpp - which loops of a function are timed ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "loops/LoopPlan.h"

#include "Conventions.h"
#include "Keep.h"
#include "Names.h"
#include "UserPlace.h"
#include "Worth.h"
#include "loops/SourceLoop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <utility>

using namespace llvm;

namespace seamscope {
namespace {

class LoopPlanner {
public:
  /// \p Forks: in \p F, of kernels that were inlined there.
  LoopPlanner(Function &F, const KernelRef &Kernel, bool IsChosenByCode,
              ArrayRef<InlinedFork> Forks, const Selector &Select, const Options &Opts,
              FunctionAnalysisManager &FAM, LoopsPlan &Result)
      : F(F), Kernel(Kernel), IsChosenByCode(IsChosenByCode), Forks(Forks), Select(Select),
        Opts(Opts), LI(FAM.getResult<LoopAnalysis>(F)),
        Tree(FAM.getResult<DominatorTreeAnalysis>(F)), Make(F, LI, Tree),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)), Limit(levels(Opts.Loops)),
        Work(F, FAM, /*AssumesMany=*/Limit != 0), Result(Result) {
    for (const InlinedFork &Fork : Forks)
      CallsWithForks.insert(callOf(Fork));
  }

  void run() {
    planLevel(outermost(), nullptr, 0);
    if (IsChosenByCode && !callsOutsideLoops())
      dropOnlyLoop(0);
    finish();
  }

  /// Plans the calls of kernels that were inlined into F, which is not a kernel.
  void runOnInlinedCalls(const NotedBySubprogram &OfFile) {
    Noted = &OfFile;
    planCallsAmong(outermost(), nullptr, 0);
    finish();
  }

private:
  /// What is left of a kernel's call that was inlined.
  struct CallParts {
    const NotedKernel *Noted = nullptr;
    LoopCopies Loops;
    SmallVector<const CallBase *, 2> Forks; ///< outside of these loops
  };

  static unsigned levels(StringRef Text) {
    unsigned Number = 0;
    return Text.getAsInteger(10, Number) ? 0 : Number;
  }

  /// LoopInfo lists loops in reverse.
  SmallVector<Loop *> outermost() const { return SmallVector<Loop *>(reverse(LI)); }

  void finish() {
    nameAll();
    for (auto &[Key, Found] : Sites)
      if (!Found.Brackets.empty())
        Result.Loops.push_back(std::move(Found));
  }

  /// The call through which \p Fork came into F. What a library calls within itself is one call of
  /// the user.
  static const DILocation *callOf(const InlinedFork &Fork) {
    const DILocation *Place = Fork.Call->getDebugLoc().get();
    const std::optional<UserCall> User = userCall(Place);
    return User ? User->At : Place->getInlinedAt();
  }

  /// The outermost call, inside the one that is being planned, through which the code at \p Place
  /// came from a kernel with forks or, in a function that is no kernel, from any noted kernel; and
  /// the latter.
  std::pair<const DILocation *, const NotedKernel *> outermostCall(const DILocation *Place) const {
    std::pair<const DILocation *, const NotedKernel *> Outermost{};
    for (const DILocation *At = Place; At; At = At->getInlinedAt()) {
      const DILocation *Call = At->getInlinedAt();
      if (Call == InlinedCall)
        return Outermost;
      if (!Call)
        break;
      const NotedKernel *Kernel =
          Noted && !InlinedCall ? Noted->lookup(At->getScope()->getSubprogram()) : nullptr;
      if (const std::optional<UserCall> User = Kernel ? userCall(At) : std::nullopt)
        Call = User->At;
      if (!GivenUp.contains(Call) && (Kernel || CallsWithForks.contains(Call)))
        Outermost = {Call, Kernel ? Kernel : Outermost.second};
    }
    return {};
  }

  /// Plans the inlined calls among \p Loops, all loops inside \p Around, and the forks there.
  /// Returns the loops that are left.
  SmallVector<Loop *> planCalls(ArrayRef<Loop *> Loops, const Loop *Around, unsigned Depth) {
    SmallVector<Loop *> Open(Loops), Rest;
    SmallPtrSet<const DILocation *, 4> Done;
    while (Noted || !Forks.empty()) {
      MapVector<const DILocation *, CallParts> Calls;
      const auto PartsOf = [&](const DILocation *Place) -> CallParts * {
        const auto [Call, Kernel] = outermostCall(Place);
        if (!Call || Done.contains(Call))
          return nullptr;
        CallParts &Parts = Calls[Call];
        Parts.Noted = Kernel ? Kernel : Parts.Noted;
        return &Parts;
      };
      for (Loop *L : std::exchange(Open, {}))
        if (CallParts *Parts = PartsOf(sourcePlace(*L)))
          Parts->Loops.push_back(L);
        else
          Rest.push_back(L);
      for (const InlinedFork &Fork : Forks)
        if (LI.getLoopFor(Fork.Call->getParent()) == Around)
          if (CallParts *Parts = PartsOf(Fork.Call->getDebugLoc().get()))
            Parts->Forks.push_back(Fork.Call);
      if (Calls.empty())
        break;
      for (const auto &[Call, Parts] : Calls) {
        if (planInlinedCall(*Call, Parts, Around, Depth)) {
          Done.insert(Call);
        } else {
          GivenUp.insert(Call);
          append_range(Open, Parts.Loops);
        }
      }
    }
    append_range(Rest, Open);
    return Rest;
  }

  /// Plans the inlined calls at any depth inside \p Around.
  void planCallsAmong(ArrayRef<Loop *> Loops, const Loop *Around, unsigned Depth) {
    if (Noted || !Forks.empty())
      planCallsIn(planCalls(Loops, Around, Depth), Depth);
  }

  /// Plans the inlined calls inside loops that have no hooks.
  void planCallsIn(ArrayRef<Loop *> Loops, unsigned Depth) {
    for (Loop *L : Loops)
      planCallsAmong(SmallVector<Loop *>(reverse(L->getSubLoops())), L, Depth);
  }

  /// The hooks go around all that the call left: code before and after it has moved. Returns
  /// whether the call is timed.
  bool planInlinedCall(const DILocation &Call, const CallParts &Of, const Loop *Around,
                       unsigned Depth) {
    const bool HasForks = CallsWithForks.contains(&Call);
    // A single fork is timed by itself.
    if (HasForks && Of.Loops.empty() && Of.Forks.size() == 1)
      return true;
    if (!HasForks && (Of.Loops.empty() || workOf(Of.Loops) < Opts.MinWork || Opts.Loops == "off"))
      return false;
    SmallVector<const void *> Places;
    Parts All{Of.Loops, {}};
    for (const CallBase *Fork : Of.Forks) {
      All.Blocks.push_back(const_cast<BasicBlock *>(Fork->getParent()));
      Places.push_back(Fork->getDebugLoc().get());
    }
    // If the loop around the call was unrolled, several calls look like one.
    const SmallVector<Parts, 1> Executions = Make.executions(All, Places);
    SmallVector<LoopBracket, 1> Brackets;
    for (const Parts &Each : Executions)
      append_range(Brackets, Make.around(Each, Depth));
    if (Brackets.empty() || Brackets.size() != Executions.size() ||
        any_of(Brackets, [&](const LoopBracket &B) { return isLeftUnseen(B); })) {
      if (Of.Noted)
        Result.Untimed.insert(Of.Noted->Subprogram);
      return false;
    }
    if (Brackets.size() == 1)
      extendByCalls(Brackets.front(), Call, All, Around);
    for (const InlinedFork &Fork : Forks)
      if (callOf(Fork) == &Call && any_of(Brackets, [&](const LoopBracket &B) {
            return is_contained(B.Blocks, Fork.Call->getParent());
          }))
        Result.JoinedForks.insert(Fork.Call);
    if (Of.Noted)
      Result.Inside.insert(Of.Noted->Subprogram);
    LoopPlan &Plan = Sites[&Call];
    Plan.F = &F;
    Plan.Site = siteOfCall(Call, Of);
    SmallPtrSet<const BasicBlock *, 16> Inside;
    if (Brackets.size() == 1)
      Inside.insert(Brackets.front().Blocks.begin(), Brackets.front().Blocks.end());
    append_range(Plan.Brackets, std::move(Brackets));
    const auto OfCaller = std::tuple(InlinedCall, DepthOfKernel, Kernel, BlocksOfCall);
    std::tie(InlinedCall, DepthOfKernel, Kernel, BlocksOfCall) =
        std::tuple(&Call, Depth + 1, kernelOf(Plan.Site), &Inside);
    const size_t Before = Sites.size();
    for (const Parts &Each : Executions)
      planLevel(Each.Loops, Around, Depth + 1);
    if (!HasForks)
      dropOnlyLoop(Before);
    std::tie(InlinedCall, DepthOfKernel, Kernel, BlocksOfCall) = OfCaller;
    return true;
  }

  /// Makes \p Bracket, which goes around \p Of, go around the calls that the inlined call left
  /// before and after these, too: they may take long, such as those that free memory. Blocks with
  /// calls of others stay outside.
  void extendByCalls(LoopBracket &Bracket, const DILocation &Call, const Parts &Of,
                     const Loop *Around) {
    const SmallPtrSet<const BasicBlock *, 16> Known(Bracket.Blocks.begin(), Bracket.Blocks.end());
    const auto IsNew = [&](const BasicBlock *Block) { return !Known.contains(Block); };
    const auto IsOthers = [&](const BasicBlock *Block) {
      return IsNew(Block) && !hasOnlyCallsOf(Call, *Block);
    };
    const auto IsBehind = [&](const BasicBlock *Block) {
      return any_of(Bracket.Blocks,
                    [&](const BasicBlock *Each) { return Tree.dominates(Each, Block); });
    };
    SmallVector<BasicBlock *> Both, Before, Behind;
    for (BasicBlock *Block : callBlocks(Call))
      if (IsNew(Block) && LI.getLoopFor(Block) == Around && !Block->isEntryBlock() &&
          !succ_empty(Block) && (!BlocksOfCall || BlocksOfCall->contains(Block)) &&
          !IsOthers(Block)) {
        Both.push_back(Block);
        (IsBehind(Block) ? Behind : Before).push_back(Block);
      }
    for (const auto &By : {Both, Behind, Before}) {
      if (By.empty())
        continue;
      Parts Wider = Of;
      append_range(Wider.Blocks, By);
      SmallVector<LoopBracket, 1> Found = Make.around(Wider, Bracket.Depth);
      if (Found.size() == 1 && !isLeftUnseen(Found.front()) &&
          none_of(Found.front().Blocks, IsOthers)) {
        Bracket = std::move(Found.front());
        return;
      }
    }
  }

  static bool isCall(const Instruction &I) { return isa<CallBase>(I) && !isa<IntrinsicInst>(I); }

  static bool isOf(const DILocation &Call, const Instruction &I) {
    const DILocation *At = I.getDebugLoc().get();
    while (At && At != &Call)
      At = At->getInlinedAt();
    return At;
  }

  static bool hasOnlyCallsOf(const DILocation &Call, const BasicBlock &Block) {
    return none_of(Block, [&](const Instruction &I) { return isCall(I) && !isOf(Call, I); });
  }

  /// The blocks with calls that \p Call left.
  ArrayRef<BasicBlock *> callBlocks(const DILocation &Call) {
    if (CallBlocks.empty())
      for (BasicBlock &Block : F)
        for (const Instruction &I : Block)
          if (const DILocation *At = isCall(I) ? I.getDebugLoc().get() : nullptr)
            while ((At = At->getInlinedAt()))
              CallBlocks[At].insert(&Block);
    return CallBlocks[&Call].getArrayRef();
  }

  SitePlan siteOfCall(const DILocation &Call, const CallParts &Parts) const {
    for (const InlinedFork &Fork : Forks)
      if (callOf(Fork) == &Call)
        return *Fork.Site;
    std::string Name = shownName(Parts.Noted->Symbol, *F.getParent(), Select, Opts);
    SourcePoint Source = sourceOf(Parts.Noted->Subprogram, *F.getParent());
    if (isLibraryCode(*Parts.Noted->Subprogram))
      if (std::optional<LibraryKernel> OfLibrary =
              libraryKernel(sourcePlace(*Parts.Loops.front()))) {
        Name = std::move(OfLibrary->Name);
        Source = std::move(OfLibrary->Source);
      }
    return makeKernel(Name, Parts.Noted->Symbol, Source);
  }

  bool callsOutsideLoops() const {
    return any_of(F, [&](const BasicBlock &Block) {
      return !LI.getLoopFor(&Block) && any_of(Block, isCall);
    });
  }

  /// A kernel's only loop has the kernel's time, unless it came from another function. \p First: of
  /// the kernel's loops among the sites.
  void dropOnlyLoop(size_t First) {
    if (Limit)
      return;
    std::pair<const void *, LoopPlan> *Only = nullptr;
    for (auto &Found : drop_begin(Sites, First)) {
      if (Found.second.Brackets.empty())
        continue;
      if (Only)
        return;
      Only = &Found;
    }
    if (!Only || !Only->second.Site.Ops.empty())
      return;
    Only->second.Brackets.clear();
    Refused.push_back({Only->first, Reason::OnlyLoop});
  }

  /// Whether an exception may pass through \p Bracket and F. Kernels have a cleanup for that.
  bool isLeftUnseen(const LoopBracket &Bracket) const {
    return Noted && !F.doesNotThrow() && !isProgramEntry(F.getName()) &&
           any_of(Bracket.Blocks, [](const BasicBlock *Block) {
             return any_of(*Block, [](const Instruction &I) {
               return isa<CallInst, ResumeInst>(I) && I.mayThrow();
             });
           });
  }

  void planLevel(ArrayRef<Loop *> Loops, const Loop *Around, unsigned Depth) {
    const SmallVector<Loop *> Rest = planCalls(Loops, Around, Depth);
    if (Opts.Loops == "off")
      return planCallsIn(Rest, Depth);
    for (const LoopCopies &Copies : groupBySource(Rest))
      planCopies(Copies, Depth);
  }

  void planCopies(const LoopCopies &Copies, unsigned Depth) {
    const void *const Key = sourceLoop(*Copies.front());
    LoopPlan &Site = siteOf(Key, *Copies.front());
    const auto Refuse = [&](Reason Why) {
      if (!is_contained(Refused, std::pair(Key, Why)))
        Refused.push_back({Key, Why});
      planCallsIn(Copies, Depth);
    };
    if (!isWorthHooks(workOf(Copies), Opts.MinWork, /*IsAskedFor=*/Limit != 0))
      return Refuse(Reason::LoopTooSmall);
    SmallVector<LoopBracket, 1> Brackets = Make.around({Copies, {}}, Depth);
    if (Brackets.empty())
      return Refuse(Reason::LoopEdges);
    // Copies that run one after the other, with other code between them, have no bracket in common,
    // but each may have one with its remainder.
    if (Brackets.size() > 1) {
      SmallVector<LoopBracket, 1> ByCopy;
      for (const Parts &Each : Make.executions({Copies, {}}, {}))
        append_range(ByCopy, Make.around(Each, Depth));
      if (!ByCopy.empty() && ByCopy.size() < Brackets.size())
        Brackets = std::move(ByCopy);
    }
    append_range(Site.Brackets, std::move(Brackets));
    for (const DILocation *At = sourcePlace(*Copies.front()); At; At = At->getInlinedAt())
      Result.Inside.insert(At->getScope()->getSubprogram());
    for (Loop *L : Copies)
      planInside(*L, Depth + 1);
  }

  void planInside(Loop &L, unsigned Depth) {
    const auto IsWanted = [&](const Loop &Sub) {
      return Limit ? Depth - DepthOfKernel < Limit
                   : isWorthInside(Sub, Work, Opts.MinWork, Evolution);
    };
    SmallVector<Loop *> Inner, Others;
    for (Loop *Sub : planCalls(SmallVector<Loop *>(reverse(L.getSubLoops())), &L, Depth))
      (IsWanted(*Sub) ? Inner : Others).push_back(Sub);
    const auto Groups = groupBySource(Inner);
    if (Limit || Groups.size() > 1)
      for (const LoopCopies &Copies : Groups)
        planCopies(Copies, Depth);
    else
      append_range(Others, Inner);
    planCallsIn(Others, Depth);
  }

  uint64_t workOf(const LoopCopies &Copies) const {
    uint64_t Sum = 0;
    for (const Loop *L : Copies)
      Sum = SaturatingAdd(Sum, Work.of(*L));
    return Sum;
  }

  LoopPlan &siteOf(const void *Key, const Loop &L) {
    const auto [Known, New] = Sites.try_emplace(Key);
    LoopPlan &Site = Known->second;
    if (!New)
      return Site;
    Site.F = &F;
    const DILocation *Place = sourcePlace(L);
    const DISubprogram *Owner = Place ? Place->getScope()->getSubprogram() : F.getSubprogram();
    StringRef Symbol = kernelSymbol(F.getName());
    if (Place && Place->getInlinedAt() && Owner)
      Symbol = symbolOf(*Owner);
    SourcePoint Source = Place ? sourceOf(*Place) : sourceOf(F);
    if (!Place)
      Source.Line = Source.Column = 0;
    std::string Name = shownName(Symbol, *F.getParent(), Select, Opts);
    if (Place && isLibraryCode(*Place))
      Place = placeForUser(*Place, L, Name, Source);
    Site.Site = makeSite(SEAMSCOPE_SITE_LOOP, Name, Symbol, Kernel, Source);
    Site.Site.Ops = inliningCalls(Place);
    return Site;
  }

  /// Sets the name and the place of a loop of a library at \p Place to those for the user. Returns
  /// the location from which the calls are followed.
  const DILocation *placeForUser(const DILocation &Place, const Loop &L, std::string &Name,
                                 SourcePoint &Source) const {
    if (const std::optional<UserCall> Call = userCall(&Place)) {
      Name = withoutArguments(displayName(*Call->Through->getScope()->getSubprogram()));
      Source = sourceOf(*Call->At);
      return Call->Through;
    }
    if (const DISubprogram *User = userFunctionIn(F, L.getBlocks())) {
      Name = functionOfLambda(displayName(*User));
      Source = sourceOf(User, *F.getParent());
    }
    return &Place;
  }

  /// The calls through which the code at \p Place was inlined into its kernel, innermost first, one
  /// a line.
  std::string inliningCalls(const DILocation *Place) const {
    std::string Text;
    for (const DILocation *Inlined = Place, *At = Place ? Place->getInlinedAt() : nullptr;
         At && At != InlinedCall; Inlined = std::exchange(At, At->getInlinedAt())) {
      // With debug information clang splits a region's body into two functions.
      if (const DISubprogram *Callee = Inlined->getScope()->getSubprogram();
          Callee && symbolOf(*Callee).contains(".omp_outlined_debug__"))
        continue;
      // What a library calls within itself. The last call is in the kernel.
      if (At->getInlinedAt() && At->getInlinedAt() != InlinedCall && isLibraryCode(*At))
        continue;
      const DISubprogram *In = At->getScope()->getSubprogram();
      const SourcePoint Source = sourceOf(*At);
      Text += (Twine(Text.empty() ? "" : "\n") + (In ? displayName(*In) : displayName(F)) + " at " +
               Source.File + ":" + Twine(Source.Line) + ":" + Twine(Source.Column))
                  .str();
    }
    return Text;
  }

  /// Names the sites `f [loop f.c:3]`, with the column where several would have the same name.
  void nameAll() {
    StringMap<SmallSet<unsigned, 1>> Columns;
    const auto NameOf = [](const SitePlan &Site, bool WithColumn) {
      std::string Name = Site.Name + " [loop " + sys::path::filename(Site.File).str() + ":" +
                         std::to_string(Site.Line);
      if (WithColumn && Site.Column)
        Name += ":" + std::to_string(Site.Column);
      return Name + "]";
    };
    const auto KeyOf = [&](const SitePlan &Site) { return NameOf(Site, false) + "\n" + Site.Ops; };
    for (auto &[Key, Found] : Sites)
      Columns[KeyOf(Found.Site)].insert(Found.Site.Column);
    unsigned Ordinal = 0;
    StringMap<unsigned> Parts;
    const auto SetApart = [&](std::string &Part) {
      if (const unsigned More = Parts[Part]++)
        Part += "." + std::to_string(More);
    };
    for (auto &[Key, Found] : Sites) {
      if (Found.isInlinedCall()) {
        const SourcePoint Call = sourceOf(*static_cast<const DILocation *>(Key));
        Found.Part = (Twine(".call.") + Twine(Call.Line) + "." + Twine(Call.Column)).str();
        SetApart(Found.Part);
        continue;
      }
      SitePlan &Site = Found.Site;
      ++Ordinal;
      if (!Site.Line) {
        Site.Name += " [loop #" + std::to_string(Ordinal) + "]";
        Found.Part = ".loop." + std::to_string(Ordinal);
        continue;
      }
      Found.Part = ".loop." + std::to_string(Site.Line) + "." + std::to_string(Site.Column);
      if (!Site.Ops.empty())
        Found.Part += "." + utohexstr(xxh3_64bits(Site.LinkageName + "\n" + Site.Ops));
      SetApart(Found.Part);
      Site.Name = NameOf(Site, Columns[KeyOf(Site)].size() > 1);
    }
    for (auto &[Site, Why] : Refused)
      Result.Skipped.push_back({&F, Sites.find(Site)->second.Site.Name, Why});
  }

  Function &F;
  KernelRef Kernel;                        ///< the kernel that loops belong to
  const DILocation *InlinedCall = nullptr; ///< its call, if it was inlined into F
  unsigned DepthOfKernel = 0;              ///< number of brackets around its loops
  /// Those that its hooks go around; empty: it has several pairs of hooks. Null: not inlined.
  const SmallPtrSet<const BasicBlock *, 16> *BlocksOfCall = nullptr;
  DenseMap<const DILocation *, SmallSetVector<BasicBlock *, 4>> CallBlocks; ///< by inlined call
  const bool IsChosenByCode;
  const ArrayRef<InlinedFork> Forks;
  SmallPtrSet<const DILocation *, 4> CallsWithForks;
  SmallPtrSet<const DILocation *, 4> GivenUp; ///< inlined calls that cannot be timed
  const NotedBySubprogram *Noted = nullptr;   ///< null: F is a kernel
  const Selector &Select;
  const Options &Opts;
  const LoopInfo &LI;
  const DominatorTree &Tree;
  const BracketMaker Make;
  ScalarEvolution &Evolution;
  const unsigned Limit; ///< levels that the user asked for; 0: depends on the loops
  const Worth Work;
  LoopsPlan &Result;
  MapVector<const void *, LoopPlan> Sites;
  SmallVector<std::pair<const void *, Reason>> Refused;
};

} // namespace

void planLoops(Function &F, const KernelRef &Kernel, bool IsChosenByCode,
               ArrayRef<InlinedFork> Forks, const Selector &Select, const Options &Opts,
               FunctionAnalysisManager &FAM, LoopsPlan &Result) {
  // The other analyses take their time.
  if (Forks.size() > 1 || !FAM.getResult<LoopAnalysis>(F).empty())
    LoopPlanner(F, Kernel, IsChosenByCode, Forks, Select, Opts, FAM, Result).run();
}

void planInlinedCalls(Function &F, const NotedBySubprogram &Noted, ArrayRef<InlinedFork> Forks,
                      const Selector &Select, const Options &Opts, FunctionAnalysisManager &FAM,
                      LoopsPlan &Result) {
  if (Forks.size() > 1 || !FAM.getResult<LoopAnalysis>(F).empty())
    LoopPlanner(F, {}, /*IsChosenByCode=*/true, Forks, Select, Opts, FAM, Result)
        .runOnInlinedCalls(Noted);
}

} // namespace seamscope
