//===- Apply.cpp - the only code that changes IR ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts the hooks that Hooks.h describes.
//
//===----------------------------------------------------------------------===//
#include "Apply.h"

#include "Attributes.h"
#include "Compat.h"
#include "Hooks.h"
#include "SiteTable.h"
#include "TailCalls.h"
#include "launch/LaunchApply.h"
#include "loops/LoopApply.h"
#include "replay/ReplayApply.h"
#include "work/LateWork.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace seamscope {
namespace {

class Instrumenter {
public:
  Instrumenter(Module &M, ArrayRef<WorkRoom> Rooms) : M(M), Table(M), Hooks(M, Table) {
    for (const WorkRoom &Room : Rooms)
      if (Room.Work->Within)
        WorkOfInlined[Room.Work->Within] = Room;
      else
        WorkOfFunction[Room.Work->F] = Room;
    LLVMContext &C = M.getContext();
    I32 = Type::getInt32Ty(C);
    I64 = Type::getInt64Ty(C);
    auto *Ptr = PointerType::getUnqual(C);
    Tail = Hooks.hook("__seamscope_tail_v3", I32, {Ptr});
  }

  void run(const Plan &P) {
    ReplayWriter Replays(M, P.Replays);
    Replays.insertAtForks();
    LoopsInModule Loops = splitLoopEdges(P.Loops.Loops);
    for (auto &[F, InFunction] : Loops)
      joinAdjacent(InFunction);
    // Launches come first: code inside a kernel needs the lower frame, and exits from it also exit
    // the kernel.
    applyLaunches(M, P.Launches, Hooks, Table, Hooked);
    for (const WaitPlan &Wait : P.Waits.Waits)
      if (!WaitFrames.contains(Wait.F))
        WaitFrames[Wait.F] = Hooks.makeFrame(*Wait.F).Index;
    for (const CallPlan &Call : P.Calls)
      instrumentCall(Call);
    instrumentWaits(P.Waits.Waits);
    for (const auto &[F, InFunction] : Loops)
      instrumentLoops(*F, InFunction);
    for (const GroupsPlan &Groups : P.Groups)
      instrumentGroups(Groups);
    for (const KernelPlan &Kernel : P.Kernels)
      instrumentFunction(*Kernel.F, Kernel.Site);
    for (const RegionPlan &Region : P.Regions)
      instrumentFunction(*Region.Body, Region.Site, &Region);
    for (const TaskPlan &Task : P.Waits.Tasks)
      instrumentFunction(*Task.Body, Task.Site);
    for (const InlinedPlan &Inlined : P.Inlined)
      Table.addInlined(Inlined.Site, Inlined.Shared);
    Replays.insertInFunctions();
    Table.finish();
    repairAttributes(M, Hooked);
  }

private:
  /// Keeps \p Call a tail call when the enclosing call is not recorded, or when the runtime ends
  /// the recording before the tail call:
  ///   if (frame.outer == 0 || __seamscope_tail_v3(&frame))
  ///     return call();      // still a jump
  ///   result = call();      // an exit like any other follows
  ///   return result;
  /// Returns the return instructions: of the tail call, and the other one.
  std::pair<ReturnInst *, ReturnInst *> splitTailCall(CallInst *Call, const FrameSlot &Frame) {
    ReturnInst *Return = separateReturn(*Call);
    Function &F = *Call->getFunction();
    LLVMContext &C = F.getContext();
    BasicBlock *Before = Call->getParent();
    BasicBlock *Jump = Before->splitBasicBlock(Call->getIterator(), "seamscope.tail");
    BasicBlock *Recorded = BasicBlock::Create(C, "seamscope.recorded", &F);
    BasicBlock *Stay = BasicBlock::Create(C, "seamscope.stay", &F);
    Before->getTerminator()->eraseFromParent();
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
    Value *Outer = B.CreateAlignedLoad(I64, Frame.address(B), Align(8), "seamscope.outer");
    B.CreateCondBr(B.CreateICmpNE(Outer, ConstantInt::get(I64, 0)), Recorded, Jump,
                   Hooks.unlikely());
    B.SetInsertPoint(Recorded);
    Value *Ended = B.CreateCall(Tail, {Frame.address(B)});
    B.CreateCondBr(B.CreateICmpNE(Ended, ConstantInt::get(I32, 0)), Jump, Stay);
    auto *Plain = cast<CallInst>(Call->clone());
    Plain->setTailCallKind(CallInst::TCK_None);
    Plain->insertInto(Stay, Stay->end());
    Value *Result = Return->getReturnValue();
    auto *Last = ReturnInst::Create(C, Result == Call ? Plain : Result, Stay);
    Last->setDebugLoc(Return->getDebugLoc());
    return {Return, Last};
  }

