//===- Statistics.cpp - the numbers of a report ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Statistics.h"
#include "analysis/core/Cut.h"
#include "analysis/core/KernelRows.h"
#include "analysis/core/SelfTime.h"
#include "analysis/core/TeamParts.h"
#include "analysis/core/TeamWaits.h"
#include "analysis/samples/SplitWindow.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace seamscope::tools {
namespace {

/// Durations of one row: single ones, and buckets of a profile.
struct Samples {
  std::vector<int64_t> Single;
  std::vector<std::pair<int64_t, uint64_t>> Buckets;
  uint64_t ProfileCalls = 0;
  bool HasUntimed = false;
  uint64_t Sampled = 0; ///< calls in Buckets that stand for several
  int64_t SumNs = 0;    ///< of all calls
  int64_t TotalNs = 0;  ///< without calls inside others of the row
  int64_t MinNs = std::numeric_limits<int64_t>::max();
  int64_t MaxNs = 0;

  void add(int64_t Duration, bool IsRecursive, uint64_t Weight) {
    if (Weight == 1) {
      Single.push_back(Duration);
    } else {
      Buckets.emplace_back(Duration, Weight);
      ++Sampled;
    }
    SumNs += Duration;
    TotalNs += IsRecursive ? 0 : Duration;
    MinNs = std::min(MinNs, Duration);
    MaxNs = std::max(MaxNs, Duration);
  }
  void add(const ProfileRow &Row) {
    Buckets.insert(Buckets.end(), Row.HistogramNs.begin(), Row.HistogramNs.end());
    ProfileCalls += Row.Calls;
    SumNs += Row.TotalNs;
    TotalNs += Row.TotalNs;
    MinNs = std::min(MinNs, Row.MinNs);
    MaxNs = std::max(MaxNs, Row.MaxNs);
  }

  /// The duration of nearest rank: number ceil(Percent / 100 * calls) of the sorted ones.
  int64_t percentile(uint64_t Calls, unsigned Percent) {
    if (HasUntimed) { // timed calls that stand for all
      Calls = Single.size();
      for (const auto &[Floor, Count] : Buckets)
        Calls += Count;
    }
    const auto Rank =
        static_cast<uint64_t>((static_cast<unsigned __int128>(Calls) * Percent + 99) / 100);
    if (Buckets.empty()) {
      const auto At = Single.begin() + static_cast<ptrdiff_t>(Rank - 1);
      std::ranges::nth_element(Single, At);
      return *At;
    }
    std::vector<std::pair<int64_t, uint64_t>> All = Buckets;
    for (const int64_t Duration : Single)
      All.emplace_back(Duration, 1);
    std::ranges::sort(All);
    uint64_t Seen = 0;
    for (const auto &[Floor, Count] : All)
      if (__builtin_add_overflow(Seen, Count, &Seen) || Seen >= Rank)
        return std::clamp(Floor, MinNs, std::max(MinNs, MaxNs));
    return MaxNs; // the histogram has fewer calls than its row says
  }

  /// \p BiasNs: the time that stamps themselves take.
  CallStatistics summary(const UntimedCalls &Untimed, int64_t BiasNs) {
    CallStatistics Result;
    Result.Calls = Single.size() + Sampled + ProfileCalls + Untimed.Calls;
    Result.TotalNs = TotalNs + Untimed.Ns;
    if (Untimed.Calls) {
      Result.Untimed = Untimed;
      HasUntimed = true;
    }
    if (Result.Calls == Untimed.Calls)
      return Result;
    Result.MeanNs = roundedMean(SumNs + Untimed.Ns, Result.Calls);
    Result.MinNs = MinNs;
    Result.MaxNs = MaxNs;
    if (ProfileCalls && Buckets.empty())
      return Result; // sums without a histogram: percentiles are not known
    Result.MedianNs = percentile(Result.Calls, 50);
    Result.P99Ns = percentile(Result.Calls, 99);
    // Nearly all calls that the mean is of contain no stamp.
    if (Untimed.Calls)
      for (std::optional<int64_t> *Ns :
           {&Result.MinNs, &Result.MedianNs, &Result.P99Ns, &Result.MaxNs})
        *Ns = std::max<int64_t>(0, **Ns - BiasNs);
    return Result;
  }
};

/// One computation; its members are the steps.
class Computation {
public:
  Computation(const Trace &Input, std::string_view Apart, const CodeNames *Names)
      : Input(Input), Rows(kernelRows(Input)), Owners(Input, Rows), Times(Input), Apart(Apart),
        Names(Names) {}

