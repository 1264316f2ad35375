//===- Hooks.cpp - calls of the runtime, in IR -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hooks.h"

#include "TeamThread.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace seamscope {

Value *FrameSlot::address(IRBuilder<> &B) const {
  if (!Index)
    return Room;
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Room, Index * sizeof(SeamscopeFrame),
                                      "seamscope.frame");
}

Value *FrameSlot::words(IRBuilder<> &B) const {
  return HasWords ? wordsBehind(B, address(B)) : Words;
}

Value *FrameSlot::wordsBehind(IRBuilder<> &B, Value *Frame) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Frame, sizeof(SeamscopeFrame),
                                      "seamscope.words");
}

HookWriter::HookWriter(Module &M, SiteTable &Table) : M(M), Table(Table), Fast(M) {
  LLVMContext &C = M.getContext();
  I32 = Type::getInt32Ty(C);
  I64 = Type::getInt64Ty(C);
  Ptr = PointerType::getUnqual(C);
  FrameTy = StructType::get(C, {I64, I64, I32, I32}); // outer, begin, site, thread
  static_assert(sizeof(SeamscopeFrame) == 24, "the IR type follows abi.h");
  // The hooks access the frame and the runtime's own memory but not the program's, so what LLVM
  // knows about the kernel's memory stays true.
  HookAttributes = HookAttributes.addFnAttribute(C, Attribute::NoUnwind);
  HookAttributes = HookAttributes.addFnAttribute(C, Attribute::WillReturn);
  // Call through the GOT, without the jump through the PLT.
  HookAttributes = HookAttributes.addFnAttribute(C, Attribute::NonLazyBind);
  HookAttributes = HookAttributes.addFnAttribute(
      C, Attribute::getWithMemoryEffects(C, MemoryEffects::inaccessibleOrArgMemOnly()));
}

/// Declared on first use, so that a module does not need symbols that it does not call.
FunctionCallee HookWriter::hook(StringRef Name, Type *Result, ArrayRef<Type *> Parameters) {
  return M.getOrInsertFunction(Name, FunctionType::get(Result, Parameters, /*isVarArg=*/false),
                               HookAttributes);
}

MDNode *HookWriter::unlikely() { return MDBuilder(M.getContext()).createBranchWeights(1, 100000); }

DebugLoc HookWriter::hookLocation(const Function &F) {
  if (DISubprogram *SP = F.getSubprogram())
    return DILocation::get(F.getContext(), 0, 0, SP);
  return {};
}

AllocaInst *HookWriter::makeRoom(Function &F, Type *Ty, StringRef Name) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *Room = B.CreateAlloca(Ty, nullptr, Name);
  Room->setAlignment(Align(8));
  return Room;
}

FrameSlot HookWriter::launchFrame(Function &F) {
  AllocaInst *const Room = Frames.lookup(&F).Room;
  return Room ? FrameSlot{Room, 0} : makeFrame(F);
}

FrameSlot HookWriter::makeFrame(Function &F) {
  FrameRoom &Of = Frames[&F];
  if (!Of.Room) {
    Of = {makeRoom(F, FrameTy, "seamscope.frame"), 1};
    return {Of.Room, 0};
  }
  AllocaInst *const All = makeRoom(F, ArrayType::get(FrameTy, Of.Count + 1), "seamscope.frames");
  Of.Room->replaceAllUsesWith(All);
  Of.Room->eraseFromParent();
  Of.Room = All;
  return {All, Of.Count++};
}

FrameSlot HookWriter::makeFrame(Function &F, AllocaInst &Words) {
  FrameSlot Made = makeFrame(F);
  if (!hasColdCalls(M)) {
    Made.Words = &Words;
    return Made;
  }
  auto *const Both = StructType::get(
      M.getContext(), {ArrayType::get(FrameTy, Made.Index + 1), Words.getAllocatedType()});
  AllocaInst *const All = makeRoom(F, Both, "seamscope.frame");
  Made.Room->replaceAllUsesWith(All);
  Made.Room->eraseFromParent();
  Frames[&F].Room = Made.Room = All;
  Made.HasWords = true;
  // An address that is computed once would be in a register across the kernel's loops.
  const DataLayout &Layout = M.getDataLayout();
  for (User *Each : make_early_inc_range(Words.users())) {
    auto *const Word = cast<GetElementPtrInst>(Each);
    APInt Offset(Layout.getIndexTypeSizeInBits(Ptr), (Made.Index + 1) * sizeof(SeamscopeFrame));
    [[maybe_unused]] const bool IsConstant = Word->accumulateConstantOffset(Layout, Offset);
    assert(IsConstant && "words of a call have numbers");
    IRBuilder<> B(Word);
    Word->replaceAllUsesWith(
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), All, Offset.getZExtValue()));
    Word->eraseFromParent();
  }
  Words.eraseFromParent();
  return Made;
}