  void instrumentFunction(Function &F, const SitePlan &Plan, const RegionPlan *Region = nullptr) {
    GlobalVariable *Site = Table.add(Plan, F);
    const WorkRoom Work = WorkOfFunction.lookup(&F);
    GlobalVariable *const WorkSite = Work.Words ? addWorkSite(Work, F, "") : nullptr;
    const FrameSlot Frame = WorkSite ? Hooks.makeFrame(F, *Work.Words) : Hooks.makeFrame(F);
    SmallPtrSet<Instruction *, 4> NoExits, Added; // behind the latter the words were added
    SmallVector<CallInst *> Throwing;
    for (CallInst *Call : findTailCalls(F)) {
      if (WorkSite)
        Hooks.insertWork(Frame, WorkSite, Call);
      const auto [Jump, Stay] = splitTailCall(Call, Frame);
      NoExits.insert(Jump);
      Added.insert(Stay);
      // The enclosing call is closed before the tail call, so no cleanup is needed if it throws.
      if (!Call->doesNotThrow()) {
        Call->setDoesNotThrow();
        Throwing.push_back(Call);
      }
    }
    // Collect the exits first: splitting blocks during the walk would make the enumerator visit the
    // new halves again.
    SmallVector<Instruction *> Exits;
    EscapeEnumerator Escapes(F, "seamscope.cleanup", /*HandleExceptions=*/!F.doesNotThrow());
    while (IRBuilder<> *AtExit = Escapes.Next())
      if (Instruction *At = &*AtExit->GetInsertPoint(); !NoExits.contains(At))
        Exits.push_back(At);
    for (CallInst *Call : Throwing)
      Call->removeFnAttr(Attribute::NoUnwind);

    // Allocas outside the entry block would become dynamic.
    BasicBlock &Entry = F.getEntryBlock();
    BasicBlock::iterator AfterAllocas =
        PrepareToSplitEntryBlock(Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    Instruction *Start = &*AfterAllocas;
    // Insert the entry before the exits: in a function that begins with its return, both go before
    // it.
    if (WorkSite)
      Hooks.insertFirstWord(Frame, Start);
    // Some exits look only at the frame.
    const auto OnlyFrame = [&](Instruction *At) {
      return isa<ResumeInst>(At) || Added.contains(At);
    };
    if (Frame.HasWords && any_of(Exits, OnlyFrame))
      Hooks.insertClosed(Frame, Start);
    if (Region)
      Hooks.insertRegionEnter(Frame, Site, Start, Region->IsTeams);
    else
      Hooks.insertEnter(Frame, Site, Start, /*Counted=*/Plan.Kind == SEAMSCOPE_SITE_KERNEL);
    for (Instruction *At : Exits) {
      if (isa<ResumeInst>(At)) // the exception may leave an open loop
        for (const unsigned Inner : LoopFrames.lookup(&F))
          Hooks.insertExit(Hooks.frameAt(F, Inner), At, /*Close=*/true);
      // A call that an exception leaves has counted iterations that it did not run.
      if (WorkSite && !OnlyFrame(At))
        Hooks.insertLeave(Frame, Region != nullptr, WorkSite, At);
      else
        Hooks.insertExit(Frame, At, /*Close=*/false, Region != nullptr);
    }
    F.addFnAttr("seamscope-instrumented");
    Hooked.push_back(&F);
  }

  /// Files may have copies of a function with other counters or steps: each copy needs its own
  /// entry.
  GlobalVariable *addWorkSite(const WorkRoom &Work, Function &F, StringRef Part) {
    const SitePlan &Site = Work.Work->Site;
    const std::string Name = utohexstr(xxh3_64bits(Site.Ops + contentsOf(*Work.Late)));
    return Table.add(Site, F, Part + ".work." + Name, Work.Late);
  }

  /// The next call counts from the beginning, also if this one was not recorded. Counters in front
  /// of its loops are outside of its hooks.
  void insertInlinedExit(FrameSlot Frame, const WorkRoom &Work, Function &F, const LoopPlan &Of,
                         Instruction &Before) {
    GlobalVariable *&Site = SiteOfInlined[&Of];
    if (!Site)
      Site = addWorkSite(Work, F, Of.Part);
    Frame.Words = Work.Words;
    Hooks.insertLeave(Frame, /*IsRegion=*/false, Site, &Before);
    resetWords(Work, &Before);
  }

  void instrumentCall(const CallPlan &Plan) {
    Function &F = *Plan.Call->getFunction();
    bracket(*Plan.Call, Hooks.makeFrame(F), Table.add(Plan.Site, F, Plan.Part), /*Counted=*/false);
    Hooked.push_back(&F);
  }

  /// The runtimes of OpenMP and MPI do not throw, so an unwind edge needs no exit.
  void bracket(CallBase &Call, const FrameSlot &Frame, GlobalVariable *Site, bool Counted) {
    // Tasks run by a wait have frames that link to this one.
    if (auto *Plain = dyn_cast<CallInst>(&Call))
      Plain->setTailCallKind(CallInst::TCK_None);
    auto *Invoke = dyn_cast<InvokeInst>(&Call);
    Instruction *After =
        Invoke ? SplitEdge(Invoke->getParent(), Invoke->getNormalDest())->getTerminator()
               : Call.getNextNode();
    Hooks.insertEnter(Frame, Site, &Call, Counted);
    Hooks.insertExit(Frame, After);
  }

  /// The waits of a function share one frame, because they do not nest.
  void instrumentWaits(const std::vector<WaitPlan> &Waits) {
    for (const WaitPlan &Wait : Waits) {
      const FrameSlot Frame = Hooks.frameAt(*Wait.F, WaitFrames.lookup(Wait.F));
      GlobalVariable *Site = Table.add(Wait.Site, *Wait.F, Wait.Part);
      for (CallBase *Call : Wait.Calls)
        bracket(*Call, Frame, Site, Wait.Site.Flags & SEAMSCOPE_SITE_COUNTED);
      Hooked.push_back(Wait.F);
    }
  }

  /// Loops of the same depth share a frame; inner loops have a lower one.
  void instrumentLoops(Function &F, const LoopsOfFunction &Loops) {
    DenseMap<const LoopPlan *, GlobalVariable *> Entries;
    for (unsigned Depth = Loops.Depths; Depth-- > 0;) {
      const FrameSlot Frame = Hooks.makeFrame(F);
      LoopFrames[&F].push_back(Frame.Index);
      SmallPtrSet<Instruction *, 4> Closed; // brackets that continue each other may share exits
      for (const LoopsOfFunction::Bracket &Bracket : Loops.Brackets) {
        if (Bracket.Depth != Depth)
          continue;
        GlobalVariable *&Site = Entries[Bracket.Plan];
        if (!Site)
          Site = Table.add(Bracket.Plan->Site, F, Bracket.Plan->Part);
        if (Bracket.Continues)
          Hooks.insertNext(Frame, Site, Bracket.Places.Enter);
        else
          Hooks.insertEnter(Frame, Site, Bracket.Places.Enter, /*Counted=*/true);
        const WorkRoom Work = WorkOfInlined.lookup(Bracket.Plan);
        assumeGuards(Bracket);
        for (Instruction *Exit : Bracket.Places.Exits) {
          const bool IsFirst = Closed.insert(Exit).second;
          if (Work.Words)
            insertInlinedExit(Frame, Work, F, *Bracket.Plan, *Exit);
          else if (IsFirst)
            Hooks.insertExit(Frame, Exit, /*Close=*/true);
        }
      }
    }
    // The function's exits close loops that an exception left, and a bracket that continues another
    // one checks whether that one is open. Both read the frame, so mark it closed at the entry.
    if (!F.doesNotThrow() || any_of(Loops.Brackets, [](const auto &B) { return B.Continues; })) {
      BasicBlock &Entry = F.getEntryBlock();
      Instruction *First = &*Entry.getFirstNonPHIOrDbgOrAlloca();
      for (const unsigned Inner : LoopFrames[&F])
        Hooks.insertClosed(Hooks.frameAt(F, Inner), First);
    }
    Hooked.push_back(&F);
  }

  /// The markers of the MLIR passes already stand where the hooks go.
  void instrumentGroups(const GroupsPlan &Groups) {
    Function &F = *Groups.Frame->getFunction();
    // Replaces the frame of the markers: the new one lies above the frame of the launches inside.
    const FrameSlot Frame = Hooks.makeFrame(F);
    for (const GroupPlan &Group : Groups.Groups) {
      auto *Marker =
          cast<GlobalVariable>(Group.Enters.front()->getArgOperand(0)->stripPointerCasts());
      GlobalVariable *Site = Table.add(Group.Site, F, "." + Marker->getName());
      for (CallInst *Enter : Group.Enters) {
        Hooks.insertEnter(Frame, Site, Enter, /*Counted=*/false);
        Enter->eraseFromParent();
      }
      if (Marker->use_empty())
        Marker->eraseFromParent();
    }
    for (CallInst *Exit : Groups.Exits) {
      Hooks.insertExit(Frame, Exit);
      Exit->eraseFromParent();
    }
    for (User *Use : make_early_inc_range(Groups.Frame->users())) // lifetime markers
      cast<Instruction>(Use)->eraseFromParent();
    Groups.Frame->eraseFromParent();
    Hooked.push_back(&F);
  }

  Module &M;
  SiteTable Table;
  HookWriter Hooks;
  Type *I32, *I64;
  FunctionCallee Tail;
  SmallVector<Function *> Hooked;
  DenseMap<const Function *, SmallVector<unsigned, 2>> LoopFrames; ///< innermost first
  DenseMap<const Function *, unsigned> WaitFrames;
  DenseMap<const Function *, WorkRoom> WorkOfFunction;
  DenseMap<const LoopPlan *, WorkRoom> WorkOfInlined;
  DenseMap<const LoopPlan *, GlobalVariable *> SiteOfInlined; ///< of its work
};

} // namespace

void apply(Module &M, const Plan &P, ArrayRef<WorkRoom> Rooms) {
  markLaunches(P.Launches);
  if (!P.empty())
    Instrumenter(M, Rooms).run(P);
}

} // namespace seamscope
