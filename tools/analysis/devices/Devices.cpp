//===- Devices.cpp - work of devices, and its launches --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Devices.h"

#include "analysis/core/Cut.h"
#include "analysis/core/KernelRows.h"
#include "analysis/core/Order.h"
#include "analysis/torch/Steps.h"
#include "kernels/Category.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace seamscope::tools {
namespace {

using Times = std::vector<std::pair<int64_t, int64_t>>;

/// When the host, on any thread, waited for a device.
Times waits(const Trace &Input) {
  const EventColumns &Events = Input.Events;
  std::vector<bool> IsWait(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    // A function of the CUDA runtime, not a kernel of that name.
    IsWait[Id] = Input.Sites[Id].Kind == SiteKind::Launch && !Input.Sites[Id].Kernel &&
                 Input.text(Input.Sites[Id].Name).find("Synchronize") != std::string_view::npos;
  Times All;
  for (size_t I = 0; I < Events.size(); ++I)
    if (IsWait[Events.Site[I]])
      All.emplace_back(Events.BeginNs[I], Events.endNs(I));
  return All;
}

/// When it set up a device.
Times initialisations(const Trace &Input) {
  Times All;
  for (const MarkedEvent &Of : Input.Details.Initialises)
    All.emplace_back(Input.Events.BeginNs[Of.Event], Input.Events.endNs(Of.Event));
  return All;
}

/// Disjoint times of the host, by begin.
class HostTimes {
public:
  explicit HostTimes(Times All) {
    std::ranges::sort(All);
    for (const auto &[Begin, End] : All)
      if (Spans.empty() || Begin > Spans.back().End)
        Spans.push_back({Begin, End, 0});
      else
        Spans.back().End = std::max(Spans.back().End, End);
    for (size_t I = 1; I < Spans.size(); ++I)
      Spans[I].Before = Spans[I - 1].Before + Spans[I - 1].End - Spans[I - 1].Begin;
  }

  /// How much of the stretch they cover.
  int64_t within(int64_t Begin, int64_t End) const {
    return Begin < End ? coveredUntil(End) - coveredUntil(Begin) : 0;
  }

private:
  struct Span {
    int64_t Begin, End;
    int64_t Before; ///< time covered by all earlier spans
  };

  int64_t coveredUntil(int64_t Ns) const {
    const auto Next = std::ranges::upper_bound(Spans, Ns, {}, &Span::Begin);
    if (Next == Spans.begin())
      return 0;
    const Span &Last = *std::prev(Next);
    return Last.Before + std::min(Ns, Last.End) - Last.Begin;
  }

  std::vector<Span> Spans;
};

/// What the host does while a device is idle.
struct HostDoes {
  HostTimes Waits, Initialises;
  const CompilationTime *Compiles; ///< null: compilation is part of the window

  int64_t compiling(int64_t Begin, int64_t End) const {
    return Compiles ? Compiles->in(Begin, End) : 0;
  }
};

/// When each process launched work that is not in the trace.
class MissingWork {
public:
  explicit MissingWork(const Trace &Input) : Input(Input) {
    for (const MarkedEvent &Launch : Input.Details.Unserved)
      Begins[processOf(Launch.Event)].push_back(Input.Events.BeginNs[Launch.Event]);
    for (auto &[Process, Times] : Begins)
      std::ranges::sort(Times);
  }

  bool empty() const { return Begins.empty(); }

  /// The first such launch after \p Since by the process that made \p Launch.
  int64_t firstAfter(int64_t Since, uint32_t Launch) const {
    const auto Found = Launch == NoEvent ? Begins.end() : Begins.find(processOf(Launch));
    if (Found == Begins.end())
      return INT64_MAX;
    const auto Next = std::ranges::upper_bound(Found->second, Since);
    return Next == Found->second.end() ? INT64_MAX : *Next;
  }

private:
  StringId processOf(uint32_t Event) const {
    return Input.Tracks[Input.Events.Track[Event]].Process;
  }

  const Trace &Input;
  std::map<StringId, std::vector<int64_t>> Begins;
};

/// For each device, when its clipped work ends by the trace: until then it is not known what its
/// stream did.
class ClippedWork {
public:
  explicit ClippedWork(const Trace &Input) {
    for (const ClippedEvent &Of : Input.Details.Clipped)
      Spans[Input.Sites[Input.Events.Site[Of.Event]].Device].push_back(
          {Input.Events.BeginNs[Of.Event], Of.EndNs});
    for (auto &[Device, All] : Spans) {
      std::ranges::sort(All);
      for (size_t I = 1; I < All.size(); ++I)
        All[I].second = std::max(All[I].second, All[I - 1].second);
    }
  }

  /// Whether a stretch of the device that begins at \p Ns is in such a time.
  bool covers(int32_t Device, int64_t Ns) const {
    const auto Found = Spans.find(Device);
    if (Found == Spans.end())
      return false;
    const auto Next = std::ranges::upper_bound(Found->second, std::pair(Ns, INT64_MAX));
    return Next != Found->second.begin() && std::prev(Next)->second > Ns;
  }

private:
  std::map<int32_t, Times> Spans; ///< by device: begin, and the last end so far
};

/// Why the device was idle from \p Begin until \p Link's work began. \p IsKnown: the launch is in
/// the trace, and no missing work can have run before it.
IdleReasons reasonsOf(const EventColumns &Events, const HostDoes &Host, const Origin &Link,
                      int64_t Begin, bool IsKnown) {
  IdleReasons Idle;
  const int64_t End = Events.BeginNs[Link.Work];
  if (!IsKnown || beginsBeforeLaunch(Events, Link)) {
    Idle.UnknownNs = End - Begin - Host.compiling(Begin, End);
    return Idle;
  }
  const int64_t Launched = std::clamp(Events.endNs(Link.Launch), Begin, End);
  int64_t Left = Launched - Begin - Host.compiling(Begin, Launched);
  const auto Take = [&](int64_t Ns) {
    Ns = std::min(Ns, Left);
    Left -= Ns;
    return Ns;
  };
  Idle.InitNs = Take(Host.Initialises.within(Begin, Launched));
  Idle.SyncNs = Take(Host.Waits.within(Begin, Launched));
  Idle.HostNs = Left;
  Idle.LatencyNs = End - Launched - Host.compiling(Launched, End);
  return Idle;
}

} // namespace

std::vector<DeviceRow> deviceRows(const Trace &Input, int64_t WindowNs,
                                  const std::vector<Origin> &Links, std::vector<IdleGap> *Gaps) {
  const EventColumns &Events = Input.Events;
  const auto DeviceOf = [&](uint32_t I) { return Input.Sites[Events.Site[I]].Device; };
  std::vector<int32_t> Ids;
  for (const Site &What : Input.Sites)
    if (isDeviceWork(What.Kind, What.Device))
      Ids.push_back(What.Device);
  std::ranges::sort(Ids);
  Ids.erase(std::ranges::unique(Ids).begin(), Ids.end());
  std::vector<uint32_t> Work;
  for (const Origin &Link : Links)
    Work.push_back(Link.Work);
  Work = ordered(
      Input, std::move(Work), Ids.size(),
      [&](uint32_t I) {
        return static_cast<size_t>(std::ranges::lower_bound(Ids, DeviceOf(I)) - Ids.begin());
      },
      [](uint32_t) { return 0; });

  // Links are by event.
  const auto LinkOf = [&](uint32_t I) -> const Origin & {
    return *std::ranges::lower_bound(Links, I, {}, &Origin::Work);
  };
  // If compilation is not part of the window, it is not part of gaps.
  const auto Whole = extentOf(Input);
  std::optional<CompilationTime> Compiles;
  if (Whole && Whole->EndNs - Whole->BeginNs > WindowNs)
    Compiles.emplace(Input);
  const HostDoes Host = {HostTimes(waits(Input)), HostTimes(initialisations(Input)),
                         Compiles ? &*Compiles : nullptr};
  const MissingWork Missing(Input);
  const ClippedWork Clipped(Input);
  std::vector<DeviceRow> Rows;
  int64_t CoveredTo = 0;
  std::vector<int64_t> EdgesNs;  // by row: idle time at the edges, where work is missing
  uint32_t LastLaunch = NoEvent; // of the latest work so far
  const auto LaunchedTo = [&] {
    return LastLaunch == NoEvent ? INT64_MIN : Events.BeginNs[LastLaunch];
  };
  bool IsSkewed = false;
  const auto Close = [&] {
    Rows.back().LastNs = CoveredTo;
    if (Missing.firstAfter(LaunchedTo(), LastLaunch) != INT64_MAX)
      EdgesNs.back() += Whole->EndNs - CoveredTo;
  };
  for (const uint32_t I : Work) {
    const Origin &Link = LinkOf(I);
    if (Rows.empty() || Rows.back().Id != DeviceOf(I)) {
      if (!Rows.empty())
        Close();
      DeviceRow &New = Rows.emplace_back();
      New.Id = DeviceOf(I);
      New.Name = deviceName(Input, New.Id);
      New.FirstNs = CoveredTo = Events.BeginNs[I];
      IsSkewed = Input.Health.isSkewed(New.Id);
      LastLaunch = NoEvent;
      EdgesNs.push_back(0);
      if (Link.Launch != NoEvent &&
          Missing.firstAfter(INT64_MIN, Link.Launch) < Events.BeginNs[Link.Launch])
        EdgesNs.back() = New.FirstNs - Whole->BeginNs;
      if (Link.Launch != NoEvent && !IsSkewed)
        New.FirstDelayNs = std::max<int64_t>(New.FirstNs - Events.endNs(Link.Launch), 0);
    }
    DeviceRow &Row = Rows.back();
    if (Input.Sites[Events.Site[I]].Kind == SiteKind::Kernel) {
      ++Row.Kernels;
      Row.KernelNs += Events.DurationNs[I];
    }
    if (Events.BeginNs[I] > CoveredTo) {
      const bool IsKnown =
          !IsSkewed && Link.Launch != NoEvent && !Clipped.covers(Row.Id, CoveredTo) &&
          Missing.firstAfter(LaunchedTo(), Link.Launch) > Events.BeginNs[Link.Launch];
      const IdleReasons Why = reasonsOf(Events, Host, Link, CoveredTo, IsKnown);
      Row.Idle.add(Why);
      if (Why.LatencyNs > Row.LongestLatencyNs) {
        Row.LongestLatencyNs = Why.LatencyNs;
        Row.LongestLatency = I;
      }
      if (Input.Sites[Events.Site[I]].Kind != SiteKind::Kernel)
        Row.BeforeCopiesNs += Why.insideNs();
      if (Gaps)
        Gaps->push_back({I, Why});
      CoveredTo = Events.BeginNs[I];
    }
    if (Events.endNs(I) > CoveredTo) {
      Row.BusyNs += Events.endNs(I) - CoveredTo;
      CoveredTo = Events.endNs(I);
    }
    if (Link.Launch != NoEvent && Events.BeginNs[Link.Launch] >= LaunchedTo())
      LastLaunch = Link.Launch;
  }
  if (!Rows.empty())
    Close();
  for (size_t I = 0; I < Rows.size(); ++I) {
    DeviceRow &Row = Rows[I];
    Row.IdleNs = WindowNs - Row.BusyNs;
    Row.Idle.UnknownNs +=
        std::clamp<int64_t>(EdgesNs[I], 0, std::max<int64_t>(Row.IdleNs - Row.Idle.insideNs(), 0));
    Row.Idle.OutsideNs = Row.IdleNs - Row.Idle.insideNs();
  }
  return Rows;
}

bool beginsBeforeLaunch(const EventColumns &Events, const Origin &Link) {
  constexpr int64_t RoundingNs = 1000;
  return Link.Launch != NoEvent &&
         Events.BeginNs[Link.Work] < Events.BeginNs[Link.Launch] - RoundingNs;
}

namespace {

/// By site, whether \p Is holds for it: a byte is faster to look up than a site.
template <typename Fn> std::vector<uint8_t> sitesWhere(const Trace &Input, Fn Is) {
  std::vector<uint8_t> Result;
  for (const Site &What : Input.Sites)
    Result.push_back(Is(What));
  return Result;
}

/// The first call of each correlation that launches something. If calls at other times or on other
/// threads have the same number, as in a file of several processes, the number is not used.
class LaunchIndex {
public:
  explicit LaunchIndex(const Trace &Input) : Input(Input) {
    const std::vector<uint8_t> Launches =
        sitesWhere(Input, [](const Site &What) { return What.Kind == SiteKind::Launch; });
    const auto IsLaunch = [&](const Correlation &C) {
      return Launches[Input.Events.Site[C.Event]] != 0;
    };
    int64_t Most = INT64_MIN;
    for (const Correlation &C : Input.Correlations)
      if (IsLaunch(C)) {
        Least = std::min(Least, C.Id);
        Most = std::max(Most, C.Id);
      }
    if (Most < Least)
      return;
    // Writers count up: for nearly all traces a table by number is small.
    const auto Range = static_cast<uint64_t>(Most) - static_cast<uint64_t>(Least);
    if (Range / 4 <= Input.Correlations.size()) {
      Table.assign(Range + 1, NoEvent);
      for (const Correlation &C : Input.Correlations)
        if (IsLaunch(C))
          take(Table[static_cast<uint64_t>(C.Id - Least)], C.Event);
      std::ranges::replace(Table, Several, NoEvent);
      return;
    }
    std::ranges::copy_if(Input.Correlations, std::back_inserter(Sorted), IsLaunch);
    if (!std::ranges::is_sorted(Sorted, {}, Key))
      std::ranges::sort(Sorted, {}, Key);
  }

