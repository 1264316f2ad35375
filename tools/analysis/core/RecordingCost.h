//===- RecordingCost.h - the cost of recording ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An estimate, described in docs/work.md: the runtime measures how long it
// takes to record one call, and the calls are counted. It does not include the
// cost of calls that the compiler could not inline.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_RECORDINGCOST_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_RECORDINGCOST_H

#include "analysis/core/Statistics.h"

#include <map>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// The cost of recording in one row's time.
struct RowRecordingCost {
  int64_t OwnNs = 0; ///< time to record its calls, in them and in their callers
  /// Part of its total: its own stamps, and the time to record the calls inside.
  int64_t InsideNs = 0;
};

struct RecordingCost {
  double CallNs = 0;     ///< time to record one call
  int64_t BiasNs = 0;    ///< the part of it that is inside the call
  uint64_t Calls = 0;    ///< calls that hooks recorded
  int64_t TotalNs = 0;   ///< all of them, on all threads together
  int64_t BusiestNs = 0; ///< on the thread that recorded most
  /// False: it is not known of all calls which ones are inside others, and InsideNs is too small.
  bool InsideKnown = true;
  std::map<SiteId, RowRecordingCost> Rows; ///< by KernelRow::Site
  std::vector<SiteId>
      Short; ///< rows of calls so short that recording is more than 5 % of them, and
             ///< that take 1 % of all recording or more; the most expensive first. Also Untimable

  /// Throttled rows of calls that take no longer than recording them would: their times say little.
  std::vector<SiteId> Untimable;

  /// Whether recording is more than 5 % of the time of \p Row and 1 % of the window.
  bool matters(const KernelRow &Row, int64_t WindowNs) const;
};

/// Nothing if the trace does not say what recording a call takes.
std::optional<RecordingCost> recordingCost(const Trace &Input, const Statistics &Numbers);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_RECORDINGCOST_H
