//===- Normalization.cpp - the work of layer, group and batch norms ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations per element: for the statistics the sum for the mean (1), the centred element (1), its
// square (1) and their sum (1); then the scaling (1), and weight (1) and bias (1) if present. Work
// per row or channel is negligible and not counted.
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

#include <algorithm>

namespace seamscope::tools::formulas {
namespace {

/// The type of means and deviations.
DType statisticsType(DType Type) {
  return Type == DType::Float16 || Type == DType::BFloat16 ? DType::Float32 : Type;
}

void readAll(OpCall &C) {
  for (size_t I = 0; I < C.Args.size(); ++I)
    C.readIfTensor(I);
}

/// Which gradients the caller wants: of input, weight, bias.
struct WantedGradients {
  bool Input = true, Weight = true, Bias = true;
};

/// \p Mask is the index of the argument; 0 means all three.
std::optional<WantedGradients> wantedGradients(OpCall &C, size_t Mask) {
  if (!Mask)
    return WantedGradients{};
  const std::optional<std::vector<int64_t>> Values = C.Args.integers(Mask);
  if (!Values || Values->size() < 2 || Values->size() > 3) {
    C.fail(WorkUnknown::Argument);
    return std::nullopt;
  }
  return WantedGradients{(*Values)[0] != 0, (*Values)[1] != 0, Values->size() == 3 && (*Values)[2]};
}

/// For the input: x̂ again (2), the gradient times the weight (1), two sums per row (3), the
/// difference (3), or without statistics only the scaling. 2 for the weight's gradient, 1 for the
/// bias's.
void gradients(OpCall &C, const TensorRef &X, const TensorRef *Weight,
               const WantedGradients &Wanted, bool Statistics, bool Centred) {
  const Count Elements = elementsOf(X.Dims);
  if (Wanted.Input)
    C.flop(Elements * ((Statistics ? (Centred ? 8 : 6) : 1) + (Weight ? 1 : 0)));
  if (Weight && Wanted.Weight)
    C.flop(Elements * 2);
  if (Weight && Wanted.Bias)
    C.flop(Elements);
  C.compute(X.Type);
  readAll(C);
  if (Wanted.Input)
    C.move(Elements, X.Type);
  if (Weight && Wanted.Weight)
    C.move(elementsOf(Weight->Dims), Weight->Type);
  if (Weight && Wanted.Bias)
    C.move(elementsOf(Weight->Dims), Weight->Type);
}

} // namespace

void layerNorm(OpCall &C) {
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  const bool Centred = C.Rule.Operands == 2;
  const std::optional<TensorRef> Weight = C.tensor(2), Bias = C.tensor(3);
  const Count Elements = elementsOf(X->Dims);
  C.flop(Elements * ((Centred ? 5 : 3) + (Weight ? 1 : 0) + (Centred && Bias ? 1 : 0)));
  C.compute(X->Type);
  readAll(C);
  C.move(Elements, X->Type);
  const std::optional<std::vector<int64_t>> Row = C.Args.integers(1);
  if (!Row)
    return C.noBytes(WorkUnknown::Argument);
  if (Row->size() > X->Dims.size())
    return C.fail(WorkUnknown::Inconsistent);
  const Count Rows = elementsOf(X->Dims.first(X->Dims.size() - Row->size()));
  C.move(Rows * C.Rule.Operands, statisticsType(X->Type));
}

void groupNorm(OpCall &C) {
  // (x, weight, bias, N, C, HxW, group, eps)
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  const Count Elements = elementsOf(X->Dims);
  C.flop(Elements * (5 + (C.tensor(1) ? 1 : 0) + (C.tensor(2) ? 1 : 0)));
  C.compute(X->Type);
  readAll(C);
  C.move(Elements, X->Type);
  const std::optional<int64_t> Batch = C.Args.integer(3), Groups = C.Args.integer(6);
  if (!Batch || !Groups || *Batch < 0 || *Groups < 0)
    return C.noBytes(WorkUnknown::Argument);
  C.move(Count(2) * *Batch * *Groups, statisticsType(X->Type));
}

void batchNorm(OpCall &C) {
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  if (X->Dims.size() < 2)
    return C.fail(WorkUnknown::Inconsistent);
  const std::optional<bool> Training = C.Rule.Operands == 0     ? true
                                       : C.Rule.Operands == 255 ? false
                                                                : C.Args.boolean(C.Rule.Operands);
  if (!Training)
    return C.fail(WorkUnknown::Argument);
  const std::optional<TensorRef> Weight = C.tensor(1);
  const Count Elements = elementsOf(X->Dims), Channels = X->Dims[1];
  C.flop(Elements * ((*Training ? 5 : 2) + (Weight ? 1 : 0) + (C.tensor(2) ? 1 : 0)));
  C.compute(X->Type);
  readAll(C);
  C.move(Elements, X->Type);
  if (!*Training)
    return;
  C.move(Channels * 2, statisticsType(X->Type));
  for (const size_t Running : {size_t{3}, size_t{4}})
    if (const std::optional<TensorRef> T = C.tensor(Running))
      C.move(elementsOf(T->Dims), T->Type);
}

void normBackward(OpCall &C) {
  // (grad, x, ..., weight, ..., output_mask)
  const std::optional<TensorRef> X = C.need(1);
  if (!X)
    return;
  const std::optional<TensorRef> Weight = C.tensor(C.Rule.Operands);
  if (const std::optional<WantedGradients> Wanted = wantedGradients(C, C.Rule.PerElement))
    gradients(C, *X, Weight ? &*Weight : nullptr, *Wanted, true, true);
}

void rmsNormBackward(OpCall &C) {
  // (grad, x, normalized_shape, rstd, weight, output_mask)
  const std::optional<TensorRef> X = C.need(1);
  if (!X)
    return;
  const std::optional<TensorRef> Weight = C.tensor(4);
  if (std::optional<WantedGradients> Wanted = wantedGradients(C, 5)) {
    Wanted->Bias = false;
    gradients(C, *X, Weight ? &*Weight : nullptr, *Wanted, true, false);
  }
}

void batchNormBackward(OpCall &C) {
  // (grad, x, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask);
  // libraries' operators: (x, grad, weight, ...), always in training.
  const bool Library = C.Rule.Operands == 0;
  const std::optional<TensorRef> X = C.need(Library ? 0 : 1);
  if (!X)
    return;
  const std::optional<bool> Training = Library ? true : C.Args.boolean(C.Rule.Operands);
  if (!Training)
    return C.fail(WorkUnknown::Argument);
  const std::optional<TensorRef> Weight = C.tensor(2);
  if (const std::optional<WantedGradients> Wanted = wantedGradients(C, Library ? 0 : 9))
    gradients(C, *X, Weight ? &*Weight : nullptr, *Wanted, *Training, true);
}

} // namespace seamscope::tools::formulas
