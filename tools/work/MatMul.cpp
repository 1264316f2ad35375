//===- MatMul.cpp - the work of matrix products --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

#include <algorithm>

namespace seamscope::tools::formulas {
namespace {

/// Counts the product of two matrices, (m, k) and (k, n), \p Batches times.
void product(OpCall &C, Count Batches, int64_t M, int64_t N, int64_t K) {
  C.flop(Count(2) * Batches * M * N * K);
}

/// The arguments after the factors: scaling factors and, first in some overloads, the type of the
/// result.
struct TrailingArguments {
  DType Type = DType::Unknown; ///< result type, if given
  size_t Beta = 0;
  bool TypeMissing = false; ///< the type was given but not recorded
};

TrailingArguments trailingArguments(const OpCall &C, size_t Past, bool Scaled) {
  TrailingArguments T;
  T.Beta = Past;
  bool HasType = C.Args.kind(Past) == ArgumentKind::Value &&
                 (!Scaled || (C.Args.kind(Past + 1) == ArgumentKind::Value &&
                              C.Args.kind(Past + 2) == ArgumentKind::Value &&
                              C.Rule.Name != "_addmm_activation"));
  if (!HasType)
    return T;
  ++T.Beta;
  std::optional<int64_t> Code = C.Args.integer(Past);
  T.Type = Code ? typeOfScalarTypeCode(*Code) : DType::Unknown;
  T.TypeMissing = T.Type == DType::Unknown;
  return T;
}

/// Counts reading the factors and the addend and writing the result.
void moveProduct(OpCall &C, Count Elements) {
  size_t First = C.Rule.Operands;
  TrailingArguments T = trailingArguments(C, First + 2, First == 1);
  C.read(*C.tensor(First));
  C.read(*C.tensor(First + 1));
  DType Factors = C.tensor(First)->Type;
  C.compute(Factors);
  // With beta = 0 the addend is not read.
  if (First == 1 && C.Args.integer(T.Beta) != 0)
    C.readIfTensor(0);
  if (T.TypeMissing)
    C.noBytes(WorkUnknown::Argument);
  DType Type = C.Rule.Name == "_int_mm"   ? DType::Int32
               : T.Type != DType::Unknown ? T.Type
                                          : Factors;
  write(C, Elements, Type, First + 2);
}

struct Factors {
  TensorRef A, B;
};

std::optional<Factors> factors(OpCall &C, size_t RankA, size_t RankB) {
  std::optional<TensorRef> A = C.needRank(C.Rule.Operands, RankA);
  std::optional<TensorRef> B = A ? C.needRank(C.Rule.Operands + 1, RankB) : std::nullopt;
  if (!B)
    return std::nullopt;
  // A's last size must equal B's second to last.
  if (A->Dims.back() != B->Dims[RankB > 1 ? RankB - 2 : 0] ||
      (RankA == 3 && RankB == 3 && A->Dims[0] != B->Dims[0])) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  return Factors{*A, *B};
}

} // namespace

void mm(OpCall &C) {
  std::optional<Factors> F = factors(C, 2, 2);
  if (!F)
    return;
  int64_t M = F->A.Dims[0], K = F->A.Dims[1], N = F->B.Dims[1];
  product(C, 1, M, N, K);
  moveProduct(C, Count(M) * N);
}

void bmm(OpCall &C) {
  std::optional<Factors> F = factors(C, 3, 3);
  if (!F)
    return;
  int64_t B = F->A.Dims[0], M = F->A.Dims[1], K = F->A.Dims[2], N = F->B.Dims[2];
  product(C, B, M, N, K);
  moveProduct(C, Count(B) * M * N);
}

void addbmm(OpCall &C) {
  std::optional<Factors> F = factors(C, 3, 3);
  if (!F)
    return;
  int64_t B = F->A.Dims[0], M = F->A.Dims[1], K = F->A.Dims[2], N = F->B.Dims[2];
  product(C, B, M, N, K);
  moveProduct(C, Count(M) * N);
}

void mv(OpCall &C) {
  std::optional<Factors> F = factors(C, 2, 1);
  if (!F)
    return;
  product(C, 1, F->A.Dims[0], 1, F->A.Dims[1]);
  moveProduct(C, F->A.Dims[0]);
}

void dot(OpCall &C) {
  std::optional<Factors> F = factors(C, 1, 1);
  if (!F)
    return;
  product(C, 1, 1, 1, F->A.Dims[0]);
  moveProduct(C, 1);
}

void addr(OpCall &C) {
  std::optional<TensorRef> A = C.needRank(1, 1);
  std::optional<TensorRef> B = A ? C.needRank(2, 1) : std::nullopt;
  if (!B)
    return;
  product(C, 1, A->Dims[0], B->Dims[0], 1);
  moveProduct(C, Count(A->Dims[0]) * B->Dims[0]);
}

void matmul(OpCall &C) {
  std::optional<TensorRef> A = C.need(0), B = C.need(1);
  if (!A || !B)
    return;
  if (A->Dims.empty() || B->Dims.empty())
    return C.fail(WorkUnknown::Inconsistent);
  bool RowA = A->Dims.size() == 1, ColumnB = B->Dims.size() == 1;
  int64_t M = RowA ? 1 : A->Dims[A->Dims.size() - 2], K = A->Dims.back();
  int64_t N = ColumnB ? 1 : B->Dims.back();
  Dims Batch(RowA ? std::span<const int64_t>() : A->Dims.first(A->Dims.size() - 2));
  bool Fit = ColumnB || Batch.broadcast(B->Dims.first(B->Dims.size() - 2));
  if (!Fit || K != (ColumnB ? B->Dims[0] : B->Dims[B->Dims.size() - 2]))
    return C.fail(WorkUnknown::Inconsistent);
  product(C, Batch.elements(), M, N, K);
  moveProduct(C, Batch.elements() * M * N);
}

void linear(OpCall &C) {
  std::optional<TensorRef> X = C.need(0);
  // Inductor's mkldnn::_linear_pointwise has an overload with another operand before the weight.
  size_t At = C.Rule.Operands;
  if (At == 1 && !C.Rule.Composite && C.tensor(2) && C.tensor(2)->Dims.size() == 2)
    At = 2;
  std::optional<TensorRef> W = X ? C.needRank(At, 2) : std::nullopt;
  if (!W)
    return;
  if (X->Dims.empty() || X->Dims.back() != W->Dims[1])
    return C.fail(WorkUnknown::Inconsistent);
  Count Rows = elementsOf(X->Dims.first(X->Dims.size() - 1));
  C.flop(Count(2) * Rows * W->Dims[0] * W->Dims[1]);
  C.compute(X->Type);
  C.read(*X);
  C.read(*W);
  if (At == 2 && C.Rule.Operands == 1)
    C.readIfTensor(1);
  C.readIfTensor(At + 1);
  write(C, Rows * W->Dims[0], X->Type, C.Args.size());
}

void scaledMm(OpCall &C) {
  std::optional<Factors> F = factors(C, 2, 2);
  if (!F)
    return;
  int64_t M = F->A.Dims[0], K = F->A.Dims[1], N = F->B.Dims[1];
  product(C, 1, M, N, K);
  C.compute(F->A.Type);
  for (size_t I = 0; I < 6; ++I)
    C.readIfTensor(I);
  // (self, mat2, scale_a, scale_b, bias, scale_result, out_dtype, use_fast_accum); before
  // torch 2.5 the scales came last, and may be absent.
  bool Modern = C.tensor(2) && C.tensor(3);
  std::optional<int64_t> Code = C.Args.integer(Modern ? 6 : 3);
  if (Code)
    write(C, Count(M) * N, typeOfScalarTypeCode(*Code), 8);
  else if (Modern && C.Args.kind(6) == ArgumentKind::None)
    write(C, Count(M) * N, F->A.Type, 8);
  else
    C.noBytes(WorkUnknown::Argument);
}

void groupedMm(OpCall &C) {
  // The total work does not depend on how the offsets group the rows (or the inner dimension).
  std::optional<TensorRef> A = C.need(0), B = C.need(1);
  if (!A || !B)
    return;
  size_t RankA = A->Dims.size(), RankB = B->Dims.size();
  if (RankA < 2 || RankA > 3 || RankB < 2 || RankB > 3 || A->Dims.back() != B->Dims[RankB - 2] ||
      (RankA == 3 && RankB == 3 && A->Dims[0] != B->Dims[0]))
    return C.fail(WorkUnknown::Inconsistent);
  bool AreBatched = RankA == 3 && RankB == 3;
  product(C, AreBatched ? A->Dims[0] : 1, A->Dims[RankA - 2], B->Dims.back(), A->Dims.back());
  C.compute(A->Type);
  // Padding between groups and the number of groups in the result are not recorded.
  C.noBytes(WorkUnknown::Data);
}

} // namespace seamscope::tools::formulas
