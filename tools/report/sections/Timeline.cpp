//===- Timeline.cpp - what ran where and when, for the page ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Page.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Limit for a page that still opens: the longest events are kept.
constexpr size_t MostEvents = 2'000'000;

constexpr const char *KindNames[] = {"kernel",     "region",   "loop", "task",   "wait",
                                     "annotation", "operator", "copy", "launch", "span",
                                     "python",     "wait",     "other"};
static_assert(std::size(KindNames) == static_cast<size_t>(SiteKind::Other) + 1);
constexpr uint8_t IdleKind = std::size(KindNames);

class Builder {
public:
  explicit Builder(const ReportContext &In)
      : In(In), Source(In.Source), DeviceOf(In.Source.Tracks.size(), -1) {}

  Timeline build() {
    Made.Kinds.assign(std::begin(KindNames), std::end(KindNames));
    Made.Kinds.emplace_back("idle");
    BeginNs = In.firstNs();
    const Shortest Least = leaveOut();
    size_t OfShortest = 0;
    std::map<TrackId, std::vector<uint32_t>> ByTrack;
    for (size_t I = 0; I < Source.Events.size(); ++I) {
      const int64_t Ns = Source.Events.DurationNs[I];
      const Site &What = Source.Sites[Source.Events.Site[I]];
      if (int32_t &Device = DeviceOf[Source.Events.Track[I]]; What.Device >= 0 && Device < 0) {
        Device = What.Device;
        Users[Device].insert(Source.Tracks[Source.Events.Track[I]].Process);
      }
      // Events without duration are also before the end.
      Made.EndNs =
          std::max(Made.EndNs, Source.Events.BeginNs[I] - BeginNs + std::max<int64_t>(Ns, 1));
      if (Ns < Least.Ns || (Ns == Least.Ns && OfShortest++ >= Least.Count))
        continue;
      ByTrack[Source.Events.Track[I]].push_back(static_cast<uint32_t>(Made.Events.size()));
      add(Source.Events.BeginNs[I], Source.Events.DurationNs[I], What.Name,
          static_cast<uint8_t>(What.Kind));
    }
    if (In.Input.Devices)
      addIdle(*In.Input.Devices);
    for (auto &[Track, Events] : ByTrack)
      addLane(Track, std::move(Events));
    std::ranges::stable_sort(Lanes, {}, [](const auto &Of) {
      const auto &[Device, Lane] = Of;
      return std::tuple(Device < 0, Device, std::string_view(Lane.Group), Lane.Kind != "idle");
    });
    for (auto &[Device, Lane] : Lanes)
      Made.Lanes.push_back(std::move(Lane));
    return std::move(Made);
  }

private:
  /// The shortest duration that is kept, and for how many events.
  struct Shortest {
    int64_t Ns = 0;
    size_t Count = SIZE_MAX;
  };

  /// All events, or as many long ones as a page can hold.
  Shortest leaveOut() {
    const std::vector<int64_t> &All = Source.Events.DurationNs;
    if (All.size() <= MostEvents)
      return {};
    std::vector<int64_t> Durations = All;
    std::ranges::nth_element(Durations, Durations.end() - MostEvents);
    const int64_t Least = *(Durations.end() - MostEvents);
    const auto Longer = std::ranges::count_if(All, [&](int64_t Ns) { return Ns > Least; });
    Made.LeftOut = fmt::format("{} events of at most {} are left out to keep the page small; "
                               "--window or --step shows a part of the trace whole",
                               All.size() - MostEvents, shownTime(Least));
    return {Least, MostEvents - static_cast<size_t>(Longer)};
  }

  void add(int64_t Begin, int64_t Duration, StringId Name, uint8_t Kind) {
    const auto [Known, New] =
        Names.try_emplace({Name, Kind}, static_cast<uint32_t>(Made.Names.size()));
    if (New) {
      Made.Names.emplace_back(Source.text(Name));
      Made.KindOfName.push_back(Kind);
    }
    Made.Events.push_back({Begin - BeginNs, Duration, Known->second});
  }

  void sort(std::vector<uint32_t> &Events) const {
    std::ranges::stable_sort(Events, [&](uint32_t A, uint32_t B) {
      const Timeline::Event &First = Made.Events[A], &Second = Made.Events[B];
      return First.BeginNs != Second.BeginNs ? First.BeginNs < Second.BeginNs
                                             : First.DurationNs > Second.DurationNs;
    });
  }

  void addLane(TrackId Id, std::vector<uint32_t> Events) {
    const Track &Its = Source.Tracks[Id];
    sort(Events);
    const std::string_view Name = Source.text(Its.ThreadName), Thread = Source.text(Its.Thread);
    Timeline::Lane Lane;
    Lane.Kind = DeviceOf[Id] >= 0 ? "stream" : "thread";
    Lane.Title = Name.empty() ? fmt::format("{} {}", Lane.Kind, Thread)
                              : fmt::format("{} ({})", Name, Thread);
    Lane.Group = groupOf(Id);
    Lane.Events = std::move(Events);
    Lanes.emplace_back(DeviceOf[Id], std::move(Lane));
  }