  Statistics run() {
    makeRows();
    findWindow();
    addKernelTimes();
    if (Input.Profile.empty())
      attributeWindow();
    addRunningTimes();
    addRegions();
    // Sites of which no event could be kept.
    std::erase_if(Result.Kernels, [](const KernelRow &Row) {
      return !Row.Times.Calls && !Row.Abandoned && Row.Regions.empty();
    });
    return std::move(Result);
  }

private:
  void makeRows() {
    for (const SiteId First : Rows.Sites)
      Result.Kernels.emplace_back().Site = First;
  }

  void findWindow() {
    const std::optional<TimeRange> Whole = extentWithSums(Input);
    if (!Whole)
      return;
    WindowBegin = Whole->BeginNs;
    WindowEnd = Whole->EndNs;
    Result.WindowNs = WindowEnd - WindowBegin;
  }

  void addKernelTimes() {
    std::vector<Samples> Durations(Result.Kernels.size());
    const EventColumns &Events = Input.Events;
    const std::vector<bool> Recursive = recursiveCalls(Input, Rows);
    const std::vector<uint64_t> Weights = weightsOfEvents(Input);
    for (size_t I = 0; I < Events.size(); ++I)
      if (const uint32_t Row = Rows.OfSite[Events.Site[I]]; Row != KernelRows::None)
        Durations[Row].add(Events.DurationNs[I], !Recursive.empty() && Recursive[I],
                           Weights.empty() ? 1 : Weights[I]);
    for (const ProfileRow &Entry : Input.Profile)
      if (const uint32_t Row = Rows.OfSite[Entry.Site]; Row != KernelRows::None)
        Durations[Row].add(Entry);
    const auto Untimed = untimedCalls(Input, Rows.OfSite, Durations.size());
    for (size_t Row = 0; Row < Durations.size(); ++Row) {
      CallStatistics &Its = Result.Kernels[Row].Times;
      Its = Durations[Row].summary(Untimed[Row], Input.Info.StampBiasNs);
      // The time that recording took inside is not known of each call.
      if (Untimed[Row].IsRecursive)
        Its.MeanNs = Its.MinNs = Its.MedianNs = Its.P99Ns = std::nullopt;
    }
    addOffTimes(Recursive, Weights);
    for (const OpenCall &Call : Input.Open)
      if (const uint32_t Row = Rows.OfSite[Events.Site[Call.Event]]; Row != KernelRows::None)
        ++Result.Kernels[Row].Open;
    for (const AbandonedCalls &Left : Input.Abandoned)
      if (const uint32_t Row = Rows.OfSite[Left.Site]; Row != KernelRows::None)
        Result.Kernels[Row].Abandoned += Left.Calls;
  }

