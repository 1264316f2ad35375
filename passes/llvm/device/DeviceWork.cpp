//===- DeviceWork.cpp - sums of counters of GPU kernels --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At each exit:
//   if (work) {                                    // unlikely
//     together = the threads of the warp that leave here
//     isFirst = this thread is the first of them
//     mayAdd = isFirst && this launch owns, or takes, the sums of its number
//     for (each word) {
//       sum = the word's sum over together
//       if (mayAdd)
//         sums.words[word] += sum
//     }
//     if (mayAdd && (sums.threads += n) is all threads of the launch)
//       move the sums to a new record, and leave zeros
//   }
//
// All of a warp's threads in `together` run the loop, so that they can exchange their words; where
// the words are equal, as trip counts mostly are, one instruction says so.
//
//===----------------------------------------------------------------------===//
#include "device/DeviceWork.h"

#include "device/DeviceCode.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace seamscope {
namespace {

/// 80 of sm_80; nothing: it is chosen later.
std::optional<unsigned> architecture(const Function &F) {
  StringRef Arch = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  return Arch.consume_front("sm_") && !Arch.consumeInteger(10, Number) ? std::optional(Number)
                                                                       : std::nullopt;
}

/// Whether one instruction adds up numbers of a warp.
bool canReduce(const Function &F) { return architecture(F).value_or(0) >= 80; }

class ExitWriter {
public:
  ExitWriter(DeviceTable &Table, const WorkRoom &Room, Instruction *Exit, uint32_t Kernel,
             uint64_t Counts)
      : Table(Table), Room(Room), F(*Exit->getFunction()), Exit(Exit), Kernel(Kernel),
        Counts(Counts), B(Exit->getContext()), I32(B.getInt32Ty()), I64(B.getInt64Ty()),
        GlobalPtr(B.getPtrTy(GlobalMemory)) {}

  void run() {
    moveTo(Exit);
    Value *const Base = B.CreateAlignedLoad(I64, Table.work(), Align(8), "seamscope.sums");
    Instruction *Then = unlikelyThen(B.CreateICmpNE(Base, B.getInt64(0)), Exit);
    Together = threadsTogether(Then);
    moveTo(Then);
    Work = B.CreateIntToPtr(Base, GlobalPtr);
    Value *const Grid = asmValue(B, I64, "mov.u64 $0, %gridid;", "=l");
    Owner = B.CreateOr(B.CreateShl(Grid, 32), B.getInt64(Kernel));
    Value *const Index = B.CreateAnd(Grid, SEAMSCOPE_GPU_WORK_LAUNCHES - 1);
    Sums = at(Work, B.CreateAdd(B.CreateMul(Index, B.getInt64(sizeof(SeamscopeGpuWorkSums))),
                                B.getInt64(offsetof(SeamscopeGpuWork, sums))));
    Threads = B.CreateZExt(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Together), I64);
    MayAdd = claim(Then);
    if (Room.Work->Counters.size() > 1)
      forEachWord(Then, [&](Instruction *End, Value *Word) { addWord(End, Word); });
    Instruction *const Adds = SplitBlockAndInsertIfThen(MayAdd, Then->getIterator(), false);
    moveTo(Adds);
    fence();
    Value *const Before =
        atomic(AtomicRMWInst::Add, field(Sums, offsetof(SeamscopeGpuWorkSums, threads)), Threads);
    Value *const IsLast = B.CreateICmpEQ(B.CreateAdd(Before, Threads), threadsOfLaunch());
    publish(SplitBlockAndInsertIfThen(IsLast, Adds->getIterator(), false));
  }

private:
  void moveTo(Instruction *Before) {
    B.SetInsertPoint(Before);
    B.SetCurrentDebugLocation(stampLocation(F));
  }

  Value *at(Value *Pointer, Value *Offset) {
    return B.CreateInBoundsGEP(B.getInt8Ty(), Pointer, Offset);
  }
  Value *field(Value *Pointer, size_t Offset) { return at(Pointer, B.getInt64(Offset)); }

