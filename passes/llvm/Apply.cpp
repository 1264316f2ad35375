//===- Apply.cpp - the only code that changes IR ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hooks are those of Hooks.h.
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

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace seamscope {
namespace {

class Instrumenter {
public:
  explicit Instrumenter(Module &M) : M(M), Table(M), Hooks(M, Table) {
    LLVMContext &C = M.getContext();
    I32 = Type::getInt32Ty(C);
    I64 = Type::getInt64Ty(C);
    auto *Ptr = PointerType::getUnqual(C);
    Tail = Hooks.hook("__seamscope_tail_v2", I32, {Ptr});
  }

  void run(const Plan &P) {
    LoopsInModule Loops = splitLoopEdges(P.Loops.Loops);
    for (auto &[F, Its] : Loops)
      joinAdjacent(Its);
    // First: what is inside of a kernel has the lower frame, and its exits are the kernel's, too.
    applyLaunches(M, P.Launches, Hooks, Table, Hooked);
    for (const WaitPlan &Wait : P.Waits.Waits)
      if (!WaitFrames.contains(Wait.F))
        WaitFrames[Wait.F] = Hooks.makeFrame(*Wait.F).Index;
    for (const ForkPlan &Fork : P.Forks)
      instrumentFork(Fork);
    instrumentWaits(P.Waits.Waits);
    for (const auto &[F, Its] : Loops)
      instrumentLoops(*F, Its);
    for (const GroupsPlan &Whole : P.Groups)
      instrumentGroups(Whole);
    for (const KernelPlan &Kernel : P.Kernels)
      instrumentFunction(*Kernel.F, Kernel.Site, /*Region=*/false);
    for (const RegionPlan &Region : P.Regions)
      instrumentFunction(*Region.Body, Region.Site, /*Region=*/true);
    for (const TaskPlan &Task : P.Waits.Tasks)
      instrumentFunction(*Task.Body, Task.Site, /*Region=*/false);
    for (const InlinedPlan &Inlined : P.Inlined)
      Table.addInlined(Inlined.Site, Inlined.Shared);
    Table.finish();
    repairAttributes(M, Hooked);
  }

private:
  /// A call that ends the function stays one where this call of the function is not recorded, or
  /// where the runtime ends the recording before it:
  ///   if (frame.outer == 0 || __seamscope_tail_v2(&frame))
  ///     return call();      // still a jump
  ///   result = call();      // an exit like any other follows
  ///   return result;
  /// The return of the former.
  ReturnInst *splitTailCall(CallInst *Call, const FrameSlot &Frame) {
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
    return Return;
  }

  void instrumentFunction(Function &F, const SitePlan &Plan, bool Region) {
    GlobalVariable *Site = Table.add(Plan, F);
    const FrameSlot Frame = Hooks.makeFrame(F);
    SmallPtrSet<Instruction *, 4> NoExits;
    SmallVector<CallInst *> Throwing;
    for (CallInst *Call : findTailCalls(F)) {
      NoExits.insert(splitTailCall(Call, Frame));
      // What it throws passes no open call: the enumerator has nothing to catch.
      if (!Call->doesNotThrow()) {
        Call->setDoesNotThrow();
        Throwing.push_back(Call);
      }
    }
    // Collect the exits first: splitting blocks while the enumerator walks them would make it
    // see the new halves again.
    SmallVector<Instruction *> Exits;
    EscapeEnumerator Escapes(F, "seamscope.cleanup", /*HandleExceptions=*/!F.doesNotThrow());
    while (IRBuilder<> *AtExit = Escapes.Next())
      if (Instruction *At = &*AtExit->GetInsertPoint(); !NoExits.contains(At))
        Exits.push_back(At);
    for (CallInst *Call : Throwing)
      Call->removeFnAttr(Attribute::NoUnwind);

    // Static allocas must stay in the entry block, or they become dynamic ones.
    BasicBlock &Entry = F.getEntryBlock();
    BasicBlock::iterator AfterAllocas =
        PrepareToSplitEntryBlock(Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    Instruction *Start = &*AfterAllocas;
    // The entry first: where a function begins with its return, both stand before that.
    if (Region)
      Hooks.insertRegionEnter(Frame, Site, Start);
    else
      Hooks.insertEnter(Frame, Site, Start, /*Counted=*/Plan.Kind == SEAMSCOPE_SITE_KERNEL);
    for (Instruction *At : Exits) {
      if (isa<ResumeInst>(At)) // out of a loop, or of none
        for (const unsigned Inner : LoopFrames.lookup(&F))
          Hooks.insertExit(Hooks.frameAt(F, Inner), At, /*Again=*/true);
      if (Region)
        Hooks.insertRegionExit(Frame, At);
      else
        Hooks.insertExit(Frame, At);
    }
    F.addFnAttr("seamscope-instrumented");
    Hooked.push_back(&F);
  }

  void instrumentFork(const ForkPlan &Fork) {
    Function &F = *Fork.Call->getFunction();
    const Value *Body = Fork.Call->getArgOperand(2)->stripPointerCastsAndAliases();
    GlobalVariable *Site = Table.add(Fork.Site, F, "." + Body->getName());
    const FrameSlot Frame = Hooks.makeFrame(F);
    Hooks.insertEnter(Frame, Site, Fork.Call, /*Counted=*/false);
    Hooks.insertExit(Frame, Fork.Call->getNextNode());
    Hooked.push_back(&F);
  }

  /// One frame does for all waits of a function: none is in another.
  void instrumentWaits(const std::vector<WaitPlan> &Waits) {
    for (const WaitPlan &Wait : Waits) {
      const FrameSlot Frame = Hooks.frameAt(*Wait.F, WaitFrames.lookup(Wait.F));
      GlobalVariable *Site = Table.add(Wait.Site, *Wait.F, Wait.Part);
      for (CallBase *Call : Wait.Calls) {
        // Tasks that it runs have frames of their own, which lead to this one.
        if (auto *Plain = dyn_cast<CallInst>(Call))
          Plain->setTailCallKind(CallInst::TCK_None);
        // The runtime is C: an invoke of it ends nowhere else.
        auto *Invoke = dyn_cast<InvokeInst>(Call);
        Instruction *After =
            Invoke ? SplitEdge(Invoke->getParent(), Invoke->getNormalDest())->getTerminator()
                   : Call->getNextNode();
        Hooks.insertEnter(Frame, Site, Call, Wait.Site.Flags & SEAMSCOPE_SITE_COUNTED);
        Hooks.insertExit(Frame, After);
      }
      Hooked.push_back(Wait.F);
    }
  }

  /// Loops that are beside each other share a frame; inner ones have a lower one.
  void instrumentLoops(Function &F, const LoopsOfFunction &Its) {
    DenseMap<const LoopPlan *, GlobalVariable *> Entries;
    for (unsigned Depth = Its.Depths; Depth-- > 0;) {
      const FrameSlot Frame = Hooks.makeFrame(F);
      LoopFrames[&F].push_back(Frame.Index);
      for (const LoopsOfFunction::Bracket &Bracket : Its.Brackets) {
        if (Bracket.Depth != Depth)
          continue;
        GlobalVariable *&Site = Entries[Bracket.Plan];
        if (!Site)
          Site = Table.add(Bracket.Plan->Site, F, Bracket.Plan->Part);
        if (Bracket.Continues)
          Hooks.insertNext(Frame, Site, Bracket.Places.Enter);
        else
          Hooks.insertEnter(Frame, Site, Bracket.Places.Enter, /*Counted=*/true);
        assumeGuards(Bracket);
        for (Instruction *Exit : Bracket.Places.Exits)
          Hooks.insertExit(Frame, Exit, /*Again=*/true);
      }
    }
    // What an exception leaves is closed where the function is left; and a loop that another one
    // may lead to looks whether that was run.
    if (!F.doesNotThrow() || any_of(Its.Brackets, [](const auto &B) { return B.Continues; })) {
      BasicBlock &Entry = F.getEntryBlock();
      Instruction *First = &*Entry.getFirstNonPHIOrDbgOrAlloca();
      for (const unsigned Inner : LoopFrames[&F])
        Hooks.insertClosed(Hooks.frameAt(F, Inner), First);
    }
    Hooked.push_back(&F);
  }

  /// The places are there.
  void instrumentGroups(const GroupsPlan &Whole) {
    Function &F = *Whole.Frame->getFunction();
    // In place of the one that the markers brought: above the frame of the launches within.
    const FrameSlot Frame = Hooks.makeFrame(F);
    for (const GroupPlan &Group : Whole.Groups) {
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
    for (CallInst *Exit : Whole.Exits) {
      Hooks.insertExit(Frame, Exit);
      Exit->eraseFromParent();
    }
    for (User *Use : make_early_inc_range(Whole.Frame->users())) // what tells of its lifetime
      cast<Instruction>(Use)->eraseFromParent();
    Whole.Frame->eraseFromParent();
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
};

} // namespace

void apply(Module &M, const Plan &P) {
  markLaunches(P.Launches);
  if (!P.empty())
    Instrumenter(M).run(P);
}

} // namespace seamscope
