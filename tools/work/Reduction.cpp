//===- Reduction.cpp - the work of reductions, scans, sorts, softmax -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

#include <algorithm>

namespace seamscope::tools::formulas {
namespace {

/// Resolves a dimension counted from either end of a tensor of \p Rank; a scalar counts as one
/// dimension.
std::optional<size_t> dimension(int64_t Index, size_t Rank) {
  int64_t Ranks = static_cast<int64_t>(std::max<size_t>(Rank, 1));
  if (Index < -Ranks || Index >= Ranks)
    return std::nullopt;
  return static_cast<size_t>(Index < 0 ? Index + Ranks : Index);
}

/// The number of elements in the result; None if it was not recorded or is inconsistent.
std::optional<Count> resultElements(OpCall &C, const TensorRef &X) {
  size_t At = C.Rule.Operands;
  // Overloads with dimensions have keepdim after them; the others reduce all dimensions.
  bool All = C.Args.size() < At + 2 || C.Args.kind(At) != ArgumentKind::Value;
  if (All)
    return Count(1);
  std::vector<int64_t> Over;
  if (std::optional<int64_t> One = C.Args.integer(At))
    Over.push_back(*One);
  else if (std::optional<std::vector<int64_t>> List = C.Args.integers(At))
    Over = std::move(*List);
  else {
    C.noBytes(WorkUnknown::Argument);
    if (C.Rule.PerResult)
      C.noFlop(WorkUnknown::Argument);
    return std::nullopt;
  }
  if (Over.empty())
    return Count(1);
  Dims Left(X.Dims);
  for (int64_t Index : Over) {
    std::optional<size_t> D = dimension(Index, X.Dims.size());
    if (!D) {
      C.fail(WorkUnknown::Inconsistent);
      return std::nullopt;
    }
    if (*D < Left.rank())
      Left[*D] = 1;
  }
  return Left.elements();
}

/// The result type of a sum, mean or norm: the caller may pass one.
DType requestedType(const OpCall &C, DType Type) {
  size_t At = C.Args.size() <= 3 ? C.Rule.Operands : C.Rule.Operands + 2;
  if (C.Rule.Type != OpResult::Sum && C.Rule.Type != OpResult::Real)
    return Type;
  if (C.Args.kind(At) == ArgumentKind::Value && C.Args.size() != C.Rule.Operands + 2u)
    if (std::optional<int64_t> Code = C.Args.integer(At))
      return typeOfScalarTypeCode(*Code);
  return Type;
}

} // namespace

void reduction(OpCall &C) {
  std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  // max(a, b) is pointwise.
  if (C.Rule.Type == OpResult::WithIndices && C.tensor(1) && C.Args.size() <= 3) {
    std::optional<TensorRef> Y = C.tensor(1);
    Dims Out(X->Dims);
    if (!Out.broadcast(Y->Dims))
      return C.fail(WorkUnknown::Inconsistent);
    C.flop(Out.elements());
    C.compute(X->Type);
    C.read(*X);
    C.read(*Y);
    return write(C, Out.elements(), promote(X->Type, Y->Type), 2);
  }

  C.compute(X->Type);
  C.flop(elementsOf(X->Dims) * C.Rule.PerElement);
  C.read(*X);
  std::optional<Count> Left = resultElements(C, *X);
  if (!Left)
    return;
  C.flop(*Left * C.Rule.PerResult);
  bool Everything = C.Args.size() < C.Rule.Operands + 2u;
  switch (C.Rule.Type) {
  case OpResult::Boolean:
    return C.move(*Left, DType::Bool);
  case OpResult::Int64:
    return C.move(*Left, DType::Int64);
  case OpResult::WithIndices:
    C.move(*Left, X->Type);
    if (!Everything)
      C.move(*Left, DType::Int64);
    return;
  case OpResult::Two:
    return C.move(*Left * 2, X->Type);
  case OpResult::Sum: {
    bool Small = X->Type != DType::Unknown && categoryOf(X->Type) < DTypeCategory::Real;
    return C.move(*Left, requestedType(C, Small ? DType::Int64 : X->Type));
  }
  default:
    return C.move(*Left, requestedType(C, X->Type));
  }
}

void scan(OpCall &C) {
  std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  Count Elements = elementsOf(X->Dims);
  C.flop(Elements * C.Rule.PerElement);
  C.compute(X->Type);
  C.read(*X);
  bool Small = X->Type != DType::Unknown && categoryOf(X->Type) < DTypeCategory::Real;
  write(C, Elements, Small && C.Rule.Type == OpResult::Sum ? DType::Int64 : X->Type, 3);
  if (C.Rule.Type == OpResult::WithIndices)
    C.move(Elements, DType::Int64);
}

void sortOp(OpCall &C) {
  std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  C.noFlop(WorkUnknown::NoCount);
  C.compute(X->Type);
  C.read(*X);
  C.move(elementsOf(X->Dims), X->Type);
  C.move(elementsOf(X->Dims), DType::Int64);
}

void topk(OpCall &C) {
  std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  C.noFlop(WorkUnknown::NoCount);
  C.compute(X->Type);
  std::optional<int64_t> K = C.Args.integer(1), Dim = C.Args.integer(2);
  if (!K || !Dim)
    return C.fail(WorkUnknown::Argument);
  std::optional<size_t> D = dimension(*Dim, X->Dims.size());
  if (!D || *K < 0)
    return C.fail(WorkUnknown::Inconsistent);
  Dims Out(X->Dims);
  if (*D < Out.rank())
    Out[*D] = *K;
  C.read(*X);
  C.move(Out.elements(), X->Type);
  C.move(Out.elements(), DType::Int64);
}

void softmax(OpCall &C) {
  // Operands is the number of leading tensors; the result has the type of the first, or the
  // requested one.
  std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  Count Elements = elementsOf(X->Dims);
  for (size_t I = 1; I < C.Rule.Operands; ++I) {
    std::optional<TensorRef> More = C.need(I);
    if (!More)
      return;
    if (!std::equal(X->Dims.begin(), X->Dims.end(), More->Dims.begin(), More->Dims.end()))
      return C.fail(WorkUnknown::Inconsistent);
  }
  C.flop(Elements * C.Rule.PerElement);
  C.compute(X->Type);
  for (size_t I = 0; I < C.Rule.Operands; ++I)
    C.readIfTensor(I);
  DType Type = X->Type;
  size_t Last = C.Rule.Operands + 1;
  if (C.Args.boolean(Last) == true) // half_to_float
    Type = DType::Float32;
  else if (std::optional<int64_t> Code = C.Args.integer(Last)) // input_dtype
    Type = typeOfScalarTypeCode(*Code);
  write(C, Elements, Type, C.Rule.Operands);
}

} // namespace seamscope::tools::formulas
