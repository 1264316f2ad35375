//===- Median.h - medians and order statistics ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_MEDIAN_H
#define SEAMSCOPE_TOOLS_ANALYSIS_MEDIAN_H

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace seamscope::tools {

/// The value at a place of the sorted \p Values, compared by \p Of; reorders them.
template <typename T, typename ProjT>
const T &nthOf(std::vector<T> &Values, size_t Place, ProjT Of) {
  const auto At = Values.begin() + static_cast<std::ptrdiff_t>(Place);
  std::ranges::nth_element(Values, At, {}, Of);
  return *At;
}

/// The middle value, compared by \p Of; of two, the lower one. A measured value. \p Values, at
/// least one, are reordered.
template <typename T, typename ProjT = std::identity>
const T &lowerMedian(std::vector<T> &Values, ProjT Of = {}) {
  return nthOf(Values, (Values.size() - 1) / 2, Of);
}

/// The same; of two, the upper one.
template <typename T, typename ProjT = std::identity>
const T &upperMedian(std::vector<T> &Values, ProjT Of = {}) {
  return nthOf(Values, Values.size() / 2, Of);
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_MEDIAN_H
