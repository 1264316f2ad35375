//===- DeviceLoops.cpp - time that GPU threads spend in loops --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the entry of a loop:                   At its exit:
//   if (slot && loops)        // unlikely     if (slot && loops)
//     if (this thread is the first            if (this thread is the first of n) {
//         of n that run together) {             loop.clocks += n * clock
//       loop.clocks -= n * clock                loop.inside -= n
//       loop.inside += n; loop.entries++      }
//     }
//
// Only the slot's number is live across the loop, and it is live across the whole kernel anyway.
// The sum is right however the threads of a warp part and rejoin in between: each thread is counted
// from its own entry to its own exit.
//
//===----------------------------------------------------------------------===//
#include "device/DeviceLoops.h"

#include "device/DeviceCode.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace seamscope {
namespace {

// One addition updates both counts.
static_assert(offsetof(SeamscopeGpuLoop, inside) == offsetof(SeamscopeGpuLoop, entries) + 4);

unsigned depthOf(const LoopPlan &Plan) { return Plan.Brackets.front().Depth; }

/// The address of the records of the slot whose number plus one is \p Number.
Value *recordsAt(IRBuilder<> &B, Value *Loops, Value *Number) {
  constexpr uint64_t SlotSize = SEAMSCOPE_GPU_MOST_LOOPS * sizeof(SeamscopeGpuLoop);
  Value *Index = B.CreateZExt(B.CreateSub(Number, B.getInt32(1)), B.getInt64Ty());
  return B.CreateIntToPtr(B.CreateAdd(Loops, B.CreateMul(Index, B.getInt64(SlotSize))),
                          B.getPtrTy(GlobalMemory));
}

Value *loadLoops(IRBuilder<> &B, DeviceTable &Table) {
  return B.CreateAlignedLoad(B.getInt64Ty(), Table.loops(), Align(8), "seamscope.loops");
}

void add(IRBuilder<> &B, Value *Records, size_t Offset, Value *Addend) {
  Value *At = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Records, Offset);
  B.CreateAtomicRMW(AtomicRMWInst::Add, At, Addend, Align(8), AtomicOrdering::Monotonic,
                    B.getContext().getOrInsertSyncScopeID("device"));
}

class LoopHooks {
public:
  LoopHooks(DeviceTable &Table, Value *Number) : Table(Table), Number(Number) {}

  /// Reads the clock as close to the loop as possible, so that this code does not count as the
  /// loop's time.
  void insert(Instruction *Before, size_t Record, bool Enters) const {
    const DebugLoc Loc = stampLocation(*Before->getFunction());
    IRBuilder<> B(Before);
    const auto MoveTo = [&](Instruction *To) {
      B.SetInsertPoint(To);
      B.SetCurrentDebugLocation(Loc);
    };
    const auto ReadClock = [&] {
      return asmValue(B, B.getInt64Ty(), "mov.u64 $0, %clock64;", "=l,~{memory}");
    };
    MoveTo(Before);
    Instruction *IfRecorded = unlikelyThen(B.CreateICmpNE(Number, B.getInt32(0)), Before);
    Value *Together = threadsTogether(IfRecorded);
    MoveTo(IfRecorded);
    Value *Clock = Enters ? nullptr : ReadClock();
    Value *Loops = loadLoops(B, Table);
    Instruction *IfLoops = SplitBlockAndInsertIfThen(B.CreateICmpNE(Loops, B.getInt64(0)),
                                                     IfRecorded->getIterator(), false);
    MoveTo(thenFirst(Together, IfLoops));
    Value *Threads =
        B.CreateZExt(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Together), B.getInt64Ty());
    Value *Inside = B.CreateShl(Threads, 32);
    Value *Records = recordsAt(B, Loops, Number);
    if (Enters)
      Clock = ReadClock();
    Value *Clocks = B.CreateMul(Clock, Threads);
    const size_t At = Record * sizeof(SeamscopeGpuLoop);
    add(B, Records, At + offsetof(SeamscopeGpuLoop, clocks), Enters ? B.CreateNeg(Clocks) : Clocks);
    add(B, Records, At + offsetof(SeamscopeGpuLoop, entries),
        Enters ? B.CreateOr(Inside, 1) : B.CreateNeg(Inside));
  }

