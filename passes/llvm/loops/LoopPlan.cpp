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

using LoopCopies = SmallVector<Loop *, 2>;
using BlockSet = SmallPtrSet<BasicBlock *, 16>;

/// Whether \p Inside can be entered and left through edges that can be split.
bool hasEdgesForHooks(const BlockSet &Inside, const DominatorTree &Tree) {
  const auto CanSplit = [&](const BasicBlock *From) {
    return !isa<IndirectBrInst, CallBrInst>(From->getTerminator()) &&
           Tree.isReachableFromEntry(From);
  };
  for (BasicBlock *Block : Inside) {
    for (const BasicBlock *From : predecessors(Block))
      if (!Inside.contains(From) && (!CanSplit(From) || Block->isEHPad()))
        return false;
    for (const BasicBlock *To : successors(Block))
      if (!Inside.contains(To) && (!CanSplit(Block) || (To->isEHPad() && !To->isLandingPad())))
        return false;
  }
  return true;
}

class LoopPlanner {
public:
  LoopPlanner(Function &F, const std::string &Kernel, bool IsChosenByCode, const Selector &Select,
              const Options &Opts, FunctionAnalysisManager &FAM, LoopsPlan &Result)
      : F(F), Kernel(Kernel), IsChosenByCode(IsChosenByCode), Select(Select), Opts(Opts),
        LI(FAM.getResult<LoopAnalysis>(F)), Tree(FAM.getResult<DominatorTreeAnalysis>(F)),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)), Limit(levels(Opts.Loops)),
        Work(F, FAM, /*AssumesMany=*/Limit != 0), Result(Result) {}

  void run() {
    // LoopInfo lists loops in reverse.
    const SmallVector<Loop *> Outermost(reverse(LI));
    planLevel(groupBySource(Outermost), 0);
    if (IsChosenByCode && !callsOutsideLoops())
      dropOnlyLoop(0);
    finish();
  }

  /// Plans the calls of kernels that were inlined into F, which is not a kernel.
  void runOnInlinedCalls(const NotedBySubprogram &Noted) {
    const SmallVector<Loop *> Outermost(reverse(LI));
    planInlinedCalls(Outermost, Noted);
    finish();
  }