  Value *atomic(AtomicRMWInst::BinOp How, Value *Word, Value *With) {
    return B.CreateAtomicRMW(How, Word, With, Align(8), AtomicOrdering::Monotonic, device());
  }
  SyncScope::ID device() { return B.getContext().getOrInsertSyncScopeID("device"); }

  void store(Value *Word, Value *Stored) {
    B.CreateAlignedStore(Stored, Word, Align(8), /*isVolatile=*/true);
  }

  /// What other threads see after this they see as it was before.
  void fence() { asmValue(B, B.getVoidTy(), "membar.gl;", "~{memory}"); }

  /// Whether this thread is the first of those that leave, and its launch owns the sums.
  Value *claim(Instruction *&Then) {
    Value *const First = B.CreateIntrinsic(Intrinsic::cttz, {I32}, {Together, B.getTrue()});
    Value *const IsFirst = B.CreateICmpEQ(First, sreg(B, "laneid"));
    BasicBlock *const From = Then->getParent();
    Instruction *const Claims = SplitBlockAndInsertIfThen(IsFirst, Then->getIterator(), false);
    moveTo(Claims);
    Value *const Place = field(Sums, offsetof(SeamscopeGpuWorkSums, owner));
    Value *const Known = B.CreateAlignedLoad(I64, Place, Align(8), /*isVolatile=*/true);
    Value *const IsKnown = B.CreateICmpEQ(Known, Owner);
    BasicBlock *const Looks = Claims->getParent();
    Instruction *const Takes =
        SplitBlockAndInsertIfThen(B.CreateNot(IsKnown), Claims->getIterator(), false);
    moveTo(Takes);
    Value *const Old = B.CreateExtractValue(
        B.CreateAtomicCmpXchg(Place, B.getInt64(0), Owner, Align(8), AtomicOrdering::Monotonic,
                              AtomicOrdering::Monotonic, device()),
        0);
    fence(); // it sees the zeros of the launch before
    Value *const IsTaken =
        B.CreateOr(B.CreateICmpEQ(Old, B.getInt64(0)), B.CreateICmpEQ(Old, Owner));
    // Both paths meet in the block of Claims, and those with the others' in that of Then.
    moveTo(&Claims->getParent()->front());
    PHINode *const Owns = B.CreatePHI(B.getInt1Ty(), 2);
    Owns->addIncoming(B.getTrue(), Looks);
    Owns->addIncoming(IsTaken, Takes->getParent());
    moveTo(&Then->getParent()->front());
    PHINode *const May = B.CreatePHI(B.getInt1Ty(), 2, "seamscope.adds");
    May->addIncoming(B.getFalse(), From);
    May->addIncoming(Owns, Claims->getParent());
    return May;
  }

  /// Unrolled, a loop takes more registers.
  void keepRolled(Instruction &Branch) {
    LLVMContext &C = B.getContext();
    MDNode *const Stay = MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable"));
    MDNode *const Id = MDNode::getDistinct(C, {nullptr, Stay});
    Id->replaceOperandWith(0, Id);
    Branch.setMetadata(LLVMContext::MD_loop, Id);
  }

  /// Calls \p Body(end of the loop's block, number of the word) in a loop over all words but the
  /// first, in front of \p Before.
  template <typename FnT> void forEachWord(Instruction *Before, FnT Body) {
    BasicBlock *const From = Before->getParent();
    BasicBlock *const After = From->splitBasicBlock(Before->getIterator(), "seamscope.summed");
    BasicBlock *const Each = BasicBlock::Create(B.getContext(), "seamscope.word", &F, After);
    From->getTerminator()->setSuccessor(0, Each);
    B.SetInsertPoint(Each);
    B.SetCurrentDebugLocation(stampLocation(F));
    PHINode *const Word = B.CreatePHI(I64, 2);
    Value *const Next = B.CreateAdd(Word, B.getInt64(1));
    Value *const IsEnd = B.CreateICmpEQ(Next, B.getInt64(Room.Work->Counters.size()));
    Instruction *const End = B.CreateCondBr(IsEnd, After, Each);
    keepRolled(*End);
    Word->addIncoming(B.getInt64(1), From);
    Body(End, Word);
    Word->addIncoming(Next, End->getParent());
  }