  uint32_t find(int64_t Id) const {
    if (!Table.empty()) {
      const auto At = static_cast<uint64_t>(Id) - static_cast<uint64_t>(Least);
      return At < Table.size() ? Table[At] : NoEvent;
    }
    uint32_t First = NoEvent;
    for (auto Found = std::ranges::lower_bound(Sorted, Id, {}, &Correlation::Id);
         Found != Sorted.end() && Found->Id == Id; ++Found)
      take(First, Found->Event);
    return First == Several ? NoEvent : First;
  }

private:
  static constexpr uint32_t Several = NoEvent - 1;

  static std::pair<int64_t, uint32_t> Key(const Correlation &C) { return {C.Id, C.Event}; }

  /// Adds a call with a number that \p First had first.
  void take(uint32_t &First, uint32_t Call) const {
    const EventColumns &Events = Input.Events;
    if (First == NoEvent)
      First = Call;
    else if (First != Several && (Events.Track[First] != Events.Track[Call] ||
                                  Events.BeginNs[Call] > Events.endNs(First) ||
                                  Events.BeginNs[First] > Events.endNs(Call)))
      First = Several;
  }

  const Trace &Input;
  std::vector<uint32_t> Table;     ///< from Least on
  std::vector<Correlation> Sorted; ///< used if the table would be large
  int64_t Least = INT64_MAX;
};

} // namespace

std::vector<Origin> linkLaunches(const Trace &Input) {
  const std::vector<uint8_t> Works =
      sitesWhere(Input, [](const Site &What) { return isDeviceWork(What.Kind, What.Device); });
  std::vector<Origin> Links;
  const std::vector<SiteId> &Of = Input.Events.Site;
  Links.reserve(
      static_cast<size_t>(std::ranges::count_if(Of, [&](SiteId Id) { return Works[Id]; })));
  for (uint32_t I = 0; I < Of.size(); ++I)
    if (Works[Of[I]])
      Links.push_back({I});
  if (Links.empty())
    return Links;
  const LaunchIndex Launches(Input);
  // Both lists are in the order of the events.
  size_t Next = 0;
  for (Origin &Link : Links) {
    while (Next < Input.Correlations.size() && Input.Correlations[Next].Event < Link.Work)
      ++Next;
    if (Next < Input.Correlations.size() && Input.Correlations[Next].Event == Link.Work)
      Link.Launch = Launches.find(Input.Correlations[Next].Id);
  }
  return Links;
}

std::vector<Origin> linkWork(const Trace &Input) {
  std::vector<Origin> Links = linkLaunches(Input);
  // The operator is around the call that requested it.
  const std::vector<QueuedLaunch> &Queued = Input.Details.Queued;
  const auto AskedBy = [&](uint32_t Launch) {
    const auto Found = std::ranges::lower_bound(Queued, Launch, {}, &QueuedLaunch::Event);
    return Found != Queued.end() && Found->Event == Launch ? Found->By : Launch;
  };
  std::vector<uint32_t> Calls;
  Calls.reserve(Links.size());
  for (const Origin &Link : Links)
    if (Link.Launch != NoEvent)
      Calls.push_back(AskedBy(Link.Launch));
  std::vector<bool> IsOperator(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    IsOperator[Id] = isHostOperator(Input.Sites[Id]);
  const std::vector<uint32_t> Around = innermostAround(Input, Calls, IsOperator, Within::Whole);
  for (Origin &Link : Links)
    if (Link.Launch != NoEvent)
      Link.Operator = Around[AskedBy(Link.Launch)];
  return Links;
}

LinkCounts countLinks(const Trace &Input, const std::vector<Origin> &Links) {
  LinkCounts Counts;
  for (const Origin &Link : Links) {
    if (Input.Sites[Input.Events.Site[Link.Work]].Kind != SiteKind::Kernel)
      continue;
    ++Counts.Kernels;
    Counts.Launched += Link.Launch != NoEvent;
    Counts.Linked += Link.Operator != NoEvent;
  }
  return Counts;
}

std::vector<CategoryRow> categoryRows(const Trace &Input, std::span<const UntimedShare> Untimed) {
  const bool AnyDevice = std::ranges::any_of(
      Input.Sites, [](const Site &What) { return isDeviceWork(What.Kind, What.Device); });
  constexpr size_t None = SIZE_MAX;
  std::vector<CategoryRow> Rows;
  std::vector<size_t> RowOf(Input.Sites.size(), None);
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    if (AnyDevice ? !isDeviceWork(What.Kind, What.Device) : What.Kind != SiteKind::Kernel)
      continue;
    const std::string_view Name = categoryName(
        What.Kind == SiteKind::Copy ? KernelCategory::Copy : categorize(Input.text(What.Name)));
    RowOf[Id] =
        static_cast<size_t>(std::ranges::find(Rows, Name, &CategoryRow::Name) - Rows.begin());
    if (RowOf[Id] == Rows.size())
      Rows.push_back({Name});
  }
  const std::vector<bool> Recursive =
      AnyDevice ? std::vector<bool>() : recursiveCalls(Input, kernelRows(Input));
  for (size_t I = 0; I < Input.Events.size(); ++I)
    if (const size_t Row = RowOf[Input.Events.Site[I]]; Row != None) {
      ++Rows[Row].Calls;
      if (Recursive.empty() || !Recursive[I])
        Rows[Row].TotalNs += Input.Events.DurationNs[I];
    }
  for (const UntimedShare &Calls : Untimed)
    if (const size_t Row = RowOf[Calls.Site]; Row != None) {
      Rows[Row].Calls += Calls.Calls;
      Rows[Row].TotalNs += Calls.Ns;
    }
  std::erase_if(Rows, [](const CategoryRow &Row) { return !Row.Calls; });
  std::ranges::sort(Rows, [](const CategoryRow &A, const CategoryRow &B) {
    return A.TotalNs != B.TotalNs ? A.TotalNs > B.TotalNs : A.Name < B.Name;
  });
  return Rows;
}

} // namespace seamscope::tools
