//===- FastPath.cpp - what hooks do in the common case, in IR --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in runtime/core/Hooks.cpp, which has the same for whoever calls it. What a reader of the spool
// may see half done is stored atomically.
//
//===----------------------------------------------------------------------===//
#include "FastPath.h"

#include "Compat.h"
#include "seamscope/abi.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

/// Null where the compiler that loads the plugin is linked without it.
extern "C" LLVM_ATTRIBUTE_WEAK void LLVMInitializeX86AsmParser();

namespace seamscope {

static constexpr StringLiteral ThreadName = "__seamscope_thread_v2";

/// The frame's site and thread, and the list's, are moved as one word; so are a record's duration
/// and site.
static_assert(offsetof(SeamscopeFrame, thread) == offsetof(SeamscopeFrame, site) + 4 &&
              offsetof(SeamscopeOpenCall, thread) == offsetof(SeamscopeOpenCall, site) + 4 &&
              offsetof(SeamscopeRecord, site) == offsetof(SeamscopeRecord, duration) + 4);

/// Whether inline assembly can become code. clang, opt and lld have set that up; flang, which has
/// no such code itself, leaves it to us. Where the target is unknown the code is generated
/// elsewhere.
static bool hasAssemblerForX86(const Triple &T) {
  const Target *CodeGen = compat::findTarget(T);
  if (CodeGen && !CodeGen->hasMCAsmParser() && LLVMInitializeX86AsmParser)
    LLVMInitializeX86AsmParser();
  return !CodeGen || CodeGen->hasMCAsmParser();
}

FastPath::FastPath(Module &M) : M(M) {
  LLVMContext &C = M.getContext();
  I32 = Type::getInt32Ty(C);
  I64 = Type::getInt64Ty(C);
  Ptr = PointerType::getUnqual(C);
  const Triple Target = compat::targetTriple(M);
  const bool Wide = M.getDataLayout().getPointerSizeInBits() == 64;
  HasThreads = Target.isOSBinFormatELF() && Wide &&
               (Target.getArch() == Triple::x86_64 || Target.getArch() == Triple::aarch64);
  X86 = HasThreads && Target.getArch() == Triple::x86_64 && hasAssemblerForX86(Target);
}

Value *FastPath::thread(IRBuilder<> &B) {
  GlobalVariable *G = M.getGlobalVariable(ThreadName);
  if (!G) {
    LLVMContext &C = M.getContext();
    auto *Ty = ArrayType::get(Type::getInt8Ty(C), sizeof(SeamscopeThread));
    G = new GlobalVariable(M, Ty, /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
                           ThreadName, nullptr, GlobalValue::InitialExecTLSModel);
    G->setAlignment(Align(8));
  }
  return B.CreateThreadLocalAddress(G);
}

Value *FastPath::field(IRBuilder<> &B, Value *Of, uint64_t Offset) {
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Of, Offset) : Of;
}

LoadInst *FastPath::load(IRBuilder<> &B, Type *Ty, Value *Of, uint64_t Offset) {
  return B.CreateAlignedLoad(Ty, field(B, Of, Offset), Align(Ty == I32 ? 4 : 8));
}

StoreInst *FastPath::store(IRBuilder<> &B, Value *What, Value *Of, uint64_t Offset) {
  return B.CreateAlignedStore(What, field(B, Of, Offset), Align(8));
}

/// Orders the stamp behind all loads, and everything on its side of it.
Value *FastPath::stamp(IRBuilder<> &B) {
  auto *Parts = StructType::get(M.getContext(), {I32, I32});
  auto *Asm = InlineAsm::get(FunctionType::get(Parts, false), "rdtscp",
                             "={ax},={dx},~{ecx},~{memory},~{dirflag},~{fpsr},~{flags}",
                             /*hasSideEffects=*/true);
  Value *Both = B.CreateCall(Asm);
  Value *Low = B.CreateZExt(B.CreateExtractValue(Both, 0), I64);
  Value *High = B.CreateZExt(B.CreateExtractValue(Both, 1), I64);
  return B.CreateOr(B.CreateShl(High, 32), Low);
}

