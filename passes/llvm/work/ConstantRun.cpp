//===- ConstantRun.cpp - one call, as far as constants decide --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/ConstantRun.h"

#include "work/LoopCounts.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace seamscope {

ConstantRun::ConstantRun(const Function &F, ArrayRef<Constant *> Arguments,
                         const TargetLibraryInfo &Library)
    : F(F), Library(Library) {
  for (const auto &[Argument, Is] : zip(F.args(), Arguments))
    if (Is)
      Known[&Argument] = Is;
}

Constant *ConstantRun::constant(const Value &Of) const {
  if (auto *const Is = dyn_cast<ConstantInt>(&Of))
    return const_cast<ConstantInt *>(Is);
  return Known.lookup(&Of);
}

Constant *ConstantRun::fold(const Instruction &I) const {
  if (I.mayReadOrWriteMemory())
    return nullptr;
  if (const auto *const Select = dyn_cast<SelectInst>(&I)) {
    const Constant *const Is = constant(*Select->getCondition());
    return Is ? constant(Is->isZeroValue() ? *Select->getFalseValue() : *Select->getTrueValue())
              : nullptr;
  }
  SmallVector<Constant *, 4> Operands;
  for (const Value *Each : I.operands()) {
    Constant *const Is =
        isa<Function>(Each) ? cast<Constant>(const_cast<Value *>(Each)) : constant(*Each);
    if (!Is)
      return nullptr;
    Operands.push_back(Is);
  }
  // Undefined values are not the same each time.
  return dyn_cast_or_null<ConstantInt>(ConstantFoldInstOperands(
      const_cast<Instruction *>(&I), Operands, F.getParent()->getDataLayout(), &Library));
}

void ConstantRun::enter(const BasicBlock &Block, const BasicBlock *From) {
  SmallVector<std::pair<const PHINode *, Constant *>> Phis;
  for (const PHINode &Phi : Block.phis())
    Phis.emplace_back(&Phi, From ? constant(*Phi.getIncomingValueForBlock(From)) : nullptr);
  for (const auto &[Phi, Is] : Phis)
    Known[Phi] = Is;
  for (const Instruction &I : Block)
    if (!isa<PHINode>(I) && I.getType()->isIntegerTy())
      Known[&I] = fold(I);
}

bool ConstantRun::forEachBlock(unsigned &Left, function_ref<bool(const BasicBlock &)> Visit) {
  const auto Returning = returningBlocks(F, /*OrByException=*/false);
  const BasicBlock *From = nullptr;
  for (const BasicBlock *At = &F.getEntryBlock(); At;) {
    const size_t Size = At->size();
    if (Size > Left) {
      Left = 0;
      return false;
    }
    Left -= static_cast<unsigned>(Size);
    enter(*At, From);
    if (!Visit(*At))
      return false;
    const Instruction &End = *At->getTerminator();
    if (isa<ReturnInst>(End))
      return true;
    const BasicBlock *Next = nullptr;
    if (const auto *const Invoke = dyn_cast<InvokeInst>(&End)) {
      Next = Invoke->getNormalDest();
    } else if (const auto *const Branch = dyn_cast<BranchInst>(&End);
               Branch && Branch->isConditional()) {
      if (const Constant *const Is = constant(*Branch->getCondition()))
        Next = Branch->getSuccessor(Is->isZeroValue() ? 1 : 0);
    } else if (const auto *const Switch = dyn_cast<SwitchInst>(&End)) {
      if (const auto *const Is = cast_or_null<ConstantInt>(constant(*Switch->getCondition())))
        Next = Switch->findCaseValue(Is)->getCaseSuccessor();
    }
    if (!Next) {
      SmallVector<const BasicBlock *> Ways;
      copy_if(successors(At), std::back_inserter(Ways),
              [&](const BasicBlock *Way) { return Returning.contains(Way); });
      if (Ways.empty() || !all_equal(Ways))
        return false;
      Next = Ways.front();
    }
    From = At;
    At = Next;
  }
  return false;
}

} // namespace seamscope
