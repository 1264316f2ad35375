//===- WorkApply.cpp - counters of work, in IR -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/WorkApply.h"

#include "Compat.h"
#include "Hooks.h"
#include "device/DevicePlan.h"
#include "device/DeviceTable.h"
#include "work/LoopCounts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Writes the counters of one function.
class CounterWriter {
public:
  CounterWriter(const FunctionWork &Work, FunctionAnalysisManager &FAM)
      : Work(Work), F(*Work.F), IsDevice(isDeviceModule(*F.getParent())),
        Tree(FAM.getResult<DominatorTreeAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)), Returning(returningBlocks(F)),
        Expander(compat::makeExpander(FAM.getResult<ScalarEvolutionAnalysis>(F),
                                      F.getParent()->getDataLayout())),
        I64(Type::getInt64Ty(F.getContext())) {}

  WorkRoom run() {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    Room.Work = &Work;
    Room.Words = B.CreateAlloca(ArrayType::get(I64, Work.words()), nullptr, "seamscope.work");
    Room.Words->setAlignment(Align(16));
    Room.Local = Room.Words;
    if (IsDevice) {
      B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      Room.Local = B.CreateAddrSpaceCast(Room.Words, B.getPtrTy(LocalMemory));
    }
    for (size_t I = 0; I < Work.Counters.size(); ++I)
      write(static_cast<unsigned>(I), Work.Counters[I]);
    for (const FootprintRange &Range : Work.Touched.Ranges)
      addRange(Range);
    if (!Registers.empty())
      PromoteMemToReg(Registers, Tree);
    resetWords(Room, IsDevice ? cast<Instruction>(Room.Local)->getNextNode()
                              : &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    return Room;
  }

private:
  void write(unsigned Word, const WorkCounter &Counter) {
    switch (Counter.How) {
    case WorkCounter::Calls:
      return; // resetWords
    case WorkCounter::Uniform:
      return addUniform(Word, Counter);
    case WorkCounter::Sum:
      for (BasicBlock *From : entriesOf(*Counter.Around))
        addSum(Word, Counter, *cast<BranchInst>(From->getTerminator()));
      return;
    case WorkCounter::Executions: {
      IRBuilder<> B(Counter.Block, startOf(*Counter.Block));
      return add(B, wordAt(B, Room, Word), B.getInt64(1));
    }
    case WorkCounter::Steps:
      return addSteps(Word, Counter);
    case WorkCounter::Search:
      return addSearch(Word, Counter);
    case WorkCounter::Bytes: {
      IRBuilder<> B(Counter.At);
      return add(B, wordAt(B, Room, Word), B.CreateZExtOrTrunc(Counter.Length, I64));
    }
    }
  }

  /// The amount is computed also if a condition at the end of the block leads elsewhere, and counts
  /// only if it leads to the loop.
  void addSum(unsigned Word, const WorkCounter &Counter, BranchInst &Branch) {
    addOnWay(Word, Expander.expandCodeFor(Counter.Amount, I64, Branch.getIterator()),
             *Counter.Around, Branch);
  }

  /// Leaves of the amount that are computed in the loop are computed again in front of it.
  void addUniform(unsigned Word, const WorkCounter &Counter) {
    Loop &L = *Counter.Around;
    auto *const At = cast<BranchInst>(entriesOf(L).front()->getTerminator());
    IRBuilder<> B(At);
    B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
    const auto [Known, New] = Uniform.try_emplace(&L);
    if (New)
      Known->second = std::make_unique<UniformValues>(L, LI, Returning);
    UniformValues &Values = *Known->second;
    Value *const Is = Counter.To ? Values.isTaken(*Counter.Block, *Counter.To, B)
                                 : Values.runs(*Counter.Block, B);
    Value *Amount = B.getInt64(1);
    if (Counter.Amount) {
      ValueToSCEVMapTy Leaves;
      SCEVExprContains(Counter.Amount, [&](const SCEV *Part) {
        if (const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
            Leaf && !L.isLoopInvariant(Leaf->getValue()))
          Leaves[Leaf->getValue()] = Evolution.getSCEV(Values.value(*Leaf->getValue(), B));
        return false;
      });
      Amount =
          Expander.expandCodeFor(SCEVParameterRewriter::rewrite(Counter.Amount, Evolution, Leaves),
                                 I64, At->getIterator());
    }
    Value *const Times = Expander.expandCodeFor(Counter.Times, I64, At->getIterator());
    B.SetInsertPoint(At);
    addOnWay(Word, B.CreateMul(B.CreateSelect(Is, Amount, B.getInt64(0)), Times), L, *At);
  }

  /// A simple array's word is a sum. The words of another one: the complement of its least address,
  /// the end of its largest one, and the bytes of all ranges. 0 is neutral for all of them.
  void addRange(const FootprintRange &Range) {
    const Loop &L = *Range.Around;
    const unsigned Word =
        static_cast<unsigned>(Work.Counters.size()) + Work.Touched.wordOf(Range.Array);
    for (BasicBlock *From : entriesOf(L)) {
      auto &Branch = *cast<BranchInst>(From->getTerminator());
      IRBuilder<> B(&Branch);
      B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
      const auto Expanded = [&](const SCEV *Of) {
        Value *const Made = Expander.expandCodeFor(Of, Of->getType(), Branch.getIterator());
        B.SetInsertPoint(&Branch);
        return Made;
      };
      Value *const Bytes = Expanded(Range.Bytes);
      Value *Is = nullptr; // null: always
      const auto Need = [&](Value *Test) { Is = Is ? B.CreateLogicalAnd(Is, Test) : Test; };
      if (Range.MayBeSkipped)
        Need(B.CreateICmpULT(Bytes, B.getInt64(uint64_t{1} << 47)));
      for (const FootprintTest &Test : Range.Tests) {
        Value *const Left = Expanded(Test.Left), *const Right = Expanded(Test.Right);
        Need(B.CreateICmp(Test.Is, Left, Right));
      }
      if (Value *const Test = entryTest(B, Branch, L))
        Need(Test);
      const auto Amount = [&](Value *Of) {
        return Is ? B.CreateSelect(Is, Of, B.getInt64(0)) : Of;
      };
      if (Range.Array < Work.Touched.Simple) {
        const SCEV *const Span = Evolution.getMinusSCEV(Range.End, Range.Begin);
        Value *const Distinct =
            Span == Range.Bytes ? Bytes
                                : B.CreateBinaryIntrinsic(Intrinsic::umin, Bytes, Expanded(Span));
        add(B, wordAt(B, Room, Word), Amount(Distinct));
        continue;
      }
      Value *const Begin = Expanded(Range.Begin), *const End = Expanded(Range.End);
      raise(B, wordAt(B, Room, Word), Amount(B.CreateNot(Begin)));
      raise(B, wordAt(B, Room, Word + 1), Amount(End));
      add(B, wordAt(B, Room, Word + 2), Amount(Bytes));
    }
  }

  /// Whether \p Branch leads to \p To; null: always.
  static Value *entryTest(IRBuilder<> &B, BranchInst &Branch, const Loop &To) {
    if (!Branch.isConditional() || Branch.getSuccessor(0) == Branch.getSuccessor(1))
      return nullptr;
    Value *const Condition = Branch.getCondition();
    return Branch.getSuccessor(0) == To.getHeader() ? Condition : B.CreateNot(Condition);
  }

  void addOnWay(unsigned Word, Value *Amount, const Loop &To, BranchInst &Branch) {
    IRBuilder<> B(&Branch);
    if (Value *const Test = entryTest(B, Branch, To))
      Amount = B.CreateSelect(Test, Amount, B.getInt64(0));
    add(B, wordAt(B, Room, Word), Amount);
  }

  /// In front of the loop the variable is subtracted, at its exits it is added: nothing is live
  /// across the loop that was not. Where the loop ends with its test, the variable has been stepped
  /// on there.
  void addSteps(unsigned Word, const WorkCounter &Counter) {
    const Loop &L = *Counter.Around;
    BasicBlock *const Latch = L.getLoopLatch();
    SmallVector<BasicBlock *> Exiting;
    L.getExitingBlocks(Exiting);
    const bool IsStepped = Exiting.size() == 1 && Exiting.front() == Latch;
    const int64_t Iterations = (IsStepped ? 0 : 1) - (Counter.IsFull ? 1 : 0);
    IRBuilder<> B(F.getContext());
    const auto Signed = [&](Value *Of) {
      Of = Of->getType()->isPointerTy() ? B.CreatePtrToInt(Of, I64) : Of;
      return Counter.Step < 0 ? B.CreateNeg(Of) : Of;
    };
    for (BasicBlock *From : entriesOf(L)) {
      auto &Branch = *cast<BranchInst>(From->getTerminator());
      B.SetInsertPoint(&Branch);
      Value *const First = Signed(Counter.Variable->getIncomingValueForBlock(From));
      const uint64_t More = static_cast<uint64_t>(Iterations) * Counter.unit();
      addOnWay(Word, B.CreateSub(B.getInt64(More), First), L, Branch);
    }
    AllocaInst *const Register = makeRegister(B);
    if (IsStepped)
      B.SetInsertPoint(Latch->getTerminator());
    else
      B.SetInsertPoint(L.getHeader(), startOf(*L.getHeader()));
    B.CreateStore(
        Signed(IsStepped ? Counter.Variable->getIncomingValueForBlock(Latch) : Counter.Variable),
        Register);
    addAtExits(Word, L, Register, B);
  }

  void addSearch(unsigned Word, const WorkCounter &Counter) {
    IRBuilder<> B(F.getContext());
    AllocaInst *const Register = makeRegister(B);
    B.SetInsertPoint(Counter.Block, startOf(*Counter.Block));
    add(B, Register, B.getInt64(1));
    addAtExits(Word, *Counter.Around, Register, B);
  }

  /// A word that is in memory only until PromoteMemToReg; at first 0.
  AllocaInst *makeRegister(IRBuilder<> &B) {
    BasicBlock &Entry = F.getEntryBlock();
    B.SetInsertPoint(&Entry, Entry.begin());
    AllocaInst *const Register = B.CreateAlloca(I64, nullptr, "seamscope.count");
    Registers.push_back(Register);
    B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    B.CreateStore(B.getInt64(0), Register);
    return Register;
  }

  /// Where other ways lead to the block behind the loop, too, the register is 0 on them.
  void addAtExits(unsigned Word, const Loop &L, AllocaInst *Register, IRBuilder<> &B) {
    SmallVector<BasicBlock *> Exits;
    L.getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits) {
      if (Exit->getFirstInsertionPt() == Exit->end())
        continue;
      B.SetInsertPoint(Exit, startOf(*Exit));
      add(B, wordAt(B, Room, Word), B.CreateLoad(I64, Register));
      B.CreateStore(B.getInt64(0), Register);
    }
  }

  static BasicBlock::iterator startOf(BasicBlock &Block) {
    return Block.isEntryBlock() ? Block.getFirstNonPHIOrDbgOrAlloca() : Block.getFirstInsertionPt();
  }

  void raise(IRBuilder<> &B, Value *Word, Value *To) const {
    B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
    B.CreateAlignedStore(
        B.CreateBinaryIntrinsic(Intrinsic::umax, B.CreateAlignedLoad(I64, Word, Align(8)), To),
        Word, Align(8));
  }

  /// Volatile words of GPU code stay in local memory: the registers are the kernel's.
  void add(IRBuilder<> &B, Value *Word, Value *Amount) const {
    B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
    const bool IsVolatile = IsDevice && !isa<AllocaInst>(Word);
    Value *const Before = B.CreateAlignedLoad(I64, Word, Align(8), IsVolatile);
    B.CreateAlignedStore(B.CreateAdd(Before, Amount), Word, Align(8), IsVolatile);
  }

  const FunctionWork &Work;
  Function &F;
  const bool IsDevice;
  DominatorTree &Tree;
  const LoopInfo &LI;
  ScalarEvolution &Evolution;
  const SmallPtrSet<const BasicBlock *, 32> Returning;
  DenseMap<const Loop *, std::unique_ptr<UniformValues>> Uniform;
  SCEVExpander Expander;
  Type *const I64;
  WorkRoom Room;
  SmallVector<AllocaInst *> Registers;
};

} // namespace

