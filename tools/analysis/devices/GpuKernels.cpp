//===- GpuKernels.cpp - GPU kernels: stamps, launches ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/GpuKernels.h"

#include "analysis/core/Median.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace seamscope::tools {

void WeightedMean::add(const std::optional<double> &Value, double Weight) {
  if (!Value)
    return;
  Any = true;
  Sum += *Value * Weight;
  Weights += Weight;
}

std::optional<double> WeightedMean::value() const {
  if (!Any || Weights <= 0)
    return std::nullopt;
  return Sum / Weights;
}

namespace {

/// The launch sites around calls of the runtime, on the calls' own threads.
class LaunchSites {
public:
  explicit LaunchSites(const Trace &Input) : Input(Input) {
    for (uint32_t I = 0; I < Input.Events.size(); ++I)
      if (isSiteOfLaunch(Input.Sites[Input.Events.Site[I]]))
        ByTrack[Input.Events.Track[I]].push_back(I);
    for (auto &[Track, Events] : ByTrack)
      std::ranges::stable_sort(Events, {}, [&](uint32_t I) { return Input.Events.BeginNs[I]; });
  }

  bool empty() const { return ByTrack.empty(); }

  /// The innermost one around the call.
  std::optional<SiteId> around(uint32_t Call) const {
    const auto Found = ByTrack.find(Input.Events.Track[Call]);
    if (Found == ByTrack.end())
      return std::nullopt;
    const std::vector<uint32_t> &Events = Found->second;
    const int64_t BeginNs = Input.Events.BeginNs[Call];
    auto At = std::ranges::upper_bound(Events, BeginNs, {},
                                       [&](uint32_t I) { return Input.Events.BeginNs[I]; });
    // A launch contains few others: those of a graph, or one that a callback makes.
    for (int Steps = 0; At != Events.begin() && Steps < 8; ++Steps)
      if (Input.Events.endNs(*--At) >= Input.Events.endNs(Call))
        return Input.Events.Site[*At];
    return std::nullopt;
  }

private:
  bool isSiteOfLaunch(const Site &What) const {
    return What.Kind == SiteKind::Launch && Input.text(What.Category) == "cuda_launch";
  }

  const Trace &Input;
  std::unordered_map<TrackId, std::vector<uint32_t>> ByTrack;
};

/// How long each kernel took to begin after the call that launched it, and nothing else.
void addLatencies(const Trace &Input, const std::vector<Origin> &Links, GpuKernels &Kernels) {
  std::unordered_map<uint32_t, uint32_t> LaunchedBy;
  for (const Origin &Link : Links)
    if (Link.Launch != NoEvent)
      ++LaunchedBy[Link.Launch];
  std::map<std::pair<StringId, int32_t>, std::vector<int64_t>> Latencies;
  for (const Origin &Link : Links) {
    const Site &What = Input.Sites[Input.Events.Site[Link.Work]];
    if (What.Kind == SiteKind::Kernel && Link.Launch != NoEvent && LaunchedBy[Link.Launch] == 1 &&
        !Input.Health.isSkewed(What.Device))
      Latencies[{What.Name, What.Device}].push_back(Input.Events.BeginNs[Link.Work] -
                                                    Input.Events.BeginNs[Link.Launch]);
  }
  for (auto &[Key, Ns] : Latencies)
    Kernels[Key].MedianLatencyNs = lowerMedian(Ns);
}

int64_t product(const std::array<int64_t, 3> &Of) {
  int64_t Result = 1;
  for (const int64_t Each : Of)
    if (Each <= 0 || __builtin_mul_overflow(Result, Each, &Result))
      return 0;
  return Result;
}

void addOccupancies(const Trace &Input, GpuKernels &Kernels) {
  using Needs = std::tuple<int32_t, int64_t, int64_t, int64_t, int64_t>;
  std::map<Needs, std::optional<Occupancy>>
      Known; // programs use few shapes of launches, each often
  std::map<std::pair<StringId, int32_t>, std::map<OccupancyLimiter, int64_t>> NsBy;
  for (const LaunchShape &Shape : Input.Details.Launches) {
    const Site &What = Input.Sites[Input.Events.Site[Shape.Event]];
    const auto Device = std::ranges::find(Input.Devices, What.Device, &Device::Id);
    if (What.Kind != SiteKind::Kernel || Device == Input.Devices.end() || Shape.Registers < 0 ||
        Shape.SharedBytes < 0)
      continue;
    const LaunchNeeds Launch{product(Shape.Grid), product(Shape.Block), Shape.Registers,
                             Shape.SharedBytes};
    const auto [At, New] = Known.try_emplace({What.Device, Launch.GridBlocks, Launch.BlockThreads,
                                              Launch.Registers, Launch.SharedBytes});
    if (New)
      At->second = occupancyOf(Device->Limits, Launch);
    if (!At->second)
      continue;
    const int64_t Ns = std::max<int64_t>(Input.Events.DurationNs[Shape.Event], 1);
    Kernels[{What.Name, What.Device}].OccupancyPercent.add(100 * At->second->GridShare,
                                                           static_cast<double>(Ns));
    NsBy[{What.Name, What.Device}][At->second->Limiter] += Ns;
  }
  for (const auto &[Key, Limiters] : NsBy)
    Kernels[Key].Limiter =
        std::ranges::max_element(Limiters, {}, [](const auto &Each) { return Each.second; })->first;
}

} // namespace

