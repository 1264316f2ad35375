//===- DeviceEvents.h - a spool's GPU data --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_DEVICEEVENTS_H
#define SEAMSCOPE_TOOLS_TRACE_DEVICEEVENTS_H

#include "format/DeviceTrace.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/TraceBuilder.h"

#include <string>

namespace seamscope::tools {

class DeviceEvents {
public:
  DeviceEvents(const format::DeviceTrace &From, const ReadOptions &Keep, TraceBuilder &Into)
      : From(From), Keep(Keep), Into(Into) {}

  /// Adds devices, their tracks and their events. \p ProcessName: the name of the host's process.
  /// Returns how many events are left out because their times are impossible.
  uint64_t add(StringId ProcessName);

private:
  void addDevices();
  void addTracks(StringId ProcessName);
  SiteId siteOf(const format::DeviceEventFacts &Of);
  bool addEvent(const format::DeviceEventFacts &Of);
  void addLaunch(const format::DeviceActivity &Of);
  void addCounters(const format::DeviceEventFacts &Of);
  void addInside(const format::DeviceInside &Inside, const format::DeviceActivity *Kernel);
  void addLoops(const format::DeviceInside &Inside);
  void addCapture(const format::SiteView &Launch);
  StringId text(const char *Text) { return Into.strings().intern(Text); }

  const format::DeviceTrace &From;
  const ReadOptions &Keep;
  TraceBuilder &Into;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_DEVICEEVENTS_H
