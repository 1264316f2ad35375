//===- Loss.cpp - the work of losses and of dropout ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

namespace seamscope::tools::formulas {
namespace {

/// torch's number for keeping the losses of all elements; 1 and 2 reduce them to one number.
constexpr int64_t NoReduction = 0;

} // namespace

void nll(OpCall &C) {
  // (x, target, weight, reduction, ignore_index): one element per row is looked up.
  const std::optional<TensorRef> X = C.need(0), Target = C.need(1);
  if (!X || !Target)
    return;
  const Count Rows = elementsOf(Target->Dims);
  const bool Weighted = C.tensor(2).has_value();
  const std::optional<int64_t> Reduction = C.Args.integer(3);
  // The sign, the weight, and the two sums.
  C.flop(Rows * (1 + (Weighted ? 1 : 0)));
  if (!Reduction)
    return C.fail(WorkUnknown::Argument);
  if (*Reduction != NoReduction)
    C.flop(Rows * (1 + (Weighted ? 1 : 0)));
  C.compute(X->Type);
  C.read(*Target);
  C.move(Rows, X->Type);
  C.readIfTensor(2);
  C.move((*Reduction == NoReduction ? Rows : Count(1)) + Count(1), X->Type);
}

void nllBackward(OpCall &C) {
  // (grad, x, target, weight, reduction, ignore_index, total_weight): all other elements are zero.
  const std::optional<TensorRef> Grad = C.need(0), X = C.need(1), Target = C.need(2);
  if (!Grad || !X || !Target)
    return;
  const Count Rows = elementsOf(Target->Dims);
  C.flop(Rows * (2 + (C.tensor(3) ? 1 : 0)));
  C.compute(X->Type);
  C.read(*Grad);
  C.read(*Target);
  C.readIfTensor(3);
  C.readIfTensor(6);
  C.move(elementsOf(X->Dims), X->Type);
}

void elementLoss(OpCall &C) {
  const std::optional<TensorRef> X = C.need(0), Target = C.need(1);
  if (!X || !Target)
    return;
  Dims Out(X->Dims);
  if (!Out.broadcast(Target->Dims))
    return C.fail(WorkUnknown::Inconsistent);
  C.flop(Out.elements() * C.Rule.PerElement);
  C.compute(X->Type);
  for (size_t I = 0; I < C.Rule.Operands; ++I)
    C.readIfTensor(I);
  const std::optional<int64_t> Reduction = C.Args.integer(C.Rule.Operands);
  if (!Reduction)
    return C.fail(WorkUnknown::Argument);
  if (*Reduction != NoReduction)
    C.flop(Out.elements());
  write(C, *Reduction == NoReduction ? Out.elements() : Count(1), X->Type, C.Args.size());
}

void nativeDropout(OpCall &C) {
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  const Count Elements = elementsOf(X->Dims);
  C.flop(Elements * 2);
  C.compute(X->Type);
  C.read(*X);
  C.move(Elements, X->Type);
  C.move(Elements, DType::Bool);
}

} // namespace seamscope::tools::formulas
