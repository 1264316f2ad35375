//===- ProductAdvice.cpp - matrix products that do not fit the matrix units ==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/ProductAdvice.h"

#include "trace/io/Contains.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace seamscope::tools {
namespace {

constexpr int64_t LineBytes = 16;

/// The smallest number that follows \p Word in \p Text; nothing: none.
std::optional<int64_t> leastBehind(std::string_view Text, std::string_view Word) {
  std::optional<int64_t> Least;
  for (size_t At = Text.find(Word); At != Text.npos; At = Text.find(Word, At + 1)) {
    int64_t Number = 0;
    const char *const Begin = Text.data() + At + Word.size();
    if (std::from_chars(Begin, Text.data() + Text.size(), Number).ec == std::errc())
      Least = std::min(Least.value_or(Number), Number);
  }
  return Least;
}

/// Kernels that load through the tensor memory accelerator of Hopper and Blackwell, which requires
/// rows of whole lines.
bool loadsLines(std::string_view Kernel) {
  for (const std::string_view Part :
       {"nvjet_", "sm90_xmma", "cutlass3x_sm90", "cutlass3x_sm100", "Sm90Tma", "Sm100Tma"})
    if (contains(Kernel, Part))
      return true;
  return false;
}

/// Products with a vector, for which no line is too short.
bool takesVectors(std::string_view Kernel) {
  for (const std::string_view Part : {"gemv", "dot_kernel", "gemmk1", "gemmSN", "GemmSN"})
    if (contains(Kernel, Part))
      return true;
  return false;
}

/// For a matrix, the distance in elements between lines in memory, and between matrices of a batch;
/// nothing: not recorded, or no dimension is contiguous.
std::optional<bool> hasWholeLines(const TensorRef &Matrix, int64_t Elements) {
  const size_t Rank = Matrix.Dims.size();
  if (Matrix.Strides.size() != Rank)
    return std::nullopt;
  const int64_t Row = Matrix.Strides[Rank - 2], Column = Matrix.Strides[Rank - 1];
  if (Row != 1 && Column != 1)
    return std::nullopt;
  // With a single line, the distance to the next one does not matter.
  const auto IsWhole = [&](size_t At) {
    return Matrix.Dims[At] <= 1 || Matrix.Strides[At] % Elements == 0;
  };
  const size_t Leading = Column == 1 ? Rank - 2 : Rank - 1;
  return IsWhole(Leading) && (Rank < 3 || IsWhole(0));
}

} // namespace

std::optional<bool> isAlignedProduct(std::string_view Kernel, const OpArguments &Arguments) {
  if (takesVectors(Kernel))
    return std::nullopt;
  // The factors are the first two matrices where the columns of one match the rows of the other;
  // aten::linear has the second one transposed.
  std::optional<TensorRef> A, B;
  int64_t Columns = 0;
  for (size_t I = 0; I + 1 < Arguments.size() && !A; ++I) {
    if (Arguments.kind(I) != ArgumentKind::Tensor || Arguments.kind(I + 1) != ArgumentKind::Tensor)
      continue;
    const TensorRef First = Arguments.tensor(I), Second = Arguments.tensor(I + 1);
    if (First.Dims.size() < 2 || Second.Dims.size() < 2)
      continue;
    const int64_t Inner = First.Dims.back();
    const size_t Rank = Second.Dims.size();
    if (Second.Dims[Rank - 2] == Inner)
      Columns = Second.Dims[Rank - 1];
    else if (Rank == 2 && Second.Dims[1] == Inner)
      Columns = Second.Dims[0];
    else
      continue;
    A = First;
    B = Second;
  }
  // A single row or column is a vector.
  if (!A || Columns == 1 || A->Dims[A->Dims.size() - 2] == 1)
    return std::nullopt;
  const int64_t Size = sizeOf(A->Type);
  if (Size != 1 && Size != 2)
    return std::nullopt;
  const int64_t Elements = LineBytes / Size;
  if (loadsLines(Kernel))
    return true;
  if (const auto Said = leastBehind(Kernel, "align"))
    return *Said >= Elements;
  // AMD's matrix units do not require whole lines, and a kernel that loads less at a time may have
  // been chosen for another reason. Tensile names say how many elements a load takes.
  const bool OfAmd =
      Kernel.starts_with("Cijk_") || contains(Kernel, "ck::") || contains(Kernel, "ck_tile::");
  if (OfAmd) {
    const auto OfA = leastBehind(Kernel, "_GRVWA"), OfB = leastBehind(Kernel, "_GRVWB");
    if (!OfA || !OfB)
      return std::nullopt;
    if (std::min(*OfA, *OfB) >= Elements)
      return true;
  }
  if (Columns % Elements)
    return false; // the rows of the result are contiguous
  const auto WholeA = hasWholeLines(*A, Elements), WholeB = hasWholeLines(*B, Elements);
  if (!WholeA.value_or(true) || !WholeB.value_or(true))
    return false;
  return OfAmd ? std::nullopt : std::optional(true);
}

} // namespace seamscope::tools
