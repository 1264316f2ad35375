//===- DeviceApply.cpp - stamps in GPU kernels, in IR ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the entry:                             At each exit:
//   slot = 0                                  if (slot)                // unlikely
//   if (control.slots) {     // unlikely        if (this thread is the first of those that leave)
//     slot = number of the warp's slot + 1        slots[slot - 1].end = clocks
//     if (this is the warp's first thread)
//       slots[slot - 1] = {clocks, kernel, grid, block, warp, SM}
//   }
//
// Only one 32-bit value is live across the kernel, which may have no register to spare; the rest is
// read or computed again at the exit. If the threads of a warp leave one by one, each writes the
// end stamp, and the last one remains.
//
//===----------------------------------------------------------------------===//
#include "device/DeviceApply.h"

#include "Attributes.h"
#include "Compat.h"
#include "device/DeviceCode.h"
#include "device/DeviceLoops.h"
#include "device/DeviceTable.h"
#include "device/DeviceWork.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstddef>

using namespace llvm;

namespace seamscope {
namespace {

class DeviceInstrumenter {
public:
  explicit DeviceInstrumenter(Module &M) : M(M), Table(M) {
    LLVMContext &C = M.getContext();
    I32 = Type::getInt32Ty(C);
    I64 = Type::getInt64Ty(C);
    GlobalPtr = PointerType::get(C, GlobalMemory);
  }

  void run(const Plan &P, ArrayRef<WorkRoom> Rooms) {
    SmallVector<Function *> Hooked;
    const LoopsInModule Loops = splitLoopEdges(P.Loops.Loops);
    for (const KernelPlan &Kernel : P.Kernels) {
      const std::vector<DeviceLoop> Order = deviceLoops(P.Loops.Loops, *Kernel.F);
      const uint32_t Id = Table.add(Kernel.Site, *Kernel.F, Order);
      Value *Number = instrument(*Kernel.F, Id, Order.size());
      if (const auto InKernel = Loops.find(Kernel.F); InKernel != Loops.end())
        insertDeviceLoops(Table, InKernel->second, Order, Number);
      for (const WorkRoom &Room : Rooms)
        if (Room.Work->F == Kernel.F)
          addWork(Room, Id);
      Hooked.push_back(Kernel.F);
    }
    Table.finish();
    repairAttributes(M, Hooked);
    // The stamps write memory that any other code may access.
    for (Function *F : Hooked)
      F->removeFnAttr(Attribute::Memory);
  }

private:
  /// Behind the stamps, which do not include it.
  void addWork(const WorkRoom &Room, uint32_t Id) {
    const FunctionWork &Work = *Room.Work;
    const uint64_t Counts = Table.addCounts(*Work.F, Work.Site.Ops, Work.Counters.size());
    for (ReturnInst *Exit : exitsOf(*Work.F))
      insertDeviceWork(Table, Room, Exit, Id, Counts);
  }

  static SmallVector<ReturnInst *> exitsOf(Function &F) {
    SmallVector<ReturnInst *> Exits;
    for (BasicBlock &Block : F)
      if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
        Exits.push_back(Return);
    return Exits;
  }

  /// Reads both clocks, in the order of \p Text. Memory accesses do not move across the reads.
  std::pair<Value *, Value *> clocks(IRBuilder<> &B, StringRef Text) {
    auto *PairTy = StructType::get(M.getContext(), {I64, I64});
    auto *Asm = InlineAsm::get(FunctionType::get(PairTy, false), Text, "=l,=l,~{memory}",
                               /*hasSideEffects=*/true);
    CallInst *Read = B.CreateCall(Asm);
    Read->setDoesNotThrow();
    return {B.CreateExtractValue(Read, 0), B.CreateExtractValue(Read, 1)};
  }

  LoadInst *loadControl(IRBuilder<> &B, Type *Ty, size_t Offset) {
    Value *At = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Table.control(), Offset);
    return B.CreateAlignedLoad(Ty, At, Align(Ty == I64 ? 8 : 4));
  }
#define SEAMSCOPE_LOAD_CONTROL(B, Ty, Field)                                                       \
  loadControl(B, Ty, offsetof(SeamscopeGpuControl, Field))

  void store(IRBuilder<> &B, Value *Slot, size_t Offset, Value *Stored) {
    B.CreateAlignedStore(Stored, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Slot, Offset),
                         Align(Stored->getType() == I64 ? 8 : 4));
  }
#define SEAMSCOPE_STORE_SLOT(B, Slot, Field, Stored)                                               \
  store(B, Slot, offsetof(SeamscopeGpuSlot, Field), Stored)

