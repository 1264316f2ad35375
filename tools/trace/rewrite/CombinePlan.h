//===- CombinePlan.h - how traces are kept apart in a common one ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COMBINEPLAN_H
#define SEAMSCOPE_TOOLS_TRACE_COMBINEPLAN_H

#include "trace/model/TimeMap.h"
#include "trace/rewrite/CombineSurvey.h"

#include <functional>

namespace seamscope::tools {

/// What makes the times of several traces comparable.
enum class Alignment : uint8_t {
  Clock,       ///< what the traces say of the time of day
  Start,       ///< their first calls begin at one time
  Collectives, ///< Clock, corrected by the plan's user with what collectives of ranks say
  None,        ///< times stay as they are
};

struct CombineOptions {
  Alignment Align = Alignment::Clock;
  bool SameDevices = false; ///< a device number means the same device in all traces
};

/// What is changed in the events of one trace.
struct InputPlan {
  std::string Label;                       ///< "rank 3", "process 4711", "input 1"
  std::map<std::string, std::string> Pids; ///< old to new
  std::map<int32_t, int32_t> Devices;      ///< old to new
  int64_t IdShift = 0;                     ///< is added to ids
  uint64_t HashMask = 0;                   ///< changes ids that are hashes (exclusive or)
  TimeMap Time;                            ///< of its times
  std::optional<int64_t> ClockErrorNs;     ///< of Time; nothing: not known

  /// The new id of an event, argument, flow, ....
  __int128 id(__int128 Old) const;
};

struct CombinePlan {
  std::vector<InputPlan> Inputs;
  std::optional<int64_t> BaseNs; ///< baseTimeNanoseconds of the result
  /// Why times of different inputs do not compare; empty: they do.
  std::string NotAligned;
  bool ByCollectives = false; ///< some times were corrected by collectives
};

/// Corrects the times of a plan.
using CorrectTimes = std::function<std::optional<Error>(CombinePlan &)>;

/// The first trace keeps its numbers; a later one keeps those that no earlier one has. \p Paths:
/// what errors call the traces.
Result<CombinePlan> planCombination(const std::vector<TraceSurvey> &Surveys,
                                    const std::vector<std::string> &Paths,
                                    const CombineOptions &Options);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COMBINEPLAN_H
