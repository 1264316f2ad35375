//===- LateLaunches.h - a device that waits for its host -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_LATELAUNCHES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_LATELAUNCHES_H

#include "analysis/devices/Devices.h"

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// Stretches in which a device was idle because the host was late. Launches that take long
/// themselves are left out: they load code, or wait for room in the queue.
struct LateLaunches {
  uint64_t Short = 0; ///< of less than 1 ms
  int64_t ShortNs = 0;
  uint64_t Long = 0; ///< of 1 ms or more: the host was busy with something other than launching
  int64_t LongNs = 0;
  int64_t LongestNs = 0;
  uint32_t Longest = NoEvent; ///< the work that ended it
};

LateLaunches lateLaunchesOf(const Trace &Source, const std::vector<Origin> &Links,
                            const std::vector<IdleGap> &Gaps, int32_t Device);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_LATELAUNCHES_H
