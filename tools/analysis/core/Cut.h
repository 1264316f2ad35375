//===- Cut.h - a part of a trace as a trace ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CUT_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CUT_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// From BeginNs on, up to EndNs, on the clock of the trace's events.
struct TimeRange {
  int64_t BeginNs = 0;
  int64_t EndNs = 0;
};

/// From the first begin to the last end of any event; nothing without events.
std::optional<TimeRange> extentOf(const Trace &Input);
/// The same with the calls of which the trace has only sums.
std::optional<TimeRange> extentWithSums(const Trace &Input);

/// When the step \p Number that the program marked ("ProfilerStep#3") ran; nothing: there is no
/// such step.
std::optional<TimeRange> stepRange(const Trace &Input, int64_t Number);

/// "A..B" with units of ns, us, ms or s ("10ms..1.5s", "..2s", "500us.."), counted from the begin
/// of \p Whole. Nothing if it is not such a range, or an empty one.
std::optional<TimeRange> parseRange(std::string_view Text, TimeRange Whole);

/// What is wrong with a \p Text that parseRange rejects.
std::string whyNoRange(std::string_view Text, TimeRange Whole);

/// Keeps the events that \p Stays selects, by event.
void keepEvents(Trace &Input, const std::vector<bool> &Stays);

/// Keeps what lies within a range. An event that reaches beyond the range is cut off; one without
/// duration stays if it is inside.
void cutTo(Trace &Input, TimeRange Range);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CUT_H
