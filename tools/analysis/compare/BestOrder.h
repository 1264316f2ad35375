//===- BestOrder.h - matches two sequences, and how surely ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_BESTORDER_H
#define SEAMSCOPE_TOOLS_ANALYSIS_BESTORDER_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// The pairs of two sequences, in order on both sides, whose scores have the largest sum.
struct BestOrder {
  static constexpr uint32_t None = UINT32_MAX;

  std::vector<uint32_t> ToSecond, ToFirst; ///< None: no pair
  /// By place: how much the best sum exceeds that of the best order in which this place has another
  /// pair or none.
  std::vector<int64_t> FirstLead, SecondLead;
};

/// \p Score of two indices: above 0, or less for two that cannot be a pair.
template <typename ScoreFn> BestOrder bestOrder(size_t N, size_t M, ScoreFn Score) {
  const size_t Width = M + 1;
  std::vector<int64_t> Pair(N * M), Before((N + 1) * Width), Behind((N + 1) * Width);
  for (size_t I = 0; I < N; ++I)
    for (size_t J = 0; J < M; ++J) {
      Pair[I * M + J] = Score(I, J);
      int64_t &Best = Before[(I + 1) * Width + J + 1];
      Best = std::max(Before[I * Width + J + 1], Before[(I + 1) * Width + J]);
      if (Pair[I * M + J] > 0)
        Best = std::max(Best, Before[I * Width + J] + Pair[I * M + J]);
    }
  for (size_t I = N; I-- > 0;)
    for (size_t J = M; J-- > 0;) {
      int64_t &Best = Behind[I * Width + J];
      Best = std::max(Behind[(I + 1) * Width + J], Behind[I * Width + J + 1]);
      if (Pair[I * M + J] > 0)
        Best = std::max(Best, Behind[(I + 1) * Width + J + 1] + Pair[I * M + J]);
    }
  BestOrder Result;
  Result.ToSecond.assign(N, BestOrder::None);
  Result.ToFirst.assign(M, BestOrder::None);
  for (size_t I = 0, J = 0; I < N && J < M;) {
    const int64_t Here = Behind[I * Width + J], Score = Pair[I * M + J];
    if (Score > 0 && Here == Behind[(I + 1) * Width + J + 1] + Score) {
      Result.ToSecond[I] = static_cast<uint32_t>(J);
      Result.ToFirst[J] = static_cast<uint32_t>(I);
      ++I;
      ++J;
    } else if (Here == Behind[(I + 1) * Width + J]) {
      ++I;
    } else {
      ++J;
    }
  }
  const int64_t Total = Behind[0];
  std::vector<int64_t> OtherFirst(N), OtherSecond(M);
  for (size_t I = 0; I < N; ++I)
    for (size_t J = 0; J <= M; ++J) {
      if (Result.ToSecond[I] != BestOrder::None)
        OtherFirst[I] =
            std::max(OtherFirst[I], Before[I * Width + J] + Behind[(I + 1) * Width + J]);
      if (J == M || Pair[I * M + J] <= 0 || Result.ToSecond[I] == J)
        continue;
      const int64_t Sum = Before[I * Width + J] + Pair[I * M + J] + Behind[(I + 1) * Width + J + 1];
      OtherFirst[I] = std::max(OtherFirst[I], Sum);
      OtherSecond[J] = std::max(OtherSecond[J], Sum);
    }
  for (size_t J = 0; J < M; ++J)
    for (size_t I = 0; I <= N && Result.ToFirst[J] != BestOrder::None; ++I)
      OtherSecond[J] = std::max(OtherSecond[J], Before[I * Width + J] + Behind[I * Width + J + 1]);
  for (const int64_t Other : OtherFirst)
    Result.FirstLead.push_back(Total - Other);
  for (const int64_t Other : OtherSecond)
    Result.SecondLead.push_back(Total - Other);
  return Result;
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_BESTORDER_H
