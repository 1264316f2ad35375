//===- Apply.cpp - the only code that changes IR ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At an entry:                          At each exit:
//   frame.outer = 0                       if (frame.outer != 0)     // unlikely
//   if (gate != 0)       // unlikely        __seamscope_exit_v1(&frame)
//     __seamscope_enter_v1(&site, &frame)
//
// The frame stays in memory on purpose: a value in a register, alive across the whole
// kernel, could cost the kernel's loops a spill.
//
//===----------------------------------------------------------------------===//
#include "Apply.h"

#include "Compat.h"
#include "SiteTable.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace seamscope {
namespace {

class Instrumenter {
public:
  explicit Instrumenter(Module &M) : M(M), Table(M) {
    LLVMContext &C = M.getContext();
    I32 = Type::getInt32Ty(C);
    I64 = Type::getInt64Ty(C);
    Ptr = PointerType::getUnqual(C);
    FrameTy = StructType::get(C, {I64, I64, I32, I32}); // outer, begin, site, thread
    static_assert(sizeof(SeamscopeFrame) == 24, "the IR type follows abi.h");
    Type *Void = Type::getVoidTy(C);
    // The hooks touch the frame and the runtime's own memory: nothing of the program's, so
    // that what LLVM knows of the kernel's memory stays true.
    AttributeList Attrs;
    Attrs = Attrs.addFnAttribute(C, Attribute::NoUnwind);
    Attrs = Attrs.addFnAttribute(C, Attribute::WillReturn);
    // A call through the GOT, without the jump through the PLT.
    Attrs = Attrs.addFnAttribute(C, Attribute::NonLazyBind);
    Attrs = Attrs.addFnAttribute(
        C, Attribute::getWithMemoryEffects(C, MemoryEffects::inaccessibleOrArgMemOnly()));
    Enter = M.getOrInsertFunction("__seamscope_enter_v1", Attrs, Void, Ptr, Ptr);
    RegionEnter = M.getOrInsertFunction("__seamscope_region_enter_v1", Attrs, Void, Ptr, Ptr, I32);
    Exit = M.getOrInsertFunction("__seamscope_exit_v1", Attrs, Void, Ptr);
  }

  void run(const Plan &P) {
    for (const ForkPlan &Fork : P.Forks)
      instrumentFork(Fork);
    for (const KernelPlan &Kernel : P.Kernels)
      instrumentFunction(*Kernel.F, Kernel.Site, /*Region=*/false);
    for (const RegionPlan &Region : P.Regions)
      instrumentFunction(*Region.Body, Region.Site, /*Region=*/true);
    Table.finish();
  }

private:
  MDNode *unlikely() { return MDBuilder(M.getContext()).createBranchWeights(1, 100000); }

  /// Line 0 of the function: hooks belong to no source line.
  static DebugLoc hookLocation(const Function &F) {
    if (DISubprogram *SP = F.getSubprogram())
      return DILocation::get(F.getContext(), 0, 0, SP);
    return {};
  }

  AllocaInst *makeFrame(Function &F) {
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> B(&Entry, Entry.begin());
    AllocaInst *Frame = B.CreateAlloca(FrameTy, nullptr, "seamscope.frame");
    Frame->setAlignment(Align(8));
    return Frame;
  }

  void insertEnter(AllocaInst *Frame, GlobalVariable *Site, bool Region, Instruction *Before) {
    const DebugLoc Loc = hookLocation(*Before->getFunction());
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(Loc);
    B.CreateAlignedStore(ConstantInt::get(I64, 0), Frame, Align(8));
    LoadInst *Gate = B.CreateAlignedLoad(I32, Table.gate(), Align(4), "seamscope.gate");
    // Another thread may switch the mode at any moment.
    Gate->setAtomic(AtomicOrdering::Monotonic);
    Value *On = B.CreateICmpNE(Gate, ConstantInt::get(I32, 0));
    Instruction *Then =
        SplitBlockAndInsertIfThen(On, Before->getIterator(), /*Unreachable=*/false, unlikely());
    IRBuilder<> T(Then);
    T.SetCurrentDebugLocation(Loc);
    if (Region)
      T.CreateCall(RegionEnter, {Site, Frame, teamThread(T)});
    else
      T.CreateCall(Enter, {Site, Frame});
  }

