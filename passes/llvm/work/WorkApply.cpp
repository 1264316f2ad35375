//===- WorkApply.cpp - counters of work, in IR -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/WorkApply.h"

#include "Compat.h"
#include "Hooks.h"
#include "work/LoopCounts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
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
      : Work(Work), F(*Work.F), Tree(FAM.getResult<DominatorTreeAnalysis>(F)),
        Expander(compat::makeExpander(FAM.getResult<ScalarEvolutionAnalysis>(F),
                                      F.getParent()->getDataLayout())),
        I64(Type::getInt64Ty(F.getContext())) {}

  WorkRoom run() {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    Words = B.CreateAlloca(ArrayType::get(I64, Work.Counters.size()), nullptr, "seamscope.work");
    Words->setAlignment(Align(16));
    for (size_t I = 0; I < Work.Counters.size(); ++I)
      write(static_cast<unsigned>(I), Work.Counters[I]);
    if (!Registers.empty())
      PromoteMemToReg(Registers, Tree);
    const WorkRoom Room = {&Work, Words};
    if (!Work.Within)
      resetWords(Room, &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    return Room;
  }

private:
  void write(unsigned Word, const WorkCounter &Counter) {
    switch (Counter.How) {
    case WorkCounter::Calls:
      return; // resetWords
    case WorkCounter::Sum:
      for (BasicBlock *From : entriesOf(*Counter.Around))
        addSum(Word, Counter, *cast<BranchInst>(From->getTerminator()));
      return;
    case WorkCounter::Executions: {
      IRBuilder<> B(Counter.Block, startOf(*Counter.Block));
      return add(B, wordAt(B, Word), B.getInt64(1));
    }
    case WorkCounter::Search:
      return addSearch(Word, Counter);
    case WorkCounter::Bytes: {
      IRBuilder<> B(Counter.At);
      return add(B, wordAt(B, Word), B.CreateZExtOrTrunc(Counter.Length, I64));
    }
    }
  }

  /// The amount is computed also if a condition at the end of the block leads elsewhere, and counts
  /// only if it leads to the loop.
  void addSum(unsigned Word, const WorkCounter &Counter, BranchInst &Branch) {
    Value *Amount = Expander.expandCodeFor(Counter.Amount, I64, Branch.getIterator());
    IRBuilder<> B(&Branch);
    if (Branch.isConditional()) {
      const BasicBlock *const Header = Counter.Around->getHeader();
      Value *const None = B.getInt64(0);
      Amount =
          B.CreateSelect(Branch.getCondition(), Branch.getSuccessor(0) == Header ? Amount : None,
                         Branch.getSuccessor(1) == Header ? Amount : None);
    }
    add(B, wordAt(B, Word), Amount);
  }

  /// The number is in memory only until PromoteMemToReg.
  void addSearch(unsigned Word, const WorkCounter &Counter) {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    AllocaInst *const Register = B.CreateAlloca(I64, nullptr, "seamscope.count");
    Registers.push_back(Register);
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    B.CreateStore(B.getInt64(0), Register);
    B.SetInsertPoint(Counter.Block, startOf(*Counter.Block));
    add(B, Register, B.getInt64(1));
    SmallVector<BasicBlock *> Exits;
    Counter.Around->getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits) {
      if (Exit->getFirstInsertionPt() == Exit->end())
        continue;
      B.SetInsertPoint(Exit, startOf(*Exit));
      add(B, wordAt(B, Word), B.CreateLoad(I64, Register));
      B.CreateStore(B.getInt64(0), Register);
    }
  }

  static BasicBlock::iterator startOf(BasicBlock &Block) {
    return Block.isEntryBlock() ? Block.getFirstNonPHIOrDbgOrAlloca() : Block.getFirstInsertionPt();
  }

  Value *wordAt(IRBuilder<> &B, unsigned Word) const {
    return B.CreateConstInBoundsGEP2_64(Words->getAllocatedType(), Words, 0, Word);
  }

  void add(IRBuilder<> &B, Value *Word, Value *Amount) const {
    B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
    B.CreateAlignedStore(B.CreateAdd(B.CreateAlignedLoad(I64, Word, Align(8)), Amount), Word,
                         Align(8));
  }

  const FunctionWork &Work;
  Function &F;
  DominatorTree &Tree;
  SCEVExpander Expander;
  Type *const I64;
  AllocaInst *Words = nullptr;
  SmallVector<AllocaInst *> Registers;
};

} // namespace

std::vector<WorkRoom> insertCounters(const std::vector<FunctionWork> &Plan,
                                     FunctionAnalysisManager &FAM) {
  std::vector<WorkRoom> Rooms;
  for (const FunctionWork &Work : Plan)
    if (!Work.Counters.empty())
      Rooms.push_back(CounterWriter(Work, FAM).run());
  return Rooms;
}

void resetWords(const WorkRoom &Room, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(HookWriter::hookLocation(*Before->getFunction()));
  for (size_t I = 0; I < Room.Work->Counters.size(); ++I)
    B.CreateAlignedStore(B.getInt64(Room.Work->Counters[I].How == WorkCounter::Calls),
                         B.CreateConstInBoundsGEP2_64(Room.Words->getAllocatedType(), Room.Words, 0,
                                                      static_cast<uint64_t>(I)),
                         Align(8));
}

} // namespace seamscope
