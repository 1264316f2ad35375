//===- WorkPlan.cpp - the work of a function, by how often it runs ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/WorkPlan.h"

#include "Conventions.h"
#include "UserPlace.h"
#include "device/DevicePlan.h"
#include "seamscope/gpu.h"
#include "work/Callees.h"
#include "work/LoopCounts.h"
#include "work/MaskedLanes.h"
#include "work/WorkCounts.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace seamscope {
namespace {

/// With more counters than that in a function, blocks that only move data get none of their own.
/// One is about as long as two instructions.
size_t usualCounters(const Function &F) {
  return std::max<size_t>(16, F.getInstructionCount() / 40);
}
/// Longest description in bytes. A longer one leaves out the lines.
constexpr size_t MaxText = 60000;

/// Which blocks get counters of their own in a function: all, those that compute, also in innermost
/// loops, or those that compute outside of these, and some others.
enum class Detail { All, Computing, Usual };

/// Blocks that run equally often in one loop of the report.
struct Class {
  unsigned Slot;
  bool IsAtMost;
  const LoopPlan *Label; ///< null: the function's kernel, outside its loops

  auto key() const { return std::tuple(Slot, IsAtMost, Label); }
  bool operator<(const Class &Other) const { return key() < Other.key(); }
};

/// The work of a class, by file and line.
struct ClassWork {
  std::map<std::pair<std::string, unsigned>, WorkCounts> Lines;
  std::set<std::string> Unknown; ///< reasons why there is more work that is not known
};

class Planner {
public:
  Planner(const Plan &P, bool IsExact, FunctionAnalysisManager &FAM)
      : P(P), IsExact(IsExact), FAM(FAM), Called(Own, FAM) {}

  std::vector<FunctionWork> run() {
    forEachFunction([&](Function &F, const SitePlan &) { Own.insert(&F); });
    for (const LoopPlan &L : P.Loops.Loops)
      Labels[L.F].push_back(&L);
    findComputing();
    forEachFunction([&](Function &F, const SitePlan &Of) { plan(F, Of); });
    for (const LoopPlan &L : P.Loops.Loops)
      if (L.isInlinedCall() && !Own.contains(L.F) && isOutermost(L))
        plan(*L.F, L.Site, &L);
    return std::move(Result);
  }

private:
  /// Calls Visit(Function &, const SitePlan &) for each kernel, region and task.
  template <typename FnT> void forEachFunction(FnT Visit) const {
    for (const KernelPlan &Kernel : P.Kernels)
      Visit(*Kernel.F, Kernel.Site);
    for (const RegionPlan &Region : P.Regions)
      Visit(*Region.Body, Region.Site);
    for (const TaskPlan &Task : P.Waits.Tasks)
      Visit(*Task.Body, Task.Site);
  }

  /// An inlined kernel within another one is counted with that.
  bool isOutermost(const LoopPlan &L) const {
    return all_of(L.Brackets, [&](const LoopBracket &Bracket) {
      return none_of(Labels.lookup(L.F), [&](const LoopPlan *Other) {
        return Other != &L && any_of(Other->Brackets, [&](const LoopBracket &Around) {
                 return Around.Depth < Bracket.Depth &&
                        is_contained(Around.Blocks, Bracket.Blocks.front());
               });
      });
    });
  }

  /// A kernel is counted with all of its regions and tasks, or not at all.
  void findComputing() {
    const auto Look = [&](const Function &F, const SitePlan &Of) {
      const Module &M = *F.getParent();
      if (IsExact || isDeviceModule(M) || isInductorModule(M) || isInductorName(Of.Kernel) ||
          computes(F))
        Computing.insert(Of.Kernel);
    };
    forEachFunction(Look);
    for (const LoopPlan &L : P.Loops.Loops)
      if (L.isInlinedCall())
        Look(*L.F, L.Site);
  }

