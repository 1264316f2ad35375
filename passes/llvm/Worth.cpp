//===- Worth.cpp - what is worth a hook ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Worth.h"

#include "CallerLoops.h"
#include "Compat.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace seamscope {
namespace {

constexpr uint64_t ComputingTrips = 1000, CountedTrips = 64, SearchTrips = 8;

/// Calls of recursive functions nest: the hooks of the inner ones count as work of the outer ones.
constexpr uint64_t RecursiveFactor = 4;
/// A function that no loop calls runs seldom, so its hooks cost next to nothing.
constexpr uint64_t SeldomDivisor = 8;
/// The hooks of the kernel see the time of its loops, too.
constexpr uint64_t LoopFactor = 2;
constexpr uint64_t AskedLoopDivisor = 4;

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

/// Whether \p L computes floating point or was vectorised.
bool computes(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      return (I.isBinaryOp() || isa<CallBase>(I)) &&
             (I.getType()->isFPOrFPVectorTy() || I.getType()->isVectorTy());
    });
  });
}

/// The product as a count that saturates.
uint64_t times(double A, double B) {
  return static_cast<uint64_t>(std::min(A * B, double(uint64_t{1} << 62)));
}

} // namespace

Worth::Worth(Function &F, FunctionAnalysisManager &FAM, bool AssumesMany)
    : F(F), LI(FAM.getResult<LoopAnalysis>(F)),
      Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      Frequencies(FAM.getResult<BlockFrequencyAnalysis>(F)),
      Probabilities(FAM.getResult<BranchProbabilityAnalysis>(F)),
      Costs(FAM.getResult<TargetIRAnalysis>(F)),
      AssumesMany(AssumesMany || Costs.hasBranchDivergence(&F)) {} // a GPU's loops are over data

uint64_t Worth::ofLoops(const CallBase *Call) const {
  const double Entry = Frequencies.getEntryFreq().getFrequency();
  uint64_t Sum = 0;
  for (const Loop *L : LI)
    Sum = SaturatingAdd(Sum, times(entries(*L) / std::max(Entry, 1.0), of(*L, Call)));
  return Sum;
}

uint64_t Worth::of(const Loop &L, const CallBase *Call) const {
  const double Header = std::max<double>(Frequencies.getBlockFreq(L.getHeader()).getFrequency(), 1);
  double Iteration = 0;
  for (const BasicBlock *Block : L.blocks()) {
    if (LI.getLoopFor(Block) != &L)
      continue;
    int64_t Cost = 0;
    for (const Instruction &I : *Block)
      if (const auto Each = Costs.getInstructionCost(&I, TargetTransformInfo::TCK_SizeAndLatency);
          Each.isValid())
        Cost += compat::costValue(Each);
    Iteration += Cost * (Frequencies.getBlockFreq(Block).getFrequency() / Header);
  }
  for (const Loop *Inner : L.getSubLoops())
    Iteration += entries(*Inner) / Header * of(*Inner, Call);
  return times(trips(L, Call), Iteration);
}

/// How often \p L is entered, on the scale of block frequencies.
double Worth::entries(const Loop &L) const {
  double Sum = 0;
  for (const BasicBlock *From : predecessors(L.getHeader()))
    if (!L.contains(From)) {
      const BranchProbability Taken = Probabilities.getEdgeProbability(From, L.getHeader());
      Sum += double(Frequencies.getBlockFreq(From).getFrequency()) * Taken.getNumerator() /
             BranchProbability::getDenominator();
    }
  return Sum;
}

uint64_t Worth::trips(const Loop &L, const CallBase *Call) const {
  if (const unsigned Exact = Evolution.getSmallConstantTripCount(&L))
    return Exact;
  uint64_t Trips = assumedTrips(L);
  if (const unsigned Most = Evolution.getSmallConstantMaxTripCount(&L))
    Trips = std::min<uint64_t>(Trips, Most);
  return Call ? std::min(Trips, tripsWith(L, *Call)) : Trips;
}

uint64_t Worth::assumedTrips(const Loop &L) const {
  if (F.hasProfileData()) {
    const double Header = Frequencies.getBlockFreq(L.getHeader()).getFrequency();
    return std::max<uint64_t>(times(Header, 1 / std::max(entries(L), 1.0)), 1);
  }
  if (AssumesMany)
    return ComputingTrips;
  if (isa<SCEVCouldNotCompute>(Evolution.getBackedgeTakenCount(&L)))
    return SearchTrips;
  return computes(L) ? ComputingTrips : CountedTrips;
}

uint64_t Worth::tripsWith(const Loop &L, const CallBase &Call) const {
  ValueToSCEVMapTy Known = constantArguments(Call, Evolution);
  const SCEV *Taken = Evolution.getSymbolicMaxBackedgeTakenCount(&L);
  if (Known.empty() || isa<SCEVCouldNotCompute>(Taken))
    return UINT64_MAX;
  const SCEV *With = SCEVParameterRewriter::rewrite(Taken, Evolution, Known);
  if (isa<SCEVCouldNotCompute>(With))
    return UINT64_MAX;
  const APInt Most = Evolution.getUnsignedRangeMax(With);
  return Most.getActiveBits() > 32 ? UINT64_MAX : Most.getZExtValue() + 1;
}

bool isWorthHooks(Function &F, unsigned MinWork, const CallerLoops &Callers,
                  FunctionAnalysisManager &FAM) {
  uint64_t Least = MinWork;
  if (Callers.isRecursive(F))
    Least *= RecursiveFactor;
  else if (isCalledDirectly(F) && !Callers.repeat(F))
    Least /= SeldomDivisor;
  return Worth(F, FAM).ofLoops() >= Least;
}

bool isWorthHooks(uint64_t WorkOfLoop, unsigned MinWork, bool IsAskedFor) {
  return WorkOfLoop >= (IsAskedFor ? MinWork / AskedLoopDivisor : LoopFactor * MinWork);
}

bool isWorthInside(const Loop &L, const Worth &Work, unsigned MinWork, ScalarEvolution &Evolution) {
  if (!isWorthHooks(Work.of(L), MinWork, /*IsAskedFor=*/false))
    return false;
  // An assumed trip count is too little to time each run of a loop without inner loops.
  return !L.getSubLoops().empty() || Evolution.getSmallConstantTripCount(&L) != 0;
}

} // namespace seamscope