/// By one instruction, without a bus lock: only this thread and its signal handlers do it.
Value *FastPath::claimRecord(IRBuilder<> &B, Value *Thread) {
  Value *Cursor = field(B, Thread, offsetof(SeamscopeThread, cursor));
  auto *Asm = InlineAsm::get(FunctionType::get(I64, {Ptr, I64}, false), "xaddq $0, $1",
                             "=r,=*m,0,~{memory},~{dirflag},~{fpsr},~{flags}",
                             /*hasSideEffects=*/true);
  CallInst *Old = B.CreateCall(Asm, {Cursor, B.getInt64(sizeof(SeamscopeRecord))});
  Old->addParamAttr(0, Attribute::get(M.getContext(), Attribute::ElementType, I64));
  return B.CreateIntToPtr(Old, Ptr);
}

/// Branches to where the rest is done, and to a block of its own otherwise.
class FastPath::Ways {
public:
  explicit Ways(IRBuilder<> &B)
      : B(B), F(*B.GetInsertBlock()->getParent()),
        Slow(BasicBlock::Create(B.getContext(), "slow", &F)),
        Done(BasicBlock::Create(B.getContext(), "done", &F)) {}

  /// Goes on only where \p Holds.
  void require(Value *Holds, BasicBlock *Else = nullptr) {
    auto *Next = BasicBlock::Create(B.getContext(), "fast", &F, Slow);
    B.CreateCondBr(Holds, Next, Else ? Else : Slow,
                   MDBuilder(B.getContext()).createBranchWeights(100000, 1));
    B.SetInsertPoint(Next);
  }

  void finish(EmitSlowPath EmitSlow) {
    B.CreateBr(Done);
    B.SetInsertPoint(Slow);
    EmitSlow(B);
    B.CreateBr(Done);
    B.SetInsertPoint(Done);
  }

private:
  IRBuilder<> &B;
  Function &F;

public:
  BasicBlock *const Slow, *const Done;
};

std::pair<Value *, Value *> FastPath::emitId(IRBuilder<> &B, Value *Thread, Value *Site) {
  LoadInst *Id = load(B, I32, Site, offsetof(SeamscopeSite, id));
  Id->setAtomic(AtomicOrdering::Monotonic);
  Value *Owner = load(B, Ptr, Thread, offsetof(SeamscopeThread, owner));
  LoadInst *Mask = load(B, I64, Owner, offsetof(SeamscopeOwner, mask));
  Mask->setAtomic(AtomicOrdering::Monotonic);
  // All ones, or 0.
  Value *Ours = B.CreateAnd(Mask, B.CreateZExt(Id, I64));
  return {Ours, B.CreateICmpNE(Ours, B.getInt64(0))};
}

static void storeSeen(StoreInst *Store) { Store->setAtomic(AtomicOrdering::Monotonic); }

void FastPath::emitEnter(IRBuilder<> &B, Value *Site, Value *Frame, Value *Team,
                         EmitSlowPath Slow) {
  Ways Both(B);
  Value *Thread = thread(B);
  Value *Address = B.CreatePtrToInt(Frame, I64);
  Value *Top = load(B, I64, Thread, offsetof(SeamscopeThread, top_frame));
  Value *Open = load(B, Ptr, Thread, offsetof(SeamscopeThread, next_open));
  Value *End = load(B, Ptr, Thread, offsetof(SeamscopeThread, open_end));
  Both.require(B.CreateAnd(B.CreateICmpUGT(Top, Address), B.CreateICmpULT(Open, End)));
  const auto [Id, IsOurs] = emitId(B, Thread, Site);
  Both.require(IsOurs);

  store(B, field(B, Open, sizeof(SeamscopeOpenCall)), Thread, offsetof(SeamscopeThread, next_open));
  store(B, Top, Frame, offsetof(SeamscopeFrame, outer));
  store(B, Address, Thread, offsetof(SeamscopeThread, top_frame));
  Value *Place = B.CreateOr(B.CreateShl(B.CreateZExt(Team, I64), 32), Id);
  storeSeen(store(B, Place, Frame, offsetof(SeamscopeFrame, site)));
  storeSeen(store(B, Address, Open, offsetof(SeamscopeOpenCall, frame)));
  storeSeen(store(B, Place, Open, offsetof(SeamscopeOpenCall, site)));
  Value *Begin = stamp(B);
  store(B, Begin, Open, offsetof(SeamscopeOpenCall, begin))->setAtomic(AtomicOrdering::Release);
  store(B, Begin, Frame, offsetof(SeamscopeFrame, begin));
  Both.finish(Slow);
}