  void addOffTimes(const std::vector<bool> &Recursive, const std::vector<uint64_t> &Weights) {
    TimedOff.resize(Result.Kernels.size());
    if (!Times.any())
      return;
    const EventColumns &Events = Input.Events;
    for (size_t I = 0; I < Events.size(); ++I) {
      const uint32_t Row = Rows.OfSite[Events.Site[I]];
      if (Row == KernelRows::None || Input.Sites[Events.Site[I]].Device >= 0 ||
          (!Recursive.empty() && Recursive[I]))
        continue;
      OffOfTimed &Its = TimedOff[Row];
      const bool IsKnown = Times.knows(Events.Track[I]);
      const OffTime Off = IsKnown
                              ? Times.between(Events.Track[I], Events.BeginNs[I], Events.endNs(I))
                              : OffTime{.UnknownNs = Events.DurationNs[I]};
      Its.IsKnown |= IsKnown;
      Its.Off += Off;
      if (!Weights.empty())
        Its.OthersNs += static_cast<double>(Off.offNs()) * static_cast<double>(Weights[I] - 1);
    }
  }

  /// When the times of untimed calls are known.
  void addRunningTimes() {
    for (size_t Row = 0; Row < TimedOff.size(); ++Row) {
      const OffOfTimed &Its = TimedOff[Row];
      if (!Its.IsKnown)
        continue;
      KernelRow &Kernel = Result.Kernels[Row];
      Kernel.RunningNs =
          std::max<int64_t>(0, Kernel.Times.TotalNs - Its.Off.offNs() - Its.Off.UnknownNs);
      if (Kernel.Times.Untimed)
        Kernel.RunningErrorNs = Kernel.Times.Untimed->errorNs() + Its.OthersNs;
      else
        Kernel.Off = Its.Off;
    }
  }

  /// Untimed calls take no more than the calls around them leave room for.
  void limit(CallStatistics &Times, const Room &Its) const {
    if (!Times.Untimed)
      return;
    UntimedCalls Reduced = *Times.Untimed;
    Reduced.limit(Its, Input.Info.StampBiasNs);
    setUntimed(Times, Reduced);
  }

  /// A row is as uncertain as what it gave to others and got.
  void addErrors(const std::vector<MovedTime> &Moves) {
    for (const MovedTime &Each : Moves) {
      if (Each.To >= Result.Kernels.size() || !Result.Kernels[Each.To].Times.Untimed)
        continue;
      const UntimedCalls &Of = *Result.Kernels[Each.To].Times.Untimed;
      const double Part = Of.Ns > 0 ? static_cast<double>(Each.Ns) / static_cast<double>(Of.Ns) : 1;
      addError(Each.To, Of.errorNs() * Part);
      addError(Each.From, Of.errorNs() * Part);
    }
  }

  void addError(uint32_t Row, double Ns) {
    std::optional<double> &Its =
        Row < Result.Kernels.size() ? Result.Kernels[Row].SelfErrorNs : Result.UnattributedErrorNs;
    Its = Its.value_or(0) + Ns;
  }