void HookWriter::callCold(IRBuilder<> &B, StringRef Name, ArrayRef<Value *> Arguments,
                          EmitHook Emit) {
  SmallVector<Type *> Parameters;
  for (const Value *Argument : Arguments)
    Parameters.push_back(Argument->getType());
  if (Function *F = makeColdCall(M, Name, Parameters, HookAttributes, Emit))
    B.CreateCall(F, Arguments)->setCallingConv(F->getCallingConv());
  else
    Emit(B, Arguments);
}

void HookWriter::callHook(IRBuilder<> &B, StringRef Name, ArrayRef<Value *> Arguments,
                          FunctionCallee Hook) {
  callCold(B, Name, Arguments,
           [&](auto &Builder, auto Parameters) { Builder.CreateCall(Hook, Parameters); });
}

void HookWriter::emitEnter(IRBuilder<> &B, ArrayRef<Value *> Arguments, Value *Team, StringRef Name,
                           FunctionCallee Hook) {
  if (!Fast.hasStamps()) {
    B.CreateCall(Hook, Arguments);
    return;
  }
  Fast.emitEnter(B, Arguments[0], Arguments[1], Team,
                 [&](IRBuilder<> &Slow) { callHook(Slow, Name, Arguments, Hook); });
}

void HookWriter::callExit(IRBuilder<> &B, Value *Frame, bool Region) {
  callCold(B, Region ? "seamscope.region_exit" : "seamscope.exit", {Frame},
           [&](auto &Builder, auto Arguments) { emitExit(Builder, Arguments, Region); });
}

void HookWriter::emitExit(IRBuilder<> &B, ArrayRef<Value *> Arguments, bool Region) {
  Type *Void = B.getVoidTy();
  const FunctionCallee Exit = hook("__seamscope_exit_v3", Void, {Ptr});
  if (!Fast.hasStamps()) {
    B.CreateCall(Exit, Arguments);
    return;
  }
  Fast.emitExit(
      B, Arguments[0], Region,
      [&](IRBuilder<> &Slow) { callHook(Slow, "seamscope.exit.slow", Arguments, Exit); },
      [&](IRBuilder<> &Full, ArrayRef<Value *> Record) { callRecord(Full, Record); });
}

void HookWriter::callRecord(IRBuilder<> &B, ArrayRef<Value *> Record) {
  callHook(B, "seamscope.record", Record,
           hook("__seamscope_record_v3", B.getVoidTy(), {I64, I64, I64}));
}

void HookWriter::emitNext(IRBuilder<> &B, ArrayRef<Value *> Arguments) {
  const FunctionCallee Next = hook("__seamscope_next_v3", B.getVoidTy(), {Ptr, Ptr});
  if (!Fast.hasStamps()) {
    B.CreateCall(Next, Arguments);
    return;
  }
  Fast.emitNext(
      B, Arguments[0], Arguments[1],
      [&](IRBuilder<> &Slow) { callHook(Slow, "seamscope.next.slow", Arguments, Next); },
      [&](IRBuilder<> &Full, ArrayRef<Value *> Record) { callRecord(Full, Record); });
}

LoadInst *HookWriter::loadOuter(IRBuilder<> &B, Value *Frame) {
  return B.CreateAlignedLoad(I64, Frame, Align(8), "seamscope.outer");
}

LoadInst *HookWriter::loadGate(IRBuilder<> &B) {
  LoadInst *Gate = B.CreateAlignedLoad(I32, Table.gate(), Align(4), "seamscope.gate");
  // Another thread may switch the mode at any moment.
  Gate->setAtomic(AtomicOrdering::Monotonic);
  return Gate;
}

Instruction *HookWriter::insertIf(IRBuilder<> &B, Value *Number, Instruction *Before) {
  return SplitBlockAndInsertIfThen(B.CreateIsNotNull(Number), Before->getIterator(),
                                   /*Unreachable=*/false, unlikely());
}

Instruction *HookWriter::insertGate(Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(hookLocation(*Before->getFunction()));
  return insertIf(B, loadGate(B), Before);
}

void HookWriter::insertEnter(const FrameSlot &Frame, GlobalVariable *Site, Instruction *Before,
                             StringRef Name, ArrayRef<Value *> More, EmitHook Emit) {
  if (!Frame.HasWords)
    insertClosed(Frame, Before);
  IRBuilder<> B(insertGate(Before));
  B.SetCurrentDebugLocation(hookLocation(*Before->getFunction()));
  SmallVector<Value *> Arguments{Site, Frame.address(B)};
  Arguments.append(More.begin(), More.end());
  if (!Frame.HasWords)
    return callCold(B, Name, Arguments, Emit);
  callCold(B, (Name + ".work").str(), Arguments, [&](auto &Builder, auto Parameters) {
    Builder.CreateAlignedStore(ConstantInt::get(I64, 0), Parameters[1], Align(8));
    Builder.CreateStore(Builder.getInt8(1), FrameSlot::wordsBehind(Builder, Parameters[1]));
    callCold(Builder, Name, Parameters, Emit);
  });
}

