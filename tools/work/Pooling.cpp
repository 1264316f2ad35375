//===- Pooling.cpp - the work of pooling and of resampling ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

#include <algorithm>

namespace seamscope::tools::formulas {
namespace {

/// The number of pooled dimensions, which are the last ones, from the operator's name:
/// "avg_pool2d".
size_t spatialOf(const OpCall &C) {
  const size_t D = C.Rule.Name.find_first_of("123");
  return D == std::string_view::npos ? 2 : static_cast<size_t>(C.Rule.Name[D] - '0');
}

/// One number per dimension; \p Default if none was given.
std::optional<std::vector<int64_t>> sizes(OpCall &C, size_t Index, size_t Spatial,
                                          const std::vector<int64_t> &Default) {
  if (C.Args.kind(Index) == ArgumentKind::None && !Default.empty())
    return Default;
  std::optional<std::vector<int64_t>> Values = C.Args.integers(Index);
  if (Values && Values->empty() && !Default.empty())
    return Default;
  if (!Values || Values->empty()) {
    C.fail(WorkUnknown::Argument);
    return std::nullopt;
  }
  if (Values->size() == 1)
    Values->resize(Spatial, Values->front());
  if (Values->size() != Spatial ||
      std::any_of(Values->begin(), Values->end(), [](int64_t V) { return V < 0; })) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  return Values;
}

/// The number of elements in a window, and the sizes of the result.
struct Windows {
  Count Window = 1;
  Dims Result;
};

/// \p First is the index of the window size, which follows the input.
std::optional<Windows> windows(OpCall &C, const TensorRef &X, size_t First, bool Dilated,
                               size_t CeilMode) {
  const size_t Spatial = spatialOf(C);
  if (X.Dims.size() < Spatial) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  const auto Kernel = sizes(C, First, Spatial, {});
  const auto Stride = Kernel ? sizes(C, First + 1, Spatial, *Kernel) : std::nullopt;
  const auto Padding =
      Stride ? sizes(C, First + 2, Spatial, std::vector<int64_t>(Spatial, 0)) : std::nullopt;
  const std::vector<int64_t> Ones(Spatial, 1);
  const auto Dilation = !Padding  ? std::nullopt
                        : Dilated ? sizes(C, First + 3, Spatial, Ones)
                                  : std::optional(Ones);
  if (!Dilation)
    return std::nullopt;
  const bool Ceil = C.Args.boolean(CeilMode) == true;
  Windows W;
  W.Result = Dims(X.Dims);
  for (size_t I = 0; I < Spatial; ++I) {
    const size_t At = X.Dims.size() - Spatial + I;
    W.Window *= (*Kernel)[I];
    const std::optional<int64_t> Room =
        (Count(X.Dims[At]) + Count(2) * (*Padding)[I] +
         Count(-1) * (*Dilation)[I] * (Count((*Kernel)[I]) + Count(-1)) + Count(-1))
            .value();
    const int64_t Step = (*Stride)[I];
    if (!Room || *Room < 0 || Step < 1) {
      C.fail(WorkUnknown::Inconsistent);
      return std::nullopt;
    }
    int64_t Size = *Room / Step + 1;
    // A last, partial window counts if it begins inside.
    if (Ceil && *Room % Step) {
      const std::optional<int64_t> Begin = (Count(Size) * Step).value(),
                                   End = (Count(X.Dims[At]) + Count((*Padding)[I])).value();
      Size += Begin && End && *Begin < *End;
    }
    W.Result[At] = Size;
  }
  return W;
}

/// The number of inputs read along one dimension, summed over its results.
std::optional<int64_t> adaptiveReads(int64_t In, int64_t Out) {
  if (Out < 1 || Out > (1 << 20) || In < 0 || In > (int64_t{1} << 40))
    return std::nullopt;
  int64_t Sum = 0;
  for (int64_t I = 0; I < Out; ++I)
    Sum += ((I + 1) * In + Out - 1) / Out - I * In / Out;
  return Sum;
}

/// The number of elements that adaptive pooling from \p In to \p Out reads, over all dimensions.
std::optional<Count> adaptiveReads(OpCall &C, std::span<const int64_t> In,
                                   std::span<const int64_t> Out) {
  const size_t Spatial = spatialOf(C);
  if (In.size() < Spatial || Out.size() != In.size()) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  Count Reads = elementsOf(In.first(In.size() - Spatial));
  for (size_t I = In.size() - Spatial; I < In.size(); ++I) {
    const std::optional<int64_t> Sum = adaptiveReads(In[I], Out[I]);
    if (!Sum) {
      C.fail(WorkUnknown::Inconsistent);
      return std::nullopt;
    }
    Reads *= *Sum;
  }
  return Reads;
}

} // namespace

void pool(OpCall &C) {
  // (x, kernel, stride, padding[, dilation], ceil_mode, ...)
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  const bool Max = C.Rule.Type == OpResult::WithIndices || C.Rule.Type == OpResult::First;
  const std::optional<Windows> W = windows(C, *X, 1, Max, C.Rule.Operands);
  if (!W)
    return;
  const Count Elements = W->Result.elements();
  C.flop(Elements * (W->Window + Count(C.Rule.PerResult)));
  C.compute(X->Type);
  C.read(*X);
  C.move(Elements, X->Type);
  if (C.Rule.Type == OpResult::WithIndices)
    C.move(Elements, DType::Int64);
}

void poolBackward(OpCall &C) {
  // (grad, x, kernel, stride, padding[, dilation], ceil_mode, ..., [indices])
  const std::optional<TensorRef> Grad = C.need(0), X = C.need(1);
  if (!Grad || !X)
    return;
  const bool Max = C.Rule.Type == OpResult::WithIndices;
  Count Each = 1;
  if (!Max) {
    const std::optional<Windows> W = windows(C, *X, 2, false, C.Rule.Operands);
    if (!W)
      return;
    Each = W->Window + Count(1);
  }
  C.flop(elementsOf(Grad->Dims) * Each);
  C.compute(Grad->Type);
  C.read(*Grad);
  if (Max)
    C.move(elementsOf(Grad->Dims), DType::Int64);
  C.move(elementsOf(X->Dims), X->Type);
}

void adaptivePool(OpCall &C) {
  // (x, output_size)
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  const size_t Spatial = spatialOf(C);
  const auto Size = sizes(C, 1, Spatial, {});
  if (!Size)
    return;
  if (X->Dims.size() < Spatial)
    return C.fail(WorkUnknown::Inconsistent);
  Dims Out(X->Dims.first(X->Dims.size() - Spatial));
  Out.append(*Size);
  const std::optional<Count> Reads = adaptiveReads(C, X->Dims, Out);
  if (!Reads)
    return;
  C.flop(*Reads);
  C.flop(Out.elements() * C.Rule.PerResult);
  C.compute(X->Type);
  C.read(*X);
  C.move(Out.elements(), X->Type);
  if (C.Rule.Type == OpResult::WithIndices)
    C.move(Out.elements(), DType::Int64);
}

void adaptivePoolBackward(OpCall &C) {
  // (grad, x[, indices])
  const std::optional<TensorRef> Grad = C.need(0), X = C.need(1);
  if (!Grad || !X)
    return;
  const bool Max = C.Rule.Type == OpResult::WithIndices;
  if (Max)
    C.flop(elementsOf(Grad->Dims));
  else if (const std::optional<Count> Reads = adaptiveReads(C, X->Dims, Grad->Dims))
    C.flop(*Reads + elementsOf(Grad->Dims));
  C.compute(Grad->Type);
  C.read(*Grad);
  if (Max)
    C.readIfTensor(2);
  C.move(elementsOf(X->Dims), X->Type);
}

void upsample(OpCall &C) {
  // (x, output_size, ...)
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  const size_t Spatial = spatialOf(C);
  if (X->Dims.size() < Spatial)
    return C.fail(WorkUnknown::Inconsistent);
  const auto Size = sizes(C, 1, Spatial, {});
  if (!Size)
    return;
  Dims Out(X->Dims.first(X->Dims.size() - Spatial));
  Out.append(*Size);
  C.flop(Out.elements() * C.Rule.PerElement);
  C.compute(X->Type);
  C.read(*X);
  write(C, Out.elements(), X->Type, 1);
}

} // namespace seamscope::tools::formulas
