//===- LateWork.cpp - sums that follow from a call's words -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/LateWork.h"

#include "seamscope/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace seamscope {

bool LateWork::isEarly(const SCEV *Of) const {
  return !SCEVExprContains(Of, [](const SCEV *Part) {
    const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    const auto *I = Leaf ? dyn_cast<Instruction>(Leaf->getValue()) : nullptr;
    return I && !I->getParent()->isEntryBlock();
  });
}

/// Of the code, in words.
size_t LateWork::length() const {
  size_t Length = Words.size() + Gates.size();
  for (const Stream &Each : Steps)
    Length += Each.size();
  return Length;
}

/// Loops that are entered from one block alone share its gate.
LateGate LateWork::gateOf(const Loop &L) {
  Around = &L;
  const auto Entries = entriesOf(L);
  return Entries.size() == 1 && Entries.front()->getSingleSuccessor()
             ? LateGate{nullptr, Entries.front()}
             : LateGate{&L, nullptr};
}

bool LateWork::hasRoom() const {
  // What the code counts itself must have room in any case.
  constexpr size_t Reserve = 2 * SEAMSCOPE_WORK_SUMS + 6 * SEAMSCOPE_WORK_ARRAYS;
  return words().all() + length() + Reserve <= SEAMSCOPE_WORK_NUMBERS;
}

/// Forgets what was made since there were so many known places, inputs, steps of all calls, and
/// steps of the stream.
void LateWork::takeBack(size_t Places, size_t OfInputs, size_t Common, size_t Own) {
  for (const Place &Each : drop_begin(New, Places))
    Known.erase(Each);
  New.truncate(Places);
  std::erase_if(Literals, [&](const auto &Each) {
    const Number &Of = Each.second;
    return Of.Index >= (Of.Stream == 0 ? Common : Of.Stream == Into ? Own : ~size_t{0});
  });
  Steps[0].resize(Common);
  Steps[Into].resize(Into ? Own : Common);
  Inputs.truncate(OfInputs);
}

/// Nothing changes if \p Add fails, or if there is no room.
bool LateWork::attempt(const LateGate &Gate, function_ref<void()> Add) {
  const size_t OldGates = Gates.size(), OldInputs = Inputs.size(), OldCommon = Steps[0].size();
  Into = static_cast<unsigned>(find(Gates, Gate) - Gates.begin()) + 1;
  if (Into > OldGates) {
    Gates.push_back(Gate);
    Steps.emplace_back();
  }
  const size_t OldSteps = Steps[Into].size();
  Failed = false;
  New.clear();
  Add();
  if (!Failed && hasRoom())
    return true;
  takeBack(0, OldInputs, OldCommon, OldSteps);
  Gates.truncate(OldGates);
  Steps.resize(OldGates + 1);
  return false;
}

std::optional<LateNumber> &LateWork::known(const Place &Of) {
  const auto [Found, IsNew] = Known.try_emplace(Of);
  if (IsNew)
    New.push_back(Of);
  return Found->second;
}

LateNumber LateWork::fail() {
  Failed = true;
  return {};
}

bool LateWork::addSum(unsigned Sum, const WorkCounter &Counter,
                      function_ref<UniformValues &(const Loop &)> ValuesOf) {
  Base = nullptr;
  if (Counter.How == WorkCounter::Executions)
    return attempt({nullptr, Counter.Block},
                   [&] { add(LateSum, 64, always(), {Number::Plain, Sum}); });
  return attempt(gateOf(*Counter.Around), [&] {
    Uniform = Counter.Ways.empty() ? nullptr : &ValuesOf(*Counter.Ways.front().In);
    Number Amount = Counter.Amount ? number(Counter.Amount) : always();
    Uniform = nullptr;
    if (Counter.Times)
      Amount = add(LateMul, 64, Amount, number(Counter.Times));
    for (const UniformWay &Way : Counter.Ways) {
      Uniform = &ValuesOf(*Way.In);
      Amount = choose(Uniform->takes(Way.From, Way.To, *this), Amount, never());
    }
    add(LateSum, 64, Amount, {Number::Plain, Sum});
  });
}

