//===- ThreadTimeline.h - what a thread did at a moment -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_THREADTIMELINE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_THREADTIMELINE_H

#include "analysis/core/HostNesting.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// A stretch in which one call is the innermost of its thread.
struct TimelinePart {
  int64_t BeginNs = 0;
  int64_t EndNs = 0;
  uint32_t Event = NoEvent; ///< NoEvent: none is open
  /// The call, or one around it, is an operator, a kernel or a call of a device's runtime: more
  /// than spans and Python frames.
  bool InWork = false;
};

/// The threads of the host. Calls without duration are not seen. A trace can have as many stretches
/// as begins and ends, so they are computed on request and not kept.
class ThreadTimelines {
public:
  explicit ThreadTimelines(const Trace &Input);

  /// Where a walk is on each thread: stretches near the last ones are found at once.
  struct Place {
    explicit Place(const ThreadTimelines &Of) : Next(Of.First.begin(), Of.First.end()) {}
    std::vector<size_t> Next; ///< by track, into Order
  };

  /// The stretch that contains the moment just before \p Ns; none: the thread did nothing before \p
  /// Ns.
  std::optional<TimelinePart> before(TrackId Track, int64_t Ns, Place &Near) const;

  /// From the first begin to the last end on any thread; both 0 if there is none.
  int64_t beginNs() const { return BeginNs; }
  int64_t endNs() const { return EndNs; }

private:
  size_t firstFrom(TrackId Track, int64_t Ns, size_t Near) const;

  const Trace &Input;
  HostNesting Nesting;       ///< Order is without calls that take no time
  std::vector<size_t> First; ///< by track, into Order; the last entry is the end
  std::vector<bool> InWork;  ///< by event
  int64_t BeginNs = 0, EndNs = 0;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_THREADTIMELINE_H