  void plan(Function &F, const SitePlan &Of, const LoopPlan *Within = nullptr) {
    if (!Computing.contains(Of.Kernel))
      return;
    SmallPtrSet<const BasicBlock *, 16> Only;
    if (Within)
      for (const LoopBracket &Bracket : Within->Brackets)
        Only.insert(Bracket.Blocks.begin(), Bracket.Blocks.end());
    if (Within && Only.empty())
      return;
    // A function with more parts than counters has bounds in place of parts that nobody counts.
    for (const Detail How : {Detail::All, Detail::Computing, Detail::Usual})
      if ((IsExact || How == Detail::Usual) && countWith(How, F, Only))
        break;
    if (Classes.empty())
      return;
    Result.push_back({&F, Within, siteFor(Of), Counters, Touched});
  }

  /// False: there were too few counters.
  bool countWith(Detail How, Function &F, const SmallPtrSet<const BasicBlock *, 16> &Only) {
    const bool Exactly = How != Detail::Usual;
    LoopCounts Counts(F, Only, Exactly, FAM);
    const DenseMap<const BasicBlock *, const LoopPlan *> LabelOf = labelBlocks(F);
    const auto &Library = FAM.getResult<TargetLibraryAnalysis>(F);
    const auto &Tree = FAM.getResult<DominatorTreeAnalysis>(F);
    Classes.clear();
    IsDevice = isDeviceModule(*F.getParent());
    Counters = {{WorkCounter::Calls}}; // the runtime counts calls by it
    SmallVector<BasicBlock *> Blocks;
    for (BasicBlock &Block : F)
      if ((Only.empty() || Only.contains(&Block)) && Tree.isReachableFromEntry(&Block) &&
          Counts.returns(Block))
        Blocks.push_back(&Block);
    Touched = IsDevice ? Footprint() : findFootprint(Blocks, Counts, Exactly);
    Suffice = true;
    Usual = usualCounters(F);
    for (BasicBlock *Block : Blocks)
      countBlock(*Block, Library, LabelOf.lookup(Block), Counts, How);
    return Suffice;
  }

  void countBlock(BasicBlock &Block, const TargetLibraryInfo &Library, const LoopPlan *Label,
                  LoopCounts &Runs, Detail How) {
    ClassWork Work;
    bool Computes = false; // more than moves of data
    for (Instruction &I : Block) {
      std::string Unknown;
      const WorkCounts Counts = Called.workWithCallee(I, Library, Unknown);
      if (!Unknown.empty())
        Work.Unknown.insert(Unknown);
      for (const auto &[Key, Count] : Counts)
        Computes |= StringRef(Key).contains('.');
      if (How != Detail::Usual && countLanes(I, Counts, Label))
        continue;
      if (!Counts.empty())
        Work.Lines[placeOf(I)].add(withPart(I, Counts));
      countBytes(I, Library, Label);
    }
    if (Work.Lines.empty() && Work.Unknown.empty())
      return;
    const bool IsWorthOne = Computes || !Work.Unknown.empty() || How == Detail::All ||
                            (How == Detail::Usual && Counters.size() < Usual);
    const BlockCount Count = Runs.of(Block, IsWorthOne);
    const unsigned Slot = Count.Counter ? slotOf(*Count.Counter) : NoSlot;
    ClassWork &Into = Classes[{Slot, Count.IsAtMost, Label}];
    if (Slot == NoSlot)
      Into.Unknown.insert(Count.Counter ? "a function of too many parts"
                                        : "a vector loop whose end is not known before it");
    Into.Unknown.insert(Work.Unknown.begin(), Work.Unknown.end());
    for (const auto &[Place, Counts] : Work.Lines)
      Into.Lines[Place].add(Counts);
  }

  /// Bytes outside of the ranges of the footprint are counted apart, too: those that are new each
  /// time, and others.
  WorkCounts withPart(const Instruction &I, const WorkCounts &Of) const {
    if (IsDevice || Touched.Covered.contains(&I))
      return Of;
    const StringRef Part = Touched.Streaming.contains(&I) ? "streamed_" : "scattered_";
    WorkCounts All = Of;
    for (const auto &[Key, Count] : Of)
      if (StringRef(Key).ends_with("read") || StringRef(Key).ends_with("write"))
        All.add((Part + Key).str(), Count);
    return All;
  }

  /// Bytes whose number is known at run time alone have a counter of their own.
  void countBytes(Instruction &I, const TargetLibraryInfo &Library, const LoopPlan *Label) {
    WorkCounts OfEach;
    Value *const Length = dynamicBytes(I, Library, OfEach);
    if (!Length)
      return;
    countEach(I, OfEach, &I, Length, Label);
  }

