//===- Launches.cpp - launches whose work is not in the trace ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include "analysis/core/Order.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {

bool launchesWork(std::string_view Name) {
  static constexpr std::string_view Begins[] = {"cudaLaunch",
                                                "cuLaunch",
                                                "cudaGraphLaunch",
                                                "cuGraphLaunch",
                                                "hipLaunchKernel",
                                                "hipExtLaunchKernel",
                                                "hipModuleLaunch",
                                                "hipExtModuleLaunch",
                                                "hipLaunchCooperat",
                                                "hipGraphLaunch",
                                                "hipExtLaunch",
                                                "urEnqueueKernelLaunch",
                                                "piEnqueueKernelLaunch",
                                                "Node@launch"};
  return Name.find("HostFunc") == Name.npos &&
         std::ranges::any_of(Begins, [&](std::string_view Each) { return Name.starts_with(Each); });
}

namespace {

/// The stretches of each thread in which launches become nodes of a graph and run nothing.
std::vector<std::vector<std::pair<int64_t, int64_t>>> captures(const Trace &Source) {
  const EventColumns &Events = Source.Events;
  std::vector<std::vector<std::pair<int64_t, int64_t>>> ByTrack;
  enum class Side : uint8_t { None, Begin, End };
  std::vector<Side> Sides(Source.Sites.size(), Side::None);
  bool Any = false;
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
    const std::string_view Name = Source.text(Source.Sites[Id].Name);
    if (Source.Sites[Id].Kind != SiteKind::Launch)
      continue;
    if (Name.find("StreamBeginCapture") != Name.npos)
      Sides[Id] = Side::Begin, Any = true;
    else if (Name.find("StreamEndCapture") != Name.npos)
      Sides[Id] = Side::End;
  }
  if (!Any)
    return ByTrack;
  ByTrack.resize(Source.Tracks.size());
  for (const uint32_t I : orderedByTrack(Source, eventsWhere(Source, [&](uint32_t I) {
                                           return Sides[Events.Site[I]] != Side::None;
                                         }))) {
    auto &Stretches = ByTrack[Events.Track[I]];
    if (Sides[Events.Site[I]] == Side::Begin)
      Stretches.emplace_back(Events.BeginNs[I], INT64_MAX);
    else if (!Stretches.empty() && Stretches.back().second == INT64_MAX)
      Stretches.back().second = Events.BeginNs[I];
  }
  return ByTrack;
}

/// Of the launches, by event, those that are part of another one which has its work: a driver's
/// call inside the runtime's, where both were recorded.
std::vector<uint32_t> withoutNested(const Trace &Source, std::vector<uint32_t> Unserved,
                                    const std::vector<uint32_t> &Served) {
  const EventColumns &Events = Source.Events;
  std::vector<uint32_t> All = Unserved;
  All.insert(All.end(), Served.begin(), Served.end());
  std::ranges::sort(All);
  const std::vector<uint32_t> Order = orderedByTrack(Source, std::move(All));
  const std::set<uint32_t> Lacking(Unserved.begin(), Unserved.end());
  std::set<uint32_t> Nested;
  uint32_t Outer = NoEvent;
  for (const uint32_t I : Order) {
    const bool Inside = Outer != NoEvent && Events.Track[Outer] == Events.Track[I] &&
                        Events.endNs(I) <= Events.endNs(Outer);
    if (!Inside) {
      Outer = I;
      continue;
    }
    if (Lacking.contains(I))
      Nested.insert(I);
    else
      Nested.insert(Outer); // a served one is not in the list
  }
  std::erase_if(Unserved, [&](uint32_t I) { return Nested.contains(I); });
  return Unserved;
}

} // namespace

UnservedLaunches unservedLaunches(const Trace &Source, const std::vector<Origin> &Links,
                                  const std::vector<uint32_t> &Elsewhere) {
  UnservedLaunches Found;
  const EventColumns &Events = Source.Events;
  std::vector<bool> Launches(Source.Sites.size());
  bool Any = false;
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id)
    Any |= Launches[Id] = Source.Sites[Id].Kind == SiteKind::Launch &&
                          launchesWork(Source.text(Source.Sites[Id].Name));
  if (!Any)
    return Found;
  std::vector<bool> HasWork(Events.size());
  for (const Origin &Link : Links)
    if (Link.Launch != NoEvent)
      HasWork[Link.Launch] = true;
  for (const uint32_t I : Elsewhere)
    HasWork[I] = true;
  std::vector<uint32_t> Served, Unserved;
  std::vector<int64_t> UnservedIds;
  for (const Correlation &Of : Source.Correlations) {
    // A number that says nothing is 0.
    if (!Launches[Events.Site[Of.Event]] || Of.Id == 0)
      continue;
    ++Found.All;
    if (!HasWork[Of.Event])
      Unserved.push_back(Of.Event), UnservedIds.push_back(Of.Id);
  }
  if (Unserved.empty())
    return Found;
  // Of several calls with one number the first has the work.
  std::vector<int64_t> Ids;
  for (const Correlation &Of : Source.Correlations)
    if (const Site &What = Source.Sites[Events.Site[Of.Event]];
        isDeviceWork(What.Kind, What.Device))
      Ids.push_back(Of.Id);
    else if (Launches[Events.Site[Of.Event]] && HasWork[Of.Event])
      Served.push_back(Of.Event);
  std::ranges::sort(Ids);
  size_t Next = 0;
  std::erase_if(Unserved,
                [&](uint32_t) { return std::ranges::binary_search(Ids, UnservedIds[Next++]); });
  if (const auto Captures = captures(Source); !Captures.empty())
    std::erase_if(Unserved, [&](uint32_t I) {
      return std::ranges::any_of(Captures[Events.Track[I]], [&](const auto &Stretch) {
        return Events.BeginNs[I] >= Stretch.first && Events.BeginNs[I] < Stretch.second;
      });
    });
  Found.Events = withoutNested(Source, std::move(Unserved), Served);
  Found.OtherWork = !Ids.empty();
  return Found;
}

void checkLaunches(Trace &Source, const std::vector<Origin> &Links,
                   const std::vector<uint32_t> &Elsewhere) {
  const UnservedLaunches Found = unservedLaunches(Source, Links, Elsewhere);
  if (Found.Events.empty())
    return;
  for (const uint32_t I : Found.Events)
    Source.Details.Unserved.push_back({I});
  const auto [Ns, Names] = sumUp(Source, Found.Events);
  const char *const Has = Found.Events.size() == 1 ? "has" : "have";
  const std::string Calls =
      fmt::format("{} of {} launch{} ({}) {} no kernel in the trace", Found.Events.size(),
                  Found.All, Found.All == 1 ? "" : "es", fmt::join(Names, ", "), Has);
  addFinding(Source, HealthCheck::LaunchesWithoutWork, Found.Events, Ns,
             !Found.OtherWork
                 ? Calls + ", nor is there other work of a device; what the device did, and "
                           "the rates of operators that launched it, are unknown"
                 : Calls + "; why devices are idle after them is unknown");
}

} // namespace seamscope::tools