FastPath::Ending FastPath::emitEnding(IRBuilder<> &B, Ways &Both, Value *Thread, Value *Frame,
                                      function_ref<Value *()> More) {
  Value *Top = load(B, I64, Thread, offsetof(SeamscopeThread, top_frame));
  Both.require(B.CreateICmpEQ(Top, B.CreatePtrToInt(Frame, I64)));
  Value *Owner = load(B, Ptr, Thread, offsetof(SeamscopeThread, owner));
  LoadInst *NotBefore = load(B, I64, Owner, offsetof(SeamscopeOwner, not_before_trace));
  NotBefore->setAtomic(AtomicOrdering::Monotonic);
  Value *Holds = B.CreateIsNotNull(NotBefore);
  if (Value *Others = More())
    Holds = B.CreateAnd(Holds, Others);
  Both.require(Holds);
  Value *Now = stamp(B);
  // What hangs on the begin stamp, which has just been stored where the call was short, would
  // have this one wait.
  Value *Begin = load(B, I64, Frame, offsetof(SeamscopeFrame, begin));
  Both.require(B.CreateICmpULT(B.CreateNot(Begin), NotBefore));
  Value *Place = load(B, I64, Frame, offsetof(SeamscopeFrame, site));
  return {Begin, Place, Now, B.CreateSub(Now, Begin)};
}

void FastPath::emitRecord(IRBuilder<> &B, Ways &Both, Value *Thread, const Ending &Call,
                          function_ref<void(IRBuilder<> &, ArrayRef<Value *>)> Full) {
  // Before the claim: of a block that a signal handler begins between the two, the end would say
  // nothing of what was claimed.
  LoadInst *End = load(B, Ptr, Thread, offsetof(SeamscopeThread, end));
  End->setVolatile(true);
  Value *Record = claimRecord(B, Thread);
  auto *NoRoom = BasicBlock::Create(B.getContext(), "full", B.GetInsertBlock()->getParent());
  Both.require(B.CreateAnd(B.CreateICmpULT(Record, End),
                           B.CreateICmpEQ(B.CreateLShr(Call.Duration, 32), B.getInt64(0))),
               NoRoom);
  storeSeen(store(B, B.CreateOr(B.CreateShl(Call.Place, 32), Call.Duration), Record,
                  offsetof(SeamscopeRecord, duration)));
  store(B, Call.Begin, Record, offsetof(SeamscopeRecord, begin))
      ->setAtomic(AtomicOrdering::Release);
  IRBuilder<> N(NoRoom);
  Full(N, {Call.Begin, Call.Duration, Call.Place});
  N.CreateBr(Both.Done);
}

/// The last of the thread's list.
static Value *lastOpen(IRBuilder<> &B, Value *NextOpen) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), NextOpen,
                                      -static_cast<int64_t>(sizeof(SeamscopeOpenCall)));
}