private:
  static unsigned levels(StringRef Text) {
    unsigned Number = 0;
    return Text.getAsInteger(10, Number) ? 0 : Number;
  }

  void finish() {
    nameAll();
    for (auto &[Key, Found] : Sites)
      if (!Found.Brackets.empty())
        Result.Loops.push_back(std::move(Found));
  }

  /// The call in F through which the code at \p Place came from a noted kernel, and that kernel.
  static std::pair<const DILocation *, const NotedKernel *>
  inlinedCall(const DILocation *Place, const NotedBySubprogram &Noted) {
    std::pair<const DILocation *, const NotedKernel *> Outermost{};
    for (const DILocation *At = Place; At && At->getInlinedAt(); At = At->getInlinedAt())
      if (const NotedKernel *Kernel = Noted.lookup(At->getScope()->getSubprogram()))
        Outermost = {At->getInlinedAt(), Kernel};
    return Outermost;
  }

  void planInlinedCalls(ArrayRef<Loop *> Loops, const NotedBySubprogram &Noted) {
    MapVector<const DILocation *, std::pair<const NotedKernel *, LoopCopies>> Calls;
    for (Loop *L : Loops) {
      const auto [Call, Kernel] = inlinedCall(sourcePlace(*L), Noted);
      if (Call) {
        Calls[Call].first = Kernel;
        Calls[Call].second.push_back(L);
      } else {
        const SmallVector<Loop *> Inner(reverse(L->getSubLoops()));
        planInlinedCalls(Inner, Noted);
      }
    }
    for (const auto &[Call, Found] : Calls)
      planInlinedCall(*Call, *Found.first, Found.second);
  }

  /// The hooks go around all loops that the call left: code before and after them has moved.
  void planInlinedCall(const DILocation &Call, const NotedKernel &Noted, const LoopCopies &Left) {
    if (workOf(Left) < Opts.MinWork)
      return;
    SmallVector<LoopBracket, 1> Brackets = bracketsOf(Left, 0);
    if (Brackets.size() != 1 || mayLeaveByException(Brackets.front())) {
      Result.Untimed.insert(Noted.Subprogram);
      return;
    }
    InlinedCall = &Call;
    DepthOfKernel = 1;
    LoopPlan &Site = Sites[&Call];
    Site.F = &F;
    Kernel = shownName(Noted.Symbol, *F.getParent(), Select, Opts);
    SourcePoint OfKernel = sourceOf(Noted.Subprogram, *F.getParent());
    if (const DILocation *Inside = sourcePlace(*Left.front()); isLibraryCode(*Noted.Subprogram))
      if (std::optional<LibraryKernel> OfLibrary = libraryKernel(Inside)) {
        Kernel = std::move(OfLibrary->Name);
        OfKernel = std::move(OfLibrary->Source);
      }
    Site.Site = makeSite(SEAMSCOPE_SITE_KERNEL, Kernel, Noted.Symbol, Kernel, OfKernel);
    const SourcePoint Place = sourceOf(Call);
    Site.Part = (Twine(".call.") + Twine(Place.Line) + "." + Twine(Place.Column)).str();
    Site.Brackets = std::move(Brackets);
    Result.Inside.insert(Noted.Subprogram);
    const size_t Before = Sites.size();
    planLevel(groupBySource(Left), DepthOfKernel);
    dropOnlyLoop(Before);
  }

  bool callsOutsideLoops() const {
    return any_of(F, [&](const BasicBlock &Block) {
      return !LI.getLoopFor(&Block) && any_of(Block, [](const Instruction &I) {
        return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
      });
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
  bool mayLeaveByException(const LoopBracket &Bracket) const {
    return !F.doesNotThrow() && !isProgramEntry(F.getName()) &&
           any_of(Bracket.Blocks, [](const BasicBlock *Block) {
             return any_of(*Block, [](const Instruction &I) {
               return isa<CallInst, ResumeInst>(I) && I.mayThrow();
             });
           });
  }

  void planLevel(ArrayRef<LoopCopies> Groups, unsigned Depth) {
    for (const LoopCopies &Copies : Groups)
      planCopies(Copies, Depth);
  }

  void planCopies(const LoopCopies &Copies, unsigned Depth) {
    const void *const Key = sourceLoop(*Copies.front());
    LoopPlan &Site = siteOf(Key, *Copies.front());
    if (!isWorthHooks(workOf(Copies), Opts.MinWork, /*IsAskedFor=*/Limit != 0))
      return Refused.push_back({Key, Reason::LoopTooSmall});
    SmallVector<LoopBracket, 1> Brackets = bracketsOf(Copies, Depth);
    if (Brackets.empty())
      return Refused.push_back({Key, Reason::LoopEdges});
    append_range(Site.Brackets, std::move(Brackets));
    for (const DILocation *At = sourcePlace(*Copies.front()); At; At = At->getInlinedAt())
      Result.Inside.insert(At->getScope()->getSubprogram());
    for (Loop *L : Copies)
      planInside(*L, Depth + 1);
  }

  void planInside(Loop &L, unsigned Depth) {
    if (Limit && Depth - DepthOfKernel >= Limit)
      return;
    SmallVector<Loop *> Inner;
    for (Loop *Sub : reverse(L.getSubLoops()))
      if (Limit || isWorthInside(*Sub, Work, Opts.MinWork, Evolution))
        Inner.push_back(Sub);
    const auto Groups = groupBySource(Inner);
    if (Limit || Groups.size() > 1)
      planLevel(Groups, Depth);
  }

  uint64_t workOf(const LoopCopies &Copies) const {
    uint64_t Sum = 0;
    for (const Loop *L : Copies)
      Sum = SaturatingAdd(Sum, Work.of(*L));
    return Sum;
  }

  /// One bracket around all copies, or one around each.
  SmallVector<LoopBracket, 1> bracketsOf(const LoopCopies &Copies, unsigned Depth) const {
    SmallVector<LoopBracket, 1> Found;
    if (Copies.size() > 1)
      if (const BlockSet Inside = blocksAround(Copies);
          !Inside.empty() && hasEdgesForHooks(Inside, Tree))
        return {inOrder(Inside, Depth)};
    for (Loop *L : Copies) {
      const BlockSet Inside(L->block_begin(), L->block_end());
      if (!hasEdgesForHooks(Inside, Tree))
        return {};
      Found.push_back(inOrder(Inside, Depth));
    }
    return Found;
  }

  /// The blocks of the loops, and those on paths to them from their nearest common dominator
  /// outside. Empty if other loops are among these.
  BlockSet blocksAround(const LoopCopies &Copies) const {
    const Loop *Parent = Copies.front()->getParentLoop();
    BasicBlock *Before = Copies.front()->getHeader();
    for (Loop *L : Copies)
      Before = Tree.findNearestCommonDominator(Before, L->getHeader());
    while (any_of(Copies, [&](const Loop *L) { return L->contains(Before); })) {
      const auto *Up = Tree.getNode(Before)->getIDom();
      if (!Up)
        return {};
      Before = Up->getBlock();
    }
    BlockSet Inside;
    SmallVector<BasicBlock *> Open;
    const auto Add = [&](BasicBlock *Block) {
      if (Block != Before && Tree.isReachableFromEntry(Block) && Inside.insert(Block).second)
        Open.push_back(Block);
    };
    for (Loop *L : Copies)
      for (BasicBlock *Block : L->blocks())
        Add(Block);
    while (!Open.empty()) {
      BasicBlock *Block = Open.pop_back_val();
      const Loop *Around = LI.getLoopFor(Block);
      if (Around != Parent && none_of(Copies, [&](const Loop *L) { return L->contains(Around); }))
        return {};
      for (BasicBlock *From : predecessors(Block))
        Add(From);
    }
    // A loop that ends where these begin has no room for a hook before its branch.
    if (LI.getLoopFor(Before) != Parent && EntryEdges(to_vector(Inside)).To.size() != 1)
      return {};
    return Inside;
  }

  LoopBracket inOrder(const BlockSet &Inside, unsigned Depth) const {
    LoopBracket Bracket{{}, Depth, {}};
    for (BasicBlock &Block : F)
      if (Inside.contains(&Block))
        Bracket.Blocks.push_back(&Block);
    if (!F.hasOptNone())
      addGuards(Bracket);
    return Bracket;
  }

  /// Walks back like ScalarEvolution's getPredecessorWithUniqueSuccessorForBB.
  void addGuards(LoopBracket &Bracket) const {
    constexpr unsigned Most = 16;
    const EntryEdges Entries(Bracket.Blocks);
    if (Entries.From.size() != 1)
      return;
    const BasicBlock *From = Entries.From.front();
    const BasicBlock *To = Entries.To.size() == 1 ? Entries.To.front() : nullptr;
    while (From && Bracket.Guards.size() < Most) {
      if (const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
          To && Branch && Branch->isConditional() &&
          Branch->getSuccessor(0) != Branch->getSuccessor(1) &&
          !isa<Constant>(Branch->getCondition()))
        Bracket.Guards.emplace_back(Branch->getCondition(), Branch->getSuccessor(0) == To);
      if (const BasicBlock *Single = From->getSinglePredecessor()) {
        To = From;
        From = Single;
      } else if (const Loop *L = LI.getLoopFor(From)) {
        To = L->getHeader();
        From = L->getLoopPredecessor();
      } else {
        return;
      }
    }
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
    for (auto &[Key, Found] : Sites) {
      if (Found.isInlinedCall())
        continue;
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
      if (const unsigned More = Parts[Found.Part]++)
        Found.Part += "." + std::to_string(More);
      Site.Name = NameOf(Site, Columns[KeyOf(Site)].size() > 1);
    }
    for (auto &[Site, Why] : Refused)
      Result.Skipped.push_back({&F, Sites.find(Site)->second.Site.Name, Why});
  }

  Function &F;
  std::string Kernel;                      ///< the kernel that loops belong to
  const DILocation *InlinedCall = nullptr; ///< its call, if it was inlined into F
  unsigned DepthOfKernel = 0;              ///< number of brackets around its loops
  const bool IsChosenByCode;
  const Selector &Select;
  const Options &Opts;
  const LoopInfo &LI;
  const DominatorTree &Tree;
  ScalarEvolution &Evolution;
  const unsigned Limit; ///< levels that the user asked for; 0: depends on the loops
  const Worth Work;
  LoopsPlan &Result;
  MapVector<const void *, LoopPlan> Sites;
  SmallVector<std::pair<const void *, Reason>> Refused;
};

} // namespace

EntryEdges::EntryEdges(ArrayRef<BasicBlock *> Blocks) {
  const BlockSet Inside(Blocks.begin(), Blocks.end());
  for (BasicBlock *Block : Blocks)
    for (BasicBlock *Before : predecessors(Block))
      if (!Inside.contains(Before)) {
        To.insert(Block);
        From.insert(Before);
      }
}

void planLoops(Function &F, const std::string &Kernel, bool IsChosenByCode, const Selector &Select,
               const Options &Opts, FunctionAnalysisManager &FAM, LoopsPlan &Result) {
  if (!FAM.getResult<LoopAnalysis>(F).empty()) // the other analyses take their time
    LoopPlanner(F, Kernel, IsChosenByCode, Select, Opts, FAM, Result).run();
}

void planInlinedCalls(Function &F, const NotedBySubprogram &Noted, const Selector &Select,
                      const Options &Opts, FunctionAnalysisManager &FAM, LoopsPlan &Result) {
  if (!FAM.getResult<LoopAnalysis>(F).empty())
    LoopPlanner(F, {}, /*IsChosenByCode=*/true, Select, Opts, FAM, Result).runOnInlinedCalls(Noted);
}

} // namespace seamscope
