//===- LateWork.cpp - sums that follow from a call's words -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/LateWork.h"

#include "seamscope/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace seamscope {
namespace {

enum LateOperation : unsigned {
#define SEAMSCOPE_LATE(Operation) Late##Operation,
#include "seamscope/late-work.def"
};

/// Stands for an array's pointer: far from 0, so that no distance from it wraps.
constexpr uint64_t AnyAddress = uint64_t{1} << 62;

} // namespace

/// Whether the value is there in each call, even if the loop is not entered.
bool LateWork::isEarly(const Value &Of) {
  const auto *I = dyn_cast<Instruction>(&Of);
  return !I || I->getParent()->isEntryBlock();
}

bool LateWork::isEarly(const SCEV *Of) const {
  return !SCEVExprContains(Of, [](const SCEV *Part) {
    const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return Leaf && !isEarly(*Leaf->getValue());
  });
}

/// Whether there are steps for all of these, and room for them.
bool LateWork::hasSteps(ArrayRef<const SCEV *> Of) const {
  size_t More = 8; // a gate, its test, and what is done with the numbers
  const auto IsOther = [&](const SCEV *Part) {
    if (Part->getType()->isPointerTy() ? !isa<SCEVUnknown>(Part)
                                       : Evolution.getTypeSizeInBits(Part->getType()) > 64)
      return true;
    if (const auto *Several = dyn_cast<SCEVNAryExpr>(Part)) {
      More += 2 * Several->getNumOperands();
      return isa<SCEVAddRecExpr>(Part);
    }
    More += 3;
    if (const auto *Leaf = dyn_cast<SCEVUnknown>(Part))
      return !Leaf->getType()->isIntegerTy() && !Leaf->getType()->isPointerTy();
    return !isa<SCEVConstant, SCEVTruncateExpr, SCEVZeroExtendExpr, SCEVSignExtendExpr,
                SCEVPtrToIntExpr, SCEVUDivExpr>(Part);
  };
  for (const SCEV *Each : Of)
    if (SCEVExprContains(Each, IsOther))
      return false;
  // What the code counts itself must have room in any case.
  constexpr size_t Reserve = 2 * SEAMSCOPE_WORK_SUMS + 6 * SEAMSCOPE_WORK_ARRAYS;
  return words().all() + length() + More + Reserve <= SEAMSCOPE_WORK_NUMBERS;
}

/// Of the code, in words.
size_t LateWork::length() const {
  size_t Length = Words.size() + Gates.size();
  for (const Stream &Each : Steps)
    Length += Each.size();
  return Length;
}

unsigned LateWork::gateOf(const Loop &L) {
  const auto Index = static_cast<unsigned>(find(Gates, &L) - Gates.begin());
  if (Index == Gates.size()) {
    Gates.push_back(&L);
    Steps.emplace_back();
  }
  return Index;
}

void LateWork::enter(const Loop &L, const Value *Of) {
  Around = &L;
  Base = Of;
  Into = gateOf(L) + 1;
}

bool LateWork::addSum(unsigned Sum, const Loop &L, const SCEV *Amount) {
  if (!hasSteps(Amount))
    return false;
  enter(L, nullptr);
  add(LateSum, 64, number(Amount), {Number::Plain, Sum});
  return true;
}

bool LateWork::addRange(const FootprintRange &Range, const FootprintArray &Array) {
  SmallVector<const SCEV *> Parts = {Range.Begin, Range.End, Range.Bytes};
  for (const FootprintTest &Test : Range.Tests)
    append_values(Parts, Test.Left, Test.Right);
  if (!hasSteps(Parts))
    return false;
  enter(*Range.Around, nullptr);
  Number Bytes = number(Range.Bytes);
  for (const FootprintTest &Test : Range.Tests)
    Bytes = add(LateMul, 64, Bytes, test(Test));
  // A pointer that is loaded in several places has several values for ScalarEvolution.
  enter(*Range.Around, Array.IsLoaded ? nullptr : Array.Base);
  const Number Begin = number(Range.Begin), End = number(Range.End);
  add(LateTouch, Range.Array, Begin, End, Bytes);
  return true;
}

