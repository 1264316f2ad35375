//===- CallerTimes.h - what callers take between their calls ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A processor works on a call and on the code around it at the same time. A
// stamp ends that, so timed calls, and the code between them, take longer: the
// sum of the two may exceed what the caller takes with untimed calls, which is
// known exactly. Before a thread throttles its first site, all of its calls are
// timed, and so is the code between them.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_CALLERTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_CALLERTIMES_H

#include "analysis/core/Throttled.h"
#include "trace/model/Trace.h"

#include <functional>
#include <map>
#include <vector>

namespace seamscope::tools {

/// Time between calls inside the same call, by a number that the user gives to each caller.
class CallerTimes {
public:
  /// \p IsEntered: whether enter() is called for the calls of a site.
  CallerTimes(const Trace &Input, const std::function<bool(SiteId)> &IsEntered);

  /// For all calls of a thread in order: one begins, inside \p Depth open ones of which \p Caller
  /// is the innermost.
  void enter(uint32_t Event, size_t Depth, uint32_t Caller);

  /// The part of \p EstimateNs for \p Calls untimed calls that \p Caller has room for, which has
  /// \p HasNs: its own time and theirs. A time that is too large is shortened in proportion.
  Room room(uint32_t Caller, double HasNs, double EstimateNs, double Calls) const;

private:
  struct Between {
    double RawNs = 0;
    std::vector<double> Ns; ///< without the time that recording took
  };

  const Trace &Input;
  std::vector<int64_t> FirstSinceNs;              ///< by thread
  std::map<TrackId, std::vector<int64_t>> Others; ///< begins of recorded calls that are not entered
  std::vector<uint32_t> Last;                     ///< by depth, the last call inside that ended
  TrackId Track = 0;
  std::map<uint32_t, Between> OfCaller;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_CALLERTIMES_H
