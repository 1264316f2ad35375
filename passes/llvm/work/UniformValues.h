//===- UniformValues.h - what is the same in each iteration -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectoriser and the unroller put tests in front of the loops that they make of an inner loop:
// is there enough for one vector, is there a rest. The tests run in each iteration of the loop
// around, and have the same result each time. Then the inner loops' iterations can be counted in
// front of the outer loop: this file finds such values, and computes them there.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_UNIFORMVALUES_H
#define SEAMSCOPE_PASSES_UNIFORMVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include <map>
#include <optional>

namespace llvm {
class SCEV;
class SCEVExpander;
class ScalarEvolution;
} // namespace llvm

namespace seamscope {

/// The blocks from which \p L is entered.
llvm::SmallVector<llvm::BasicBlock *, 2> entriesOf(const llvm::Loop &L);

/// Values and ways in one loop, outside of its inner loops.
class UniformValues {
public:
  /// \p Returning: blocks that can be left by a return; on ways to others the program ends.
  UniformValues(const llvm::Loop &L, const llvm::LoopInfo &LI, llvm::ScalarEvolution &Evolution,
                const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Returning)
      : L(L), LI(LI), Evolution(Evolution), Returning(Returning) {}

  bool isUniform(const llvm::Value &Of);
  /// Whether an expression is, and can be computed in front of the loop.
  bool isUniform(const llvm::SCEV *Of);
  /// The value that an instruction of an inner loop has when that ends, as an expression of values
  /// outside of inner loops; null: unknown, or no such instruction.
  const llvm::SCEV *atExit(llvm::Value &Of) const;
  /// Whether \p Block runs in each iteration or in none.
  bool isUniform(const llvm::BasicBlock &Block);
  /// Whether each iteration takes the way from \p From to \p To, or none does.
  bool isUniform(const llvm::BasicBlock &From, const llvm::BasicBlock &To);

  /// Whether \p Block runs, made by \p Make. That has a type `Made` and makes values of it:
  /// `always()`, `never()`, `either(Made, Made)`, `both(Made, Made)`, `inverse(Made)`,
  /// `choose(Made, Made, Made)`, `value(Value &)`. `made(Value &)` is a place for what is made only
  /// once, empty at first.
  template <typename MakerT> typename MakerT::Made runs(llvm::BasicBlock &Block, MakerT &Make);
  /// Whether the way is taken.
  template <typename MakerT>
  typename MakerT::Made isTaken(llvm::BasicBlock &From, llvm::BasicBlock &To, MakerT &Make);
  /// The one or, without \p To, the other.
  template <typename MakerT>
  typename MakerT::Made takes(llvm::BasicBlock *From, llvm::BasicBlock *To, MakerT &Make) {
    return To ? isTaken(*From, *To, Make) : runs(*From, Make);
  }
  /// The value of \p Phi.
  template <typename MakerT> typename MakerT::Made chosen(llvm::PHINode &Phi, MakerT &Make);

  const llvm::Loop &loop() const { return L; }

  /// Whether a test at the end of \p From decides nothing, as on other ways the program ends.
  bool hasOneWay(const llvm::BasicBlock &From) const;

private:
  const llvm::Loop *innerLoop(const llvm::BasicBlock &Block) const;
  bool isOnlyWayOut(const llvm::Loop &Inner, const llvm::BasicBlock &From,
                    const llvm::BasicBlock &To) const;

  const llvm::Loop &L;
  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &Evolution;
  const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Returning;
  llvm::DenseMap<const llvm::Value *, bool> Known; ///< false while it is being found out
};

/// Whether the way from \p From to \p To, or without that whether \p From runs, and \p Amount, null
/// or uniform, are the same in all iterations of \p Outer as well, a loop around that of \p Values.
bool isSameInLoop(UniformValues &Values, const llvm::Loop &Outer, llvm::BasicBlock &From,
                  llvm::BasicBlock *To, const llvm::SCEV *Amount);

/// Makes code in front of the loop, or of one around it in which the values are the same.
class UniformCode {
public:
  using Made = llvm::Value *;

  UniformCode(UniformValues &Values, llvm::ScalarEvolution &Evolution, llvm::SCEVExpander &Expander)
      : Values(Values), Evolution(Evolution), Expander(Expander) {}
  void setPlace(llvm::IRBuilder<> &Before) { B = &Before; }
  /// The value of an expression of uniform values, with the type \p As.
  llvm::Value *expand(const llvm::SCEV *Of, llvm::Type *As);

  Made always() const { return B->getTrue(); }
  Made never() const { return B->getFalse(); }
  Made either(Made One, Made Other) const { return B->CreateLogicalOr(One, Other); }
  Made both(Made One, Made Other) const { return B->CreateLogicalAnd(One, Other); }
  Made inverse(Made Of) const { return B->CreateNot(Of); }
  Made choose(Made Is, Made Then, Made Else) const { return B->CreateSelect(Is, Then, Else); }
  Made value(llvm::Value &Of);
  std::optional<Made> &made(const llvm::Value &Of) { return All[&Of]; }

private:
  UniformValues &Values;
  llvm::ScalarEvolution &Evolution;
  llvm::SCEVExpander &Expander;
  llvm::IRBuilder<> *B = nullptr;
  std::map<const llvm::Value *, std::optional<Made>> All;
};

template <typename MakerT>
typename MakerT::Made UniformValues::isTaken(llvm::BasicBlock &From, llvm::BasicBlock &To,
                                             MakerT &Make) {
  if (const llvm::Loop *const Inner = innerLoop(From)) {
    auto Any = Make.never();
    for (llvm::BasicBlock *Entry : entriesOf(*Inner))
      Any = Make.either(Any, isTaken(*Entry, *Inner->getHeader(), Make));
    return Any;
  }
  const auto Runs = runs(From, Make);
  if (hasOneWay(From))
    return Runs;
  auto &Branch = *llvm::cast<llvm::BranchInst>(From.getTerminator());
  const auto Condition = Make.value(*Branch.getCondition());
  return Make.both(Runs, Branch.getSuccessor(0) == &To ? Condition : Make.inverse(Condition));
}

template <typename MakerT>
typename MakerT::Made UniformValues::runs(llvm::BasicBlock &Block, MakerT &Make) {
  if (&Block == L.getHeader())
    return Make.always();
  if (!Make.made(Block)) {
    auto Any = Make.never();
    for (llvm::BasicBlock *From : predecessors(&Block))
      Any = Make.either(Any, isTaken(*From, Block, Make));
    Make.made(Block) = Any;
  }
  return *Make.made(Block);
}

template <typename MakerT>
typename MakerT::Made UniformValues::chosen(llvm::PHINode &Phi, MakerT &Make) {
  std::optional<typename MakerT::Made> Result;
  for (llvm::BasicBlock *From : Phi.blocks()) {
    const auto Incoming = Make.value(*Phi.getIncomingValueForBlock(From));
    Result =
        Result ? Make.choose(isTaken(*From, *Phi.getParent(), Make), Incoming, *Result) : Incoming;
  }
  return *Result;
}

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_UNIFORMVALUES_H
