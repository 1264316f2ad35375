//===- CombineSurvey.h - what a trace has that others may have, too -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COMBINESURVEY_H
#define SEAMSCOPE_TOOLS_TRACE_COMBINESURVEY_H

#include "trace/chrome/EventText.h"
#include "trace/io/ByteSource.h"

#include <nlohmann/json.hpp>

#include "trace/model/LinkNumbers.h"
#include <cstdint>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// What one trace says that has to be kept apart from what others say.
struct TraceSurvey {
  /// A process id, as text, of the trace.
  struct PidUse {
    bool Named = false;     ///< there is a process_name
    bool HasEvents = false; ///< others than metadata
  };
  std::map<std::string, PidUse> Pids;
  std::set<int32_t> Devices; ///< numbers that events name or, in the place of that, have as pid
  std::optional<int64_t> FirstId, LastId; ///< range of all ids: correlations, flows, ...
  std::optional<int64_t> FirstNs;         ///< begin of the first call, as written
  uint64_t Events = 0;
  uint64_t Calls = 0;         ///< of these, those that have a begin and a duration, or a begin
  uint64_t LeftOut = 0;       ///< elements that are no object, or no JSON
  uint64_t LeftOutOffset = 0; ///< of the first of them
  std::vector<std::pair<std::string, std::string>> Members; ///< key and JSON, valid
  std::vector<std::string> LargeMembers;                    ///< too large, or no JSON: left out
  std::optional<int64_t> BaseNs;                            ///< baseTimeNanoseconds
  std::optional<int64_t> Rank;
  std::string Host;                                        ///< empty: not known
  nlohmann::json Seamscope, Distributed, DeviceProperties; ///< null: not there
};

/// Reads a trace and finds all this; or why it cannot be read to its end.
Result<TraceSurvey> surveyTrace(ByteSource &Source, const std::string &Path);

// How events name what a survey collects; also for changing it.

/// The process as readers know it, numbers and strings alike; empty: none.
std::string pidOf(const EventText &Event);
/// The same of one member.
std::string pidOf(const EventText::Member &Pid);

/// The device of an event that is work of one, as the reader finds it: from `args.device` or else
/// from the pid. Nothing: it is no such event.
std::optional<int32_t> workDeviceOf(const EventText &Event);

/// Whether the argument names a device; its number then.
std::optional<int32_t> deviceArgument(const EventText &Event, const EventText::Member &Argument);

/// Whether a key of `args` has an id that links events of the trace.
bool isIdArgument(std::string_view Key, __int128 Id);

/// An `id` of a flow or of an asynchronous event; strings are hexadecimal numbers. Nothing: it is
/// text of another form.
std::optional<__int128> eventId(const EventText::Member &Id);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COMBINESURVEY_H
