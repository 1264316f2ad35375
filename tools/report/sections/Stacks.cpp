//===- Stacks.cpp - traces for stack viewers ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Stacks.h"

#include "analysis/core/NestedTimes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

namespace seamscope::tools {
namespace {

/// The name and number of each track, with those of its process if there are several.
std::vector<std::string> threadNames(const Trace &Source) {
  std::set<StringId> Processes;
  for (const Track &Each : Source.Tracks)
    Processes.insert(Each.Process);
  std::vector<std::string> Names;
  for (const Track &Each : Source.Tracks) {
    const std::string_view Name = Source.text(Each.ThreadName), Thread = Source.text(Each.Thread);
    const std::string Shown =
        Name.empty() ? fmt::format("thread {}", Thread) : fmt::format("{} ({})", Name, Thread);
    Names.push_back(Processes.size() < 2
                        ? Shown
                        : fmt::format("process {} {}", Source.text(Each.Process), Shown));
  }
  return Names;
}

/// By site.
std::vector<StackFrame> framesOf(const Trace &Source) {
  std::vector<StackFrame> Frames;
  for (const Site &What : Source.Sites)
    Frames.push_back({Source.text(What.Name), Source.text(What.File), What.Line, What.Column});
  return Frames;
}

} // namespace

StackCalls stackCalls(const Trace &Source) {
  const auto Calls = std::make_shared<const NestedTimes>(nestedTimes(Source, sitesOfCalls(Source)));
  StackCalls Made;
  Made.Threads = threadNames(Source);
  Made.Frames = framesOf(Source);
  Made.Ids = Source.Events.size();
  Made.Count = Calls->Order.size();
  const auto CallOf = [&Source, Calls](uint32_t Event) {
    const uint32_t Outer = Calls->Parent[Event];
    return StackCalls::Call{Event, Outer == NoEvent ? StackCalls::NoCall : Outer,
                            Source.Events.Track[Event], Source.Events.Site[Event],
                            Calls->OwnNs[Event]};
  };
  Made.At = [Calls, CallOf](size_t Number) { return CallOf(Calls->Order[Number]); };
  if (Calls->Off.empty())
    return Made;
  // Time in which a thread did not run is inside the call, under a name of its own.
  const auto Blocked = static_cast<uint32_t>(Made.Frames.size()), Preempted = Blocked + 1;
  Made.Frames.push_back({"[blocked]", {}});
  Made.Frames.push_back({"[preempted]", {}});
  auto All = std::make_shared<std::vector<StackCalls::Call>>();
  for (const uint32_t Event : Calls->Order) {
    All->push_back(CallOf(Event));
    const OffTime &Off = Calls->Off[Event];
    for (const auto &[Frame, Ns] :
         {std::pair(Blocked, Off.BlockedNs), {Preempted, Off.PreemptedNs}})
      if (Ns)
        All->push_back(
            {static_cast<uint32_t>(Made.Ids++), Event, Source.Events.Track[Event], Frame, Ns});
  }
  Made.Count = All->size();
  Made.At = [All](size_t Number) { return (*All)[Number]; };
  return Made;
}

StackLanes stackLanes(const Trace &Source, const std::vector<Lane> &Lanes) {
  const EventColumns &Events = Source.Events;
  const int64_t Origin = Events.BeginNs.empty() ? 0 : *std::ranges::min_element(Events.BeginNs);
  const std::vector<std::string> Names = threadNames(Source);
  StackLanes Made;
  Made.Name = Source.Info.Path;
  Made.Frames = framesOf(Source);
  for (size_t I = 0; I < Lanes.size(); ++I) {
    const Lane &Each = Lanes[I];
    StackLanes::Lane &To = Made.Lanes.emplace_back();
    const bool IsFurther = I && Lanes[I - 1].Track == Each.Track;
    To.Name = Names[Each.Track] + (IsFurther ? ", overlapping" : "");
    for (const uint32_t Event : Each.Events)
      To.EndNs = std::max(To.EndNs, Events.endNs(Event) - Origin);
    To.Visit = [&Source, &Each, Origin](const std::function<void(const StackLanes::End &)> &Visit) {
      const EventColumns &Of = Source.Events;
      walk(
          Source, Each,
          [&](uint32_t Event) { Visit({true, Of.Site[Event], Of.BeginNs[Event] - Origin}); },
          [&](uint32_t Event) { Visit({false, Of.Site[Event], Of.endNs(Event) - Origin}); });
    };
  }
  return Made;
}

} // namespace seamscope::tools
