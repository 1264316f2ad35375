//===- WorkPlan.cpp - the work of a function, by how often it runs ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/WorkPlan.h"

#include "CallerLoops.h"
#include "Conventions.h"
#include "UserPlace.h"
#include "device/DevicePlan.h"
#include "seamscope/gpu.h"
#include "work/Callees.h"
#include "work/CountedHelpers.h"
#include "work/LoopCounts.h"
#include "work/MaskedLanes.h"
#include "work/WorkCounts.h"

#include "llvm/ADT/SetVector.h"
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
/// With more counters than that, a copy that an innermost loop calls may be slower than the
/// function. Of Inductor's helpers, updates of a variance have most, and run few of them each time.
size_t usualCountersOfCopy(const Function &F) {
  return isInductorModule(*F.getParent()) ? SEAMSCOPE_WORK_SUMS
                                          : std::max<size_t>(1, F.getInstructionCount() / 30);
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

  bool isEmpty() const { return Lines.empty() && Unknown.empty(); }
  void add(const ClassWork &More) {
    for (const auto &[Place, Counts] : More.Lines)
      Lines[Place].add(Counts);
    Unknown.insert(More.Unknown.begin(), More.Unknown.end());
  }
};

/// What is counted in one function.
struct Counting {
  std::map<Class, ClassWork> Classes;
  std::vector<WorkCounter> Counters;
  bool Suffice = true; ///< there is a counter for each part
  size_t Usual = 0;    ///< counters, before blocks that only move data get none
  Footprint Touched;
  SmallPtrSet<const BasicBlock *, 32> Returning; ///< blocks from which the function can return
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
          computesInCalls(F))
        Computing.insert(Of.Kernel);
    };
    forEachFunction(Look);
    for (const LoopPlan &L : P.Loops.Loops)
      if (L.isInlinedCall())
        Look(*L.F, L.Site);
  }

  /// Whether \p F computes, or what it calls does and does not count itself. Looks at so many
  /// functions at most.
  bool computesInCalls(const Function &F) const {
    constexpr size_t Most = 64;
    SmallSetVector<const Function *, 16> Reached;
    Reached.insert(&F);
    for (size_t I = 0; I < Reached.size() && I < Most; ++I) {
      if (computes(*Reached[I]))
        return true;
      for (const Instruction &Each : instructions(*Reached[I]))
        if (const auto *const Call = dyn_cast<CallBase>(&Each))
          if (const Function *const Called = definedCallee(*Call); Called && !Own.contains(Called))
            Reached.insert(Called);
    }
    return false;
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
    if (Now.Classes.empty())
      return;
    Result.push_back({&F, Within, siteFor(Of), Now.Counters, Now.Touched});
  }

  /// What the copy \p F counts. Its calls have word 0.
  const Counting &countedBy(Function &F) {
    if (const auto Known = Copies.find(&F); Known != Copies.end())
      return *Known->second;
    Counting Outer = std::exchange(Now, {});
    countWith(IsExact ? Detail::All : Detail::Usual, F, {});
    Counting &Made =
        *(Copies[&F] = std::make_unique<Counting>(std::exchange(Now, std::move(Outer))));
    if (IsExact || Made.Counters.size() - 1 <= usualCountersOfCopy(F)) {
      Result.push_back({&F, nullptr, {}, Made.Counters, {}});
      return Made;
    }
    Made = {};
    Made.Counters = {{WorkCounter::Calls}};
    Made.Classes[{0, false, nullptr}].Unknown.insert("a call of " + nameOfCopied(F).str());
    return Made;
  }

  /// False: there were too few counters.
  bool countWith(Detail How, Function &F, const SmallPtrSet<const BasicBlock *, 16> &Only) {
    const bool Exactly = How != Detail::Usual;
    LoopCounts Counts(F, Only, Exactly, FAM);
    const DenseMap<const BasicBlock *, const LoopPlan *> LabelOf = labelBlocks(F);
    const auto &Library = FAM.getResult<TargetLibraryAnalysis>(F);
    const auto &Tree = FAM.getResult<DominatorTreeAnalysis>(F);
    Now = {};
    IsDevice = isDeviceModule(*F.getParent());
    Now.Counters = {{WorkCounter::Calls}}; // the runtime counts calls by it
    SmallVector<BasicBlock *> Blocks;
    for (BasicBlock &Block : F)
      if ((Only.empty() || Only.contains(&Block)) && Tree.isReachableFromEntry(&Block) &&
          Counts.returns(Block))
        Blocks.push_back(&Block);
    if (!IsDevice && !isCopyToCount(F)) // what copies read and write counts each time
      Now.Touched = findFootprint(Blocks, Counts, Exactly);
    Now.Usual = usualCounters(F);
    Now.Returning = returningBlocks(F, /*OrByException=*/false);
    for (BasicBlock *Block : Blocks)
      countBlock(*Block, Library, LabelOf.lookup(Block), Counts, How);
    return Now.Suffice;
  }

  /// Whether what \p I calls may throw, and the function goes on.
  bool mayBeCutOff(const Instruction &I) const {
    const auto *const Invoke = dyn_cast<InvokeInst>(&I);
    return Invoke && Now.Returning.contains(Invoke->getUnwindDest());
  }

  /// Whether \p Of is more than moves of data.
  static bool isArithmetic(const WorkCounts &Of) {
    return any_of(Of, [](const auto &Each) { return StringRef(Each.first).contains('.'); });
  }

  void countBlock(BasicBlock &Block, const TargetLibraryInfo &Library, const LoopPlan *Label,
                  LoopCounts &Runs, Detail How) {
    ClassWork Work, AtMost;
    bool Computes = false; // more than moves of data
    for (Instruction &I : Block) {
      std::string Unknown;
      if (auto *const Call = dyn_cast<CallBase>(&I); Call && copyCalledBy(*Call)) {
        Computes |= countCopy(*Call, Label, mayBeCutOff(I) ? AtMost : Work, AtMost);
        continue;
      }
      const WorkCounts Counts = Called.workWithCallee(I, Library, Unknown);
      if (!Unknown.empty())
        Work.Unknown.insert(Unknown);
      Computes |= isArithmetic(Counts);
      if (How != Detail::Usual && countLanes(I, Counts, Label))
        continue;
      if (!Counts.empty())
        (mayBeCutOff(I) ? AtMost : Work).Lines[placeOf(I)].add(withPart(I, Counts));
      countBytes(I, Library, Label);
    }
    if (Work.isEmpty() && AtMost.isEmpty())
      return;
    const bool IsWorthOne = Computes || !Work.Unknown.empty() || How == Detail::All ||
                            (How == Detail::Usual && Now.Counters.size() < Now.Usual);
    const BlockCount Count = Runs.of(Block, IsWorthOne);
    const unsigned Slot = slotOf(Count.Counter);
    if (!AtMost.isEmpty())
      Now.Classes[{Slot, true, Label}].add(AtMost);
    ClassWork &Into = Now.Classes[{Slot, Count.IsAtMost, Label}];
    if (Slot == NoSlot)
      Into.Unknown.insert(TooManyParts);
    Into.add(Work);
  }

  /// Adds what a copy does each time, and at most, to that of the block, and gives the call words
  /// for the rest. True: it computes.
  bool countCopy(CallBase &Call, const LoopPlan *Label, ClassWork &OfBlock, ClassWork &AtMost) {
    const Counting &Of = countedBy(*copyCalledBy(Call));
    const bool HasRoom = hasRoomFor(Of.Counters.size() - 1);
    Now.Suffice &= HasRoom;
    SmallVector<unsigned> Slots = {0};
    for (size_t Word = 1; Word < Of.Counters.size(); ++Word) {
      WorkCounter Counter{WorkCounter::OfCopy};
      Counter.At = &Call;
      Counter.Step = static_cast<int64_t>(Word);
      Counter.Unit = Of.Counters[Word].unit();
      Slots.push_back(HasRoom ? slotOf(Counter) : NoSlot);
    }
    bool Computes = false;
    for (const auto &[Key, Work] : Of.Classes) {
      const unsigned Slot = Key.Slot == NoSlot ? NoSlot : Slots[Key.Slot];
      ClassWork &Into = Slot           ? Now.Classes[{Slot, Key.IsAtMost, Label}]
                        : Key.IsAtMost ? AtMost
                                       : OfBlock;
      for (const auto &[Place, Counts] : Work.Lines) {
        Into.Lines[placeOf(Call)].add(Counts);
        Computes |= isArithmetic(Counts);
      }
      Into.Unknown.insert(Work.Unknown.begin(), Work.Unknown.end());
      if (Slot == NoSlot && !HasRoom)
        Into.Unknown.insert(TooManyParts);
    }
    return Computes;
  }

  /// Bytes outside of the ranges of the footprint are counted apart, too: those that are new each
  /// time, and others.
  WorkCounts withPart(const Instruction &I, const WorkCounts &Of) const {
    if (IsDevice || Now.Touched.Covered.contains(&I))
      return Of;
    const StringRef Part = Now.Touched.Streaming.contains(&I) ? "streamed_" : "scattered_";
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
    const auto Same = find_if(Now.Counters, [&](const WorkCounter &Of) {
      return Of.Length == Mask && Of.At->getParent() == I.getParent();
    });
    countEach(I, OfLane, Same == Now.Counters.end() ? &I : Same->At, Mask, Label);
    return true;
  }

  /// Counts \p OfEach of \p I as often as \p Length says at \p At.
  void countEach(Instruction &I, const WorkCounts &OfEach, Instruction *At, Value *Length,
                 const LoopPlan *Label) {
    WorkCounter Counter{WorkCounter::Bytes};
    Counter.At = At;
    Counter.Length = Length;
    const unsigned Slot = slotOf(Counter);
    ClassWork &Into = Now.Classes[{Slot, false, Label}];
    Into.Lines[placeOf(I)].add(withPart(I, OfEach));
    if (Slot == NoSlot)
      Into.Unknown.insert(TooManyParts);
  }

  static constexpr unsigned NoSlot = ~0u;
  static constexpr const char *TooManyParts = "a function of too many parts";

  bool hasRoomFor(size_t More) const {
    return Now.Counters.size() + Now.Touched.Arrays.size() + More <=
           (IsDevice ? SEAMSCOPE_GPU_WORK_WORDS : SEAMSCOPE_WORK_SUMS);
  }

  unsigned slotOf(const WorkCounter &Counter) {
    const auto Known = find(Now.Counters, Counter);
    if (Known != Now.Counters.end())
      return static_cast<unsigned>(Known - Now.Counters.begin());
    if (!hasRoomFor(1)) {
      Now.Suffice = false;
      return NoSlot;
    }
    Now.Counters.push_back(Counter);
    return static_cast<unsigned>(Now.Counters.size() - 1);
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
    if (Now.Touched.Arrays.empty())
      return Names;
    for (const Instruction &I : instructions(*Now.Touched.Arrays.front().First->getFunction()))
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
      for (const auto &[Key, Of] : Now.Classes)
        Json.object([&] {
          if (Key.Slot != NoSlot)
            Json.attribute("word", int64_t{Key.Slot});
          if (Key.Slot != NoSlot && Now.Counters[Key.Slot].unit() != 1)
            Json.attribute("unit", static_cast<int64_t>(Now.Counters[Key.Slot].unit()));
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
      for (const auto &[Number, Array] : enumerate(Now.Touched.Arrays))
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
          Json.attribute("word", static_cast<int64_t>(Now.Counters.size() + Number));
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
  DenseMap<const Function *, std::unique_ptr<Counting>> Copies;
  bool IsDevice = false;
  Counting Now; ///< of the function that is being planned
};

} // namespace

std::vector<FunctionWork> planWork(const Plan &P, bool IsExact, FunctionAnalysisManager &FAM) {
  return Planner(P, IsExact, FAM).run();
}

} // namespace seamscope
