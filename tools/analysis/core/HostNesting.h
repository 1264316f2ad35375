//===- HostNesting.h - nesting of host calls ------------------------------===//
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
/// innermost one that was open around it on its thread. A forest, whatever the trace contains: if
/// two calls overlap without nesting, the later one is next to the earlier one.
struct HostNesting {
  std::vector<uint32_t> Order;     ///< the events, outer ones before what is inside
  std::vector<uint32_t> Parent;    ///< by event; NoEvent: none, or not an event of these kinds
  std::vector<uint32_t> AtMoments; ///< by moment, the innermost event that was open; NoEvent: none

  /// By event, \p Own of the innermost event, itself or around it, for which it is not NoEvent. \p
  /// Own: a function of an event.
  template <typename OwnFn> std::vector<uint32_t> innermost(OwnFn Own) const {
    std::vector<uint32_t> Found(Parent.size(), NoEvent);
    for (const uint32_t Event : Order)
      if ((Found[Event] = Own(Event)) == NoEvent && Parent[Event] != NoEvent)
        Found[Event] = Found[Parent[Event]];
    return Found;
  }
};

HostNesting nestHost(const Trace &Input, const std::vector<HostMoment> &Moments = {});

/// The same for events of any kind, on the host and on devices, whose sites are \p Wanted.
HostNesting nestCalls(const Trace &Input, const std::vector<bool> &Wanted);

/// How much of a call must lie within the event around it.
enum class Within : uint8_t {
  Begin, ///< its begin: what it starts may go on after the end
  Whole, ///< its begin and its end
};

/// For each of \p Calls, events in any order, the innermost event on its thread that it lies within
/// and whose site is in \p Holds; NoEvent: none. By event.
std::vector<uint32_t> innermostAround(const Trace &Input, const std::vector<uint32_t> &Calls,
                                      const std::vector<bool> &Holds, Within How);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_HOSTNESTING_H
