//===- Pointwise.cpp - the work of operators on each element -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

#include <algorithm>

namespace seamscope::tools::formulas {
namespace {

/// torch's type promotion: tensors with dimensions decide; tensors without dimensions, then
/// numbers, only count if their category is higher.
class Promotion {
public:
  void add(const TensorRef &T) { join(T.Dims.empty() ? Zero : Dimensioned, T.Type); }

  void addNumber(std::string_view Text) {
    if (Text.empty())
      return;
    DType Type = Text.find_first_of("TF") != std::string_view::npos       ? DType::Bool
                 : Text.find('j') != std::string_view::npos               ? DType::Complex64
                 : Text.find_first_of(".einfa") != std::string_view::npos ? DType::Float32
                                                                          : DType::Int64;
    join(Number, Type);
  }

  DType result() const {
    DType Type = DType::Unknown;
    bool Any = false;
    for (const Group &G : {Dimensioned, Zero, Number}) {
      if (!G.Any || (Any && (Type == DType::Unknown || categoryOf(G.Type) <= categoryOf(Type))))
        continue;
      // A complex number combined with real ones takes their precision.
      Type =
          Any && G.Type == DType::Complex64 && Type == DType::Float64 ? DType::Complex128 : G.Type;
      Any = true;
    }
    return Type;
  }

private:
  struct Group {
    DType Type = DType::Unknown;
    bool Any = false;
  };
  static void join(Group &G, DType Type) {
    G.Type = G.Any ? promote(G.Type, Type) : Type;
    G.Any = true;
  }
  Group Dimensioned, Zero, Number;
};

bool isIntegral(DType Type) {
  return Type != DType::Unknown && categoryOf(Type) < DTypeCategory::Real;
}

void elementwise(OpCall &C, int64_t PerElement) {
  Dims Out;
  Promotion Types;
  std::optional<DType> FirstType;
  bool Any = false;
  for (size_t I = 0; I < C.Rule.Operands; ++I) {
    std::optional<TensorRef> T = C.tensor(I);
    if (!T) {
      Types.addNumber(C.Args.concrete(I));
      continue;
    }
    Any = true;
    if (!Out.broadcast(T->Dims))
      return C.fail(WorkUnknown::Inconsistent);
    C.read(*T);
    if (!FirstType)
      FirstType = T->Type;
    if (I || C.Rule.Type != OpResult::SkipFirst)
      Types.add(*T);
  }
  if (!Any)
    return C.fail(WorkUnknown::Argument);
  C.flop(Out.elements() * PerElement);

  DType Operand = C.Rule.Type == OpResult::First ? *FirstType : Types.result();
  if (C.Rule.Type == OpResult::Real && isIntegral(Operand))
    Operand = DType::Float32;
  C.compute(Operand);
  write(C, Out.elements(), C.Rule.Type == OpResult::Boolean ? DType::Bool : Operand,
        C.Rule.Operands);
}

} // namespace

void write(OpCall &C, Count Elements, DType Type, size_t Inputs) {
  if (C.InPlace) {
    std::optional<TensorRef> Self = C.tensor(0);
    return Self ? C.move(storedElements(*Self), Self->Type) : C.noBytes(WorkUnknown::Argument);
  }
  if (!C.List)
    for (size_t I = Inputs; I < C.Args.size(); ++I)
      if (C.Args.kind(I) == ArgumentKind::Tensor)
        Type = C.tensor(I)->Type;
  C.move(Elements, Type);
}

void pointwise(OpCall &C) { elementwise(C, C.Rule.PerElement); }

void scaledSum(OpCall &C) {
  // (a, b, alpha): a factor of 1 is not multiplied.
  const std::string_view Alpha = C.Args.concrete(2);
  elementwise(C, C.Rule.PerElement + (Alpha.empty() || Alpha == "1" || Alpha == "1." ? 0 : 1));
}

void clampOp(OpCall &C) {
  // Each given bound takes a comparison.
  int64_t Bounds = 0;
  for (size_t I = 1; I < 3; ++I)
    Bounds += C.Args.kind(I) != ArgumentKind::None;
  elementwise(C, Bounds);
}

void glu(OpCall &C) {
  std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  std::optional<int64_t> Elements = elementsOf(X->Dims).value();
  if (!Elements || *Elements % 2)
    return C.fail(Elements ? WorkUnknown::Inconsistent : WorkUnknown::Overflow);
  C.flop(Count(*Elements / 2) * C.Rule.PerElement);
  C.compute(X->Type);
  C.read(*X);
  write(C, *Elements / 2, X->Type, 2);
}

} // namespace seamscope::tools::formulas
