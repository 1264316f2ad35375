//===- ThreadTimeline.h - what a thread did, moment by moment -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_THREADTIMELINE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_THREADTIMELINE_H

#include "analysis/core/HostNesting.h"

#include <cstdint>
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

/// The threads of the host, each as parts one behind the other, from its first begin to its last
/// end. What takes no time is in none.
class ThreadTimelines {
public:
  explicit ThreadTimelines(const Trace &Input);

  /// By time.
  const std::vector<TimelinePart> &of(TrackId Track) const { return Parts[Track]; }

  /// The part with a moment just before \p Ns, of what comes before \p Ns; null: the thread did
  /// nothing before. One that ends earlier is the thread's last.
  const TimelinePart *before(TrackId Track, int64_t Ns) const;

private:
  std::vector<std::vector<TimelinePart>> Parts; ///< by track
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_THREADTIMELINE_H
