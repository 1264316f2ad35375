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
  bool InWork = false;      ///< the call, or one around it, is an operator, a kernel or a call of a
                            ///< device's runtime: not only spans and frames of Python
};

/// The threads of the host. What takes no time is not seen. A trace can have as many stretches as
/// it has begins and ends: they are found when they are asked for and not kept.
class ThreadTimelines {
public:
  explicit ThreadTimelines(const Trace &Input);

  /// The stretch with the moment just before \p Ns; none: the thread did nothing before \p Ns.
  std::optional<TimelinePart> before(TrackId Track, int64_t Ns) const;

  /// From the first begin to the last end on any thread; both 0: there is none.
  int64_t beginNs() const { return BeginNs; }
  int64_t endNs() const { return EndNs; }

private:
  const Trace &Input;
  HostNesting Nesting;       ///< Order is without what takes no time
  std::vector<size_t> First; ///< by track, into Order; one more is behind the last
  std::vector<bool> InWork;  ///< by event
  int64_t BeginNs = 0, EndNs = 0;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_THREADTIMELINE_H
