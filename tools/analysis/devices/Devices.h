//===- Devices.h - work of devices, and its launches ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_DEVICES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_DEVICES_H

#include "analysis/core/HostNesting.h"
#include "analysis/core/Throttled.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Why a device was idle. The parts add up to its idle time.
struct IdleReasons {
  int64_t OutsideNs = 0; ///< before its first and after its last work
  int64_t SyncNs = 0; ///< the host had not launched the next work because it waited for the device
  int64_t HostNs = 0; ///< the host had not launched the next work, and did something else
  int64_t InitNs = 0; ///< the host had not launched it because it set up the device's runtime
  int64_t LatencyNs = 0; ///< launched, but not yet begun: latency, or a wait within the device
  int64_t UnknownNs = 0; ///< the launch of the next work is not in the trace or has another
                         ///< clock, or work that was launched before is missing or clipped

  /// All but OutsideNs.
  int64_t insideNs() const { return SyncNs + HostNs + InitNs + LatencyNs + UnknownNs; }
  void add(const IdleReasons &Other) {
    OutsideNs += Other.OutsideNs;
    SyncNs += Other.SyncNs;
    HostNs += Other.HostNs;
    InitNs += Other.InitNs;
    LatencyNs += Other.LatencyNs;
    UnknownNs += Other.UnknownNs;
  }
};

/// One device over the window of the trace.
struct DeviceRow {
  int32_t Id = 0;
  StringId Name = 0; ///< 0: not in the trace
  uint64_t Kernels = 0;
  int64_t KernelNs = 0; ///< sum of the kernels' durations
  int64_t BusyNs = 0;   ///< union of all work (kernels, copies, fills) on all streams
  int64_t IdleNs = 0;   ///< window less BusyNs
  IdleReasons Idle;
  int64_t BeforeCopiesNs = 0; ///< part of IdleNs that ended with a copy or fill, not with a kernel
  /// From the launch's end to the begin of the first work; nothing: the launch is not in the trace.
  std::optional<int64_t> FirstDelayNs;
  int64_t LongestLatencyNs = 0;      ///< the longest stretch of Idle.LatencyNs
  uint32_t LongestLatency = NoEvent; ///< the work that ended it

  int64_t FirstNs = 0, LastNs = 0; ///< begin of the first work, end of the last

  int64_t spanNs() const { return LastNs - FirstNs; }
};

/// A stretch in which a device was idle, and the work that ended it.
struct IdleGap {
  uint32_t Work = NoEvent; ///< the event
  IdleReasons Why;         ///< OutsideNs is 0
};

/// For one event of device work, its origin on the host.
struct Origin {
  uint32_t Work = NoEvent;     ///< the event
  uint32_t Launch = NoEvent;   ///< call of the runtime or driver with the same correlation
  uint32_t Operator = NoEvent; ///< innermost operator around the launch, on the launch's thread
};

/// Links of all work of all devices, in the order of the events, found by correlation and then by
/// time on the launching thread. The numbers that traces call "External id" changed over the years
/// and are not used.
std::vector<Origin> linkWork(const Trace &Input);

/// The same without operators.
std::vector<Origin> linkLaunches(const Trace &Input);

/// Whether work begins before its launch, by more than the error of writers that round to whole us.
bool beginsBeforeLaunch(const EventColumns &Events, const Origin &Link);

/// Rows by id. \p WindowNs: length of the trace's window. \p Links: linkWork() of the trace. \p
/// Gaps, if given, gets each stretch that is in some row's Idle, except OutsideNs.
std::vector<DeviceRow> deviceRows(const Trace &Input, int64_t WindowNs,
                                  const std::vector<Origin> &Links,
                                  std::vector<IdleGap> *Gaps = nullptr);

/// How many of the kernels (not the copies) were linked.
struct LinkCounts {
  uint64_t Kernels = 0, Launched = 0, Linked = 0;
};
LinkCounts countLinks(const Trace &Input, const std::vector<Origin> &Links);

/// Calls and time of one category of work: see kernels/Category.h for the names.
struct CategoryRow {
  std::string_view Name;
  uint64_t Calls = 0;
  int64_t TotalNs = 0;
};

/// By category, device work; without devices, the compiled kernels of the host. Longest first.
std::vector<CategoryRow> categoryRows(const Trace &Input,
                                      std::span<const UntimedShare> Untimed = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DEVICES_H
