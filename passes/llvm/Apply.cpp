//===- Apply.cpp - the only code that changes IR ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At an entry:                          At each exit:
//   frame.outer = 0                       if (frame.outer != 0)     // unlikely
//   if (gate != 0)       // unlikely        __seamscope_exit_v1(&frame)
//     __seamscope_enter_v1(&site, &frame)
//
// Both calls through functions that preserve registers (ColdCalls.h).
//
// The frame stays in memory on purpose: a value in a register, alive across the whole
// kernel, could cost the kernel's loops a spill.
//
//===----------------------------------------------------------------------===//
#include "Apply.h"

#include "Attributes.h"
#include "ColdCalls.h"
#include "Compat.h"
#include "SiteTable.h"
#include "TailCalls.h"
#include "TeamThread.h"

#include "llvm/ADT/SmallPtrSet.h"
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
    HookAttributes = Attrs;
    Enter = M.getOrInsertFunction("__seamscope_enter_v1", Attrs, Void, Ptr, Ptr);
    RegionEnter = M.getOrInsertFunction("__seamscope_region_enter_v1", Attrs, Void, Ptr, Ptr, I32);
    Exit = M.getOrInsertFunction("__seamscope_exit_v1", Attrs, Void, Ptr);
    Tail = M.getOrInsertFunction("__seamscope_tail_v1", Attrs, I32, Ptr);
  }

  void run(const Plan &P) {
    for (const ForkPlan &Fork : P.Forks)
      instrumentFork(Fork);
    for (const KernelPlan &Kernel : P.Kernels)
      instrumentFunction(*Kernel.F, Kernel.Site, /*Region=*/false);
    for (const RegionPlan &Region : P.Regions)
      instrumentFunction(*Region.Body, Region.Site, /*Region=*/true);
    for (const InlinedPlan &Inlined : P.Inlined)
      Table.addInlined(Inlined.Site, Inlined.Shared);
    Table.finish();
    repairAttributes(M, Hooked);
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
      callCold(T, "seamscope.region_enter", {Site, Frame}, [&](auto &Builder, auto Arguments) {
        Value *Thread = Builder.CreateCall(teamThreadFunction(M), {}, "seamscope.thread");
        Builder.CreateCall(RegionEnter, {Arguments[0], Arguments[1], Thread});
      });
    else
      callCold(T, "seamscope.enter", {Site, Frame},
               [&](auto &Builder, auto Arguments) { Builder.CreateCall(Enter, Arguments); });
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
    callCold(T, "seamscope.exit", {Frame},
             [&](auto &Builder, auto Arguments) { Builder.CreateCall(Exit, Arguments); });
  }

  /// Calls what \p Emit emits, or emits it here.
  void callCold(IRBuilder<> &B, StringRef Name, ArrayRef<Value *> Arguments, EmitHook Emit) {
    const SmallVector<Type *> Parameters(Arguments.size(), Ptr);
    if (Function *F = makeColdCall(M, Name, Parameters, HookAttributes, Emit))
      B.CreateCall(F, Arguments)->setCallingConv(F->getCallingConv());
    else
      Emit(B, Arguments);
  }

  /// A call that ends the function stays one where this call of the function is not recorded, or
  /// where the runtime ends the recording before it:
  ///   if (frame.outer == 0 || __seamscope_tail_v1(&frame))
  ///     return call();      // still a jump
  ///   result = call();      // an exit like any other follows
  ///   return result;
  /// The return of the former.
  ReturnInst *splitTailCall(CallInst *Call, AllocaInst *Frame) {
    ReturnInst *Return = separateReturn(*Call);
    Function &F = *Call->getFunction();
    LLVMContext &C = F.getContext();
    BasicBlock *Before = Call->getParent();
    BasicBlock *Jump = Before->splitBasicBlock(Call->getIterator(), "seamscope.tail");
    BasicBlock *Recorded = BasicBlock::Create(C, "seamscope.recorded", &F);
    BasicBlock *Stay = BasicBlock::Create(C, "seamscope.stay", &F);
    Before->getTerminator()->eraseFromParent();
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(hookLocation(F));
    Value *Outer = B.CreateAlignedLoad(I64, Frame, Align(8), "seamscope.outer");
    B.CreateCondBr(B.CreateICmpNE(Outer, ConstantInt::get(I64, 0)), Recorded, Jump, unlikely());
    B.SetInsertPoint(Recorded);
    Value *Ended = B.CreateCall(Tail, {Frame});
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
    AllocaInst *Frame = makeFrame(F);
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
    insertEnter(Frame, Site, Region, Start);
    for (Instruction *At : Exits)
      insertExit(Frame, At);
    F.addFnAttr("seamscope-instrumented");
    Hooked.push_back(&F);
  }

  void instrumentFork(const ForkPlan &Fork) {
    Function &F = *Fork.Call->getFunction();
    const Value *Body = Fork.Call->getArgOperand(2)->stripPointerCastsAndAliases();
    GlobalVariable *Site = Table.add(Fork.Site, F, "." + Body->getName());
    AllocaInst *Frame = makeFrame(F);
    insertEnter(Frame, Site, /*Region=*/false, Fork.Call);
    insertExit(Frame, Fork.Call->getNextNode());
    Hooked.push_back(&F);
  }

  Module &M;
  SiteTable Table;
  Type *I32, *I64;
  PointerType *Ptr;
  StructType *FrameTy;
  AttributeList HookAttributes;
  FunctionCallee Enter, RegionEnter, Exit, Tail;
  SmallVector<Function *> Hooked;
};

} // namespace

void apply(Module &M, const Plan &P) {
  if (!P.empty())
    Instrumenter(M).run(P);
}

} // namespace seamscope
