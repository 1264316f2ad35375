//===- FastPath.cpp - the common case of hooks, in IR ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors runtime/core/Hooks.cpp, which serves callers without this code. Fields that a reader of
// the spool may see half written are stored atomically.
//
//===----------------------------------------------------------------------===//
#include "FastPath.h"

#include "Compat.h"
#include "seamscope/abi.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

/// Null if the compiler that loads the plugin is linked without it.
extern "C" LLVM_ATTRIBUTE_WEAK void LLVMInitializeX86AsmParser();

namespace seamscope {

static constexpr StringLiteral ThreadName = "__seamscope_thread_v3";

/// The site and thread of frames and open calls are moved as one word; so are the duration and site
/// of records.
static_assert(offsetof(SeamscopeFrame, thread) == offsetof(SeamscopeFrame, site) + 4 &&
              offsetof(SeamscopeOpenCall, thread) == offsetof(SeamscopeOpenCall, site) + 4 &&
              offsetof(SeamscopeRecord, site) == offsetof(SeamscopeRecord, duration) + 4);

/// Whether inline assembly can be compiled. clang, opt and lld register the assembly parser; flang
/// does not, so it is registered here. An unknown target means that code generation happens
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

Value *FastPath::field(IRBuilder<> &B, Value *Base, uint64_t Offset) {
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset) : Base;
}

LoadInst *FastPath::load(IRBuilder<> &B, Type *Ty, Value *Base, uint64_t Offset) {
  return B.CreateAlignedLoad(Ty, field(B, Base, Offset), Align(Ty == I32 ? 4 : 8));
}

StoreInst *FastPath::store(IRBuilder<> &B, Value *Stored, Value *Base, uint64_t Offset) {
  return B.CreateAlignedStore(Stored, field(B, Base, Offset), Align(8));
}

/// Reads the clock after all earlier loads; memory accesses do not move across it.
Value *FastPath::stamp(IRBuilder<> &B) {
  auto *Parts = StructType::get(M.getContext(), {I32, I32});
  auto *Asm = InlineAsm::get(FunctionType::get(Parts, false), "rdtscp",
                             "={ax},={dx},~{ecx},~{memory},~{dirflag},~{fpsr},~{flags}",
                             /*hasSideEffects=*/true);
  Value *LowHigh = B.CreateCall(Asm);
  Value *Low = B.CreateZExt(B.CreateExtractValue(LowHigh, 0), I64);
  Value *High = B.CreateZExt(B.CreateExtractValue(LowHigh, 1), I64);
  return B.CreateOr(B.CreateShl(High, 32), Low);
}

/// One instruction without a bus lock is enough: only this thread and its signal handlers claim
/// records.
Value *FastPath::claimRecord(IRBuilder<> &B, Value *Thread) {
  Value *Cursor = field(B, Thread, offsetof(SeamscopeThread, cursor));
  auto *Asm = InlineAsm::get(FunctionType::get(I64, {Ptr, I64}, false), "xaddq $0, $1",
                             "=r,=*m,0,~{memory},~{dirflag},~{fpsr},~{flags}",
                             /*hasSideEffects=*/true);
  CallInst *Old = B.CreateCall(Asm, {Cursor, B.getInt64(sizeof(SeamscopeRecord))});
  Old->addParamAttr(0, Attribute::get(M.getContext(), Attribute::ElementType, I64));
  return B.CreateIntToPtr(Old, Ptr);
}

/// Emits the branches between the fast path, the slow path, and the block where both continue.
class FastPath::Branches {
public:
  explicit Branches(IRBuilder<> &B)
      : B(B), F(*B.GetInsertBlock()->getParent()),
        Slow(BasicBlock::Create(B.getContext(), "slow", &F)),
        Done(BasicBlock::Create(B.getContext(), "done", &F)) {}

  /// Continues only if \p Holds.
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
  // The mask is all ones or 0.
  Value *MaskedId = B.CreateAnd(Mask, B.CreateZExt(Id, I64));
  return {MaskedId, B.CreateICmpNE(MaskedId, B.getInt64(0))};
}

static void makeAtomic(StoreInst *Store) { Store->setAtomic(AtomicOrdering::Monotonic); }

void FastPath::emitEnter(IRBuilder<> &B, Value *Site, Value *Frame, Value *Team,
                         EmitSlowPath Slow) {
  Branches Paths(B);
  Value *Thread = thread(B);
  Value *Address = B.CreatePtrToInt(Frame, I64);
  Value *Top = load(B, I64, Thread, offsetof(SeamscopeThread, top_frame));
  Value *Open = load(B, Ptr, Thread, offsetof(SeamscopeThread, next_open));
  Value *End = load(B, Ptr, Thread, offsetof(SeamscopeThread, open_end));
  Paths.require(B.CreateAnd(B.CreateICmpUGT(Top, Address), B.CreateICmpULT(Open, End)));
  const auto [Id, MayRecord] = emitId(B, Thread, Site);
  Paths.require(MayRecord);

  store(B, field(B, Open, sizeof(SeamscopeOpenCall)), Thread, offsetof(SeamscopeThread, next_open));
  store(B, Top, Frame, offsetof(SeamscopeFrame, outer));
  store(B, Address, Thread, offsetof(SeamscopeThread, top_frame));
  Value *Place = B.CreateOr(B.CreateShl(B.CreateZExt(Team, I64), 32), Id);
  makeAtomic(store(B, Place, Frame, offsetof(SeamscopeFrame, site)));
  makeAtomic(store(B, Address, Open, offsetof(SeamscopeOpenCall, frame)));
  makeAtomic(store(B, Place, Open, offsetof(SeamscopeOpenCall, site)));
  Value *Begin = stamp(B);
  store(B, Begin, Open, offsetof(SeamscopeOpenCall, begin))->setAtomic(AtomicOrdering::Release);
  store(B, Begin, Frame, offsetof(SeamscopeFrame, begin));
  Paths.finish(Slow);
}