LateWork::Number LateWork::test(const FootprintTest &Of) {
  const auto Bits = static_cast<unsigned>(Evolution.getTypeSizeInBits(Of.Left->getType()));
  Number Left = number(Of.Left), Right = number(Of.Right);
  const auto Inverse = [&](Number Is) { return add(LateEqual, 64, Is, literal(0)); };
  if (Of.Is == CmpInst::ICMP_EQ || Of.Is == CmpInst::ICMP_NE) {
    const Number Equal = add(LateEqual, 64, Left, Right);
    return Of.Is == CmpInst::ICMP_EQ ? Equal : Inverse(Equal);
  }
  const unsigned Below = CmpInst::isSigned(Of.Is) ? LateSignedBelow : LateBelow;
  const bool IsGreater = ICmpInst::isGT(Of.Is) || ICmpInst::isGE(Of.Is);
  if (IsGreater)
    std::swap(Left, Right);
  // a <= b is not b < a.
  return ICmpInst::isLT(Of.Is) || ICmpInst::isGT(Of.Is) ? add(Below, Bits, Left, Right)
                                                        : Inverse(add(Below, Bits, Right, Left));
}

LateWork::Number LateWork::add(unsigned Operation, unsigned Bits, Number A, Number B, Number C) {
  Steps[Into].push_back({Operation, Bits, A, B, C});
  return {Number::Step, static_cast<unsigned>(Steps[Into].size() - 1), Into};
}

LateWork::Number LateWork::literal(uint64_t Value) {
  const auto [Of, New] = Literals.try_emplace({Value, Into});
  if (New) {
    Of->second = add(LateLiteral, 64, {});
    Steps[Into].back().Literal = Value;
    // The literal's own word has a number, too.
    Steps[Into].push_back({});
  }
  return Of->second;
}

LateWork::Number LateWork::inputFor(Value &Of) {
  const auto *I = dyn_cast<Instruction>(&Of);
  const Loop *const In = I ? LI.getLoopFor(I->getParent()) : nullptr;
  // In a loop that has ended it would be kept in each iteration.
  const bool IsOften = (In && !In->contains(Around)) || (I && I->isTerminator());
  const Loop *const Before = IsOften ? Around : nullptr;
  const auto Same = [&](const Input &Other) { return Other.Of == &Of && Other.Before == Before; };
  const auto Index = static_cast<unsigned>(find_if(Inputs, Same) - Inputs.begin());
  if (Index == Inputs.size())
    Inputs.push_back({&Of, Before});
  return {Number::InputWord, Index};
}

/// What all calls have is computed in front of all gates, and once.
LateWork::Number LateWork::number(const SCEV *Of) {
  const unsigned Gate = Into;
  if (isEarly(Of))
    Into = 0;
  const auto IsBase = [&](const SCEV *Part) {
    const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return Leaf && Leaf->getValue() == Base;
  };
  const Value *const From = Base && SCEVExprContains(Of, IsBase) ? Base : nullptr;
  const auto Place = std::tuple(Of, From, Into);
  const auto Found = Known.find(Place);
  const Number Result = Found != Known.end() ? Found->second : make(*Of);
  if (Found == Known.end())
    Known[Place] = Result;
  Into = Gate;
  return Result;
}

LateWork::Number LateWork::make(const SCEV &Of) {
  const Type *const Ty = Of.getType();
  const auto Bits = Ty->isPointerTy()
                        ? 64
                        : static_cast<unsigned>(Evolution.getTypeSizeInBits(Of.getType()));
  const auto Chain = [&](unsigned Operation) {
    const auto &All = cast<SCEVNAryExpr>(Of);
    Number Result = number(All.getOperand(0));
    for (const SCEV *Each : drop_begin(All.operands()))
      Result = add(Operation, Bits, Result, number(Each));
    return Result;
  };
  switch (Of.getSCEVType()) {
  case scConstant:
    return literal(cast<SCEVConstant>(Of).getAPInt().getZExtValue());
  case scUnknown:
    if (cast<SCEVUnknown>(Of).getValue() == Base)
      return literal(AnyAddress);
    return inputFor(*cast<SCEVUnknown>(Of).getValue());
  case scZeroExtend:
  case scPtrToInt:
    return number(cast<SCEVCastExpr>(Of).getOperand());
  case scTruncate:
    return add(LateCut, Bits, number(cast<SCEVCastExpr>(Of).getOperand()));
  case scSignExtend: {
    const SCEV *const Inner = cast<SCEVCastExpr>(Of).getOperand();
    const auto From = static_cast<unsigned>(Evolution.getTypeSizeInBits(Inner->getType()));
    return add(LateExtend, Bits, number(Inner), {Number::Plain, From});
  }
  case scUDivExpr: {
    const auto &Division = cast<SCEVUDivExpr>(Of);
    const Number Left = number(Division.getLHS());
    return add(LateDivide, Bits, Left, number(Division.getRHS()));
  }
  case scAddExpr:
    return Chain(LateAdd);
  case scMulExpr:
    return Chain(LateMul);
  case scUMaxExpr:
    return Chain(LateMost);
  case scUMinExpr:
  case scSequentialUMinExpr:
    return Chain(LateLeast);
  case scSMaxExpr:
    return Chain(LateSignedMost);
  case scSMinExpr:
    return Chain(LateSignedLeast);
  default:
    llvm_unreachable("hasSteps() excludes it");
  }
}