  void attributeWindow() {
    const EventColumns &Events = Input.Events;
    std::vector<Interval> Calls;
    Calls.reserve(static_cast<size_t>(std::ranges::count_if(
        Events.Site, [&](SiteId Id) { return Rows.OfSite[Id] != KernelRows::None; })));
    for (size_t I = 0; I < Events.size(); ++I)
      if (const uint32_t Row = Rows.OfSite[Events.Site[I]]; Row != KernelRows::None)
        Calls.push_back({Events.BeginNs[I], Events.endNs(I), Row, Events.Track[I]});
    const size_t ApartRow = Result.Kernels.size();
    if (!Apart.empty())
      for (size_t I = 0; I < Events.size(); ++I)
        if (const Site &What = Input.Sites[Events.Site[I]];
            (What.Kind == SiteKind::Annotation || What.Kind == SiteKind::Span) && What.Device < 0 &&
            Input.text(What.Name) == Apart)
          // A compiler waits for others, which is compilation as well.
          Calls.push_back({Events.BeginNs[I], Events.endNs(I), static_cast<uint32_t>(ApartRow),
                           Events.Track[I], OpenAs::CallOff});
    if (Times.any()) // else the call that started a team works as long as the team
      addTeamParts(Input, Rows, Calls);
    const std::vector<RunChange> Changes = Times.changes();
    SelfTimes Self = selfTimes(std::move(Calls), ApartRow + 1, WindowBegin, WindowEnd, Changes);
    if (Times.any()) {
      Result.BlockedNs = Self.BlockedNs;
      Result.PreemptedNs = Self.PreemptedNs;
      Result.Unattributed = std::move(Self.Unattributed);
    }
    const SplitWindow Window = placeUntimed(Input, Rows, Names, std::move(Self));
    for (size_t Row = 0; Row < Result.Kernels.size(); ++Row) {
      KernelRow &Its = Result.Kernels[Row];
      Its.SelfNs = Window.Self.RowNs[Row];
      if (!Window.BySamples[Row]) {
        limit(Its.Times, Window.Moved.OfRow[Row]);
      } else if (Its.Times.Untimed) {
        setUntimed(Its.Times, *Window.BySamples[Row]);
        addError(static_cast<uint32_t>(Row), Window.BySamples[Row]->errorNs());
      }
    }
    for (uint32_t Row = 0; Row < Window.SampleErrorsNs.size(); ++Row)
      if (Window.SampleErrorsNs[Row] > 0)
        addError(Row, Window.SampleErrorsNs[Row]);
    Result.SpinningNs = Window.SpinningNs;
    Result.RecordingNs = Window.RecordingNs;
    for (const auto &[Row, ErrorNs] : Window.PartErrors)
      addError(Row, ErrorNs);
    addErrors(Window.Moved.Moves);
    Result.UnattributedNs = Window.Self.UnattributedNs;
    if (const int64_t Ns = Window.Self.RowNs[ApartRow]) {
      Result.ApartNs = Ns;
      Result.WindowNs -= *Result.ApartNs;
    }
  }

  static void setUntimed(CallStatistics &Times, const UntimedCalls &To) {
    Times.TotalNs += To.Ns - Times.Untimed->Ns;
    Times.Untimed = To;
    if (!To.IsSampled && !To.IsLimited)
      return;
    if (Times.MeanNs)
      Times.MeanNs = roundedMean(std::max<int64_t>(0, Times.TotalNs), Times.Calls);
    // Timing made the timed ones longer than the mean is of, by an unknown part of each.
    Times.MinNs = Times.MedianNs = Times.P99Ns = std::nullopt;
  }

  using RegionShares = std::map<std::pair<SiteId, TeamThread>, ThreadShare>;

  static ThreadShare &shareOf(RegionShares &Shares, SiteId Region, const TeamThread &Thread) {
    return Shares.try_emplace({Region, Thread}, ThreadShare::none(Thread)).first->second;
  }

