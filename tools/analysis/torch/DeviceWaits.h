//===- DeviceWaits.h - which device work something waited for -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_DEVICEWAITS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_DEVICEWAITS_H

#include "analysis/devices/Devices.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// The order in which devices work, as far as a trace shows it. With ReadOptions::Syncs it has
/// waits for a stream or an event, if the profiler recorded them (enable_cuda_sync_events).
/// Otherwise a wait for a stream is known if the trace has only one stream, or if the operator's
/// previous call copied on the stream, as torch does for copies to the host (memcpy_and_sync in
/// c10/cuda/CUDAFunctions.h); a wait for an event is never known.
class DeviceWaits {
public:
  /// \p Links: linkWork() of the same trace.
  DeviceWaits(const Trace &Input, const std::vector<Origin> &Links);

  /// What a host call waited for.
  struct HostWait {
    bool Waits = false;      ///< the call waits for a device
    bool Known = false;      ///< what it waits for is known
    uint32_t Work = NoEvent; ///< the work that ended last; NoEvent: none
  };
  /// \p Call: a call of the runtime or driver.
  HostWait hostWait(uint32_t Call) const;

  /// The last work to end of the earlier work on the stream of \p Work; NoEvent: none.
  uint32_t previous(uint32_t Work) const;

  /// The last work to end on other streams that \p Work waited for (cudaStreamWaitEvent); NoEvent:
  /// none is known.
  uint32_t otherStream(uint32_t Work) const;

  /// The call that launched \p Work; NoEvent: not in the trace.
  uint32_t launchOf(uint32_t Work) const;

  /// Calls in [\p BeginNs, \p EndNs) that let a stream wait for an unknown other one.
  uint64_t unknownStreamWaits(int64_t BeginNs, int64_t EndNs) const;

  /// The last work to end that was launched by calls that began in [\p BeginNs, \p EndNs).
  uint32_t lastLaunchedIn(int64_t BeginNs, int64_t EndNs) const;

private:
  /// A stream's wait for an event on another stream.
  struct StreamWait {
    int64_t Ns = 0; ///< when the host requested it
    uint32_t Work = NoEvent;
  };
  struct Stream {
    int32_t Device = 0;
    std::vector<uint32_t> Work;     ///< by begin
    std::vector<uint32_t> EndsLast; ///< by place in Work: the last to end of the work up to there
    /// By place in Work: the latest begin of a launch up to there.
    std::vector<int64_t> LatestLaunch;
    std::vector<StreamWait> Waits; ///< by time
  };

  const Site &siteOf(uint32_t Event) const { return Input.Sites[Events.Site[Event]]; }
  /// The first or \p Last work in the trace that \p Call launched; NoEvent: none.
  uint32_t launchedBy(uint32_t Call, bool Last) const;
  size_t placeOf(const Stream &Of, uint32_t Work) const;
  uint32_t lastBefore(const Stream &Of, int64_t LaunchedBeforeNs) const;
  TrackId trackOf(int32_t Device, int64_t Number) const;
  uint32_t callWith(int64_t Correlation) const;
  void addStreams(const std::vector<Origin> &Links);
  void addSyncs();
  void addCopyWaits();

  const Trace &Input;
  const EventColumns &Events;
  // There are as many as launches in the trace; pairs take a tenth of a hash table's memory.
  std::vector<std::pair<uint32_t, uint32_t>> LaunchOf; ///< by work
  std::vector<std::pair<uint32_t, uint32_t>> Launched; ///< by call, then as in the trace
  std::unordered_map<TrackId, Stream> Streams;
  std::unordered_map<uint32_t, DeviceSync> SyncOf; ///< by call
  std::unordered_map<uint32_t, TrackId> CopyWaits; ///< the stream, by the call that waits for it
  std::vector<Correlation> Calls;                  ///< of the host, by number
  std::vector<int64_t> UnknownWaits;               ///< begins of calls, rising
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DEVICEWAITS_H