  /// The address of the slot whose number plus one is \p Number.
  Value *slotAt(IRBuilder<> &B, Value *Slots, Value *Number) {
    Value *Offset = B.CreateMul(B.CreateZExt(B.CreateSub(Number, B.getInt32(1)), I64),
                                B.getInt64(sizeof(SeamscopeGpuSlot)));
    return B.CreateIntToPtr(B.CreateAdd(Slots, Offset), GlobalPtr);
  }

  /// Returns the number of the warp's slot plus one, the same in all its threads, or 0 if it has
  /// none.
  Value *instrument(Function &F, uint32_t Id, size_t Loops) {
    const SmallVector<ReturnInst *> Exits = exitsOf(F);
    BasicBlock &Entry = F.getEntryBlock();
    BasicBlock::iterator AfterAllocas =
        PrepareToSplitEntryBlock(Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    Value *Number = insertEntry(F, &*AfterAllocas, Id, Loops);
    for (ReturnInst *Exit : Exits)
      insertExit(Exit, Number);
    F.addFnAttr("seamscope-instrumented");
    return Number;
  }

  Value *insertEntry(Function &F, Instruction *Before, uint32_t Id, size_t Loops) {
    const DebugLoc Loc = stampLocation(F);
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(Loc);
    LoadInst *Slots = SEAMSCOPE_LOAD_CONTROL(B, I64, slots);
    Slots->setName("seamscope.slots");
    BasicBlock *Off = Before->getParent();
    Instruction *Then = unlikelyThen(B.CreateICmpNE(Slots, B.getInt64(0)), Before);
    IRBuilder<> T(Then);
    T.SetCurrentDebugLocation(Loc);
    Value *Thread = linear(T, "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y");
    Value *Block = linear(T, "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y");
    Value *Warp = T.CreateUDiv(Thread, T.getInt32(WarpSize));
    Value *Grid = T.CreateTrunc(asmValue(T, I64, "mov.u64 $0, %gridid;", "=l"), I32);
    Value *Number = slotNumber(T, Block, Warp, Grid);
    Value *First = T.CreateAnd(T.CreateICmpNE(Number, T.getInt32(0)),
                               T.CreateICmpEQ(T.CreateAnd(Thread, WarpSize - 1), T.getInt32(0)));
    BasicBlock *Join = Then->getSuccessor(0);
    Instruction *Stamp = SplitBlockAndInsertIfThen(First, Then->getIterator(), false);
    IRBuilder<> S(Stamp);
    S.SetCurrentDebugLocation(Loc);
    Value *Slot = slotAt(S, Slots, Number);
    SEAMSCOPE_STORE_SLOT(S, Slot, end_clock, S.getInt64(0));
    SEAMSCOPE_STORE_SLOT(S, Slot, end_ns, S.getInt64(0));
    SEAMSCOPE_STORE_SLOT(S, Slot, grid, Grid);
    SEAMSCOPE_STORE_SLOT(S, Slot, block, Block);
    SEAMSCOPE_STORE_SLOT(S, Slot, kernel, S.getInt32(Id));
    SEAMSCOPE_STORE_SLOT(S, Slot, sm, sreg(S, "smid"));
    SEAMSCOPE_STORE_SLOT(S, Slot, warp, Warp);
    SEAMSCOPE_STORE_SLOT(S, Slot, loops, S.getInt32(static_cast<uint32_t>(Loops)));
    if (Loops) {
      SEAMSCOPE_STORE_SLOT(S, Slot, threads, threadsOf(S, Warp));
      zeroDeviceLoops(Table, Stamp, Number, Loops);
      S.SetInsertPoint(Stamp);
    }
    const auto [Ns, Clock] = clocks(S, "mov.u64 $0, %globaltimer;\n\tmov.u64 $1, %clock64;");
    SEAMSCOPE_STORE_SLOT(S, Slot, begin_ns, Ns);
    SEAMSCOPE_STORE_SLOT(S, Slot, begin_clock, Clock);
    if (Loops)
      syncWarp(Then);

    IRBuilder<> J(Join, Join->begin());
    PHINode *Result = J.CreatePHI(I32, 2, "seamscope.slot");
    Result->addIncoming(J.getInt32(0), Off);
    Result->addIncoming(Number, Then->getParent());
    return Result;
  }

  /// The linear number of a thread or block, from its three coordinates and two of the sizes.
  Value *linear(IRBuilder<> &B, StringRef X, StringRef Y, StringRef Z, StringRef SizeX,
                StringRef SizeY) {
    Value *Plane = B.CreateAdd(sreg(B, Y), B.CreateMul(sreg(B, SizeY), sreg(B, Z)));
    return B.CreateAdd(sreg(B, X), B.CreateMul(sreg(B, SizeX), Plane));
  }

  Value *threadsOfBlock(IRBuilder<> &B) {
    return B.CreateMul(B.CreateMul(sreg(B, "ntid.x"), sreg(B, "ntid.y")), sreg(B, "ntid.z"));
  }

  Value *threadsOf(IRBuilder<> &B, Value *Warp) {
    Value *Before = B.CreateMul(Warp, B.getInt32(WarpSize));
    return B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateSub(threadsOfBlock(B), Before),
                                   B.getInt32(WarpSize));
  }