GpuKernels gpuKernels(const Trace &Input, const std::vector<Origin> &Links,
                      const std::vector<IdleGap> &Gaps) {
  GpuKernels Kernels;
  const auto Of = [&](uint32_t Event) -> GpuKernel & {
    const Site &What = Input.Sites[Input.Events.Site[Event]];
    return Kernels[{What.Name, What.Device}];
  };
  const auto IsKernel = [&](uint32_t Event) {
    return Input.Sites[Input.Events.Site[Event]].Kind == SiteKind::Kernel;
  };
  for (const Origin &Link : Links)
    if (IsKernel(Link.Work))
      ++Of(Link.Work).Calls;
  for (const IdleGap &Gap : Gaps)
    if (IsKernel(Gap.Work))
      Of(Gap.Work).Gap.add(Gap.Why);
  addLatencies(Input, Links, Kernels);
  addOccupancies(Input, Kernels);
  for (const KernelInside &Inside : Input.Details.Insides) {
    GpuKernel &Kernel = Of(Inside.Event);
    const auto Weight =
        static_cast<double>(std::max<int64_t>(Input.Events.DurationNs[Inside.Event], 1));
    ++Kernel.Stamped;
    Kernel.Sms = std::max(Kernel.Sms, Inside.Sms);
    Kernel.OpenWarps += static_cast<uint64_t>(Inside.OpenWarps);
    Kernel.LostWarps += static_cast<uint64_t>(Inside.LostWarps);
    Kernel.Blocks.add(static_cast<double>(Inside.Blocks), Weight);
    Kernel.ResidentBlocks.add(static_cast<double>(Inside.ResidentBlocks), Weight);
    Kernel.Waves.add(Inside.Waves, Weight);
    Kernel.TailPercent.add(Inside.TailPercent, Weight);
    Kernel.SmImbalance.add(Inside.SmImbalance, Weight);
    Kernel.WarpImbalance.add(Inside.WarpImbalance, Weight);
    Kernel.Share.add(Inside.Share, Weight);
  }
  const LaunchSites Sites(Input);
  // One launch of a graph is for all of its kernels: each has its captured launch instead.
  std::unordered_map<uint32_t, SiteId> Captured;
  for (const KernelCapture &Each : Input.Details.Captures)
    Captured.emplace(Each.Event, Each.Site);
  if (Sites.empty() && Captured.empty())
    return Kernels;
  const auto LaunchOf = [&](const Origin &Link) -> std::optional<SiteId> {
    if (const auto Found = Captured.find(Link.Work); Found != Captured.end())
      return Found->second;
    return Link.Launch == NoEvent ? std::nullopt : Sites.around(Link.Launch);
  };
  for (const Origin &Link : Links) {
    if (!IsKernel(Link.Work))
      continue;
    if (const auto Site = LaunchOf(Link)) {
      auto &Launches = Of(Link.Work).Launches;
      const auto Known = std::ranges::find(Launches, *Site, &std::pair<SiteId, uint64_t>::first);
      if (Known == Launches.end())
        Launches.emplace_back(*Site, 1);
      else
        ++Known->second;
    }
  }
  for (auto &[Key, Kernel] : Kernels)
    std::ranges::stable_sort(Kernel.Launches, std::ranges::greater(),
                             &std::pair<SiteId, uint64_t>::second);
  return Kernels;
}

} // namespace seamscope::tools
