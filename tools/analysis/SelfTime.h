//===- SelfTime.h - deals the window out to the kernels -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SELFTIME_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SELFTIME_H

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// One call, on whatever thread.
struct Interval {
  int64_t BeginNs;
  int64_t EndNs; ///< not before BeginNs
  uint32_t Row;  ///< whom its time is for
};

/// Who had how much of a window.
struct SelfTimes {
  std::vector<int64_t> RowNs; ///< by Interval::Row
  int64_t UnattributedNs = 0;
};

/// Gives each moment of the window to the call that began last of those that are running then, on
/// any thread. Of calls that began together the one that ends first is taken to be the inner one,
/// and of equal ones the later in \p Calls. The sum of all RowNs and UnattributedNs is
/// \p WindowEndNs - \p WindowBeginNs exactly. All calls must lie in the window. Takes O(n log n).
SelfTimes selfTimes(std::vector<Interval> Calls, size_t Rows, int64_t WindowBeginNs,
                    int64_t WindowEndNs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SELFTIME_H
