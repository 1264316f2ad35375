//===- LoopCounts.h - how often blocks of loops run -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LOOPCOUNTS_H
#define SEAMSCOPE_PASSES_LOOPCOUNTS_H

#include "Compat.h"
#include "work/StableLoads.h"
#include "work/UniformValues.h"
#include "work/WorkCounter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace llvm {
class DominatorTree;
class SCEVAddRecExpr;
class SwitchInst;
class TargetTransformInfo;
} // namespace llvm

namespace seamscope {

/// The counter that says how often a block runs.
struct BlockCount {
  WorkCounter Counter;
  bool IsAtMost = false; ///< the block runs at most that often
};

/// Finds counters for the blocks of one function.
class LoopCounts {
public:
  /// \p Within: count only in these blocks, and in their loops. Empty: in all.
  LoopCounts(llvm::Function &F, const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Within,
             bool IsExact, llvm::FunctionAnalysisManager &FAM);

  /// \p IsWorthOne: where only a counter of its own says how often the block runs, it gets one,
  /// outside of innermost loops.
  BlockCount of(llvm::BasicBlock &Block, bool IsWorthOne);

  /// Whether \p Block can be left by a return. Others run once at most, before the program ends.
  bool returns(const llvm::BasicBlock &Block) const { return Returning.contains(&Block); }

  /// Where a block is in the iterations of its loop.
  enum class Position {
    EachIteration,     ///< once each time the header runs
    EachFullIteration, ///< once each time the loop goes back to its header
    SomeIterations
  };

  llvm::ScalarEvolution &evolution() const { return Evolution; }
  llvm::Type *wordType() const { return I64; }
  llvm::Loop *loopOf(const llvm::BasicBlock &Block) const;
  /// The loop around \p L in which something is counted; null: none.
  llvm::Loop *loopAround(const llvm::Loop &L) const;
  /// \p Of, with variables that \p L loads again and again loaded in front of the loops around.
  const llvm::SCEV *stable(const llvm::SCEV *Of, const llvm::Loop &L);
  bool isInOtherCycle(const llvm::BasicBlock &Block) const;
  /// Whether a call enters \p L once at most.
  bool isEnteredOnce(const llvm::Loop &L) const;
  const llvm::SCEV *iterations(llvm::Loop &L, Position Where);
  const llvm::SCEV *sumOver(llvm::Loop &L, Position Where, const llvm::SCEV *Amount);
  /// Whether each iteration of \p Outer enters \p Inner.
  bool isEnteredInEach(const llvm::Loop &Inner, llvm::Loop &Outer);
  /// The conditions of branches in \p Outer that must have that value where \p Inner is entered.
  llvm::SmallVector<std::pair<llvm::Value *, bool>, 4>
  conditionsBetween(const llvm::Loop &Outer, const llvm::Loop &Inner) const;
  /// Whether all of \p Amounts can be computed in front of \p Around, for little.
  bool canCompute(llvm::Loop &Around, llvm::ArrayRef<const llvm::SCEV *> Amounts);
  /// Whether \p L itself, not an inner loop, takes chunks of an OpenMP loop.
  bool takesChunks(const llvm::Loop &L) const;

private:
  struct LoopFacts {
    llvm::SmallVector<llvm::BasicBlock *, 2> Exits;  ///< blocks with edges out of it that return
    const llvm::SCEV *TakenBack = nullptr;           ///< null: not known before the loop
    llvm::SmallVector<const llvm::SCEV *, 2> Counts; ///< by exit, then: iterations before it
  };

  /// A variable of a loop that changes by the same number in each iteration; null: it is not one.
  struct EvenVariable {
    const llvm::SCEVAddRecExpr *Recurrence = nullptr;
    const llvm::APInt *Step = nullptr; ///< not 0

    explicit operator bool() const { return Recurrence; }
  };

  EvenVariable evenVariable(const llvm::SCEV *Of, const llvm::Loop &L) const;
  const llvm::SCEV *countIfItEnds(llvm::Loop &L);
  const LoopFacts &factsOf(llvm::Loop &L);
  Position positionIn(llvm::Loop &L, const llvm::BasicBlock &Block);
  const llvm::SCEV *iterationsBelow(llvm::Loop &L, const EvenVariable &Variable,
                                    const llvm::SCEV *Bound, bool IsSigned, const llvm::SCEV *Of);
  const llvm::SCEV *iterationsBetween(llvm::Loop &L, const llvm::BasicBlock &Block);
  const llvm::SCEV *iterationsAt(llvm::Loop &L, const EvenVariable &Variable,
                                 const llvm::SCEV *Value, const llvm::SCEV *Of);
  const llvm::SCEV *iterationsOfCases(llvm::Loop &L, const llvm::SwitchInst &Switch,
                                      const llvm::BasicBlock &First, const llvm::SCEV *Of);
  const llvm::SCEV *iterationsWith(llvm::Loop &L, const llvm::BasicBlock &Block);
  UniformValues *uniformIn(llvm::Loop &L);
  WorkCounter uniform(llvm::Loop &L, llvm::BasicBlock &From, llvm::BasicBlock *To,
                      const llvm::SCEV *Amount);
  std::optional<WorkCounter> uniformSum(llvm::Loop &Inner, const llvm::SCEV *Amount);
  std::optional<WorkCounter> uniformRuns(llvm::Loop &L, llvm::BasicBlock &Block);
  std::optional<WorkCounter> sumFor(llvm::Loop &L, const llvm::SCEV *Amount);
  bool hasRoomBefore(const llvm::Loop &L) const;
  bool hasRoomBehind(const llvm::Loop &L) const;
  std::optional<WorkCounter> stepsFor(llvm::Loop &L, Position Where);
  WorkCounter counterFor(llvm::Loop &L, Position Where);
  BlockCount outsideLoops(llvm::BasicBlock &Block, bool IsWorthOne);
  bool alwaysReaches(const llvm::Loop *L, const llvm::BasicBlock &From,
                     const llvm::BasicBlock &To) const;
  llvm::BasicBlock &firstLike(llvm::BasicBlock &Block) const;

  llvm::Function &F;
  const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Within;
  const bool IsExact;
  llvm::LoopInfo &LI;
  const llvm::DominatorTree &Tree;
  const llvm::CycleInfo &Cycles;
  llvm::ScalarEvolution &Evolution;
  const llvm::TargetTransformInfo &Costs;
  llvm::SCEVExpander Expander;
  StableLoads Stable;
  llvm::Type *const I64;
  const llvm::SmallPtrSet<const llvm::BasicBlock *, 32> Returning;
  llvm::DenseMap<const llvm::Loop *, LoopFacts> Facts;
  llvm::DenseMap<const llvm::Loop *, std::unique_ptr<UniformValues>> Uniform;
};

/// Puts a block on each edge that leads from one loop straight into another one, so that there is
/// room for counters outside of both. Blocks that stay empty produce no code.
void separateLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// The blocks of \p F from which it can return, or, if asked, hand an exception to its caller.
llvm::SmallPtrSet<const llvm::BasicBlock *, 32> returningBlocks(const llvm::Function &F,
                                                                bool OrByException = true);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LOOPCOUNTS_H