  /// Busy time and calls of every thread of every region.
  void addRegions() {
    const EventColumns &Events = Input.Events;
    const Teams Links(Input);
    std::vector<uint32_t> Parts;
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (Input.Sites[Events.Site[I]].Kind == SiteKind::Region)
        Parts.push_back(I);
    const auto Key = [&](uint32_t I) {
      return std::tuple(Events.Site[I], Links.thread(I), Events.Track[I], Events.BeginNs[I]);
    };
    std::ranges::sort(Parts, {}, Key);

    std::map<SiteId, RegionRow> Regions;
    RegionShares Shares;
    uint32_t Previous = NoEvent;
    int64_t CoveredTo = 0;
    for (const uint32_t I : Parts) {
      RegionRow &Row = Regions[Events.Site[I]];
      ThreadShare &Share = shareOf(Shares, Events.Site[I], Links.thread(I));
      ++Row.Calls;
      ++Share.Calls;
      const bool SameLine = Previous != NoEvent && Events.Site[Previous] == Events.Site[I] &&
                            Links.thread(Previous) == Links.thread(I) &&
                            Events.Track[Previous] == Events.Track[I];
      const int64_t From = SameLine ? std::max(CoveredTo, Events.BeginNs[I]) : Events.BeginNs[I];
      const int64_t Ns = std::max<int64_t>(0, Events.endNs(I) - From); // recursion counts once
      Share.BusyNs += Ns;
      Row.TotalNs += Ns;
      CoveredTo = SameLine ? std::max(CoveredTo, Events.endNs(I)) : Events.endNs(I);
      Previous = I;
    }
    for (const OpenCall &Call : Input.Open)
      if (const SiteId Id = Events.Site[Call.Event]; Input.Sites[Id].Kind == SiteKind::Region)
        ++Regions[Id].Open;
    for (const ProfileRow &Entry : Input.Profile) {
      if (Input.Sites[Entry.Site].Kind != SiteKind::Region)
        continue;
      RegionRow &Row = Regions[Entry.Site];
      ThreadShare &Share = shareOf(Shares, Entry.Site, {.Number = Entry.TeamThread});
      Row.Calls += Entry.Calls;
      Share.Calls += Entry.Calls;
      Row.TotalNs += Entry.TotalNs;
      Share.BusyNs += Entry.TotalNs;
    }

    addWaits(Regions, Shares);
    for (const auto &[Of, Off] : offTimesOfRegions(Input, Times)) {
      ThreadShare &Share = shareOf(Shares, Of.first, Of.second);
      // A thread that was blocked in a wait that was not timed has that time there.
      const int64_t BlockedNs = std::max<int64_t>(0, Off.BlockedNs - UntimedWaitNs[Of]);
      Share.wait(BlockedNs);
      Share.BlockedNs += BlockedNs;
      Share.PreemptedNs += Off.PreemptedNs;
      Share.BusyNs = std::max<int64_t>(0, Share.BusyNs - Off.PreemptedNs);
      RegionRow &Row = Regions[Of.first];
      Row.WaitNs += BlockedNs;
      Row.BlockedNs += BlockedNs;
      Row.PreemptedNs += Off.PreemptedNs;
    }
    std::set<StringId> WaitsInSums; // names of kernels
    for (const ProfileRow &Entry : Input.Profile)
      if (Input.Sites[Entry.Site].Kind == SiteKind::TeamWait && Entry.Calls)
        WaitsInSums.insert(Input.Sites[Entry.Site].Kernel);
    for (const auto &[Of, Share] : Shares)
      Regions[Of.first].Threads.push_back(Share);
    for (auto &[Site, Row] : Regions) {
      Row.Site = Site;
      if (!WaitsInSums.contains(Input.Sites[Site].Kernel))
        Row.Imbalance = imbalanceOf(Row.Threads);
      Result.Kernels[Owners.rowOf(Input.Sites[Site])].Regions.push_back(std::move(Row));
    }
  }

  static PlaceRow placeRow(SiteId Site, const TeamTimes &Times, int64_t ThreadShare::*Ns) {
    PlaceRow Row;
    Row.Site = Site;
    for (const auto &[Thread, Time] : Times) {
      Row.Calls += Time.Calls;
      Row.TotalNs += Time.Ns;
      Row.Untimed.add(Time.Untimed);
      ThreadShare &Share = Row.Threads.emplace_back(ThreadShare::none(Thread));
      Share.Calls = Time.Calls;
      Share.*Ns = Time.Ns;
    }
    return Row;
  }

