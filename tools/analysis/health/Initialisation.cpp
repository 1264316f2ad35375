//===- Initialisation.cpp - calls that set up a device -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include "analysis/core/Order.h"
#include "analysis/torch/Steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// "cudaFree" of CUDA, and "hipFree" of HIP, are "Free".
std::string_view withoutPrefix(std::string_view Name) {
  for (const std::string_view Prefix : {"cuda", "hip", "cu"})
    if (Name.starts_with(Prefix))
      return Name.substr(Prefix.size());
  return {};
}

/// Calls that set up a device or a stream, load code or get memory, all of which take long once.
bool setsUp(const Trace &Source, const Site &What) {
  if (What.Kind != SiteKind::Launch || What.Kernel)
    return false;
  const std::string_view Name = Source.text(What.Name);
  static constexpr std::string_view Begins[] = {"ModuleLoad",
                                                "ModuleGetFunction",
                                                "LibraryLoad",
                                                "FuncGetAttributes",
                                                "FuncSetAttribute",
                                                "Init",
                                                "SetDevice",
                                                "GetDeviceCount",
                                                "GetDeviceProp",
                                                "DeviceGetStreamPriorityRange",
                                                "DevicePrimaryCtxRetain",
                                                "CtxCreate",
                                                "StreamCreate",
                                                "StreamIsCapturing",
                                                "EventCreate",
                                                "MemPoolCreate",
                                                "MemGetInfo",
                                                "OccupancyMaxActive",
                                                "Malloc",
                                                "HostAlloc",
                                                "Free"};
  const std::string_view Call = withoutPrefix(Name);
  return launchesWork(Name) ||
         std::ranges::any_of(Begins, [&](std::string_view Each) { return Call.starts_with(Each); });
}

/// When devices worked.
class BusyTimes {
public:
  BusyTimes(const Trace &Source, const std::vector<Origin> &Links) {
    for (const Origin &Link : Links) {
      const int64_t Begin = Source.Events.BeginNs[Link.Work];
      All.emplace_back(Begin, Source.Events.endNs(Link.Work));
      if (Link.Launch == NoEvent)
        continue;
      int64_t &First = FirstOf.try_emplace(Link.Launch, Begin).first->second;
      First = std::min(First, Begin);
    }
    std::ranges::sort(All);
    for (size_t I = 1; I < All.size(); ++I)
      All[I].second = std::max(All[I].second, All[I - 1].second);
  }

  /// Whether any did during a call, but for what it launched: the call waits for room in a queue,
  /// or for the device.
  bool anyDuring(const EventColumns &Events, uint32_t Call) const {
    const auto Own = FirstOf.find(Call);
    const int64_t End =
        Own == FirstOf.end() ? Events.endNs(Call) : std::min(Own->second, Events.endNs(Call));
    const auto Behind = std::ranges::lower_bound(All, std::pair(End, INT64_MIN));
    return Behind != All.begin() && std::prev(Behind)->second > Events.BeginNs[Call];
  }

private:
  std::vector<std::pair<int64_t, int64_t>> All;  ///< begin, and the last end up to here
  std::unordered_map<uint32_t, int64_t> FirstOf; ///< begin of a launch's first work
};

/// The launches that run a kernel for the first time: those that may load it. A later one, or one
/// whose kernel is not in the trace, takes long for another reason: a profiler that runs each
/// kernel many times over to count, a debugger.
std::set<uint32_t> firstLaunches(const Trace &Source, const std::vector<Origin> &Links) {
  const EventColumns &Events = Source.Events;
  std::map<StringId, uint32_t> OfKernel; // by name
  for (const Origin &Link : Links) {
    if (Link.Launch == NoEvent)
      continue;
    uint32_t &First =
        OfKernel.try_emplace(Source.Sites[Events.Site[Link.Work]].Name, Link.Launch).first->second;
    if (Events.BeginNs[Link.Launch] < Events.BeginNs[First])
      First = Link.Launch;
  }
  std::set<uint32_t> All;
  for (const auto &[Name, Launch] : OfKernel)
    All.insert(Launch);
  return All;
}

} // namespace

void checkInitialisation(Trace &Source, const std::vector<Origin> &Links) {
  const EventColumns &Events = Source.Events;
  std::vector<bool> Wanted;
  for (const Site &What : Source.Sites)
    Wanted.push_back(setsUp(Source, What));
  // What takes less is not worth a word beside what programs do.
  constexpr int64_t LongNs = 10'000'000;
  std::vector<uint32_t> Long = eventsWhere(
      Source, [&](uint32_t I) { return Wanted[Events.Site[I]] && Events.DurationNs[I] >= LongNs; });
  if (Long.empty())
    return;
  const BusyTimes Busy(Source, Links);
  std::erase_if(Long, [&](uint32_t I) { return Busy.anyDuring(Events, I); });
  const std::set<uint32_t> First = firstLaunches(Source, Links);
  std::erase_if(Long, [&](uint32_t I) {
    return launchesWork(Source.text(Source.Sites[Events.Site[I]].Name)) && !First.contains(I);
  });
  // What is part of compilation is apart with it.
  const CompilationTime Compiling(Source);
  std::erase_if(Long,
                [&](uint32_t I) { return Compiling.in(Events.BeginNs[I], Events.endNs(I)) > 0; });
  if (Long.empty())
    return;
  for (const uint32_t I : Long)
    Source.Details.Initialises.push_back({I});
  const auto [Ns, Names] = sumUp(Source, Long);
  addFinding(Source, HealthCheck::Initialisation, Long, Ns,
             fmt::format("{} ({}) took {} to set up a device, load code or get memory, which "
                         "happens once; devices that are idle meanwhile do not wait for launches",
                         counted(Long.size(), "call"), fmt::join(Names, ", "), timeText(Ns)));
}

} // namespace seamscope::tools
