//===- Optimizer.cpp - the work of fused optimizer steps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operator takes lists of tensors; a formula sees one tensor of each at a time.
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

namespace seamscope::tools::formulas {
namespace {

/// Reads the parameter, its gradient and its state; writes the parameter and the state.
void moveState(OpCall &C, const TensorRef &Parameter, std::initializer_list<size_t> State) {
  C.compute(Parameter.Type);
  C.read(Parameter);
  C.readIfTensor(1);
  C.move(elementsOf(Parameter.Dims), Parameter.Type);
  for (const size_t I : State)
    if (const std::optional<TensorRef> T = C.tensor(I)) {
      C.read(*T);
      C.move(elementsOf(T->Dims), T->Type);
    }
}

} // namespace

void fusedAdam(OpCall &C) {
  // (self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, ...). Operations: 3 for the
  // first moment, 4 for the second, 3 for the denominator, 3 for the step, 2 for weight decay, 1
  // for amsgrad.
  const std::optional<TensorRef> Parameter = C.need(0);
  if (!Parameter)
    return;
  C.flop(elementsOf(Parameter->Dims) * (15 + (C.tensor(4) ? 1 : 0)));
  moveState(C, *Parameter, {2, 3, 4});
}

void fusedSgd(OpCall &C) {
  // (self, grads, momentum_buffer_list, ...). Operations: 2 for weight decay, 3 for momentum, 2 for
  // the step.
  const std::optional<TensorRef> Parameter = C.need(0);
  if (!Parameter)
    return;
  C.flop(elementsOf(Parameter->Dims) * (4 + (C.tensor(2) ? 3 : 0)));
  moveState(C, *Parameter, {2});
}

void fusedAdagrad(OpCall &C) {
  // (self, grads, state_sums, state_steps, ...). Operations: 2 for weight decay, 2 for the sum, 2
  // for the denominator, 3 for the step.
  const std::optional<TensorRef> Parameter = C.need(0);
  if (!Parameter)
    return;
  C.flop(elementsOf(Parameter->Dims) * 9);
  moveState(C, *Parameter, {2});
}

void unscale(OpCall &C) {
  // (self, found_inf, inv_scale): a test and a product.
  const std::optional<TensorRef> Gradient = C.need(0);
  if (!Gradient)
    return;
  C.flop(elementsOf(Gradient->Dims) * 2);
  C.compute(Gradient->Type);
  C.read(*Gradient);
  C.move(elementsOf(Gradient->Dims), Gradient->Type);
}

} // namespace seamscope::tools::formulas
