//===- Cover.h - stretches of time without overlap ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_COVER_H
#define SEAMSCOPE_TOOLS_ANALYSIS_COVER_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A set of moments, as stretches [begin, end) in ns, by begin; none touches another.
using Cover = std::vector<std::pair<int64_t, int64_t>>;

/// What the stretches cover; they may overlap and be in any order.
inline Cover unionOf(Cover Stretches) {
  std::ranges::sort(Stretches);
  Cover Result;
  for (const auto &[Begin, End] : Stretches) {
    if (Begin >= End)
      continue;
    if (Result.empty() || Begin > Result.back().second)
      Result.emplace_back(Begin, End);
    else
      Result.back().second = std::max(Result.back().second, End);
  }
  return Result;
}

/// What both cover.
inline Cover intersectionOf(const Cover &A, const Cover &B) {
  Cover Result;
  for (size_t I = 0, J = 0; I < A.size() && J < B.size();) {
    const int64_t Begin = std::max(A[I].first, B[J].first);
    const int64_t End = std::min(A[I].second, B[J].second);
    if (Begin < End)
      Result.emplace_back(Begin, End);
    A[I].second < B[J].second ? ++I : ++J;
  }
  return Result;
}

/// What \p A covers and \p B does not.
inline Cover differenceOf(const Cover &A, const Cover &B) {
  Cover Result;
  size_t J = 0;
  for (auto [Begin, End] : A) {
    while (J < B.size() && B[J].second <= Begin)
      ++J;
    for (size_t K = J; K < B.size() && B[K].first < End; ++K) {
      if (B[K].first > Begin)
        Result.emplace_back(Begin, B[K].first);
      Begin = std::max(Begin, B[K].second);
    }
    if (Begin < End)
      Result.emplace_back(Begin, End);
  }
  return Result;
}

inline int64_t lengthOf(const Cover &Of) {
  int64_t Ns = 0;
  for (const auto &[Begin, End] : Of)
    Ns += End - Begin;
  return Ns;
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COVER_H