bool LateWork::addRange(const FootprintRange &Range, const Value *From) {
  Base = nullptr;
  Uniform = nullptr;
  return attempt(gateOf(*Range.Around), [&] {
    Number Bytes = number(Range.Bytes);
    for (const FootprintTest &Test : Range.Tests)
      Bytes = choose(test(Test.Is, Test.Left, Test.Right), Bytes, never());
    Base = From;
    const Number Begin = number(Range.Begin), End = number(Range.End);
    add(LateTouch, Range.Array, Begin, End, Bytes);
  });
}

LateNumber LateWork::either(Number One, Number Other) {
  if (One == Other || One == never() || Other == always())
    return Other;
  return Other == never() || One == always() ? One : add(LateMost, 64, One, Other);
}

LateNumber LateWork::both(Number One, Number Other) {
  if (One == Other || One == always() || Other == never())
    return Other;
  return Other == always() || One == never() ? One : add(LateLeast, 64, One, Other);
}

LateNumber LateWork::inverse(Number Of) { return add(LateEqual, 64, Of, never()); }

LateNumber LateWork::choose(Number Is, Number Then, Number Else) {
  if (Is == always() || Is == never())
    return Is == always() ? Then : Else;
  return add(LateChoose, 64, Is, Then, Else);
}

LateNumber LateWork::value(Value &Of) {
  if (Of.getType()->isIntegerTy(1))
    return condition(Of);
  if (const SCEV *const Exit = Uniform ? Uniform->atExit(Of) : nullptr)
    return number(Exit);
  return Evolution.isSCEVable(Of.getType()) ? number(Evolution.getSCEV(&Of)) : fail();
}

LateNumber LateWork::condition(Value &Of) {
  using namespace PatternMatch;
  if (const auto *Plain = dyn_cast<ConstantInt>(&Of))
    return Plain->isZero() ? never() : always();
  if (const std::optional<Number> Old = made(Of))
    return *Old;
  Value *Left = nullptr, *Right = nullptr, *Else = nullptr;
  const auto IsNumber = [&](const SCEV *Side) {
    return Side->getType()->isIntegerTy() &&
           !SCEVExprContains(Side, [](const SCEV *Part) { return isa<SCEVAddRecExpr>(Part); });
  };
  Number Result;
  if (auto *const Test = dyn_cast<ICmpInst>(&Of);
      Test && Test->getOperand(0)->getType()->isIntegerTy() &&
      IsNumber(Evolution.getSCEV(Test->getOperand(0))) &&
      IsNumber(Evolution.getSCEV(Test->getOperand(1))))
    Result = test(Test->getPredicate(), Evolution.getSCEV(Test->getOperand(0)),
                  Evolution.getSCEV(Test->getOperand(1)));
  else if (match(&Of, m_Not(m_Value(Left))))
    Result = inverse(condition(*Left));
  else if (match(&Of, m_LogicalAnd(m_Value(Left), m_Value(Right))))
    Result = both(condition(*Left), condition(*Right));
  else if (match(&Of, m_LogicalOr(m_Value(Left), m_Value(Right))))
    Result = either(condition(*Left), condition(*Right));
  else if (match(&Of, m_Select(m_Value(Else), m_Value(Left), m_Value(Right))))
    Result = choose(condition(*Else), condition(*Left), condition(*Right));
  else if (match(&Of, m_Freeze(m_Value(Left))))
    Result = condition(*Left);
  else
    Result = leaf(Of);
  made(Of) = Result;
  return Result;
}