  /// Lanes of masks that are known at run time alone have a counter for each mask and block. False:
  /// \p I has no such mask.
  bool countLanes(Instruction &I, const WorkCounts &Most, const LoopPlan *Label) {
    WorkCounts OfLane;
    Value *const Mask = IsDevice ? nullptr : dynamicMask(I, Most, OfLane);
    if (!Mask)
      return false;
    const auto Same = find_if(Counters, [&](const WorkCounter &Of) {
      return Of.Length == Mask && Of.At->getParent() == I.getParent();
    });
    countEach(I, OfLane, Same == Counters.end() ? &I : Same->At, Mask, Label);
    return true;
  }

  /// Counts \p OfEach of \p I as often as \p Length says at \p At.
  void countEach(Instruction &I, const WorkCounts &OfEach, Instruction *At, Value *Length,
                 const LoopPlan *Label) {
    WorkCounter Counter{WorkCounter::Bytes};
    Counter.At = At;
    Counter.Length = Length;
    const unsigned Slot = slotOf(Counter);
    ClassWork &Into = Classes[{Slot, false, Label}];
    Into.Lines[placeOf(I)].add(withPart(I, OfEach));
    if (Slot == NoSlot)
      Into.Unknown.insert("a function of too many parts");
  }

  static constexpr unsigned NoSlot = ~0u;

  unsigned slotOf(const WorkCounter &Counter) {
    const auto Known = find(Counters, Counter);
    if (Known != Counters.end())
      return static_cast<unsigned>(Known - Counters.begin());
    if (Counters.size() + Touched.Arrays.size() ==
        (IsDevice ? SEAMSCOPE_GPU_WORK_WORDS : SEAMSCOPE_WORK_SUMS)) {
      Suffice = false;
      return NoSlot;
    }
    Counters.push_back(Counter);
    return static_cast<unsigned>(Counters.size() - 1);
  }

  /// The innermost bracket around each block.
  DenseMap<const BasicBlock *, const LoopPlan *> labelBlocks(const Function &F) const {
    DenseMap<const BasicBlock *, std::pair<const LoopPlan *, unsigned>> Deepest;
    for (const LoopPlan *L : Labels.lookup(&F))
      for (const LoopBracket &Bracket : L->Brackets)
        for (const BasicBlock *Block : Bracket.Blocks) {
          auto &[Known, Depth] = Deepest[Block];
          if (!Known || Bracket.Depth >= Depth)
            std::tie(Known, Depth) = std::pair(L, Bracket.Depth);
        }
    DenseMap<const BasicBlock *, const LoopPlan *> Result;
    for (const auto &[Block, Of] : Deepest)
      Result[Block] = Of.first;
    return Result;
  }

  /// The variables of the source, by the values that they have; none if no array needs a name.
  DenseMap<const Value *, StringRef> variableNames() const {
    DenseMap<const Value *, StringRef> Names;
    if (Touched.Arrays.empty())
      return Names;
    for (const Instruction &I : instructions(*Touched.Arrays.front().First->getFunction()))
      for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
        for (const Value *Of : Record.location_ops())
          if (!isa<Constant>(Of))
            Names.try_emplace(Of, Record.getVariable()->getName());
    return Names;
  }

  /// The line of the user that \p I comes from.
  static std::pair<std::string, unsigned> placeOf(const Instruction &I) {
    const DILocation *Place = I.getDebugLoc().get();
    if (!Place)
      return {};
    if (isLibraryCode(*Place))
      if (const std::optional<UserCall> Call = userCall(Place))
        Place = Call->At;
    return {pathOf(Place->getFile()), Place->getLine()};
  }

  SitePlan siteFor(const SitePlan &Of) const {
    SitePlan Site = Of;
    Site.Kind = SEAMSCOPE_SITE_WORK;
    Site.Flags = 0;
    Site.Ops = describe(Of.Kernel, /*ByLine=*/true);
    if (Site.Ops.size() > MaxText)
      Site.Ops = describe(Of.Kernel, /*ByLine=*/false);
    return Site;
  }