unsigned LateWork::addCounter(unsigned Sum) {
  Words.push_back({LateSum, 64, {Number::Counter, Counters}, {Number::Plain, Sum}, {}});
  return Counters++;
}

unsigned LateWork::addArray(unsigned Array) {
  Words.push_back({LateNot, 64, {Number::ArrayWord, 3 * Arrays}, {}, {}});
  const Number Begin = {Number::Step, static_cast<unsigned>(Words.size() - 1), ~0u};
  Words.push_back({LateTouch, Array, Begin, {Number::ArrayWord, 3 * Arrays + 1},
                   {Number::ArrayWord, 3 * Arrays + 2}});
  return Arrays++;
}

WorkWords LateWork::words() const {
  return {Counters, static_cast<unsigned>(Gates.size()), Arrays,
          static_cast<unsigned>(Inputs.size())};
}

GlobalVariable *LateWork::write(Module &M, size_t SumCounters, size_t SumArrays) const {
  const WorkWords Of = words();
  // The order: steps of words, steps of all calls, and each gate's, behind a step that tests it.
  SmallVector<unsigned> Begins = {Of.all() + static_cast<unsigned>(Words.size())};
  for (const Stream &Each : Steps)
    Begins.push_back(Begins.back() + static_cast<unsigned>(Each.size()) + 1);
  const auto Place = [&](const Number &N) -> uint64_t {
    switch (N.Kind) {
    case Number::Counter:
    case Number::Plain:
      return N.Index;
    case Number::GateWord:
      return Of.gate(N.Index);
    case Number::ArrayWord:
      return Of.array(0) + N.Index;
    case Number::InputWord:
      return Of.input(N.Index);
    case Number::Step:
      return (N.Stream == ~0u ? Of.all() : Begins[N.Stream]) + N.Index;
    }
    return 0;
  };
  std::vector<uint64_t> Code;
  const auto Write = [&](const Step &Each) {
    Code.push_back(Each.Operation | Each.Bits << 8 | Place(Each.A) << 16 | Place(Each.B) << 32 |
                   Place(Each.C) << 48);
  };
  for (const Step &Each : Words)
    Write(Each);
  for (size_t I = 0; I < Steps.size(); ++I) {
    for (size_t At = 0; At < Steps[I].size(); ++At) {
      Write(Steps[I][At]);
      if (Steps[I][At].Operation == LateLiteral)
        Code.push_back(Steps[I][At++].Literal);
    }
    if (I < Gates.size())
      Write({LateUnless, static_cast<unsigned>(I % 8), {Number::GateWord, static_cast<unsigned>(I)},
             {Number::Plain, static_cast<unsigned>(Steps[I + 1].size())}, {}});
  }
  LLVMContext &C = M.getContext();
  Type *const I16 = Type::getInt16Ty(C), *const I32 = Type::getInt32Ty(C);
  Constant *const Init = ConstantStruct::getAnon(
      {ConstantInt::get(I16, SumCounters), ConstantInt::get(I16, SumArrays),
       ConstantInt::get(I16, Of.all()), ConstantInt::get(I16, Of.zeroed()),
       ConstantInt::get(I32, Code.size()), ConstantInt::get(I32, 0),
       ConstantDataArray::get(C, Code)});
  auto *const Made = new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                                        GlobalValue::PrivateLinkage, Init, "seamscope.work.steps");
  Made->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Made->setAlignment(Align(8));
  return Made;
}

} // namespace seamscope
