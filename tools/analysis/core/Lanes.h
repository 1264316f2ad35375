//===- Lanes.h - calls as stacks ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_LANES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_LANES_H

#include "trace/io/Error.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// Calls of one track, each inside another one or next to it. Outer ones come first.
struct Lane {
  TrackId Track = 0;
  std::vector<uint32_t> Events; ///< by begin, the longer one first
};

/// All events, by track. An event that overlaps another on its track without being inside it, as
/// device work may, is in a further lane. An error if a track would need more than MostLanes.
Result<std::vector<Lane>> lanesOf(const Trace &Input);
constexpr size_t MostLanes = 256;

/// Calls Visit(event) for each event of \p Of, and Leave(event) after all events in it were
/// visited.
template <typename VisitT, typename LeaveT>
void walk(const Trace &Input, const Lane &Of, VisitT Visit, LeaveT Leave) {
  std::vector<uint32_t> Stack;
  const auto LeaveTop = [&] {
    Leave(Stack.back());
    Stack.pop_back();
  };
  for (const uint32_t Event : Of.Events) {
    while (!Stack.empty() && Input.Events.endNs(Stack.back()) <= Input.Events.BeginNs[Event])
      LeaveTop();
    Visit(Event);
    Stack.push_back(Event);
  }
  while (!Stack.empty())
    LeaveTop();
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_LANES_H
