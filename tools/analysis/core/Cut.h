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

/// When the step \p Number that the program marked ("ProfilerStep#3") ran; nothing: there is none.
std::optional<TimeRange> stepRange(const Trace &Input, int64_t Number);

/// "A..B" with units of ns, us, ms or s ("10ms..1.5s", "..2s", "500us.."), counted from the begin
/// of \p Whole. Nothing when it is no such range, or an empty one.
std::optional<TimeRange> parseRange(std::string_view Text, TimeRange Whole);

/// What is wrong with a \p Text of which parseRange makes nothing.
std::string whyNoRange(std::string_view Text, TimeRange Whole);

/// Leaves of the trace the events that \p Stays, by event, says.
void keepEvents(Trace &Input, const std::vector<bool> &Stays);

/// Leaves of the trace what lies within a range. An event that reaches beyond is cut off there; one
/// without duration stays where it is inside.
void cutTo(Trace &Input, TimeRange Range);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CUT_H
