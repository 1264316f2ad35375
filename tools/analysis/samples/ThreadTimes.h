//===- ThreadTimes.h - when threads ran, exactly ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THREADTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THREADTIMES_H

#include "analysis/core/SelfTime.h"
#include "analysis/core/Teams.h"
#include "trace/model/Trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A sum of times of several threads, which a hostile trace makes larger than any time.
inline int64_t saturatingSum(int64_t A, int64_t B) {
  int64_t Sum;
  return __builtin_add_overflow(A, B, &Sum) ? (A < 0 ? INT64_MIN : INT64_MAX) : Sum;
}

/// The part of a stretch of a thread in which it did not run.
struct OffTime {
  int64_t BlockedNs = 0;   ///< it waited for something
  int64_t PreemptedNs = 0; ///< it was ready, and another thread ran
  int64_t UnknownNs = 0;   ///< nothing was recorded of it, or records were lost

  int64_t offNs() const { return BlockedNs + PreemptedNs; }
  OffTime &operator+=(const OffTime &Other);
  OffTime &operator-=(const OffTime &Other);
  bool operator==(const OffTime &) const = default;
};

/// When the threads of a trace did not run. Short stretches may be recorded as sums: a part of the
/// time that they lie in has its part of them.
class ThreadTimes {
public:
  /// Keeps a reference to \p Input.
  explicit ThreadTimes(const Trace &Input);

  /// Whether the switches of any thread are known.
  bool any() const { return !Input.SampledSpans.empty(); }
  /// Whether those of this thread are.
  bool knows(TrackId Track) const { return FirstSpan[Track] < FirstSpan[Track + 1]; }
  OffTime between(TrackId Track, int64_t BeginNs, int64_t EndNs) const;

  /// All changes, by time, for selfTimes().
  std::vector<RunChange> changes() const;

private:
  OffTime partOf(size_t Off, int64_t BeginNs, int64_t EndNs) const;
  int64_t knownNs(TrackId Track, int64_t BeginNs, int64_t EndNs) const;

  const Trace &Input;
  std::vector<size_t> FirstOff,
      FirstSpan;               ///< by track, into the columns; the last entry is the end
  std::vector<OffTime> Before; ///< by stretch, the sum of those of its thread before it
};

/// What a thread did in the window, as far as its switches are known.
struct ThreadRow {
  TrackId Track = 0;
  int64_t RunningNs = 0;
  OffTime Off; ///< UnknownNs: of the time in which it is known to have lived
  uint64_t Samples = 0;
};

/// The threads whose switches are known, those that ran most first.
std::vector<ThreadRow> threadRows(const Trace &Input);

/// By event of the sites in \p Wanted, the time in which its thread did not run and the event was
/// the innermost of these; others have nothing. Empty if no thread's switches are known.
std::vector<OffTime> ownOffTimes(const Trace &Input, const ThreadTimes &Times,
                                 const std::vector<bool> &Wanted);

/// What threads did not do in a region's parts, outside of its waits for the team and with the
/// tasks in it: by region and OpenMP thread number.
std::map<std::pair<SiteId, TeamThread>, OffTime> offTimesOfRegions(const Trace &Input,
                                                                   const ThreadTimes &Times);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THREADTIMES_H
