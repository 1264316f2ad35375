//===- LoopWork.cpp - how much a function's loops run ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopWork.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace seamscope {
namespace {

/// The callee's integer parameters for which \p Call passes constants.
ValueToSCEVMapTy constantArguments(const CallBase &Call, ScalarEvolution &SE) {
  ValueToSCEVMapTy Known;
  const auto *Callee = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!Callee)
    return Known;
  for (const Argument &Parameter : Callee->args()) {
    if (Parameter.getArgNo() >= Call.arg_size())
      break;
    auto *Value = dyn_cast<ConstantInt>(Call.getArgOperand(Parameter.getArgNo()));
    if (Value && Value->getType() == Parameter.getType())
      Known[&Parameter] = SE.getConstant(Value);
  }
  return Known;
}

/// The work of all \p Loops together. \p Trips returns the most iterations that a loop runs, or 0
/// if unknown. Loops around \p Outside do not count.
template <typename LoopsT, typename TripsFn>
std::optional<uint64_t> sumOfWork(const LoopsT &Loops, const Loop *Outside, const LoopInfo &LI,
                                  TripsFn Trips) {
  uint64_t Total = 0;
  for (const Loop *L : Loops) {
    uint64_t Runs = 1;
    for (const Loop *Outer = L; Outer != Outside; Outer = Outer->getParentLoop()) {
      const uint64_t Count = Trips(Outer);
      if (!Count)
        return std::nullopt;
      Runs = SaturatingMultiply(Runs, Count);
    }
    uint64_t Size = 0;
    for (const BasicBlock *BB : L->blocks())
      if (LI.getLoopFor(BB) == L)
        Size += BB->size();
    Total = SaturatingAdd(Total, SaturatingMultiply(Runs, Size));
  }
  return Total;
}

} // namespace

std::optional<uint64_t> boundedWork(const LoopInfo &LI, ScalarEvolution &SE, const CallBase *Call) {
  ValueToSCEVMapTy Known;
  if (Call)
    Known = constantArguments(*Call, SE);
  const auto Trips = [&](const Loop *L) -> uint64_t {
    const uint64_t Always = SE.getSmallConstantMaxTripCount(L);
    if (Known.empty())
      return Always;
    const SCEV *Taken = SE.getSymbolicMaxBackedgeTakenCount(L);
    if (isa<SCEVCouldNotCompute>(Taken))
      return Always;
    const APInt Most = SE.getUnsignedRangeMax(SCEVParameterRewriter::rewrite(Taken, SE, Known));
    if (Most.getActiveBits() > 32)
      return Always;
    const uint64_t Here = Most.getZExtValue() + 1;
    return Always ? std::min(Always, Here) : Here;
  };
  return sumOfWork(LI.getLoopsInPreorder(), nullptr, LI, Trips);
}

std::optional<uint64_t> boundedWork(const Loop &Nest, const LoopInfo &LI, ScalarEvolution &SE) {
  return sumOfWork(Nest.getLoopsInPreorder(), Nest.getParentLoop(), LI,
                   [&](const Loop *L) -> uint64_t { return SE.getSmallConstantMaxTripCount(L); });
}

} // namespace seamscope