/// The call keeps a value that is computed outside of the loop. One that is computed inside must be
/// the same in all iterations: a phi or a selection.
LateNumber LateWork::leaf(Value &Of) {
  const auto *I = dyn_cast<Instruction>(&Of);
  if (!Of.getType()->isIntegerTy() && !Of.getType()->isPointerTy())
    return fail();
  if (!I || !Around || !Around->contains(I)) {
    if (auto *const Phi = dyn_cast<PHINode>(&Of))
      if (const std::optional<Number> Is = chosenByWay(*Phi))
        return *Is;
    return inputFor(Of);
  }
  if (!Uniform || !Uniform->loop().contains(I))
    return fail();
  if (auto *Phi = dyn_cast<PHINode>(&Of); Phi && Phi->getParent() != Uniform->loop().getHeader())
    return Uniform->chosen(*Phi, *this);
  if (auto *Select = dyn_cast<SelectInst>(&Of)) {
    const Number Is = condition(*Select->getCondition());
    const Number Then = value(*Select->getTrueValue());
    return choose(Is, Then, value(*Select->getFalseValue()));
  }
  return fail();
}

LateNumber LateWork::test(CmpInst::Predicate Is, const SCEV *LeftOf, const SCEV *RightOf) {
  const auto Bits = static_cast<unsigned>(Evolution.getTypeSizeInBits(LeftOf->getType()));
  Number Left = number(LeftOf), Right = number(RightOf);
  if (Is == CmpInst::ICMP_EQ || Is == CmpInst::ICMP_NE) {
    const Number Equal = add(LateEqual, 64, Left, Right);
    return Is == CmpInst::ICMP_EQ ? Equal : inverse(Equal);
  }
  const unsigned Below = CmpInst::isSigned(Is) ? LateSignedBelow : LateBelow;
  const bool IsGreater = ICmpInst::isGT(Is) || ICmpInst::isGE(Is);
  if (IsGreater)
    std::swap(Left, Right);
  // a <= b is not b < a.
  return ICmpInst::isLT(Is) || ICmpInst::isGT(Is) ? add(Below, Bits, Left, Right)
                                                  : inverse(add(Below, Bits, Right, Left));
}

LateNumber LateWork::add(unsigned Operation, unsigned Bits, Number A, Number B, Number C) {
  Steps[Into].push_back({Operation, Bits, A, B, C});
  return {Number::Step, static_cast<unsigned>(Steps[Into].size() - 1), Into};
}

LateNumber LateWork::literal(uint64_t Value) {
  const auto [Of, New] = Literals.try_emplace({Value, Into});
  if (New) {
    Of->second = add(LateLiteral, 64, {});
    Steps[Into].back().Literal = Value;
    // The literal's own word has a number, too.
    Steps[Into].push_back({});
  }
  return Of->second;
}

LateNumber LateWork::inputFor(Value &Of) {
  const auto *I = dyn_cast<Instruction>(&Of);
  const Loop *const In = I ? LI.getLoopFor(I->getParent()) : nullptr;
  // In a loop that has ended it would be kept in each iteration.
  const bool IsOften = (In && !(Around && In->contains(Around))) || (I && I->isTerminator());
  // In front of that loop it is kept only if the call gets there.
  if (IsOften && OnlyKept)
    return fail();
  const Loop *const Before = IsOften ? Around : nullptr;
  const auto Same = [&](const Input &Other) { return Other.Of == &Of && Other.Before == Before; };
  const auto Index = static_cast<unsigned>(find_if(Inputs, Same) - Inputs.begin());
  if (Index == Inputs.size()) {
    if (OnlyKept)
      return fail();
    Inputs.push_back({&Of, Before});
  }
  return {Number::InputWord, Index};
}

/// What all calls have is computed in front of all gates, and once.
LateNumber LateWork::number(const SCEV *Of) {
  const unsigned Gate = Into;
  if (isEarly(Of))
    Into = 0;
  const auto IsBase = [&](const SCEV *Part) {
    const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return Leaf && Leaf->getValue() == Base;
  };
  const Value *const From = Base && SCEVExprContains(Of, IsBase) ? Base : nullptr;
  if (!known({Of, From, Into}))
    known({Of, From, Into}) = make(*Of);
  const Number Result = *known({Of, From, Into});
  Into = Gate;
  return Result;
}