  /// The description of all classes as JSON (docs/formats.md).
  std::string describe(StringRef Kernel, bool ByLine) const {
    SmallVector<std::string> Files;
    std::string Text;
    raw_string_ostream OS(Text);
    json::OStream Json(OS);
    const auto FileNumber = [&](const std::string &File) {
      const int64_t Number = find(Files, File) - Files.begin();
      if (Number == static_cast<int64_t>(Files.size()))
        Files.push_back(File);
      return Number;
    };
    Json.objectBegin();
    Json.attributeArray("classes", [&] {
      for (const auto &[Key, Of] : Classes)
        Json.object([&] {
          if (Key.Slot != NoSlot)
            Json.attribute("word", int64_t{Key.Slot});
          if (Key.Slot != NoSlot && Counters[Key.Slot].unit() != 1)
            Json.attribute("unit", static_cast<int64_t>(Counters[Key.Slot].unit()));
          if (Key.IsAtMost)
            Json.attribute("at_most", true);
          if (Key.Label) {
            const SitePlan &Site = Key.Label->Site;
            const bool IsKernel = Key.Label->isInlinedCall();
            const std::string &Name = IsKernel ? Site.Name : Site.Kernel;
            if (Name != Kernel)
              Json.attribute("kernel", json::fixUTF8(Name));
            if (!IsKernel)
              Json.attribute("loop", json::fixUTF8(Site.Name));
          }
          if (!Of.Unknown.empty())
            Json.attributeArray("unknown", [&] {
              for (const std::string &Reason : Of.Unknown)
                Json.value(json::fixUTF8(Reason));
            });
          Json.attributeArray("lines", [&] {
            const auto Write = [&](int64_t File, int64_t Line, const WorkCounts &Counts) {
              Json.array([&] {
                Json.value(File);
                Json.value(Line);
                Json.object([&] {
                  for (const auto &[What, Count] : Counts)
                    Json.attribute(What, static_cast<int64_t>(Count));
                });
              });
            };
            WorkCounts All;
            for (const auto &[Place, Counts] : Of.Lines)
              if (ByLine)
                Write(Place.first.empty() ? -1 : FileNumber(Place.first), Place.second, Counts);
              else
                All.add(Counts);
            if (!ByLine && !All.empty())
              Write(-1, 0, All);
          });
        });
    });
    const auto WriteArrays = [&] {
      const DenseMap<const Value *, StringRef> Names = variableNames();
      for (const auto &[Number, Array] : enumerate(Touched.Arrays))
        Json.object([&] {
          const auto [File, Line] = placeOf(*Array.First);
          StringRef Name = Names.lookup(Array.Base);
          if (Name.empty() && isa<GlobalVariable>(Array.Base))
            Name = Array.Base->getName();
          if (!Name.empty())
            Json.attribute("name", json::fixUTF8(Name));
          if (!File.empty())
            Json.attribute("file", FileNumber(File));
          Json.attribute("line", int64_t{Line});
          if (Array.IsWrite)
            Json.attribute("write", true);
          Json.attribute("word", static_cast<int64_t>(Counters.size() + Number));
        });
    };
    if (!IsDevice) // distinct bytes are not known
      Json.attributeArray("arrays", WriteArrays);
    Json.attributeArray("files", [&] {
      for (const std::string &File : Files)
        Json.value(json::fixUTF8(File));
    });
    Json.objectEnd();
    return Text;
  }

  const Plan &P;
  const bool IsExact;
  FunctionAnalysisManager &FAM;
  Callees::Counted Own;
  StringSet<> Computing; ///< kernels that are counted
  Callees Called;
  DenseMap<const Function *, SmallVector<const LoopPlan *, 4>> Labels;
  std::vector<FunctionWork> Result;
  // Of the function that is being planned:
  bool IsDevice = false;
  std::map<Class, ClassWork> Classes;
  std::vector<WorkCounter> Counters;
  bool Suffice = true; ///< there is a counter for each part
  size_t Usual = 0;    ///< counters, before blocks that only move data get none
  Footprint Touched;
};

} // namespace

std::vector<FunctionWork> planWork(const Plan &P, bool IsExact, FunctionAnalysisManager &FAM) {
  return Planner(P, IsExact, FAM).run();
}

} // namespace seamscope
