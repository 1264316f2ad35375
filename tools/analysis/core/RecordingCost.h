//===- RecordingCost.h - what recording itself took -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An estimate, by docs/work.md: the runtime measures what it takes to record one call, and the
// calls are counted. That the compiler could not inline a call is not in it.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_RECORDINGCOST_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_RECORDINGCOST_H

#include "analysis/core/Statistics.h"

#include <map>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// What recording took of one row's time.
struct RowRecordingCost {
  int64_t OwnNs = 0;    ///< recording its calls took that, in them and in what called them
  int64_t InsideNs = 0; ///< of its total: its own stamps, and recording the calls inside
};

struct RecordingCost {
  double CallNs = 0;       ///< recording one call takes that
  int64_t BiasNs = 0;      ///< of which lies inside the call
  uint64_t Calls = 0;      ///< that were recorded by hooks
  int64_t TotalNs = 0;     ///< all of them, on all threads together
  int64_t BusiestNs = 0;   ///< on the thread that recorded most
  bool InsideKnown = true; ///< false: which calls lie inside of others is not known of all, and
                           ///< InsideNs says too little
  std::map<SiteId, RowRecordingCost> Rows; ///< by KernelRow::Site
  std::vector<SiteId>
      Short; ///< rows of calls so short that recording is more than 5 % of them, and
             ///< that take 1 % of all recording or more; those that take most first

  /// Of \p Row, whether recording is more than 5 % of its time and 1 % of the window.
  bool matters(const KernelRow &Row, int64_t WindowNs) const;
};

/// Nothing where the trace does not tell what recording a call takes.
std::optional<RecordingCost> recordingCost(const Trace &Input, const Statistics &Numbers);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_RECORDINGCOST_H