  /// Keeps threads from adding to records before they are zeroed. All threads of a kernel's warps
  /// run here.
  void syncWarp(Instruction *Before) {
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(stampLocation(*Before->getFunction()));
    asmValue(B, B.getVoidTy(), "bar.warp.sync 0xffffffff;", "~{memory}")->setConvergent();
  }

  Value *slotNumber(IRBuilder<> &B, Value *Block, Value *Warp, Value *Grid) {
    Value *Threads = threadsOfBlock(B);
    // One load reads all four bytes.
    static_assert(offsetof(SeamscopeGpuControl, segment_shift) ==
                      offsetof(SeamscopeGpuControl, block_shift) + 1 &&
                  offsetof(SeamscopeGpuControl, ring_shift) ==
                      offsetof(SeamscopeGpuControl, block_shift) + 2 &&
                  offsetof(SeamscopeGpuControl, most_warps) ==
                      offsetof(SeamscopeGpuControl, block_shift) + 3);
    Value *Sizes = SEAMSCOPE_LOAD_CONTROL(B, I32, block_shift);
    const auto Byte = [&](unsigned Position) {
      return B.CreateAnd(B.CreateLShr(Sizes, 8 * Position), 0xff);
    };
    Value *BlockShift = Byte(0), *SegmentShift = Byte(1), *RingShift = Byte(2);
    Value *Warps = B.CreateBinaryIntrinsic(
        Intrinsic::umin, Byte(3),
        B.CreateUDiv(B.CreateAdd(Threads, B.getInt32(WarpSize - 1)), B.getInt32(WarpSize)));
    Value *Sampled = B.CreateLShr(Block, BlockShift);
    Value *Index = B.CreateAdd(B.CreateMul(Sampled, Warps), Warp);
    Value *Kept = B.CreateICmpEQ(B.CreateShl(Sampled, BlockShift), Block);
    Kept = B.CreateAnd(Kept, B.CreateICmpULT(Warp, Warps));
    // An index of a block beyond the segment may wrap around and seem to fit.
    Kept = B.CreateAnd(Kept, B.CreateICmpEQ(B.CreateLShr(B.CreateOr(Sampled, Index), SegmentShift),
                                            B.getInt32(0)));
    Value *Ring = B.CreateShl(B.getInt32(~0u), RingShift);
    Value *Segment = B.CreateAnd(Grid, B.CreateNot(Ring));
    Value *Number = B.CreateAdd(B.CreateShl(Segment, SegmentShift), Index);
    return B.CreateSelect(Kept, B.CreateAdd(Number, B.getInt32(1)), B.getInt32(0),
                          "seamscope.number");
  }

  void insertExit(ReturnInst *Exit, Value *Number) {
    const DebugLoc Loc = stampLocation(*Exit->getFunction());
    IRBuilder<> B(Exit);
    B.SetCurrentDebugLocation(Loc);
    Instruction *Then = unlikelyThen(B.CreateICmpNE(Number, B.getInt32(0)), Exit);
    IRBuilder<> S(thenFirst(threadsTogether(Then), Then));
    S.SetCurrentDebugLocation(Loc);
    const auto [Clock, Ns] = clocks(S, "mov.u64 $0, %clock64;\n\tmov.u64 $1, %globaltimer;");
    Value *Slot = slotAt(S, SEAMSCOPE_LOAD_CONTROL(S, I64, slots), Number);
    SEAMSCOPE_STORE_SLOT(S, Slot, end_clock, Clock);
    SEAMSCOPE_STORE_SLOT(S, Slot, end_ns, Ns);
  }

  Module &M;
  DeviceTable Table;
  Type *I32, *I64;
  PointerType *GlobalPtr;
};

} // namespace

void applyToDevice(Module &M, const Plan &P, ArrayRef<WorkRoom> Rooms) {
  if (!P.empty())
    DeviceInstrumenter(M).run(P, Rooms);
}

} // namespace seamscope