  Value *wordOf(Value *Record, size_t Words, Value *Word) {
    return at(Record, B.CreateAdd(B.CreateShl(Word, 3), B.getInt64(Words)));
  }

  void addWord(Instruction *End, Value *Word) {
    moveTo(End);
    Value *const Own =
        B.CreateAlignedLoad(I64, wordAt(B, Room, Word), Align(8), /*isVolatile=*/true);
    Value *const Sum = sumOverWarp(End, Own);
    moveTo(SplitBlockAndInsertIfThen(MayAdd, End->getIterator(), false));
    atomic(AtomicRMWInst::Add, wordOf(Sums, offsetof(SeamscopeGpuWorkSums, words), Word), Sum);
  }

  Value *warp(Intrinsic::ID What, ArrayRef<Value *> Arguments) {
    CallInst *const Call = B.CreateIntrinsic(What, {}, Arguments);
    Call->setConvergent();
    return Call;
  }

  /// The sum of \p Own over the threads of `Together`, in front of \p End; only its lowest 64 bits.
  Value *sumOverWarp(Instruction *End, Value *Own) {
    Value *const Match = warp(Intrinsic::nvvm_match_all_sync_i64p, {Together, Own});
    Value *const AreEqual = B.CreateExtractValue(Match, 1);
    Instruction *Equal = nullptr, *Unequal = nullptr;
    SplitBlockAndInsertIfThenElse(AreEqual, End->getIterator(), &Equal, &Unequal);
    moveTo(Equal);
    Value *const Product = B.CreateMul(Own, Threads);
    Value *const Sum = canReduce(F) ? reduced(Unequal, Own) : gathered(Unequal, Own);
    moveTo(&End->getParent()->front());
    PHINode *const Result = B.CreatePHI(I64, 2);
    Result->addIncoming(Product, Equal->getParent());
    Result->addIncoming(Sum, Unequal->getParent());
    moveTo(End);
    return Result;
  }

  /// In parts of 27 bits, since the sum of 32 of them has 32.
  Value *reduced(Instruction *Before, Value *Own) {
    constexpr uint64_t Bits = 27;
    moveTo(Before);
    Value *Sum = nullptr;
    for (uint64_t From = 0; From < 64; From += Bits) {
      Value *const Part =
          B.CreateTrunc(B.CreateAnd(B.CreateLShr(Own, From), (uint64_t{1} << Bits) - 1), I32);
      Value *const OfPart = B.CreateShl(
          B.CreateZExt(warp(Intrinsic::nvvm_redux_sync_add, {Part, Together}), I64), From);
      Sum = Sum ? B.CreateAdd(Sum, OfPart) : OfPart;
    }
    return Sum;
  }

  /// From each thread in turn.
  Value *gathered(Instruction *Before, Value *Own) {
    moveTo(Before);
    Value *const Low = B.CreateTrunc(Own, I32), *const High =
                                                    B.CreateTrunc(B.CreateLShr(Own, 32), I32);
    BasicBlock *const From = Before->getParent();
    BasicBlock *const After = From->splitBasicBlock(Before->getIterator());
    BasicBlock *const Each = BasicBlock::Create(B.getContext(), "seamscope.lane", &F, After);
    From->getTerminator()->setSuccessor(0, Each);
    B.SetInsertPoint(Each);
    PHINode *const Left = B.CreatePHI(I32, 2), *const Sum = B.CreatePHI(I64, 2);
    Value *const Lane = B.CreateIntrinsic(Intrinsic::cttz, {I32}, {Left, B.getTrue()});
    const auto Take = [&](Value *Half) {
      return B.CreateZExt(
          warp(Intrinsic::nvvm_shfl_sync_idx_i32, {Together, Half, Lane, B.getInt32(WarpSize - 1)}),
          I64);
    };
    Value *const More = B.CreateOr(Take(Low), B.CreateShl(Take(High), 32));
    Value *const Next = B.CreateAdd(Sum, More);
    Value *const Rest = B.CreateAnd(Left, B.CreateSub(Left, B.getInt32(1)));
    keepRolled(*B.CreateCondBr(B.CreateICmpEQ(Rest, B.getInt32(0)), After, Each));
    Left->addIncoming(Together, From);
    Left->addIncoming(Rest, Each);
    Sum->addIncoming(B.getInt64(0), From);
    Sum->addIncoming(Next, Each);
    return Next;
  }