void HookWriter::chooseEnter(bool Counted, function_ref<void(StringRef, EmitHook)> Use) {
  if (Counted && Fast.canThrottle())
    Use("seamscope.counted",
        [&](auto &Builder, auto Parameters) { emitCountedEnter(Builder, Parameters); });
  else
    Use("seamscope.enter",
        [&](auto &Builder, auto Parameters) { emitPlainEnter(Builder, Parameters); });
}

void HookWriter::callCountedEnter(IRBuilder<> &B, ArrayRef<Value *> Arguments) {
  chooseEnter(/*Counted=*/true,
              [&](StringRef Name, EmitHook Emit) { callCold(B, Name, Arguments, Emit); });
}

void HookWriter::emitCountedEnter(IRBuilder<> &B, ArrayRef<Value *> Parameters) {
  Function *F = B.GetInsertBlock()->getParent();
  auto *Sampled = BasicBlock::Create(M.getContext(), "seamscope.sampled", F);
  auto *Done = BasicBlock::Create(M.getContext(), "seamscope.done", F);
  Fast.emitCountdown(B, Parameters[0], Done, Sampled);
  emitPlainEnter(B, Parameters);
  B.CreateBr(Done);
  B.SetInsertPoint(Sampled);
  callHook(B, "seamscope.sample", Parameters,
           hook("__seamscope_sample_v3", B.getVoidTy(), {Ptr, Ptr}));
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
}

void HookWriter::emitPlainEnter(IRBuilder<> &B, ArrayRef<Value *> Arguments) {
  emitEnter(B, Arguments, B.getInt32(-1), "seamscope.enter.slow",
            hook("__seamscope_enter_v3", B.getVoidTy(), {Ptr, Ptr}));
}

void HookWriter::insertEnter(const FrameSlot &Frame, GlobalVariable *Site, Instruction *Before,
                             bool Counted) {
  chooseEnter(Counted, [&](StringRef Name, EmitHook Emit) {
    insertEnter(Frame, Site, Before, Name, {}, Emit);
  });
}

void HookWriter::insertNext(const FrameSlot &Frame, GlobalVariable *Site, Instruction *Before) {
  const DebugLoc Loc = hookLocation(*Before->getFunction());
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Loc);
  Value *const Outer = loadOuter(B, Frame.address(B));
  LoadInst *const Gate = loadGate(B);
  Instruction *Then = insertIf(B, B.CreateOr(Outer, B.CreateZExt(Gate, I64)), Before);
  BasicBlock *const After = Then->getSuccessor(0), *const Block = Then->getParent();
  Then->eraseFromParent();
  LLVMContext &C = M.getContext();
  const auto Make = [&](const char *Name) {
    return BasicBlock::Create(C, Name, After->getParent(), After);
  };
  BasicBlock *Enter = Make("seamscope.begin"), *Open = Make("seamscope.open"),
             *Next = Make("seamscope.next"), *Exit = Make("seamscope.end");
  B.SetInsertPoint(Block);
  B.CreateCondBr(B.CreateICmpEQ(Outer, B.getInt64(0)), Enter, Open);
  B.SetInsertPoint(Open);
  B.CreateCondBr(B.CreateICmpNE(Gate, B.getInt32(0)), Next, Exit);
  B.SetInsertPoint(Next);
  callCold(B, "seamscope.next", {Site, Frame.address(B)},
           [&](auto &Builder, auto Arguments) { emitNext(Builder, Arguments); });
  B.CreateBr(After);
  // Recording was switched off after the previous bracket began.
  B.SetInsertPoint(Exit);
  callExit(B, Frame.address(B), /*Region=*/false);
  B.CreateAlignedStore(B.getInt64(0), Frame.address(B), Align(8));
  B.CreateBr(After);
  B.SetInsertPoint(Enter);
  callCountedEnter(B, {Site, Frame.address(B)});
  B.CreateBr(After);
}

void HookWriter::insertRegionEnter(const FrameSlot &Frame, GlobalVariable *Site,
                                   Instruction *Before, bool IsTeams) {
  insertEnter(Frame, Site, Before, IsTeams ? "seamscope.teams_enter" : "seamscope.region_enter", {},
              [&](auto &Builder, auto Parameters) {
                Value *Thread = Builder.CreateCall(
                    IsTeams ? teamFunction(M) : teamThreadFunction(M), {}, "seamscope.thread");
                emitEnter(Builder, {Parameters[0], Parameters[1], Thread}, Thread,
                          "seamscope.region_enter.slow",
                          hook("__seamscope_region_enter_v3", Type::getVoidTy(M.getContext()),
                               {Ptr, Ptr, I32}));
              });
}

