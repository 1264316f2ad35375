//===- StableLoads.cpp - variables that a loop loads again and again -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/StableLoads.h"

#include "work/UniformValues.h"
#include "work/WorkCounts.h"

#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Whether \p I may change the variable at \p Address, of type \p Ty. Stores of other types are to
/// arrays, and so are copies. Functions whose work is known change none but those that they are
/// given.
bool mayChange(const Instruction &I, const Value *Address, const Type *Ty,
               const TargetLibraryInfo &Library) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getValueOperand()->getType() == Ty;
  if (!I.mayWriteToMemory() || isa<IntrinsicInst>(I))
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  std::string Unknown;
  workOf(I, Library, Unknown);
  return !Call || !Unknown.empty() || is_contained(Call->args(), Address);
}

} // namespace

bool StableLoads::isStable(const LoadInst &Load, const Loop &Outermost) const {
  const auto Entries = entriesOf(Outermost);
  if (!Load.isSimple() || Entries.size() != 1 ||
      !Outermost.isLoopInvariant(Load.getPointerOperand()))
    return false;
  const Instruction *const At = Entries.front()->getTerminator();
  const Value *const Address = Load.getPointerOperand();
  const auto *Computed = dyn_cast<Instruction>(Address);
  // The runtime of OpenMP changes variables on the stack: the bounds of a chunk.
  return !isOnStack(Address) && (!Computed || Tree.dominates(Computed, At)) &&
         isDereferenceableAndAlignedPointer(Address, Load.getType(), Load.getAlign(),
                                            Load.getModule()->getDataLayout(), At) &&
         none_of(Outermost.blocks(), [&](const BasicBlock *Block) {
           return any_of(*Block, [&](const Instruction &I) {
             return mayChange(I, Address, Load.getType(), Library);
           });
         });
}

const SCEV *StableLoads::rewritten(const SCEV *Of, const Loop &Outermost) {
  ValueToSCEVMapTy New;
  SCEVExprContains(Of, [&](const SCEV *Part) {
    const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    auto *Load = Leaf ? dyn_cast<LoadInst>(Leaf->getValue()) : nullptr;
    if (!Load || !Outermost.contains(Load))
      return false;
    const auto [Known, IsNew] = Copies.try_emplace(
        std::tuple(Load->getPointerOperand(), Load->getType(), &Outermost), nullptr);
    if (IsNew && isStable(*Load, Outermost)) {
      auto *const Copy = cast<LoadInst>(Load->clone());
      // It may run where the original does not.
      Copy->dropUnknownNonDebugMetadata();
      Copy->setDebugLoc(DebugLoc());
      Copy->setMetadata(CopyOfLoad, MDNode::get(Copy->getContext(), {}));
      Copy->insertBefore(entriesOf(Outermost).front()->getTerminator()->getIterator());
      Known->second = Copy;
    }
    if (Known->second)
      New[Load] = Evolution.getUnknown(Known->second);
    return false;
  });
  return New.empty() ? Of : SCEVParameterRewriter::rewrite(Of, Evolution, New);
}

} // namespace seamscope
