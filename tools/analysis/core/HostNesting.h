//===- HostNesting.h - how calls of the host stand inside each other ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_HOSTNESTING_H
#define SEAMSCOPE_TOOLS_ANALYSIS_HOSTNESTING_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// No event.
constexpr uint32_t NoEvent = UINT32_MAX;

/// A moment on a thread.
struct HostMoment {
  TrackId Track = 0;
  int64_t Ns = 0;
};

/// Operators, spans, annotations, Python frames, launches and kernels of the host, each inside the
/// innermost one that was open around it on its thread. A forest, whatever the trace holds: of
/// calls that overlap without nesting, the later one stands beside the earlier.
struct HostNesting {
  std::vector<uint32_t> Order;     ///< the events, outer ones before what is inside
  std::vector<uint32_t> Parent;    ///< by event; NoEvent: none, or not one of these
  std::vector<uint32_t> AtMoments; ///< by moment, the innermost event that was open; NoEvent: none

  /// By event, \p Own of the innermost event, itself or around it, where it is not NoEvent.
  /// \p Own: a function of an event.
  template <typename OwnFn> std::vector<uint32_t> innermost(OwnFn Own) const {
    std::vector<uint32_t> Found(Parent.size(), NoEvent);
    for (const uint32_t Event : Order)
      if ((Found[Event] = Own(Event)) == NoEvent && Parent[Event] != NoEvent)
        Found[Event] = Found[Parent[Event]];
    return Found;
  }
};

HostNesting nestHost(const Trace &Input, const std::vector<HostMoment> &Moments = {});

/// The same for events of any kind, of the host and of devices, whose sites are \p Wanted.
HostNesting nestCalls(const Trace &Input, const std::vector<bool> &Wanted);

/// How far a call must lie within what encloses it.
enum class Within : uint8_t {
  Begin, ///< it begins there: what it starts may go on behind the end
  Whole, ///< it ends there, too
};

/// For each of \p Calls, events in any order, the innermost event on its thread of a site that
/// \p Holds (by site) and that it lies within; NoEvent: there is none. By event.
std::vector<uint32_t> innermostAround(const Trace &Input, const std::vector<uint32_t> &Calls,
                                      const std::vector<bool> &Holds, Within How);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_HOSTNESTING_H