  /// Waiting threads are not busy.
  void addWaits(std::map<SiteId, RegionRow> &Regions, RegionShares &Shares) {
    for (const auto &[Region, Times] : teamWaits(Input)) {
      RegionRow &Row = Regions[Region];
      for (const auto &[Thread, Tasks] : Times.AtJoin) {
        Row.TotalNs += Tasks.Ns;
        shareOf(Shares, Region, Thread).BusyNs += Tasks.Ns;
      }
      std::map<SiteId, TeamTimes> All = Times.Waits;
      for (const auto &[Site, Waits] : All)
        for (const auto &[Thread, Wait] : Waits)
          shareOf(Shares, Region, Thread).wait(Wait.Ns);
      // Untimed ones get what is left.
      for (auto &[Site, Waits] : All) {
        for (auto &[Thread, Wait] : Waits) {
          ThreadShare &Share = shareOf(Shares, Region, Thread);
          UntimedCalls &Untimed = Wait.Untimed;
          Untimed.IsLimited = Untimed.Ns > Share.BusyNs;
          Untimed.Ns = std::min(Untimed.Ns, Share.BusyNs);
          Share.wait(Untimed.Ns);
          UntimedWaitNs[{Region, Thread}] += Untimed.Ns;
          Wait.Calls += Untimed.Calls;
          Wait.Ns += Untimed.Ns;
        }
        Row.Waits.push_back(placeRow(Site, Waits, &ThreadShare::WaitNs));
        Row.WaitNs += Row.Waits.back().TotalNs;
      }
      for (const auto &[Site, Tasks] : Times.Tasks)
        Row.Tasks.push_back(placeRow(Site, Tasks, &ThreadShare::BusyNs));
      for (std::vector<PlaceRow> *Places : {&Row.Waits, &Row.Tasks})
        std::ranges::stable_sort(*Places, std::greater(), &PlaceRow::TotalNs);
      Row.Fork = placeRow(Times.Start, Times.Fork, &ThreadShare::WaitNs);
      Row.Join = placeRow(Times.Start, Times.Join, &ThreadShare::WaitNs);
      Row.Ambiguous = Times.Ambiguous;
    }
  }

  const Trace &Input;
  const KernelRows Rows;
  const KernelsByName Owners;
  const ThreadTimes Times;
  const std::string_view Apart;
  const CodeNames *const Names;                                   ///< null: samples decide nothing
  std::map<std::pair<SiteId, TeamThread>, int64_t> UntimedWaitNs; ///< of regions and threads
  /// What the timed calls of a row did not run.
  struct OffOfTimed {
    OffTime Off;
    double OthersNs = 0;  ///< as much for each call that one stands for
    bool IsKnown = false; ///< of a thread at least
  };
  std::vector<OffOfTimed> TimedOff; ///< by row
  Statistics Result;
  int64_t WindowBegin = 0;
  int64_t WindowEnd = 0;
};

} // namespace

int64_t roundedMean(int64_t Total, uint64_t Count) {
  return static_cast<int64_t>((static_cast<unsigned __int128>(Total) + Count / 2) / Count);
}

std::vector<ThreadShare> threadsWithEnds(const RegionRow &Region) {
  std::vector<ThreadShare> Threads = Region.Threads;
  for (const PlaceRow *Place : {&Region.Fork, &Region.Join})
    for (const ThreadShare &Wait : Place->Threads)
      if (const auto Of = std::ranges::find(Threads, Wait.of(), &ThreadShare::of);
          Of != Threads.end())
        Of->WaitNs += Wait.WaitNs;
  return Threads;
}

std::optional<double> imbalanceOf(const std::vector<ThreadShare> &Threads) {
  int64_t Sum = 0, Largest = 0;
  for (const ThreadShare &Share : Threads) {
    if (Share.Team == TeamThread::Unknown)
      return std::nullopt;
    Sum += Share.BusyNs;
    Largest = std::max(Largest, Share.BusyNs);
  }
  if (!Sum)
    return std::nullopt;
  return static_cast<double>(Largest) * static_cast<double>(Threads.size()) /
         static_cast<double>(Sum);
}

