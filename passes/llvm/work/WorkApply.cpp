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
#include "work/CountedHelpers.h"
#include "work/LateWork.h"
#include "work/LoopCounts.h"
#include "work/MaskedLanes.h"

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
        Late(Evolution, LI, Tree, !Work.Within && !F.callsFunctionThatReturnsTwice()),
        I64(Type::getInt64Ty(F.getContext())) {}

  /// Writes those of a copy that counts for its callers.
  void runInCopy() {
    Room.Local = wordsOfCopy(F);
    for (unsigned I = 1; I < Work.Counters.size(); ++I)
      write(I - 1, Work.Counters[I]);
    if (!Registers.empty())
      PromoteMemToReg(Registers, Tree);
  }

  WorkRoom run() {
    const auto ValuesOf = [&](const Loop &L) -> UniformValues & { return valuesOf(L); };
    // Word 0 is that of the calls. On a device nothing is computed late.
    SmallVector<std::optional<unsigned>> WordOf;
    for (const auto &[Sum, Counter] : enumerate(Work.Counters))
      if (Counter.IsOnce && !IsDevice && Late.addSum(static_cast<unsigned>(Sum), Counter, ValuesOf))
        WordOf.push_back(std::nullopt);
      else
        WordOf.push_back(Late.addCounter(static_cast<unsigned>(Sum)));
    const auto Pointers = pointersThatDoNotMatter();
    SmallVector<const FootprintRange *> Early;
    DenseMap<unsigned, unsigned> RoomOf; // of arrays
    for (const FootprintRange &Range : Work.Touched.Ranges)
      if (!Range.IsOnce || !Late.addRange(Range, Pointers[Range.Array])) {
        Early.push_back(&Range);
        if (!RoomOf.contains(Range.Array))
          RoomOf[Range.Array] = Late.addArray(Range.Array);
      }
    Late.deriveGates();
    const WorkWords All = Late.words();
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    Room.Work = &Work;
    Room.Words = B.CreateAlloca(ArrayType::get(I64, All.all()), nullptr, "seamscope.work");
    Room.Words->setAlignment(Align(16));
    Room.Zeroed = All.zeroed();
    Room.Local = Room.Words;
    if (IsDevice) {
      B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      Room.Local = B.CreateAddrSpaceCast(Room.Words, B.getPtrTy(LocalMemory));
    } else {
      Room.Late = Late.write(*F.getParent(), Work.Counters.size(), Work.Touched.Arrays.size());
    }
    for (const auto &[Word, Counter] : zip_equal(WordOf, Work.Counters))
      if (Word)
        write(*Word, Counter);
    for (const FootprintRange *Range : Early)
      addRange(*Range, All.array(RoomOf[Range->Array]), Pointers[Range->Array]);
    for (const auto &[Number, Gate] : enumerate(Late.gates()))
      openGate(static_cast<unsigned>(Number), Gate, All);
    if (!Registers.empty())
      PromoteMemToReg(Registers, Tree);
    resetWords(Room, IsDevice ? cast<Instruction>(Room.Local)->getNextNode()
                              : &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (const auto &[Number, Input] : enumerate(Late.inputs()))
      keep(Input, All.input(static_cast<unsigned>(Number)));
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
      Value *const Length = Counter.Length;
      return add(B, wordAt(B, Room, Word),
                 Length->getType()->isVectorTy() ? lanesOf(*Length, B)
                                                 : B.CreateZExtOrTrunc(Length, I64));
    }
    case WorkCounter::OfCopy:
      // Its other words are behind its first.
      if (Counter.Step == 1) {
        IRBuilder<> B(Counter.At);
        setWordsOfCopy(*cast<CallBase>(Counter.At), wordAt(B, Room, Word));
      }
      return;
    }
  }

  /// The amount is computed also if a condition at the end of the block leads elsewhere, and counts
  /// only if it leads to the loop.
  void addSum(unsigned Word, const WorkCounter &Counter, BranchInst &Branch) {
    addOnWay(Word, Expander.expandCodeFor(Counter.Amount, I64, Branch.getIterator()),
             *Counter.Around, Branch);
  }

  UniformValues &valuesOf(const Loop &L) {
    std::unique_ptr<UniformValues> &Known = Uniform[&L];
    if (!Known)
      Known = std::make_unique<UniformValues>(L, LI, Evolution, Returning);
    return *Known;
  }

  /// Leaves of the amount that are computed in the loop are computed again in front of it.
  void addUniform(unsigned Word, const WorkCounter &Counter) {
    Loop &L = *Counter.Around;
    auto *const At = cast<BranchInst>(entriesOf(L).front()->getTerminator());
    IRBuilder<> B(At);
    B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
    const auto MakerFor = [&](const Loop &In) -> UniformCode & {
      UniformCode &Make =
          Code.try_emplace({&In, &L}, valuesOf(In), Evolution, Expander).first->second;
      Make.setPlace(B);
      return Make;
    };
    Value *Is = B.getTrue();
    for (const UniformWay &Way : Counter.Ways)
      Is = B.CreateLogicalAnd(Is, valuesOf(*Way.In).takes(Way.From, Way.To, MakerFor(*Way.In)));
    Value *Amount = B.getInt64(1);
    if (Counter.Amount)
      Amount = MakerFor(*Counter.Ways.front().In).expand(Counter.Amount, I64);
    Value *const Times = Expander.expandCodeFor(Counter.Times, I64, At->getIterator());
    B.SetInsertPoint(At);
    addOnWay(Word, B.CreateMul(B.CreateSelect(Is, Amount, B.getInt64(0)), Times), L, *At);
  }

  /// The words: the complement of the least address, the end of the largest one, and the bytes of
  /// all ranges. 0 is neutral for all of them. \p Base is AnyAddress, if there is one.
  void addRange(const FootprintRange &Range, unsigned Word, const Value *Base) {
    const Loop &L = *Range.Around;
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
      const auto Address = [&](const SCEV *Of) {
        Value *const Is = Expanded(Of);
        return Base ? B.CreateAdd(B.CreateSub(Is, B.CreatePtrToInt(const_cast<Value *>(Base), I64)),
                                  B.getInt64(AnyAddress))
                    : Is;
      };
      Value *const Begin = Address(Range.Begin), *const End = Address(Range.End);
      raise(B, wordAt(B, Room, Word), Amount(B.CreateNot(Begin)));
      raise(B, wordAt(B, Room, Word + 1), Amount(End));
      add(B, wordAt(B, Room, Word + 2), Amount(Bytes));
    }
  }

  /// Says that the gate's block runs, or that its loop is entered.
  void openGate(unsigned Number, const LateGate &Gate, const WorkWords &All) const {
    IRBuilder<> B(F.getContext());
    const auto Byte = [&] {
      B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
      return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), wordAt(B, Room, All.gate(Number)),
                                          WorkWords::gateByte(Number));
    };
    if (Gate.Block) {
      B.SetInsertPoint(Gate.Block, startOf(*Gate.Block));
      B.CreateStore(B.getInt8(1), Byte());
      return;
    }
    for (BasicBlock *From : entriesOf(*Gate.Entered)) {
      auto &Branch = *cast<BranchInst>(From->getTerminator());
      B.SetInsertPoint(&Branch);
      Value *const At = Byte();
      Value *Is = B.getInt8(1);
      // The way from another block may have led to the loop before.
      if (Value *const Test = entryTest(B, Branch, *Gate.Entered))
        Is = B.CreateOr(B.CreateLoad(B.getInt8Ty(), At), B.CreateZExt(Test, B.getInt8Ty()));
      B.CreateStore(Is, At);
    }
  }

  /// For each array the only pointer in its addresses, if all of its ranges are known when the call
  /// has ended; else null.
  std::vector<const Value *> pointersThatDoNotMatter() const {
    std::vector<std::optional<const Value *>> Found(Work.Touched.Arrays.size());
    for (const FootprintRange &Range : Work.Touched.Ranges) {
      SmallPtrSet<const Value *, 2> All;
      for (const SCEV *Part : {Range.Begin, Range.End})
        SCEVExprContains(Part, [&](const SCEV *Leaf) {
          if (Leaf->getType()->isPointerTy())
            All.insert(cast<SCEVUnknown>(Leaf)->getValue());
          return false;
        });
      std::optional<const Value *> &Of = Found[Range.Array];
      const Value *const Only = Range.IsOnce && All.size() == 1 ? *All.begin() : nullptr;
      Of = !Of || *Of == Only ? Only : nullptr;
    }
    std::vector<const Value *> Result;
    for (const std::optional<const Value *> &Of : Found)
      Result.push_back(Of.value_or(nullptr));
    return Result;
  }

  /// Stores what the runtime needs to compute sums.
  void keep(const LateWork::Input &Of, unsigned Word) const {
    const auto Store = [&](Instruction &Before) {
      IRBuilder<> B(&Before);
      B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
      Value *const Number =
          Of.Of->getType()->isPointerTy() ? B.CreatePtrToInt(Of.Of, I64) : B.CreateZExt(Of.Of, I64);
      B.CreateAlignedStore(Number, wordAt(B, Room, Word), Align(8));
    };
    if (Of.Before)
      for (BasicBlock *From : entriesOf(*Of.Before))
        Store(*From->getTerminator());
    else if (auto *const I = dyn_cast<Instruction>(Of.Of); I && !isa<PHINode>(I))
      Store(*I->getNextNode());
    else if (I)
      Store(*startOf(*I->getParent()));
    else
      Store(*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
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
  std::map<std::pair<const Loop *, const Loop *>, UniformCode> Code; ///< by `In` and `Around`
  SCEVExpander Expander;
  LateWork Late;
  Type *const I64;
  WorkRoom Room;
  SmallVector<AllocaInst *> Registers;
};

/// Gives words that nobody reads to calls of \p Copy by functions that do not count.
void giveWords(Function &Copy, size_t Count) {
  for (User *Each : Copy.users())
    if (auto *const Call = dyn_cast<CallBase>(Each); Call && !hasWordsOfCopy(*Call)) {
      BasicBlock &Entry = Call->getFunction()->getEntryBlock();
      IRBuilder<> B(&Entry, Entry.begin());
      setWordsOfCopy(*Call, B.CreateAlloca(ArrayType::get(B.getInt64Ty(), Count)));
    }
}

} // namespace

