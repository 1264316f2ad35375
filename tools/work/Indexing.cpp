//===- Indexing.cpp - the work of lookups, gathers and scatters ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every lookup counts, because how often the same element is looked up depends on data.
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

namespace seamscope::tools::formulas {

void embedding(OpCall &C) {
  const std::optional<TensorRef> Weight = C.needRank(0, 2);
  const std::optional<TensorRef> Indices = Weight ? C.need(1) : std::nullopt;
  if (!Indices)
    return;
  const Count Elements = elementsOf(Indices->Dims) * Weight->Dims[1];
  C.compute(Weight->Type);
  C.read(*Indices);
  C.move(Elements * 2, Weight->Type);
}

void embeddingBackward(OpCall &C) {
  // (grad, indices, num_weights, padding_idx, scale_grad_by_freq)
  const std::optional<TensorRef> Grad = C.need(0), Indices = C.need(1);
  if (!Grad || !Indices)
    return;
  if (Grad->Dims.empty())
    return C.fail(WorkUnknown::Inconsistent);
  C.flop(elementsOf(Grad->Dims));
  C.compute(Grad->Type);
  C.read(*Grad);
  C.read(*Indices);
  const std::optional<int64_t> Rows = C.Args.integer(2);
  if (!Rows || *Rows < 0)
    return C.noBytes(WorkUnknown::Argument);
  C.move(Count(*Rows) * Grad->Dims.back(), Grad->Type);
}

void indexSelect(OpCall &C) {
  const std::optional<TensorRef> X = C.need(0), Index = C.need(2);
  if (!X || !Index)
    return;
  std::optional<int64_t> Dim = C.Args.integer(1);
  if (!Dim)
    return C.noBytes(WorkUnknown::Argument);
  const auto Rank = static_cast<int64_t>(X->Dims.size());
  if (*Dim < 0)
    *Dim += Rank;
  if (*Dim < 0 || *Dim >= Rank)
    return C.fail(WorkUnknown::Inconsistent);
  Dims Out(X->Dims);
  Out[static_cast<size_t>(*Dim)] = 1;
  const Count Elements = Out.elements() * elementsOf(Index->Dims);
  C.compute(X->Type);
  C.read(*Index);
  C.move(Elements * 2, X->Type);
}

void gather(OpCall &C) {
  // (self, dim, index)
  const std::optional<TensorRef> X = C.need(0), Index = C.need(2);
  if (!X || !Index)
    return;
  C.compute(X->Type);
  C.read(*Index);
  C.move(elementsOf(Index->Dims) * 2, X->Type);
}

void scatter(OpCall &C) {
  // (self, dim, index, src or value)
  const std::optional<TensorRef> X = C.need(0), Index = C.need(2);
  if (!X || !Index)
    return;
  const Count Elements = elementsOf(Index->Dims);
  C.flop(Elements * C.Rule.PerElement);
  C.compute(X->Type);
  C.read(*Index);
  if (const std::optional<TensorRef> From = C.tensor(3))
    C.move(Elements, From->Type);
  // In place, only the stored elements move; otherwise all elements are copied first.
  if (C.InPlace)
    return C.move(Elements * (C.Rule.PerElement ? 2 : 1), X->Type);
  C.read(*X);
  C.move(elementsOf(X->Dims), X->Type);
}

void data(OpCall &C) { C.fail(WorkUnknown::Data); }

void hiddenIndices(OpCall &C) { C.noBytes(WorkUnknown::Argument); }

} // namespace seamscope::tools::formulas