Team teamOf(const Trace &Source, const KernelRow &Kernel) {
  Team Of;
  if (Source.Sites[Kernel.Site].Device >= 0) {
    Of.Threads = 0;
    return Of;
  }
  std::map<std::pair<int32_t, int32_t>, int64_t> Busy;
  bool IsKnown = true;
  for (const RegionRow &Region : Kernel.Regions)
    for (const ThreadShare &Share : Region.Threads) {
      Busy[{std::max(Share.Team, 0), Share.Thread.value_or(0)}] += Share.BusyNs;
      IsKnown &= Share.Team != TeamThread::Unknown;
    }
  int64_t Sum = 0, Most = 0;
  for (const auto &[Thread, Ns] : Busy) {
    Sum += Ns;
    Most = std::max(Most, Ns);
  }
  Of.Threads = std::max<size_t>(1, Busy.size());
  if (Busy.size() > 1 && Sum > 0 && IsKnown)
    Of.Imbalance =
        static_cast<double>(Most) * static_cast<double>(Busy.size()) / static_cast<double>(Sum);
  return Of;
}

std::vector<UntimedShare> untimedShares(const Trace &Input, const Statistics &Numbers) {
  std::vector<UntimedShare> Shares;
  if (Input.Throttled.empty())
    return Shares;
  const KernelRows Rows = kernelRows(Input);
  std::vector<const UntimedCalls *> OfSite(Input.Sites.size());
  for (const KernelRow &Row : Numbers.Kernels)
    if (Row.Times.Untimed)
      OfSite[Row.Site] = &*Row.Times.Untimed;
  const std::vector<int64_t> Ns = untimedNs(Input);
  std::vector<uint64_t> RowNs(Rows.Sites.size());
  const auto RowOf = [&](size_t I) { return Rows.OfSite[Input.Throttled[I].Site]; };
  for (size_t I = 0; I < Ns.size(); ++I)
    if (RowOf(I) != KernelRows::None)
      RowNs[RowOf(I)] += static_cast<uint64_t>(Ns[I]);
  // A row may have less if there was no room for all.
  std::vector<std::optional<Division>> Left(Rows.Sites.size());
  for (size_t I = 0; I < Ns.size(); ++I) {
    const uint32_t Row = RowOf(I);
    const UntimedCalls *const Whole = Row == KernelRows::None ? nullptr : OfSite[Rows.Sites[Row]];
    if (!Whole)
      continue;
    if (!Left[Row])
      Left[Row].emplace(static_cast<uint64_t>(Whole->Ns), std::max<uint64_t>(RowNs[Row], 1));
    const ThrottledCalls &Of = Input.Throttled[I];
    Shares.push_back({Of.Site, Of.Track, Of.Untimed,
                      static_cast<int64_t>(Left[Row]->next(static_cast<uint64_t>(Ns[I])))});
  }
  return Shares;
}

Statistics computeStatistics(const Trace &Input, std::string_view Apart, const CodeNames *Names) {
  return Computation(Input, Apart, Names).run();
}

void sortKernels(Statistics &Numbers, const Trace &Input, SortKey Key) {
  const auto Value = [&](const KernelRow &Row) -> int64_t {
    switch (Key) {
    case SortKey::Self:
      return Row.SelfNs.value_or(Row.Times.TotalNs);
    case SortKey::Total:
      return Row.Times.TotalNs;
    case SortKey::Calls:
      return static_cast<int64_t>(Row.Times.Calls);
    case SortKey::Mean:
      return Row.Times.MeanNs.value_or(-1);
    case SortKey::Median:
      return Row.Times.MedianNs.value_or(-1);
    case SortKey::P99:
      return Row.Times.P99Ns.value_or(-1);
    case SortKey::Max:
      return Row.Times.MaxNs.value_or(-1);
    case SortKey::Name:
      break;
    }
    return 0;
  };
  const auto Name = [&](const KernelRow &Row) { return Input.text(Input.Sites[Row.Site].Name); };
  // Equal rows keep the order of the trace.
  std::ranges::stable_sort(Numbers.Kernels, [&](const KernelRow &A, const KernelRow &B) {
    return Key == SortKey::Name ? Name(A) < Name(B) : Value(A) > Value(B);
  });
}

} // namespace seamscope::tools
