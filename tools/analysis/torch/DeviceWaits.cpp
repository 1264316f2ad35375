//===- DeviceWaits.cpp - which device work something waited for -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/DeviceWaits.h"

#include "analysis/core/Order.h"
#include "trace/io/Contains.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

namespace seamscope::tools {
namespace {

/// "7" of "7" and "stream 7".
std::optional<int64_t> streamNumber(std::string_view Thread) {
  const size_t Last = Thread.find_last_not_of("0123456789");
  const std::string_view Digits = Thread.substr(Last == Thread.npos ? 0 : Last + 1);
  int64_t Number;
  const auto [End, Code] = std::from_chars(Digits.data(), Digits.data() + Digits.size(), Number);
  return Code == std::errc() ? std::optional(Number) : std::nullopt;
}

/// Whether the call returns only when its own copy is done. Of asynchronous copies, those to
/// pageable memory make the host wait nevertheless: "API synchronization behavior" in the manual of
/// the CUDA runtime.
bool waitsForItsCopy(std::string_view Call, std::string_view Copy) {
  if (!contains(Call, "Memcpy"))
    return false;
  return !contains(Call, "Async") || contains(Copy, "-> Pageable");
}

} // namespace

DeviceWaits::DeviceWaits(const Trace &Input, const std::vector<Origin> &Links)
    : Input(Input), Events(Input.Events) {
  for (const Correlation &Of : Input.Correlations)
    if (siteOf(Of.Event).Kind == SiteKind::Launch)
      Calls.push_back(Of);
  std::ranges::stable_sort(Calls, {}, &Correlation::Id);
  addStreams(Links);
  addSyncs();
  addCopyWaits();
}

void DeviceWaits::addStreams(const std::vector<Origin> &Links) {
  for (const Origin &Link : Links) {
    Stream &Of = Streams[Events.Track[Link.Work]];
    Of.Device = siteOf(Link.Work).Device;
    Of.Work.push_back(Link.Work);
    if (Link.Launch != NoEvent) {
      LaunchOf.emplace_back(Link.Work, Link.Launch);
      Launched.emplace_back(Link.Launch, Link.Work);
    }
  }
  std::ranges::stable_sort(LaunchOf, {}, &std::pair<uint32_t, uint32_t>::first);
  std::ranges::stable_sort(Launched, {}, &std::pair<uint32_t, uint32_t>::first);
  for (auto &[Track, Of] : Streams) {
    std::ranges::stable_sort(Of.Work, {}, [&](uint32_t I) { return Events.BeginNs[I]; });
    int64_t Latest = std::numeric_limits<int64_t>::min();
    for (const uint32_t Work : Of.Work) {
      const bool Later =
          Of.EndsLast.empty() || Events.endNs(Work) >= Events.endNs(Of.EndsLast.back());
      Of.EndsLast.push_back(Later ? Work : Of.EndsLast.back());
      // Without a launch time, that of earlier work is the best known bound.
      if (const uint32_t Launch = launchOf(Work); Launch != NoEvent)
        Latest = std::max(Latest, Events.BeginNs[Launch]);
      Of.LatestLaunch.push_back(Latest);
    }
  }
}

void DeviceWaits::addSyncs() {
  std::set<uint32_t> Known;
  for (const DeviceSync &Sync : Input.Details.Syncs) {
    const uint32_t Call = callWith(Sync.Correlation);
    const std::string_view Name = Input.text(siteOf(Sync.Event).Name);
    if (Call != NoEvent && contains(Input.text(siteOf(Call).Name), "Synchronize"))
      SyncOf.emplace(Call, Sync);
    if (Name != "Stream Wait Event")
      continue;
    const uint32_t Record = callWith(Sync.Record);
    const auto From = Streams.find(trackOf(Sync.Device, Sync.OtherStream));
    const auto Waiting = Streams.find(trackOf(Sync.Device, Sync.Stream));
    if (Record == NoEvent || Call == NoEvent)
      continue;
    Known.insert(Call);
    if (From == Streams.end() || Waiting == Streams.end())
      continue; // nothing to wait for, or nothing that waits
    if (const uint32_t Work = lastBefore(From->second, Events.BeginNs[Record]); Work != NoEvent)
      Waiting->second.Waits.push_back({Events.BeginNs[Call], Work});
  }
  for (auto &[Track, Of] : Streams)
    std::ranges::stable_sort(Of.Waits, {}, &StreamWait::Ns);
  for (uint32_t I = 0; I < Events.size(); ++I)
    if (siteOf(I).Kind == SiteKind::Launch &&
        contains(Input.text(siteOf(I).Name), "StreamWaitEvent") && !Known.contains(I))
      UnknownWaits.push_back(Events.BeginNs[I]);
  std::ranges::sort(UnknownWaits);
}

void DeviceWaits::addCopyWaits() {
  const std::vector<uint32_t> Order = orderedByTrack(
      Input, eventsWhere(Input, [&](uint32_t I) { return siteOf(I).Kind == SiteKind::Launch; }));
  std::vector<bool> IsOperator(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    IsOperator[Id] = isHostOperator(Input.Sites[Id]);
  const std::vector<uint32_t> Around = innermostAround(Input, Order, IsOperator, Within::Whole);
  for (size_t I = 1; I < Order.size(); ++I) {
    const uint32_t Call = Order[I], Before = Order[I - 1];
    const uint32_t Copied = launchedBy(Before, /*Last=*/false);
    if (Copied != NoEvent && siteOf(Copied).Kind == SiteKind::Copy &&
        contains(Input.text(siteOf(Call).Name), "StreamSynchronize") && Around[Call] != NoEvent &&
        Around[Call] == Around[Before])
      CopyWaits[Call] = Events.Track[Copied];
  }
}

uint32_t DeviceWaits::callWith(int64_t Id) const {
  const auto At = std::ranges::lower_bound(Calls, Id, {}, &Correlation::Id);
  return Id >= 0 && At != Calls.end() && At->Id == Id ? At->Event : NoEvent;
}

TrackId DeviceWaits::trackOf(int32_t Device, int64_t Number) const {
  for (const auto &[Track, Of] : Streams)
    if (Of.Device == Device && streamNumber(Input.text(Input.Tracks[Track].Thread)) == Number)
      return Track;
  return std::numeric_limits<TrackId>::max();
}

size_t DeviceWaits::placeOf(const Stream &Of, uint32_t Work) const {
  const auto [First, Last] = std::ranges::equal_range(
      Of.Work, Events.BeginNs[Work], {}, [&](uint32_t I) { return Events.BeginNs[I]; });
  return static_cast<size_t>(std::find(First, Last, Work) - Of.Work.begin());
}

/// Of the work launched before, the one that ended last.
uint32_t DeviceWaits::lastBefore(const Stream &Of, int64_t LaunchedBeforeNs) const {
  const auto After = std::ranges::lower_bound(Of.LatestLaunch, LaunchedBeforeNs);
  return After == Of.LatestLaunch.begin()
             ? NoEvent
             : Of.EndsLast[static_cast<size_t>(After - Of.LatestLaunch.begin()) - 1];
}

uint32_t DeviceWaits::launchOf(uint32_t Work) const {
  const auto Found =
      std::ranges::lower_bound(LaunchOf, Work, {}, &std::pair<uint32_t, uint32_t>::first);
  return Found == LaunchOf.end() || Found->first != Work ? NoEvent : Found->second;
}

uint32_t DeviceWaits::launchedBy(uint32_t Call, bool Last) const {
  const auto All =
      std::ranges::equal_range(Launched, Call, {}, &std::pair<uint32_t, uint32_t>::first);
  return All.empty() ? NoEvent : Last ? All.back().second : All.front().second;
}

uint32_t DeviceWaits::previous(uint32_t Work) const {
  const Stream &Of = Streams.at(Events.Track[Work]);
  const size_t Place = placeOf(Of, Work);
  return Place ? Of.EndsLast[Place - 1] : NoEvent;
}

uint32_t DeviceWaits::otherStream(uint32_t Work) const {
  const Stream &Of = Streams.at(Events.Track[Work]);
  const uint32_t Launch = launchOf(Work);
  if (Launch == NoEvent)
    return NoEvent;
  // Earlier waits were those of earlier work.
  const size_t Place = placeOf(Of, Work);
  const int64_t Since = Place ? Of.LatestLaunch[Place - 1] : std::numeric_limits<int64_t>::min();
  uint32_t Found = NoEvent;
  for (auto Wait = std::ranges::lower_bound(Of.Waits, Since, {}, &StreamWait::Ns);
       Wait != Of.Waits.end() && Wait->Ns < Events.BeginNs[Launch]; ++Wait)
    if (Found == NoEvent || Events.endNs(Wait->Work) > Events.endNs(Found))
      Found = Wait->Work;
  return Found;
}

DeviceWaits::HostWait DeviceWaits::hostWait(uint32_t Call) const {
  HostWait Wait;
  const std::string_view Name = Input.text(siteOf(Call).Name);
  if (const uint32_t Work = launchedBy(Call, /*Last=*/true); Work != NoEvent) {
    if (siteOf(Work).Kind == SiteKind::Copy && waitsForItsCopy(Name, Input.text(siteOf(Work).Name)))
      Wait = {true, true, Work};
    return Wait;
  }
  if (siteOf(Call).Kernel || !contains(Name, "Synchronize"))
    return Wait;
  Wait.Waits = true;
  const int64_t Begin = Events.BeginNs[Call];
  const auto Known = SyncOf.find(Call);
  const DeviceSync *const Sync = Known == SyncOf.end() ? nullptr : &Known->second;
  const auto Consider = [&](const Stream &Of, int64_t Before) {
    const uint32_t Last = lastBefore(Of, Before);
    if (Last != NoEvent && (Wait.Work == NoEvent || Events.endNs(Last) > Events.endNs(Wait.Work)))
      Wait.Work = Last;
  };
  std::set<int32_t> Devices;
  for (const auto &[Track, Of] : Streams)
    Devices.insert(Of.Device);
  if (contains(Name, "EventSynchronize")) {
    const uint32_t Record = Sync ? callWith(Sync->Record) : NoEvent;
    if (Record == NoEvent || Sync->OtherStream < 0)
      return Wait;
    if (const auto Of = Streams.find(trackOf(Sync->Device, Sync->OtherStream)); Of != Streams.end())
      Consider(Of->second, Events.BeginNs[Record]);
    Wait.Known = true;
    return Wait;
  }
  if (contains(Name, "StreamSynchronize")) {
    if (Sync && Sync->Stream >= 0) {
      if (const auto Of = Streams.find(trackOf(Sync->Device, Sync->Stream)); Of != Streams.end())
        Consider(Of->second, Begin);
      Wait.Known = true;
    } else if (const auto Copy = CopyWaits.find(Call); Copy != CopyWaits.end()) {
      Consider(Streams.at(Copy->second), Begin);
      Wait.Known = true;
    } else if (Streams.size() == 1) {
      Consider(Streams.begin()->second, Begin);
      Wait.Known = true;
    }
    return Wait;
  }
  // A device as a whole.
  if (!Sync && Devices.size() > 1)
    return Wait;
  for (const auto &[Track, Of] : Streams)
    if (!Sync || Of.Device == Sync->Device)
      Consider(Of, Begin);
  Wait.Known = true;
  return Wait;
}

uint64_t DeviceWaits::unknownStreamWaits(int64_t BeginNs, int64_t EndNs) const {
  return static_cast<uint64_t>(std::ranges::lower_bound(UnknownWaits, EndNs) -
                               std::ranges::lower_bound(UnknownWaits, BeginNs));
}

uint32_t DeviceWaits::lastLaunchedIn(int64_t BeginNs, int64_t EndNs) const {
  uint32_t Found = NoEvent;
  for (const auto &[Work, Launch] : LaunchOf)
    if (Events.BeginNs[Launch] >= BeginNs && Events.BeginNs[Launch] < EndNs &&
        (Found == NoEvent ||
         std::pair(Events.endNs(Work), Work) > std::pair(Events.endNs(Found), Found)))
      Found = Work;
  return Found;
}

} // namespace seamscope::tools