  Value *threadsOfLaunch() {
    Value *Product = nullptr;
    for (const StringRef Name :
         {"ntid.x", "ntid.y", "ntid.z", "nctaid.x", "nctaid.y", "nctaid.z"}) {
      Value *const Size = B.CreateZExt(sreg(B, Name), I64);
      Product = Product ? B.CreateMul(Product, Size) : Size;
    }
    return Product;
  }

  /// The launch's last threads own its sums and all records with their tickets.
  void publish(Instruction *Before) {
    moveTo(Before);
    fence();
    Value *const Ticket =
        atomic(AtomicRMWInst::Add, field(Work, offsetof(SeamscopeGpuWork, tickets)), B.getInt64(1));
    Value *const Index = B.CreateAnd(Ticket, SEAMSCOPE_GPU_WORK_LAUNCHES - 1);
    Value *const Record =
        at(Work, B.CreateAdd(B.CreateMul(Index, B.getInt64(sizeof(SeamscopeGpuWorkRecord))),
                             B.getInt64(offsetof(SeamscopeGpuWork, records))));
    store(field(Record, offsetof(SeamscopeGpuWorkRecord, owner)), Owner);
    store(field(Record, offsetof(SeamscopeGpuWorkRecord, counts)), B.getInt64(Counts));
    store(field(Record, offsetof(SeamscopeGpuWorkRecord, ns)),
          asmValue(B, I64, "mov.u64 $0, %globaltimer;", "=l"));
    store(field(Record, offsetof(SeamscopeGpuWorkRecord, words)), threadsOfLaunch());
    const auto Take = [&](Instruction *End, Value *Word) {
      moveTo(End);
      Value *const Sum =
          atomic(AtomicRMWInst::Xchg, wordOf(Sums, offsetof(SeamscopeGpuWorkSums, words), Word),
                 B.getInt64(0));
      store(wordOf(Record, offsetof(SeamscopeGpuWorkRecord, words), Word), Sum);
    };
    if (Room.Work->Counters.size() > 1)
      forEachWord(Before, Take);
    moveTo(Before);
    store(field(Sums, offsetof(SeamscopeGpuWorkSums, threads)), B.getInt64(0));
    fence();
    store(field(Record, offsetof(SeamscopeGpuWorkRecord, ticket)),
          B.CreateAdd(Ticket, B.getInt64(1)));
    store(field(Sums, offsetof(SeamscopeGpuWorkSums, owner)), B.getInt64(0));
  }

  DeviceTable &Table;
  const WorkRoom &Room;
  Function &F;
  Instruction *const Exit;
  const uint32_t Kernel;
  const uint64_t Counts;
  IRBuilder<> B;
  Type *const I32, *const I64;
  PointerType *const GlobalPtr;
  Value *Together = nullptr, *Threads = nullptr; ///< and their number
  Value *Work = nullptr, *Sums = nullptr;        ///< addresses
  Value *Owner = nullptr, *MayAdd = nullptr;
};

} // namespace

bool canAddUp(const Function &F) { return architecture(F).value_or(70) >= 70; }

void insertDeviceWork(DeviceTable &Table, const WorkRoom &Room, Instruction *Exit, uint32_t Kernel,
                      uint64_t Counts) {
  ExitWriter(Table, Room, Exit, Kernel, Counts).run();
}

} // namespace seamscope