/// Volatile, as other words that are set at the begin of a call (resetWords).
void HookWriter::insertFirstWord(const FrameSlot &Frame, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(hookLocation(*Before->getFunction()));
  B.CreateAlignedStore(B.getInt64(Frame.HasWords ? 0 : 1), Frame.words(B), Align(8),
                       /*isVolatile=*/true);
}

void HookWriter::insertWork(const FrameSlot &Frame, GlobalVariable *Site, Instruction *Before) {
  IRBuilder<> B(insertGate(Before));
  B.SetCurrentDebugLocation(hookLocation(*Before->getFunction()));
  callWork(B, PoisonValue::get(Ptr), Frame.words(B), Site);
}

/// The parameters of seamscope.work are in the registers that seamscope.leave has them in.
void HookWriter::callWork(IRBuilder<> &B, Value *Frame, Value *Words, Value *Site) {
  callCold(B, "seamscope.work", {Frame, Words, Site}, [&](auto &Builder, auto Parameters) {
    Builder.CreateCall(hook("__seamscope_add_work_v3", B.getVoidTy(), {Ptr, Ptr}),
                       {Parameters[2], Parameters[1]});
  });
}

void HookWriter::insertLeave(const FrameSlot &Frame, bool IsRegion, GlobalVariable *Site,
                             Instruction *Before) {
  if (!hasColdCalls(M)) {
    insertExit(Frame, Before, /*Close=*/true, IsRegion);
    return insertWork(Frame, Site, Before);
  }
  const DebugLoc Loc = hookLocation(*Before->getFunction());
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Loc);
  Value *const Any =
      Frame.HasWords ? static_cast<Value *>(B.CreateLoad(B.getInt8Ty(), Frame.words(B)))
                     : B.CreateOr(loadOuter(B, Frame.address(B)), B.CreateZExt(loadGate(B), I64));
  B.SetInsertPoint(insertIf(B, Any, Before));
  B.SetCurrentDebugLocation(Loc);
  if (Frame.HasWords)
    return callCold(B, IsRegion ? "seamscope.region_end" : "seamscope.end",
                    {Frame.address(B), Site}, [&](IRBuilder<> &Builder, auto Arguments) {
                      emitLeave(Builder, Arguments[0],
                                FrameSlot::wordsBehind(Builder, Arguments[0]), Arguments[1],
                                IsRegion);
                    });
  callCold(B, IsRegion ? "seamscope.region_leave" : "seamscope.leave",
           {Frame.address(B), Frame.words(B), Site}, [&](IRBuilder<> &Builder, auto Arguments) {
             emitLeave(Builder, Arguments[0], Arguments[1], Arguments[2], IsRegion);
           });
}

/// Where nothing is recorded, or no more, the runtime adds nothing.
void HookWriter::emitLeave(IRBuilder<> &B, Value *Frame, Value *Words, Value *Site, bool IsRegion) {
  Function *const F = B.GetInsertBlock()->getParent();
  BasicBlock *const Open = BasicBlock::Create(M.getContext(), "open", F), *const After =
                                                                              BasicBlock::Create(
                                                                                  M.getContext(),
                                                                                  "after", F);
  B.CreateCondBr(B.CreateIsNotNull(loadOuter(B, Frame)), Open, After);
  B.SetInsertPoint(Open);
  callExit(B, Frame, IsRegion);
  B.CreateAlignedStore(B.getInt64(0), Frame, Align(8));
  B.CreateBr(After);
  B.SetInsertPoint(After);
  callWork(B, Frame, Words, Site);
}

void HookWriter::insertClosed(const FrameSlot &Frame, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(hookLocation(*Before->getFunction()));
  B.CreateAlignedStore(ConstantInt::get(I64, 0), Frame.address(B), Align(8));
}

void HookWriter::insertExit(const FrameSlot &Frame, Instruction *Before, bool Close,
                            bool IsRegion) {
  Instruction *Then = insertOpen(Frame, Before);
  IRBuilder<> B(Then);
  B.SetCurrentDebugLocation(hookLocation(*Before->getFunction()));
  callExit(B, Frame.address(B), IsRegion);
  if (Close)
    insertClosed(Frame, Then);
}

Instruction *HookWriter::insertOpen(const FrameSlot &Frame, Instruction *Before) {
  const DebugLoc Loc = hookLocation(*Before->getFunction());
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Loc);
  return insertIf(B, loadOuter(B, Frame.address(B)), Before);
}

} // namespace seamscope
