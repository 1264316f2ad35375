//===- Movement.cpp - operators that only move elements ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

#include <algorithm>

namespace seamscope::tools::formulas {

void fill(OpCall &C) {
  const std::optional<TensorRef> Self = C.need(0);
  if (!Self)
    return;
  C.move(storedElements(*Self), Self->Type);
  // PerElement marks random numbers; the number of operations depends on the generator.
  if (C.Rule.PerElement)
    C.noFlop(WorkUnknown::NoCount);
}

void copyTo(OpCall &C) {
  const std::optional<TensorRef> Self = C.need(0), From = C.need(1);
  if (!Self || !From)
    return;
  C.compute(Self->Type);
  C.read(*From);
  C.move(storedElements(*Self), Self->Type);
}

void cloneOp(OpCall &C) {
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  C.compute(X->Type);
  C.read(*X);
  DType Type = X->Type;
  if (C.Rule.Operands && C.Args.kind(C.Rule.Operands) == ArgumentKind::Value) {
    const std::optional<int64_t> Code = C.Args.integer(C.Rule.Operands);
    if (!Code)
      return C.noBytes(WorkUnknown::Argument);
    Type = typeOfScalarTypeCode(*Code);
  }
  C.move(elementsOf(X->Dims), Type);
}

void repeat(OpCall &C) {
  // (self, repeats)
  const std::optional<TensorRef> X = C.need(0);
  if (!X)
    return;
  const std::optional<std::vector<int64_t>> Times = C.Args.integers(1);
  if (!Times)
    return C.noBytes(WorkUnknown::Argument);
  Count Elements = elementsOf(X->Dims);
  for (const int64_t Each : *Times) {
    if (Each < 0)
      return C.fail(WorkUnknown::Inconsistent);
    Elements *= Each;
  }
  C.read(*X);
  C.move(Elements, X->Type);
}

void cat(OpCall &C) {
  const size_t Tensors = C.Args.tensors(0);
  if (!Tensors)
    return C.noBytes(WorkUnknown::LongList);
  Count Elements = 0;
  DType Type = DType::Unknown;
  for (size_t I = 0; I < Tensors; ++I) {
    C.Item = I;
    const std::optional<TensorRef> T = C.tensor(0);
    C.read(*T);
    Elements += elementsOf(T->Dims);
    Type = I ? promote(Type, T->Type) : T->Type;
  }
  C.Item = 0;
  write(C, Elements, Type, 2);
}

void readScalar(OpCall &C) {
  if (const std::optional<TensorRef> X = C.need(0))
    C.move(1, X->Type);
}

} // namespace seamscope::tools::formulas
