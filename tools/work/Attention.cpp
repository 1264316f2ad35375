//===- Attention.cpp - the work of fused attention -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

namespace seamscope::tools::formulas {
namespace {

struct Shapes {
  TensorRef Query, Key, Value;
  int64_t Batch, Heads, KeyHeads, Queries, Keys, Size, ValueSize;

  Count rows() const { return Count(Batch) * Heads * Queries; }
};

/// \p Heads and \p Sequence are indices of dimensions.
std::optional<Shapes> shapes(OpCall &C, size_t Heads, size_t Sequence) {
  size_t First = C.Rule.Operands;
  std::optional<TensorRef> Q = C.need(First), K = C.need(First + 1), V = C.need(First + 2);
  if (!Q || !K || !V)
    return std::nullopt;
  if (Q->Dims.size() != 4 || K->Dims.size() != 4 || V->Dims.size() != 4) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  Shapes S{*Q,
           *K,
           *V,
           Q->Dims[0],
           Q->Dims[Heads],
           K->Dims[Heads],
           Q->Dims[Sequence],
           K->Dims[Sequence],
           Q->Dims[3],
           V->Dims[3]};
  bool Fit = K->Dims[0] == S.Batch && V->Dims[0] == S.Batch && V->Dims[Heads] == S.KeyHeads &&
             K->Dims[3] == S.Size && V->Dims[Sequence] == S.Keys && S.KeyHeads > 0 &&
             S.Heads % S.KeyHeads == 0;
  if (!Fit) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  C.compute(Q->Type);
  return S;
}

/// Whether the operator also writes the log-sum-exp of each row. For the memory-efficient and cuDNN
/// forms an argument decides.
bool writesLogSumExp(const OpCall &C) {
  return C.Args.kind(4) != ArgumentKind::Value || C.Args.boolean(4) != false ||
         (C.Rule.Name != "_scaled_dot_product_efficient_attention" &&
          C.Rule.Name != "_scaled_dot_product_cudnn_attention");
}

void forward(OpCall &C, size_t Heads, size_t Sequence) {
  std::optional<Shapes> S = shapes(C, Heads, Sequence);
  if (!S)
    return;
  // Two products: of queries and keys, and of the weights and values.
  C.flop(Count(2) * S->rows() * S->Keys * (Count(S->Size) + S->ValueSize));
  for (size_t I = 0; I < C.Args.size(); ++I)
    C.readIfTensor(I);
  C.move(S->rows() * S->ValueSize, S->Query.Type);
  if (writesLogSumExp(C) && !C.Rule.Composite)
    C.move(S->rows(), DType::Float32);
}

void backward(OpCall &C, size_t Heads, size_t Sequence) {
  std::optional<Shapes> S = shapes(C, Heads, Sequence);
  if (!S)
    return;
  std::optional<TensorRef> Grad = C.need(0);
  if (!Grad)
    return;
  if (Grad->Dims.size() != 4 || Grad->Dims[0] != S->Batch || Grad->Dims[Heads] != S->Heads ||
      Grad->Dims[Sequence] != S->Queries || Grad->Dims[3] != S->ValueSize)
    return C.fail(WorkUnknown::Inconsistent);
  // The scores are computed again, then the gradients of weights, values, queries and keys.
  C.flop(Count(2) * S->rows() * S->Keys * (Count(3) * S->Size + Count(2) * S->ValueSize));
  for (size_t I = 0; I < C.Args.size(); ++I)
    C.readIfTensor(I);
  for (const TensorRef &T : {S->Query, S->Key, S->Value})
    C.move(elementsOf(T.Dims), T.Type);
}

/// Whether one tensor holds sequences of different lengths, which depend on data.
bool isPacked(OpCall &C) {
  std::optional<TensorRef> Q = C.need(C.Rule.Operands);
  if (!Q)
    return true;
  bool Lengths = C.Rule.Name == "_efficient_attention_forward"    ? C.tensor(4).has_value()
                 : C.Rule.Name == "_efficient_attention_backward" ? C.tensor(6).has_value()
                                                                  : Q->Dims.size() == 3;
  if (Lengths)
    C.fail(WorkUnknown::Data);
  return Lengths;
}

} // namespace

void attention(OpCall &C) { forward(C, 1, 2); }
void attentionBackward(OpCall &C) { backward(C, 1, 2); }

void sequenceAttention(OpCall &C) {
  if (!isPacked(C))
    forward(C, 2, 1);
}

void sequenceAttentionBackward(OpCall &C) {
  if (!isPacked(C))
    backward(C, 2, 1);
}

} // namespace seamscope::tools::formulas