  /// Streams are below their device; if several processes have a device with that number, those of
  /// each.
  std::string groupOf(TrackId Id) const {
    const Track &Its = Source.Tracks[Id];
    if (const int32_t Device = DeviceOf[Id]; Device >= 0) {
      std::string Group = fmt::format("Device {}", Device);
      if (const StringId Name = deviceName(Source, Device))
        Group += fmt::format(": {}", Source.text(Name));
      if (Users.at(Device).size() > 1)
        Group += fmt::format(" (process {})", Source.text(Its.Process));
      return Group;
    }
    for (const Process &Each : Source.Processes)
      if (Each.Pid == Its.Process && Each.Name)
        return fmt::format("{} ({})", Source.text(Each.Name), Source.text(Its.Process));
    return fmt::format("process {}", Source.text(Its.Process));
  }

  /// Why each device was idle: a lane for each, with the main reason of each gap.
  void addIdle(const DeviceReport &Devices) {
    std::map<std::pair<int32_t, std::string>, std::vector<uint32_t>> ByGroup;
    std::map<std::string_view, uint32_t> NameOf;
    for (const IdleGap &Gap : Devices.Gaps) {
      // A requested window may begin before the first event.
      const int64_t Until = Source.Events.BeginNs[Gap.Work] - BeginNs;
      const int64_t Ns = std::min(Gap.Why.insideNs(), Until);
      if (Ns <= 0)
        continue;
      const std::string_view Why = mainReasonOf(Gap.Why).second;
      const auto [Known, New] = NameOf.try_emplace(Why, static_cast<uint32_t>(Made.Names.size()));
      if (New) {
        Made.Names.emplace_back(fmt::format("idle: {}", Why));
        Made.KindOfName.push_back(IdleKind);
      }
      const TrackId Track = Source.Events.Track[Gap.Work];
      const int32_t Device = Source.Sites[Source.Events.Site[Gap.Work]].Device;
      ByGroup[{Device, groupOf(Track)}].push_back(static_cast<uint32_t>(Made.Events.size()));
      Made.Events.push_back({Until - Ns, Ns, Known->second});
    }
    for (auto &[Of, Events] : ByGroup) {
      sort(Events);
      Lanes.emplace_back(Of.first,
                         Timeline::Lane{"why it is idle", Of.second, "idle", std::move(Events)});
    }
  }

  const ReportContext &In;
  const Trace &Source;
  std::vector<int32_t> DeviceOf; ///< by track; -1: the host
  int64_t BeginNs = 0;
  std::map<std::pair<StringId, uint8_t>, uint32_t> Names;
  std::map<int32_t, std::set<StringId>> Users;           ///< by device: processes that use it
  std::vector<std::pair<int32_t, Timeline::Lane>> Lanes; ///< with their device; -1: none
  Timeline Made;
};

/// The steps that the program marked, and outliers among them.
std::optional<Series> stepSeries(const ReportContext &In) {
  std::vector<std::tuple<int64_t, int64_t, StringId>> Steps;
  for (size_t I = 0; I < In.Source.Events.size(); ++I) {
    const Site &What = In.site(In.Source.Events.Site[I]);
    if (What.Kind == SiteKind::Span && isStepName(In.Source.text(What.Name)))
      Steps.emplace_back(In.Source.Events.BeginNs[I], In.Source.Events.DurationNs[I], What.Name);
  }
  if (Steps.size() < 2)
    return std::nullopt;
  std::ranges::sort(Steps);
  Series Made;
  std::vector<int64_t> Ns;
  for (const auto &[Begin, Duration, Name] : Steps) {
    Made.Labels.emplace_back(In.Source.text(Name));
    Ns.push_back(Duration);
  }
  std::vector<int64_t> Sorted = Ns;
  std::ranges::sort(Sorted);
  const int64_t Median = Sorted[(Sorted.size() - 1) / 2];
  // Tukey's fence: above the upper quartile by one and a half times the interquartile range.
  const int64_t Low = Sorted[Sorted.size() / 4], High = Sorted[Sorted.size() * 3 / 4];
  for (size_t I = 0; I < Ns.size(); ++I)
    if (Ns[I] > High + (High - Low) * 3 / 2 && Ns[I] > Median)
      Made.Outliers.push_back(I);
  Made.MedianNs = Median;
  Made.Lines.emplace_back("step", std::move(Ns));
  return Made;
}

} // namespace

void addTimeline(Section &To, const Context &In) {
  if (!In->Input.Page || !In->Source.Events.size())
    return;
  To.add(Chart{"timeline", "What ran where and when", Builder(*In).build()});
  if (auto Steps = stepSeries(*In))
    To.add(Chart{"steps", "Steps", std::move(*Steps)});
}

} // namespace seamscope::tools
