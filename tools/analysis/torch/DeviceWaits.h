//===- DeviceWaits.h - which work of a device something waited for --------===//
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

/// The order in which devices work, as far as a trace tells it. Of waits for a stream or an event
/// it tells with ReadOptions::Syncs, where the profiler recorded them (enable_cuda_sync_events);
/// without, a wait for a stream is known where the trace has only one, or where the operator's call
/// before copied on it: torch copies to the host so (memcpy_and_sync in c10/cuda/CUDAFunctions.h).
/// One for an event is then never known.
class DeviceWaits {
public:
  /// \p Links: linkWork() of the same trace.
  DeviceWaits(const Trace &Input, const std::vector<Origin> &Links);

  /// What a call of the host waited for.
  struct HostWait {
    bool Waits = false;      ///< it is a call that waits for a device
    bool Known = false;      ///< and it is known what for
    uint32_t Work = NoEvent; ///< that ended last; NoEvent: there was none
  };
  /// \p Call: a call of the runtime or driver.
  HostWait hostWait(uint32_t Call) const;

  /// The work that came before on the stream of \p Work and ended last; NoEvent: none.
  uint32_t previous(uint32_t Work) const;

  /// The work of other streams that \p Work waited for (cudaStreamWaitEvent) and that ended last;
  /// NoEvent: none is known.
  uint32_t otherStream(uint32_t Work) const;

  /// The call that launched \p Work; NoEvent: not in the trace.
  uint32_t launchOf(uint32_t Work) const;

  /// Of [\p BeginNs, \p EndNs) the calls that let a stream wait for another, and the trace does
  /// not tell which.
  uint64_t unknownStreamWaits(int64_t BeginNs, int64_t EndNs) const;

  /// The work that was launched by calls which began in [\p BeginNs, \p EndNs) and ended last.
  uint32_t lastLaunchedIn(int64_t BeginNs, int64_t EndNs) const;

private:
  /// A wait of a stream for an event of another.
  struct StreamWait {
    int64_t Ns = 0; ///< when the host asked for it
    uint32_t Work = NoEvent;
  };
  struct Stream {
    int32_t Device = 0;
    std::vector<uint32_t> Work;        ///< by begin
    std::vector<uint32_t> EndsLast;    ///< by place in Work: of it and those before
    std::vector<int64_t> LatestLaunch; ///< likewise; begin of the call
    std::vector<StreamWait> Waits;     ///< by time
  };

  const Site &siteOf(uint32_t Event) const { return Input.Sites[Events.Site[Event]]; }
  /// Of what \p Call launched the work that the trace has first or \p Last; NoEvent: none.
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
  // As many as the trace has launches; pairs take a tenth of a hash table's memory.
  std::vector<std::pair<uint32_t, uint32_t>> LaunchOf; ///< by work
  std::vector<std::pair<uint32_t, uint32_t>> Launched; ///< by call, then as in the trace
  std::unordered_map<TrackId, Stream> Streams;
  std::unordered_map<uint32_t, DeviceSync> SyncOf; ///< by call
  std::unordered_map<uint32_t, TrackId> CopyWaits; ///< by call that waits for a stream
  std::vector<Correlation> Calls;                  ///< of the host, by number
  std::vector<int64_t> UnknownWaits;               ///< begins of calls, rising
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DEVICEWAITS_H