  /// The thread's number in its team. libgomp exports omp_get_thread_num as well, and beside it
  /// that name may be the wrong runtime's; this entry is libomp's alone.
  Value *teamThread(IRBuilder<> &B) {
    FunctionCallee Number = M.getOrInsertFunction("__kmpc_bound_thread_num", I32, Ptr);
    return B.CreateCall(Number, {ConstantPointerNull::get(Ptr)}, "seamscope.thread");
  }

  void insertExit(AllocaInst *Frame, Instruction *Before) {
    const DebugLoc Loc = hookLocation(*Before->getFunction());
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(Loc);
    Value *Outer = B.CreateAlignedLoad(I64, Frame, Align(8), "seamscope.outer");
    Value *Open = B.CreateICmpNE(Outer, ConstantInt::get(I64, 0));
    Instruction *Then =
        SplitBlockAndInsertIfThen(Open, Before->getIterator(), /*Unreachable=*/false, unlikely());
    IRBuilder<> T(Then);
    T.SetCurrentDebugLocation(Loc);
    T.CreateCall(Exit, {Frame});
  }

  void instrumentFunction(Function &F, const SitePlan &Plan, bool Region) {
    GlobalVariable *Site = Table.add(Plan, F);
    // Collect the exits first: splitting blocks while the enumerator walks them would make it
    // see the new halves again.
    SmallVector<Instruction *> Exits;
    EscapeEnumerator Escapes(F, "seamscope.cleanup", /*HandleExceptions=*/!F.doesNotThrow());
    while (IRBuilder<> *AtExit = Escapes.Next())
      Exits.push_back(&*AtExit->GetInsertPoint());

    // Static allocas must stay in the entry block, or they become dynamic ones.
    BasicBlock &Entry = F.getEntryBlock();
    BasicBlock::iterator AfterAllocas =
        PrepareToSplitEntryBlock(Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    Instruction *Start = &*AfterAllocas;
    AllocaInst *Frame = makeFrame(F);
    for (Instruction *At : Exits)
      insertExit(Frame, At);
    insertEnter(Frame, Site, Region, Start);
    F.addFnAttr("seamscope-instrumented");
    repairAttributes(F);
  }

  void instrumentFork(const ForkPlan &Fork) {
    Function &F = *Fork.Call->getFunction();
    GlobalVariable *Site = Table.add(Fork.Site, F);
    AllocaInst *Frame = makeFrame(F);
    insertEnter(Frame, Site, /*Region=*/false, Fork.Call);
    insertExit(Frame, Fork.Call->getNextNode());
    repairAttributes(F);
  }

  /// What was inferred about a function's memory no longer holds once it calls hooks, nor what
  /// was inferred about its callers from it: a later pass could merge or move the calls.
  void repairAttributes(Function &First) {
    SmallVector<Function *> Work{&First};
    while (!Work.empty()) {
      Function *F = Work.pop_back_val();
      const MemoryEffects Before = F->getMemoryEffects();
      // From outside, the frame is the callee's own stack: only the runtime's memory shows.
      const MemoryEffects After = Before | MemoryEffects::inaccessibleMemOnly();
      const bool Stale = Before != After || F->hasFnAttribute(Attribute::NoSync) ||
                         F->hasFnAttribute(Attribute::NoFree) ||
                         F->hasFnAttribute(Attribute::Speculatable);
      if (F != &First && !Stale)
        continue;
      F->setMemoryEffects(After);
      for (Attribute::AttrKind Kind :
           {Attribute::NoSync, Attribute::NoFree, Attribute::Speculatable, Attribute::NoCallback})
        F->removeFnAttr(Kind);
      for (User *U : F->users()) {
        auto *Call = dyn_cast<CallBase>(U);
        if (!Call || Call->getCalledOperand() != F)
          continue;
        if (const MemoryEffects AtCall = Call->getMemoryEffects();
            AtCall != MemoryEffects::unknown())
          Call->setMemoryEffects(AtCall | MemoryEffects::inaccessibleMemOnly());
        for (Attribute::AttrKind Kind : {Attribute::NoSync, Attribute::NoFree})
          Call->removeFnAttr(Kind);
        Work.push_back(Call->getFunction());
      }
    }
  }

  Module &M;
  SiteTable Table;
  Type *I32, *I64;
  PointerType *Ptr;
  StructType *FrameTy;
  FunctionCallee Enter, RegionEnter, Exit;
};

} // namespace

void apply(Module &M, const Plan &P) {
  if (!P.empty())
    Instrumenter(M).run(P);
}

} // namespace seamscope
