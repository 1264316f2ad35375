//===- OpCall.cpp - one call of an operator, for its formula --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/OpCall.h"

#include <algorithm>

namespace seamscope::tools {

Count elementsOf(std::span<const int64_t> Dims) {
  // A size of 0 means no elements: the product of the other sizes could overflow.
  if (std::find(Dims.begin(), Dims.end(), 0) != Dims.end())
    return 0;
  Count Elements = 1;
  for (int64_t Size : Dims)
    Elements *= Size;
  return Elements;
}

Count Dims::elements() const { return elementsOf(*this); }

bool Dims::broadcast(std::span<const int64_t> Other) {
  if (Other.size() > Rank) {
    size_t More = Other.size() - Rank;
    std::copy_backward(Sizes.begin(), Sizes.begin() + Rank, Sizes.begin() + Other.size());
    std::fill_n(Sizes.begin(), More, 1);
    Rank = Other.size();
  }
  for (size_t I = 0; I < Other.size(); ++I) {
    int64_t &Own = Sizes[Rank - Other.size() + I];
    if (Own == 1)
      Own = Other[I];
    else if (Other[I] != 1 && Other[I] != Own)
      return false;
  }
  return true;
}

Count storedElements(const TensorRef &Tensor) {
  Count All = elementsOf(Tensor.Dims);
  if (Tensor.Strides.empty() || All.value() == 0)
    return All;
  // The distance from the first element to the last bounds the elements of overlapping windows.
  Count Distinct = 1, Span = 1;
  for (size_t I = 0; I < Tensor.Dims.size(); ++I) {
    int64_t Stride = Tensor.Strides[I];
    if (Stride == 0)
      continue;
    Distinct *= Tensor.Dims[I];
    Span += Count(Tensor.Dims[I] - 1) * (Stride < 0 ? Count(-1) * Stride : Count(Stride));
  }
  std::optional<int64_t> D = Distinct.value(), S = Span.value();
  if (D && S)
    return std::min(*D, *S);
  return S ? Span : Distinct;
}

std::optional<TensorRef> OpCall::tensor(size_t Index) const {
  size_t At = Args.kind(Index) == ArgumentKind::TensorList ? Item : 0;
  if (At >= Args.tensors(Index))
    return std::nullopt;
  TensorRef T = Args.tensor(Index, At);
  if (T.Type == DType::Unknown)
    T.Type = Fallback;
  return T;
}

std::optional<TensorRef> OpCall::need(size_t Index) {
  std::optional<TensorRef> T = tensor(Index);
  if (!T)
    fail(WorkUnknown::Argument);
  return T;
}

std::optional<TensorRef> OpCall::needRank(size_t Index, size_t Rank) {
  std::optional<TensorRef> T = need(Index);
  if (T && T->Dims.size() != Rank) {
    fail(WorkUnknown::Inconsistent);
    T.reset();
  }
  return T;
}

void OpCall::readIfTensor(size_t Index) {
  if (std::optional<TensorRef> T = tensor(Index))
    read(*T);
}

void OpCall::move(Count Elements, DType Type) {
  if (Type == DType::Unknown)
    noBytes(WorkUnknown::ElementType);
  Bytes += Elements * sizeOf(Type);
}

void OpCall::noFlop(WorkUnknown Why) {
  if (WhyFlop == WorkUnknown::No)
    WhyFlop = Why;
}

void OpCall::noBytes(WorkUnknown Why) {
  if (WhyBytes == WorkUnknown::No)
    WhyBytes = Why;
}

OpWork OpCall::result() const {
  OpWork W;
  W.Kind = Rule.Kind;
  W.Composite = Rule.Composite;
  W.Compute = Compute;
  if (WhyFlop == WorkUnknown::No)
    W.Flop = Flop.value();
  if (WhyBytes == WorkUnknown::No)
    W.Bytes = Bytes.value();
  W.Why = WhyFlop != WorkUnknown::No ? WhyFlop : WhyBytes;
  if (W.Why == WorkUnknown::No && (!W.Flop || !W.Bytes))
    W.Why = WorkUnknown::Overflow;
  return W;
}

} // namespace seamscope::tools