void FastPath::emitExit(IRBuilder<> &B, Value *Frame, bool Region, EmitSlowPath Slow,
                        function_ref<void(IRBuilder<> &, ArrayRef<Value *>)> Full) {
  Ways Both(B);
  Value *Thread = thread(B);
  const Ending Call = emitEnding(B, Both, Thread, Frame, [&]() -> Value * {
    if (!Region)
      return nullptr;
    Value *Number = load(B, I32, Frame, offsetof(SeamscopeFrame, thread));
    Value *Last = load(B, I32, Thread, offsetof(SeamscopeThread, team_thread));
    return B.CreateOr(B.CreateICmpSLT(Number, B.getInt32(0)), B.CreateICmpEQ(Number, Last));
  });
  Value *Open = lastOpen(B, load(B, Ptr, Thread, offsetof(SeamscopeThread, next_open)));
  store(B, load(B, I64, Frame, offsetof(SeamscopeFrame, outer)), Thread,
        offsetof(SeamscopeThread, top_frame));
  store(B, Open, Thread, offsetof(SeamscopeThread, next_open));
  storeSeen(store(B, B.getInt64(0), Open, offsetof(SeamscopeOpenCall, begin)));
  emitRecord(B, Both, Thread, Call, Full);
  Both.finish(Slow);
}

void FastPath::emitNext(IRBuilder<> &B, Value *Site, Value *Frame, EmitSlowPath Slow,
                        function_ref<void(IRBuilder<> &, ArrayRef<Value *>)> Full) {
  Ways Both(B);
  Value *Thread = thread(B);
  Value *Id = nullptr;
  const Ending Call = emitEnding(B, Both, Thread, Frame, [&] {
    const auto [Wide, IsOurs] = emitId(B, Thread, Site);
    Id = Wide;
    LoadInst *Offset = load(B, I32, Site, offsetof(SeamscopeSite, throttle));
    Offset->setAtomic(AtomicOrdering::Monotonic);
    Value *Throttles = load(B, Ptr, Thread, offsetof(SeamscopeThread, throttles));
    Value *EachTimed = B.CreateOr(B.CreateIsNull(Throttles), B.CreateIsNull(Offset));
    return B.CreateAnd(IsOurs, EachTimed);
  });
  Value *Open = lastOpen(B, load(B, Ptr, Thread, offsetof(SeamscopeThread, next_open)));
  Value *Place = B.CreateOr(Id, B.getInt64(~uint64_t{0} << 32));
  storeSeen(store(B, B.getInt64(0), Open, offsetof(SeamscopeOpenCall, begin)));
  storeSeen(store(B, Place, Frame, offsetof(SeamscopeFrame, site)));
  storeSeen(store(B, Place, Open, offsetof(SeamscopeOpenCall, site)));
  store(B, Call.Now, Open, offsetof(SeamscopeOpenCall, begin))->setAtomic(AtomicOrdering::Release);
  store(B, Call.Now, Frame, offsetof(SeamscopeFrame, begin));
  emitRecord(B, Both, Thread, Call, Full);
  Both.finish(Slow);
}

void FastPath::emitCountdown(IRBuilder<> &B, Value *Site, BasicBlock *Untimed, BasicBlock *Sample) {
  Function &F = *B.GetInsertBlock()->getParent();
  auto *Hot = BasicBlock::Create(M.getContext(), "seamscope.hot", &F, Untimed);
  auto *Count = BasicBlock::Create(M.getContext(), "seamscope.count", &F, Untimed);
  auto *Call = BasicBlock::Create(M.getContext(), "seamscope.call", &F, Untimed);
  LoadInst *Offset = load(B, I32, Site, offsetof(SeamscopeSite, throttle));
  Offset->setAtomic(AtomicOrdering::Monotonic);
  B.CreateCondBr(B.CreateIsNotNull(Offset), Hot, Call);
  B.SetInsertPoint(Hot);
  Value *Throttles = load(B, Ptr, thread(B), offsetof(SeamscopeThread, throttles));
  B.CreateCondBr(B.CreateIsNotNull(Throttles), Count, Call);
  B.SetInsertPoint(Count);
  Value *Left = B.CreateGEP(B.getInt8Ty(), Throttles, B.CreateZExt(Offset, I64));
  Value *Less = B.CreateSub(load(B, I32, Left, 0), B.getInt32(1));
  B.CreateAlignedStore(Less, Left, Align(4));
  B.CreateCondBr(B.CreateICmpSLT(Less, B.getInt32(0)), Sample, Untimed);
  B.SetInsertPoint(Call);
}

} // namespace seamscope
