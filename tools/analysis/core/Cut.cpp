//===- Cut.cpp - a part of a trace as a trace ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Cut.h"

#include "analysis/core/Throttled.h"
#include "trace/io/Decimal.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// A time with its unit, in ns.
std::optional<int64_t> parseTime(std::string_view Text) {
  const size_t Unit = Text.find_first_not_of("0123456789.");
  if (!Unit || Unit == Text.npos)
    return std::nullopt;
  // The decimal parser reads µs.
  const std::string_view Name = Text.substr(Unit);
  const char *Exponent = Name == "ns"   ? "e-3"
                         : Name == "us" ? "e0"
                         : Name == "ms" ? "e3"
                         : Name == "s"  ? "e6"
                                        : nullptr;
  if (!Exponent)
    return std::nullopt;
  return nanosecondsFromMicroseconds(std::string(Text.substr(0, Unit)) + Exponent);
}

} // namespace

std::optional<TimeRange> extentOf(const Trace &Input) {
  const EventColumns &Events = Input.Events;
  if (!Events.size())
    return std::nullopt;
  TimeRange All{INT64_MAX, INT64_MIN};
  for (size_t I = 0; I < Events.size(); ++I) {
    All.BeginNs = std::min(All.BeginNs, Events.BeginNs[I]);
    All.EndNs = std::max(All.EndNs, Events.endNs(I));
  }
  return All;
}

std::optional<TimeRange> extentWithSums(const Trace &Input) {
  std::optional<TimeRange> All = extentOf(Input);
  if (!All && !Input.Profile.empty())
    All = {INT64_MAX, INT64_MIN};
  for (const ProfileRow &Row : Input.Profile) {
    All->BeginNs = std::min(All->BeginNs, Row.FirstNs);
    All->EndNs = std::max(All->EndNs, Row.LastNs);
  }
  return All;
}

std::optional<TimeRange> stepRange(const Trace &Input, int64_t Number) {
  const std::string Name = fmt::format("ProfilerStep#{}", Number);
  for (size_t I = 0; I < Input.Events.size(); ++I)
    if (const Site &What = Input.Sites[Input.Events.Site[I]];
        What.Kind == SiteKind::Span && Input.text(What.Name) == Name)
      return TimeRange{Input.Events.BeginNs[I], Input.Events.endNs(I)};
  return std::nullopt;
}

std::optional<TimeRange> parseRange(std::string_view Text, TimeRange Whole) {
  const size_t Dots = Text.find("..");
  if (Dots == Text.npos)
    return std::nullopt;
  const std::string_view From = Text.substr(0, Dots), To = Text.substr(Dots + 2);
  TimeRange Range = Whole;
  const auto Set = [&](std::string_view Word, int64_t &Ns) {
    const std::optional<int64_t> Offset = parseTime(Word);
    return Offset && !__builtin_add_overflow(Whole.BeginNs, *Offset, &Ns);
  };
  if ((!From.empty() && !Set(From, Range.BeginNs)) || (!To.empty() && !Set(To, Range.EndNs)) ||
      Range.BeginNs >= Range.EndNs || Range.BeginNs > Whole.EndNs)
    return std::nullopt;
  return Range;
}

std::string whyNoRange(std::string_view Text, TimeRange Whole) {
  const std::optional<TimeRange> OnItsOwn = parseRange(Text, {0, INT64_MAX});
  if (OnItsOwn && OnItsOwn->BeginNs >= Whole.EndNs - Whole.BeginNs)
    return fmt::format("begins after the end of the trace, which lasts {} ms",
                       static_cast<double>(Whole.EndNs - Whole.BeginNs) / 1e6);
  const size_t Dots = Text.find("..");
  if (Dots != Text.npos && Dots && Dots + 2 < Text.size() && parseTime(Text.substr(0, Dots)) &&
      parseTime(Text.substr(Dots + 2)))
    return "does not end after it begins";
  return "is not a range like 10ms..1.5s, counted from the first event";
}

void keepEvents(Trace &Input, const std::vector<bool> &Stays) {
  EventColumns &Events = Input.Events;
  constexpr uint32_t Gone = UINT32_MAX;
  std::vector<uint32_t> Places(Events.size(), Gone);
  uint32_t Count = 0;
  for (size_t I = 0; I < Events.size(); ++I)
    if (Stays[I])
      Places[I] = Count++;
  const auto Shrink = [&](auto &Column) {
    if (Column.empty())
      return;
    for (size_t I = 0; I < Places.size(); ++I)
      if (Places[I] != Gone)
        Column[Places[I]] = Column[I];
    Column.resize(Count);
  };
  Shrink(Events.BeginNs);
  Shrink(Events.DurationNs);
  Shrink(Events.Site);
  Shrink(Events.Track);
  Shrink(Events.TeamThread);
  Shrink(Events.Offset);
  const auto Move = [&](auto &Rows) {
    if constexpr (requires { Rows[0].Event; })
      std::erase_if(Rows, [&](auto &Row) { return (Row.Event = Places[Row.Event]) == Gone; });
  };
  Move(Input.Correlations);
  Move(Input.Open);
  std::erase_if(Input.Details.Queued,
                [&](QueuedLaunch &Row) { return (Row.By = Places[Row.By]) == Gone; });
  Input.Details.forEach(Move);
}

void cutTo(Trace &Input, TimeRange Range) {
  Input.Work.clear(); // of the whole run: how much of it was in the range is not known
  EventColumns &Events = Input.Events;
  const ThrottledEntries Throttles(Input);
  const std::vector<uint64_t> TimedOfAll = Throttles.counts();
  std::vector<bool> Stays(Events.size());
  for (size_t I = 0; I < Events.size(); ++I) {
    const int64_t Begin = std::max(Events.BeginNs[I], Range.BeginNs);
    const int64_t End = std::min(Events.endNs(I), Range.EndNs);
    Stays[I] = Events.DurationNs[I] ? Begin < End : Begin == End && End < Range.EndNs;
    if (!Stays[I])
      continue;
    Events.BeginNs[I] = Begin;
    Events.DurationNs[I] = End - Begin;
  }
  keepEvents(Input, Stays);
  std::erase_if(Input.Details.Memory, [&](const MemoryChange &Change) {
    return Change.Ns < Range.BeginNs || Change.Ns >= Range.EndNs;
  });
  // It is not known when the others ran; they count like the timed ones.
  const std::vector<uint64_t> TimedOfPart = Throttles.counts();
  for (size_t I = 0; I < TimedOfAll.size(); ++I) {
    const uint64_t All = TimedOfAll[I], Part = TimedOfPart[I];
    const auto Cut = [&](uint64_t Count) {
      return All ? static_cast<uint64_t>(static_cast<unsigned __int128>(Count) * Part / All) : 0;
    };
    Input.Throttled[I].Untimed = Cut(Input.Throttled[I].Untimed);
    Input.Throttled[I].Timed = Cut(Input.Throttled[I].Timed);
  }
}

} // namespace seamscope::tools