Value *wordAt(IRBuilderBase &B, const WorkRoom &Room, Value *Index) {
  return B.CreateInBoundsGEP(B.getInt64Ty(), Room.Local, Index);
}

Value *wordAt(IRBuilderBase &B, const WorkRoom &Room, unsigned Index) {
  return wordAt(B, Room, B.getInt64(Index));
}

std::vector<WorkRoom> insertCounters(const std::vector<FunctionWork> &Plan,
                                     FunctionAnalysisManager &FAM) {
  std::vector<WorkRoom> Rooms;
  for (const FunctionWork &Work : Plan)
    if (isCopyToCount(*Work.F))
      CounterWriter(Work, FAM).runInCopy();
    else
      Rooms.push_back(CounterWriter(Work, FAM).run());
  for (const FunctionWork &Work : Plan)
    if (isCopyToCount(*Work.F))
      giveWords(*Work.F, Work.Counters.size());
  return Rooms;
}

void resetWords(const WorkRoom &Room, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(HookWriter::hookLocation(*Before->getFunction()));
  // Volatile, so that they do not become stores of vectors: a function that has no others would
  // have to clear the upper halves of its registers.
  // GPU code has its number of threads from elsewhere; that of a function is part of its hooks.
  const bool HasFirst = Room.Local == Room.Words && Room.Work->Within;
  for (unsigned I = HasFirst ? 0 : 1; I < Room.Zeroed; ++I)
    B.CreateAlignedStore(B.getInt64(I == 0), wordAt(B, Room, I), Align(8), /*isVolatile=*/true);
}

} // namespace seamscope