LateNumber LateWork::make(const SCEV &Of) {
  const auto Bits = static_cast<unsigned>(Evolution.getTypeSizeInBits(Of.getType()));
  if (Bits > 64 || (Of.getType()->isPointerTy() && !isa<SCEVUnknown>(Of)))
    return fail();
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
    return leaf(*cast<SCEVUnknown>(Of).getValue());
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
    return fail();
  }
}

unsigned LateWork::addCounter(unsigned Sum) {
  if (Counters == 0) {
    Into = 0;
    add(LateSum, 64, always(), {Number::Plain, Sum});
  } else {
    Words.push_back({LateSum, 64, {Number::Counter, Counters}, {Number::Plain, Sum}, {}});
  }
  return Counters++;
}

unsigned LateWork::addArray(unsigned Array) {
  Words.push_back({LateNot, 64, {Number::ArrayWord, 3 * Arrays}, {}, {}});
  const Number Begin = {Number::Step, static_cast<unsigned>(Words.size() - 1), ~0u};
  Words.push_back({LateTouch,
                   Array,
                   Begin,
                   {Number::ArrayWord, 3 * Arrays + 1},
                   {Number::ArrayWord, 3 * Arrays + 2}});
  return Arrays++;
}

WorkWords LateWork::words() const {
  return {Counters, static_cast<unsigned>(Gates.size() - Derived.size()), Arrays,
          static_cast<unsigned>(Inputs.size())};
}

GlobalVariable *LateWork::write(Module &M, size_t SumCounters, size_t SumArrays) const {
  const WorkWords Of = words();
  // The order: steps of words, steps of all calls, and each gate's, behind a step that tests it.
  SmallVector<unsigned> Begins = {Of.all() + static_cast<unsigned>(Words.size())};
  for (const Stream &Each : Steps)
    Begins.push_back(Begins.back() + static_cast<unsigned>(Each.size()) + 1);
  const auto StoredGate = [&](unsigned Gate) {
    const auto IsBefore = [&](const auto &Each) { return Each.first < Gate; };
    return Gate - static_cast<unsigned>(count_if(Derived, IsBefore));
  };
  const auto Place = [&](const Number &N) -> uint64_t {
    switch (N.Kind) {
    case Number::Counter:
    case Number::Plain:
      return N.Index;
    case Number::GateWord:
      return Of.gate(StoredGate(N.Index));
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
    const uint64_t Bits =
        Each.A.Kind == Number::GateWord ? WorkWords::gateByte(StoredGate(Each.A.Index)) : Each.Bits;
    Code.push_back(Each.Operation | Bits << 8 | Place(Each.A) << 16 | Place(Each.B) << 32 |
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
    if (I == Gates.size())
      break;
    const auto Known = Derived.find(I);
    Write({LateUnless,
           0,
           Known == Derived.end() ? Number{Number::GateWord, static_cast<unsigned>(I)}
                                  : Known->second,
           {Number::Plain, static_cast<unsigned>(Steps[I + 1].size())},
           {}});
  }
  LLVMContext &C = M.getContext();
  Type *const I16 = Type::getInt16Ty(C), *const I32 = Type::getInt32Ty(C);
  Constant *const Init =
      ConstantStruct::getAnon({ConstantInt::get(I16, SumCounters), ConstantInt::get(I16, SumArrays),
                               ConstantInt::get(I16, Of.all()), ConstantInt::get(I16, Of.zeroed()),
                               ConstantInt::get(I32, Code.size()), ConstantInt::get(I32, 0),
                               ConstantDataArray::get(C, Code)});
  auto *const Made = new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                                        GlobalValue::PrivateLinkage, Init, "seamscope.work.steps");
  Made->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Made->setAlignment(Align(8));
  return Made;
}

std::string contentsOf(const GlobalVariable &Work) {
  std::string Contents;
  for (const Use &Of : cast<User>(Work.getInitializer())->operands())
    if (const auto *Number = dyn_cast<ConstantInt>(Of))
      Contents += utostr(Number->getZExtValue()) + ' ';
    else
      Contents += cast<ConstantDataArray>(Of)->getRawDataValues();
  return Contents;
}

} // namespace seamscope