Value *wordAt(IRBuilderBase &B, const WorkRoom &Room, Value *Index) {
  return B.CreateInBoundsGEP(Room.Words->getAllocatedType(), Room.Local,
                             {ConstantInt::get(Index->getType(), 0), Index});
}

Value *wordAt(IRBuilderBase &B, const WorkRoom &Room, unsigned Index) {
  return wordAt(B, Room, B.getInt64(Index));
}

std::vector<WorkRoom> insertCounters(const std::vector<FunctionWork> &Plan,
                                     FunctionAnalysisManager &FAM) {
  std::vector<WorkRoom> Rooms;
  for (const FunctionWork &Work : Plan)
    Rooms.push_back(CounterWriter(Work, FAM).run());
  return Rooms;
}

void resetWords(const WorkRoom &Room, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(HookWriter::hookLocation(*Before->getFunction()));
  // Volatile, so that they do not become stores of vectors: a function that has no others would
  // have to clear the upper halves of its registers.
  const std::vector<WorkCounter> &Counters = Room.Work->Counters;
  // GPU code has its number of threads from elsewhere.
  for (size_t I = Room.Local == Room.Words ? 0 : 1; I < Room.Work->words(); ++I)
    B.CreateAlignedStore(B.getInt64(I < Counters.size() && Counters[I].How == WorkCounter::Calls),
                         wordAt(B, Room, static_cast<unsigned>(I)), Align(8), /*isVolatile=*/true);
}

} // namespace seamscope
