//===- LoopPlan.cpp - which loops of a function are timed ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "loops/LoopPlan.h"

#include "LoopWork.h"
#include "Names.h"
#include "loops/SourceLoop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <utility>

using namespace llvm;

namespace seamscope {
namespace {

/// Loops inside a loop are timed if each iteration runs several nests. A loop without inner loops
/// counts if it runs at least this many instructions, some ten times the cost of a hook.
constexpr uint64_t MinInnerWork = 2000;

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
  LoopPlanner(Function &F, const std::string &Kernel, const Selector &Select, const Options &Opts,
              FunctionAnalysisManager &FAM, LoopsPlan &Result)
      : F(F), Kernel(Kernel), Select(Select), Opts(Opts), LI(FAM.getResult<LoopAnalysis>(F)),
        Tree(FAM.getResult<DominatorTreeAnalysis>(F)),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)), Result(Result),
        Limit(Opts.Loops == "auto" ? 0 : levels(Opts.Loops)) {}

  void run() {
    // LoopInfo lists loops in reverse.
    const SmallVector<Loop *> Outermost(reverse(LI));
    planLevel(groupBySource(Outermost), 0);
    nameAll();
    for (auto &[Key, Found] : Sites)
      if (!Found.Brackets.empty())
        Result.Loops.push_back(std::move(Found));
  }

private:
  static unsigned levels(StringRef Text) {
    unsigned Number = 1;
    Text.getAsInteger(10, Number);
    return Number;
  }

  void planLevel(ArrayRef<LoopCopies> Groups, unsigned Depth) {
    for (const LoopCopies &Copies : Groups)
      planCopies(Copies, Depth);
  }

  void planCopies(const LoopCopies &Copies, unsigned Depth) {
    const void *const Key = sourceLoop(*Copies.front());
    LoopPlan &Site = siteOf(Key, *Copies.front());
    if (const std::optional<uint64_t> Work = workOf(Copies); Work && *Work < Opts.MinWork)
      return Refused.push_back({Key, Reason::LoopTooSmall});
    SmallVector<LoopBracket, 1> Brackets = bracketsOf(Copies, Depth);
    if (Brackets.empty())
      return Refused.push_back({Key, Reason::LoopEdges});
    append_range(Site.Brackets, std::move(Brackets));
    for (Loop *L : Copies)
      planInside(*L, Depth + 1);
  }

  void planInside(Loop &L, unsigned Depth) {
    if (Limit && Depth >= Limit)
      return;
    SmallVector<Loop *> Inner;
    for (Loop *Sub : reverse(L.getSubLoops()))
      if (Limit || isWorthTiming(*Sub))
        Inner.push_back(Sub);
    const auto Groups = groupBySource(Inner);
    if (Limit || Groups.size() > 1)
      planLevel(Groups, Depth);
  }

  bool isWorthTiming(const Loop &L) const {
    if (const std::optional<uint64_t> Work = boundedWork(L, LI, Evolution);
        Work && *Work < MinInnerWork)
      return false;
    if (!L.getSubLoops().empty())
      return true;
    // An upper bound does not say how often the loop really runs.
    uint64_t Size = 0;
    for (const BasicBlock *Block : L.blocks())
      Size += Block->size();
    return Size * Evolution.getSmallConstantTripCount(&L) >= MinInnerWork;
  }

  std::optional<uint64_t> workOf(const LoopCopies &Copies) const {
    uint64_t Sum = 0;
    for (const Loop *L : Copies) {
      const std::optional<uint64_t> Work = boundedWork(*L, LI, Evolution);
      if (!Work)
        return std::nullopt;
      Sum += *Work;
    }
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
    while (LI.getLoopFor(Before) != Parent) {
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
    Site.Site = makeSite(SEAMSCOPE_SITE_LOOP, shownName(Symbol, *F.getParent(), Select, Opts),
                         Symbol, Kernel, Source);
    Site.Site.Ops = inliningCalls(Place);
    return Site;
  }

  /// The calls through which the code at \p Place was inlined into F, innermost first, one a line.
  std::string inliningCalls(const DILocation *Place) const {
    std::string Text;
    for (const DILocation *Inlined = Place, *At = Place ? Place->getInlinedAt() : nullptr; At;
         Inlined = std::exchange(At, At->getInlinedAt())) {
      // With debug information clang splits a region's body into two functions.
      if (const DISubprogram *Callee = Inlined->getScope()->getSubprogram();
          Callee && symbolOf(*Callee).contains(".omp_outlined_debug__"))
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
    StringMap<unsigned> Known;
    const auto NameOf = [](const SitePlan &Site, bool WithColumn) {
      std::string Name = Site.Name + " [loop " + sys::path::filename(Site.File).str() + ":" +
                         std::to_string(Site.Line);
      if (WithColumn && Site.Column)
        Name += ":" + std::to_string(Site.Column);
      return Name + "]";
    };
    const auto KeyOf = [&](const SitePlan &Site) { return NameOf(Site, false) + "\n" + Site.Ops; };
    for (auto &[Key, Found] : Sites)
      ++Known[KeyOf(Found.Site)];
    unsigned Ordinal = 0;
    StringMap<unsigned> Parts;
    for (auto &[Key, Found] : Sites) {
      ++Ordinal;
      SitePlan &Site = Found.Site;
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
      Site.Name = NameOf(Site, Known[KeyOf(Site)] > 1);
    }
    for (auto &[Site, Why] : Refused)
      Result.Skipped.push_back({&F, Sites.find(Site)->second.Site.Name, Why});
  }

  Function &F;
  const std::string &Kernel;
  const Selector &Select;
  const Options &Opts;
  const LoopInfo &LI;
  const DominatorTree &Tree;
  ScalarEvolution &Evolution;
  LoopsPlan &Result;
  const unsigned Limit; ///< levels that the user asked for; 0: depends on the loops
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

void planLoops(Function &F, const std::string &Kernel, const Selector &Select, const Options &Opts,
               FunctionAnalysisManager &FAM, LoopsPlan &Result) {
  LoopPlanner(F, Kernel, Select, Opts, FAM, Result).run();
}

} // namespace seamscope
