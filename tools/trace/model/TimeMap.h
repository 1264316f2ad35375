//===- TimeMap.h - from the clock of one trace to another -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_TIMEMAP_H
#define SEAMSCOPE_TOOLS_TRACE_TIMEMAP_H

#include "trace/model/Trace.h"

#include <cstdint>

namespace seamscope::tools {

/// The same of a time that may not fit an int64_t.
inline bool isPlausible(__int128 Ns) {
  const auto Low = static_cast<int64_t>(Ns);
  return Low == Ns && isPlausible(Low);
}

/// Moves times to another clock, which may also run at another rate. Never changes the order of
/// times.
struct TimeMap {
  int64_t ShiftNs = 0;  ///< is added to times
  int64_t OriginNs = 0; ///< where nothing but that is added
  int64_t Rate = 0;     ///< is added for each 10^15 ns since then; less than that many
  static constexpr int64_t RateUnit = 1'000'000'000'000'000;

  bool operator==(const TimeMap &) const = default;
  bool changesTimes() const { return ShiftNs || Rate; }
  double ratePpm() const { return static_cast<double>(Rate) / 1e9; }

  __int128 exact(int64_t Ns) const {
    return __int128{Ns} + ShiftNs + (__int128{Ns} - OriginNs) * Rate / RateUnit;
  }
  int64_t operator()(int64_t Ns) const { return static_cast<int64_t>(exact(Ns)); }
  /// A length of time. It changes by the rate alone; what lies within another still does.
  int64_t length(int64_t BeginNs, int64_t Ns) const {
    return Rate ? static_cast<int64_t>(exact(BeginNs + Ns) - exact(BeginNs)) : Ns;
  }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_TIMEMAP_H