FastPath::EndedCall FastPath::emitEndStamp(IRBuilder<> &B, Branches &Paths, Value *Thread,
                                           Value *Frame, function_ref<Value *()> ExtraCondition) {
  Value *Top = load(B, I64, Thread, offsetof(SeamscopeThread, top_frame));
  Paths.require(B.CreateICmpEQ(Top, B.CreatePtrToInt(Frame, I64)));
  Value *Owner = load(B, Ptr, Thread, offsetof(SeamscopeThread, owner));
  LoadInst *NotBefore = load(B, I64, Owner, offsetof(SeamscopeOwner, not_before_trace));
  NotBefore->setAtomic(AtomicOrdering::Monotonic);
  Value *Holds = B.CreateIsNotNull(NotBefore);
  if (Value *Extra = ExtraCondition())
    Holds = B.CreateAnd(Holds, Extra);
  Paths.require(Holds);
  Value *Now = stamp(B);
  // Load the begin stamp only after reading the end stamp: in a short call it was just stored, and
  // waiting for it would delay the end stamp.
  Value *Begin = load(B, I64, Frame, offsetof(SeamscopeFrame, begin));
  Paths.require(B.CreateICmpULT(B.CreateNot(Begin), NotBefore));
  Value *Place = load(B, I64, Frame, offsetof(SeamscopeFrame, site));
  return {Begin, Place, Now, B.CreateSub(Now, Begin)};
}

void FastPath::emitRecord(IRBuilder<> &B, Branches &Paths, Value *Thread, const EndedCall &Call,
                          function_ref<void(IRBuilder<> &, ArrayRef<Value *>)> Full) {
  // Loaded before the claim: a signal handler may begin a new block between the two, and the new
  // block's end says nothing about the claimed record.
  LoadInst *End = load(B, Ptr, Thread, offsetof(SeamscopeThread, end));
  End->setVolatile(true);
  Value *Record = claimRecord(B, Thread);
  auto *NoRoom = BasicBlock::Create(B.getContext(), "full", B.GetInsertBlock()->getParent());
  Paths.require(B.CreateAnd(B.CreateICmpULT(Record, End),
                            B.CreateICmpEQ(B.CreateLShr(Call.Duration, 32), B.getInt64(0))),
                NoRoom);
  makeAtomic(store(B, B.CreateOr(B.CreateShl(Call.Place, 32), Call.Duration), Record,
                   offsetof(SeamscopeRecord, duration)));
  store(B, Call.Begin, Record, offsetof(SeamscopeRecord, begin))
      ->setAtomic(AtomicOrdering::Release);
  IRBuilder<> N(NoRoom);
  Full(N, {Call.Begin, Call.Duration, Call.Place});
  N.CreateBr(Paths.Done);
}

/// The last entry of the thread's list of open calls.
static Value *lastOpen(IRBuilder<> &B, Value *NextOpen) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), NextOpen,
                                      -static_cast<int64_t>(sizeof(SeamscopeOpenCall)));
}

void FastPath::emitExit(IRBuilder<> &B, Value *Frame, bool Region, EmitSlowPath Slow,
                        function_ref<void(IRBuilder<> &, ArrayRef<Value *>)> Full) {
  Branches Paths(B);
  Value *Thread = thread(B);
  const EndedCall Call = emitEndStamp(B, Paths, Thread, Frame, [&]() -> Value * {
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
  makeAtomic(store(B, B.getInt64(0), Open, offsetof(SeamscopeOpenCall, begin)));
  emitRecord(B, Paths, Thread, Call, Full);
  Paths.finish(Slow);
}

void FastPath::emitNext(IRBuilder<> &B, Value *Site, Value *Frame, EmitSlowPath Slow,
                        function_ref<void(IRBuilder<> &, ArrayRef<Value *>)> Full) {
  Branches Paths(B);
  Value *Thread = thread(B);
  Value *Id = nullptr;
  const EndedCall Call = emitEndStamp(B, Paths, Thread, Frame, [&] {
    const auto [Wide, MayRecord] = emitId(B, Thread, Site);
    Id = Wide;
    LoadInst *Offset = load(B, I32, Site, offsetof(SeamscopeSite, throttle));
    Offset->setAtomic(AtomicOrdering::Monotonic);
    Value *Throttles = load(B, Ptr, Thread, offsetof(SeamscopeThread, throttles));
    Value *EachTimed = B.CreateOr(B.CreateIsNull(Throttles), B.CreateIsNull(Offset));
    return B.CreateAnd(MayRecord, EachTimed);
  });
  Value *Open = lastOpen(B, load(B, Ptr, Thread, offsetof(SeamscopeThread, next_open)));
  Value *Place = B.CreateOr(Id, B.getInt64(~uint64_t{0} << 32));
  makeAtomic(store(B, B.getInt64(0), Open, offsetof(SeamscopeOpenCall, begin)));
  makeAtomic(store(B, Place, Frame, offsetof(SeamscopeFrame, site)));
  makeAtomic(store(B, Place, Open, offsetof(SeamscopeOpenCall, site)));
  store(B, Call.Now, Open, offsetof(SeamscopeOpenCall, begin))->setAtomic(AtomicOrdering::Release);
  store(B, Call.Now, Frame, offsetof(SeamscopeFrame, begin));
  emitRecord(B, Paths, Thread, Call, Full);
  Paths.finish(Slow);
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