private:
  DeviceTable &Table;
  Value *Number;
};

} // namespace

void limitDeviceLoops(LoopsPlan &Loops) {
  std::vector<unsigned> Depths;
  for (const LoopPlan &Plan : Loops.Loops)
    Depths.push_back(depthOf(Plan));
  if (Depths.size() <= SEAMSCOPE_GPU_MOST_LOOPS)
    return;
  // At the depth at which records run out, loops get them in the order of the function.
  llvm::sort(Depths);
  const unsigned Last = Depths[SEAMSCOPE_GPU_MOST_LOOPS];
  size_t Room = SEAMSCOPE_GPU_MOST_LOOPS -
                static_cast<size_t>(llvm::lower_bound(Depths, Last) - Depths.begin());
  std::vector<LoopPlan> Kept;
  for (LoopPlan &Plan : Loops.Loops) {
    if (depthOf(Plan) < Last || (depthOf(Plan) == Last && Room)) {
      Room -= depthOf(Plan) == Last;
      Kept.push_back(std::move(Plan));
      continue;
    }
    Loops.Skipped.push_back({Plan.F, Plan.Site.Name, Reason::LoopsBeyond});
  }
  Loops.Loops = std::move(Kept);
}

std::vector<DeviceLoop> deviceLoops(const std::vector<LoopPlan> &All, const Function &Kernel) {
  SmallVector<const LoopPlan *> Plans;
  for (const LoopPlan &Plan : All)
    if (Plan.F == &Kernel)
      Plans.push_back(&Plan);
  std::vector<DeviceLoop> Order;
  for (const LoopPlan *Plan : Plans) {
    const LoopBracket &First = Plan->Brackets.front();
    const auto IsAround = [&](const LoopPlan *Other) {
      return any_of(Other->Brackets, [&](const LoopBracket &Each) {
        return Each.Depth + 1 == First.Depth && is_contained(Each.Blocks, First.Blocks.front());
      });
    };
    const auto Around = find_if(Plans, IsAround);
    Order.push_back({&Plan->Site, Around == Plans.end()
                                      ? 0
                                      : static_cast<uint32_t>(Around - Plans.begin()) + 1});
  }
  return Order;
}

void insertDeviceLoops(DeviceTable &Table, const LoopsOfFunction &Loops, ArrayRef<DeviceLoop> Order,
                       Value *Number) {
  DenseMap<const SitePlan *, size_t> Records;
  for (const auto &[Index, Loop] : enumerate(Order))
    Records[Loop.Site] = Index;
  const LoopHooks Hooks(Table, Number);
  for (const LoopsOfFunction::Bracket &Bracket : Loops.Brackets) {
    const size_t Record = Records.lookup(&Bracket.Plan->Site);
    Hooks.insert(Bracket.Places.Enter, Record, /*Enters=*/true);
    assumeGuards(Bracket);
    for (Instruction *Exit : Bracket.Places.Exits)
      Hooks.insert(Exit, Record, /*Enters=*/false);
  }
}

void zeroDeviceLoops(DeviceTable &Table, Instruction *Before, Value *Number, size_t Count) {
  const DebugLoc Loc = stampLocation(*Before->getFunction());
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Loc);
  Value *Loops = loadLoops(B, Table);
  Instruction *IfLoops =
      SplitBlockAndInsertIfThen(B.CreateICmpNE(Loops, B.getInt64(0)), Before->getIterator(), false);
  B.SetInsertPoint(IfLoops);
  B.SetCurrentDebugLocation(Loc);
  Value *Records = recordsAt(B, Loops, Number);
  for (size_t Each = 0; Each < Count * sizeof(SeamscopeGpuLoop) / 8; ++Each)
    B.CreateAlignedStore(B.getInt64(0), B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Records, Each),
                         Align(8));
}

} // namespace seamscope
