//===- Throttled.cpp - calls that were counted but not timed --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Throttled.h"

#include "analysis/core/CallerTimes.h"
#include "analysis/core/Order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <ranges>
#include <utility>

namespace seamscope::tools {

/// A site is throttled only if its calls take less than this times the cost of recording them
/// (Throttle.cpp).
static constexpr double LongestInCosts = 50;

double outlierLimit(std::vector<double> Durations) {
  constexpr double Long = 8;
  const size_t Outliers = std::min(2 + Durations.size() / 1024, Durations.size() / 16);
  if (!Outliers)
    return std::numeric_limits<double>::infinity();
  const auto Rest = Durations.end() - static_cast<ptrdiff_t>(Outliers);
  std::ranges::nth_element(Durations, Rest);
  const double Mean = std::accumulate(Durations.begin(), Rest, 0.0) /
                      static_cast<double>(Durations.size() - Outliers);
  return std::max(Long * Mean, *std::max_element(Durations.begin(), Rest));
}

ThrottledEntries::ThrottledEntries(const Trace &Input) : Input(Input), Of(Input.Throttled.size()) {
  for (uint32_t I = 0; I < Input.Throttled.size(); ++I)
    ByPlace.try_emplace({Input.Throttled[I].Site, Input.Throttled[I].Track}, I);
  if (ByPlace.empty())
    return;
  const std::vector<uint32_t> Samples = orderedByTrack(
      Input, eventsWhere(Input, [&](uint32_t Event) { return of(Event).has_value(); }));
  findInner(Samples);
  std::vector<std::vector<double>> Ns(Of.size());
  for (const uint32_t I : Samples)
    Ns[*of(I)].push_back(netNs(I));
  for (size_t I = 0; I < Of.size(); ++I) {
    if (Of[I].IsRecursive)
      findSpread(Of[I], Ns[I]);
    Of[I].MostNs = outlierLimit(std::move(Ns[I]));
  }
}

/// Calls of one site inside each other.
void ThrottledEntries::findInner(std::span<const uint32_t> Samples) {
  const EventColumns &Events = Input.Events;
  const double BesideNs =
      std::max(0.0, Input.Info.CallCostNs - static_cast<double>(Input.Info.StampBiasNs));
  std::vector<std::vector<uint32_t>> Open(Of.size());
  for (const uint32_t I : Samples) {
    const uint32_t Entry = *of(I);
    std::vector<uint32_t> &Stack = Open[Entry];
    while (!Stack.empty() && Events.endNs(Stack.back()) <= Events.BeginNs[I])
      Stack.pop_back();
    if (!Stack.empty() && Events.endNs(I) <= Events.endNs(Stack.back())) {
      InnerNs[Stack.back()] += static_cast<double>(Events.DurationNs[I]) + BesideNs;
      Of[Entry].IsRecursive = true;
    }
    Stack.push_back(I);
  }
}

void ThrottledEntries::findSpread(Entry &Its, std::span<const double> Ns) {
  constexpr size_t Burst = 256; // of the runtime's Throttle.cpp
  DurationSample All, Bursts;
  double Sum = 0;
  for (size_t I = 0; I < Ns.size(); ++I) {
    All.add(Ns[I]);
    Sum += Ns[I];
    if ((I + 1) % Burst == 0)
      Bursts.add(std::exchange(Sum, 0) / Burst);
  }
  Its.MeanNs = All.RawSum / static_cast<double>(All.Count);
  const double OfOne = All.variance().value_or(0);
  const auto OfBurst = Bursts.variance();
  Its.Spread =
      std::sqrt(!OfBurst || !(OfOne > 0) ? Burst : std::max(1.0, Burst * *OfBurst / OfOne));
}

double ThrottledEntries::netNs(size_t Event) const {
  const auto Inner = InnerNs.find(static_cast<uint32_t>(Event));
  return static_cast<double>(Input.Events.DurationNs[Event] - Input.Info.StampBiasNs) -
         (Inner == InnerNs.end() ? 0 : Inner->second);
}

double ThrottledEntries::sampleNs(uint32_t Entry, size_t Event) const {
  return std::min(netNs(Event), Of[Entry].MostNs);
}

void ThrottledEntries::addTo(DurationSample &Samples, uint32_t Entry, size_t Event) const {
  add(Samples, Of[Entry], netNs(Event));
}

void ThrottledEntries::addOwnTo(DurationSample &Samples, uint32_t Entry, double OwnNs) const {
  add(Samples, Of[Entry], OwnNs - static_cast<double>(Input.Info.StampBiasNs));
}

void ThrottledEntries::add(DurationSample &Samples, const Entry &Its, double Ns) {
  Samples.add(std::min(Ns, Its.MostNs), Its.MeanNs + (Ns - Its.MeanNs) * Its.Spread, 1);
}

std::optional<uint32_t> ThrottledEntries::of(size_t Event) const {
  if (ByPlace.empty())
    return std::nullopt;
  const EventColumns &Events = Input.Events;
  const auto Found = ByPlace.find({Events.Site[Event], Events.Track[Event]});
  if (Found == ByPlace.end() || Events.BeginNs[Event] < Input.Throttled[Found->second].SinceNs)
    return std::nullopt;
  return Found->second;
}

std::optional<uint32_t> ThrottledEntries::of(const ProfileRow &Row) const {
  const auto Found = ByPlace.find({Row.Site, Row.Track});
  return Found == ByPlace.end() ? std::nullopt : std::optional(Found->second);
}

std::optional<double> DurationSample::variance() const {
  if (Count < 2)
    return std::nullopt;
  const auto N = static_cast<double>(Count);
  return std::max(0.0, (Squares - RawSum * RawSum / N) / (N - 1));
}

std::optional<double> DurationSample::stderrOfSum(uint64_t Calls) const {
  const auto Variance = variance();
  if (!Variance)
    return std::nullopt;
  return static_cast<double>(Calls) * std::sqrt(*Variance / static_cast<double>(Count));
}

void UntimedCalls::add(const UntimedCalls &Others) {
  Every = std::max(Every, Others.Every);
  Timed += Others.Timed;
  Calls += Others.Calls;
  Ns += Others.Ns;
  if (StderrNs)
    StderrNs =
        Others.StderrNs ? std::optional(std::hypot(*StderrNs, *Others.StderrNs)) : std::nullopt;
  IsLimited |= Others.IsLimited;
  IsRecursive |= Others.IsRecursive;
  ScatterNs = std::hypot(ScatterNs, Others.ScatterNs);
  TimingNs += Others.TimingNs;
  IsSampled |= Others.IsSampled;
  LowNs += Others.LowNs;
  HighNs += Others.HighNs;
}

double UntimedCalls::errorNs() const {
  return IsSampled ? static_cast<double>(std::max(HighNs - Ns, Ns - LowNs))
                   : std::hypot(ScatterNs, TimingNs);
}

void UntimedCalls::limit(const Room &Its, int64_t StampBiasNs) {
  const auto All = static_cast<double>(Ns);
  if (Its.Part < 1) {
    Ns = static_cast<int64_t>(All * Its.Part);
    IsLimited = true;
    ScatterNs *= Its.Part;
    // How much of a stamp's time lies in a call differs from place to place.
    TimingNs = std::max(std::min(All, Its.MostNs) - All * Its.Part, All * (Its.Part - Its.Least)) +
               static_cast<double>(Calls) * static_cast<double>(StampBiasNs) / 2;
  }
  // The total is at least 0 and at most what there is.
  const auto Now = static_cast<double>(Ns);
  const double Most = std::max(Now, Its.MostNs - Now);
  if (const double Error = errorNs(); Error > Most) {
    ScatterNs *= Most / Error;
    TimingNs *= Most / Error;
  }
}

/// What the mean of a row's calls is at most, without outliers as in outlierLimit().
static double usualMost(const ProfileRow &Row) {
  constexpr double BucketWidth = 1.25; // upper over lower end
  constexpr double Long = 8;
  uint64_t Calls = 0;
  for (const auto &[Floor, Count] : Row.HistogramNs)
    Calls += Count;
  uint64_t Outliers = std::min(2 + Calls / 1024, Calls / 16);
  if (!Outliers)
    return std::numeric_limits<double>::infinity();
  DurationSample Usual;
  double Most = 0;
  std::vector<std::pair<double, uint64_t>> Out;
  for (const auto &[Floor, Count] : std::views::reverse(Row.HistogramNs)) {
    const uint64_t Some = std::min(Outliers, Count);
    const double Ns = BucketWidth * static_cast<double>(Floor) + 1;
    Outliers -= Some;
    Out.emplace_back(Ns, Some);
    Usual.add(Ns, Count - Some);
    Most = std::max(Most, Count > Some ? Ns : 0);
  }
  Most = std::max(Most, Long * Usual.mean());
  for (const auto &[Ns, Count] : Out)
    Usual.add(std::min(Ns, Most), Count);
  return Usual.mean();
}

DurationSample sampleOf(const Trace &Input, const ProfileRow &Row, const ThrottledCalls &Calls) {
  DurationSample Result;
  if (Row.Calls <= Calls.CallsBefore)
    return Result;
  // The scatter is that of the histogram, which also has the earlier calls.
  DurationSample Whole;
  for (const auto &[Floor, Count] : Row.HistogramNs)
    Whole.add(static_cast<double>(Floor), Count);
  Result.Count = Row.Calls - Calls.CallsBefore;
  const auto Count = static_cast<double>(Result.Count);
  const auto Bias = static_cast<double>(Input.Info.StampBiasNs);
  Result.RawSum = std::max(0.0, static_cast<double>(Row.TotalNs - Calls.BeforeNs) - Count * Bias);
  const double Mean = Result.RawSum / Count;
  Result.Squares = Count * (Mean * Mean + Whole.variance().value_or(0));
  Result.Sum = std::min(Result.RawSum, Count * std::max(0.0, usualMost(Row) - Bias));
  return Result;
}

std::vector<uint64_t> ThrottledEntries::counts() const {
  std::vector<uint64_t> Counts(Input.Throttled.size());
  for (size_t I = 0; I < Input.Events.size() && !ByPlace.empty(); ++I)
    if (const auto Entry = of(I))
      ++Counts[*Entry];
  return Counts;
}

namespace {

int64_t rounded(double Ns) {
  return static_cast<int64_t>(std::llround(std::clamp(Ns, 0.0, 0x1p62)));
}

std::vector<DurationSample> samplesOf(const Trace &Input, const ThrottledEntries &All) {
  std::vector<DurationSample> Samples(Input.Throttled.size());
  for (size_t I = 0; I < Input.Events.size(); ++I)
    if (const auto Entry = All.of(I))
      All.addTo(Samples[*Entry], *Entry, I);
  // Sums do not show which calls were inside others of the site.
  for (const ProfileRow &Row : Input.Profile)
    if (const auto Entry = All.of(Row); Entry && !All.isRecursive(*Entry))
      Samples[*Entry].add(sampleOf(Input, Row, Input.Throttled[*Entry]));
  return Samples;
}

} // namespace

UntimedCalls estimateUntimed(const Trace &Input, const ThrottledCalls &Of, uint64_t Untimed,
                             const DurationSample &Its, const DurationSample &OfEntry) {
  UntimedCalls Result;
  const auto Calls = static_cast<double>(Untimed);
  Result.Every = Of.Every;
  Result.Timed = Its.Count;
  Result.Calls = Untimed;
  Result.Ns = rounded(Its.mean() * Calls);
  Result.StderrNs = OfEntry.stderrOfSum(Of.Untimed);
  Result.ScatterNs = Result.StderrNs ? 2 * *Result.StderrNs
                     : Its.Count     ? static_cast<double>(Result.Ns)
                                     : Calls * LongestInCosts * Input.Info.CallCostNs;
  Result.TimingNs = Calls * static_cast<double>(Input.Info.StampBiasNs);
  return Result;
}

std::vector<UntimedCalls> untimedCalls(const Trace &Input, std::span<const uint32_t> RowOfSite,
                                       size_t Rows) {
  std::vector<UntimedCalls> Result(Rows);
  if (Input.Throttled.empty())
    return Result;
  const ThrottledEntries All(Input);
  const std::vector<DurationSample> Samples = samplesOf(Input, All);
  for (uint32_t I = 0; I < Samples.size(); ++I) {
    const ThrottledCalls &Calls = Input.Throttled[I];
    const uint32_t Row = RowOfSite[Calls.Site];
    if (Row >= Rows)
      continue;
    UntimedCalls Its = estimateUntimed(Input, Calls, Calls.Untimed, Samples[I], Samples[I]);
    Its.Timed = Calls.Timed; // some may have left no event
    Its.IsRecursive = All.isRecursive(I);
    Result[Row].add(Its);
  }
  return Result;
}

std::vector<int64_t> untimedNs(const Trace &Input) {
  std::vector<int64_t> Result;
  if (Input.Throttled.empty())
    return Result;
  const std::vector<DurationSample> Samples = samplesOf(Input, ThrottledEntries(Input));
  for (size_t I = 0; I < Samples.size(); ++I)
    Result.push_back(rounded(Samples[I].mean() * static_cast<double>(Input.Throttled[I].Untimed)));
  return Result;
}

std::vector<uint64_t> weightsOfEvents(const Trace &Input) {
  if (Input.Throttled.empty())
    return {};
  const ThrottledEntries All(Input);
  const std::vector<uint64_t> Samples = All.counts();
  std::vector<Division> Others;
  for (size_t I = 0; I < Samples.size(); ++I)
    Others.emplace_back(Input.Throttled[I].Untimed, std::max<uint64_t>(Samples[I], 1));
  std::vector<uint64_t> Weights(Input.Events.size(), 1);
  for (size_t I = 0; I < Weights.size(); ++I)
    if (const auto Entry = All.of(I))
      Weights[I] += Others[*Entry].next(1);
  return Weights;
}

namespace {

/// Where the samples of an entry lie, and what they took without the calls inside.
struct Placed {
  DurationSample Whole;
  struct InCaller {
    DurationSample Own;  ///< what they took by themselves
    uint64_t Direct = 0; ///< those that are not inside others of their row
  };
  /// By row of the calling function, another one: short calls in one function say nothing about
  /// long ones in another.
  std::map<uint32_t, InCaller> In;
};

/// Untimed calls, and what they took by themselves.
struct Estimate {
  double Calls = 0, Ns = 0;
  double Direct = 0; ///< of Calls, those that are not inside others of their row
};

/// The untimed calls inside a row.
struct Gift {
  double Calls = 0, Ns = 0;
  std::map<uint32_t, double> To; ///< by their own row: ns

  void add(uint32_t Row, const Estimate &Its) {
    Calls += Its.Direct;
    Ns += Its.Ns;
    To[Row] += Its.Ns;
  }
};

class Moving {
public:
  Moving(const Trace &Input, std::span<const uint32_t> RowOfSite, std::vector<int64_t> &RowNs,
         int64_t &UnattributedNs, const std::vector<bool> *OnTracks, const std::vector<bool> *Keep)
      : Input(Input), RowOfSite(RowOfSite), RowNs(RowNs), UnattributedNs(UnattributedNs),
        OnTracks(OnTracks), Keep(Keep), None(static_cast<uint32_t>(RowNs.size())), All(Input),
        Callers(Input, [&](SiteId Id) { return RowOfSite[Id] < RowNs.size(); }),
        Entry(Input.Throttled.size()), OwnWindowNs(RowNs), Moved(RowNs.size() + 1),
        OwnNs(RowNs.size() + 1) {}

  MovedTimes run() {
    walk();
    for (size_t I = 0; I < Entry.size(); ++I)
      spread(I);
    // Entries that contain others come first.
    std::vector<size_t> Order(Entry.size());
    for (size_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    std::ranges::stable_sort(Order, std::greater(),
                             [&](size_t I) { return Entry[I].Whole.mean(); });
    // By thread and row of the call around: the entries that have samples there, in this order.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<size_t>> Within;
    for (size_t I = 0; I < Order.size(); ++I)
      for (const auto &[Around, Its] : Entry[Order[I]].In)
        Within[{Input.Throttled[Order[I]].Track, Around}].push_back(I);
    for (size_t I = 0; I < Order.size(); ++I)
      if (const auto Found = Within.find({Input.Throttled[Order[I]].Track, rowOf(Order[I])});
          Found != Within.end())
        for (auto J = std::ranges::upper_bound(Found->second, I); J != Found->second.end(); ++J)
          nest(Order[I], Order[*J]);
    for (size_t I = 0; I < Entry.size(); ++I)
      for (const auto &[Around, Its] : Untimed[I])
        if (const uint32_t Row = rowOf(I); Row != Around && Row < None && !(Keep && (*Keep)[Row]))
          Moved[Around].add(Row, Its);
    return apply();
  }

private:
  uint32_t rowOf(size_t I) const { return RowOfSite[Input.Throttled[I].Site]; }

  /// Nests the calls that have rows.
  void walk() {
    const EventColumns &Events = Input.Events;
    struct Frame {
      uint32_t Event;
      int64_t InsideNs;
      uint32_t Inside; ///< calls
    };
    std::vector<Frame> Stack;
    const double BesideNs =
        std::max(0.0, Input.Info.CallCostNs - static_cast<double>(Input.Info.StampBiasNs));
    const auto Pop = [&] {
      const auto [Event, InsideNs, Inside] = Stack.back();
      Stack.pop_back();
      const uint32_t Row = RowOfSite[Events.Site[Event]];
      const int64_t Own = std::max<int64_t>(0, Events.DurationNs[Event] - InsideNs);
      OwnNs[Row] += static_cast<double>(Own);
      if (!Stack.empty()) {
        Stack.back().InsideNs += Events.DurationNs[Event];
        ++Stack.back().Inside;
      }
      const auto Of = All.of(Event);
      if (!Of)
        return;
      // The caller, or that of the outermost call of the row.
      uint32_t Around = None;
      for (size_t Depth = Stack.size(); Around == None && Depth--;)
        if (const uint32_t Outer = RowOfSite[Events.Site[Stack[Depth].Event]]; Outer != Row)
          Around = Outer;
      Placed &Its = Entry[*Of];
      Its.Whole.add(static_cast<double>(Events.DurationNs[Event]));
      Placed::InCaller &Here = Its.In[Around];
      All.addOwnTo(Here.Own, *Of, static_cast<double>(Own) - BesideNs * Inside);
      Here.Direct += Stack.empty() || RowOfSite[Events.Site[Stack.back().Event]] == Around;
    };
    for (const uint32_t I : orderedByTrack(Input, eventsWhere(Input, [&](uint32_t Event) {
                                             return RowOfSite[Events.Site[Event]] < None &&
                                                    (!OnTracks || (*OnTracks)[Events.Track[Event]]);
                                           }))) {
      while (!Stack.empty() && (Events.Track[Stack.back().Event] != Events.Track[I] ||
                                Events.endNs(Stack.back().Event) <= Events.BeginNs[I]))
        Pop();
      Callers.enter(I, Stack.size(),
                    Stack.empty() ? None : RowOfSite[Events.Site[Stack.back().Event]]);
      Stack.push_back({I, 0, 0});
    }
    while (!Stack.empty())
      Pop();
  }

  /// Untimed calls lie where timed ones lie.
  void spread(size_t I) {
    Untimed.resize(Entry.size());
    for (const auto &[Around, Its] : Entry[I].In) {
      const double Each = static_cast<double>(Input.Throttled[I].Untimed) /
                          static_cast<double>(Entry[I].Whole.Count);
      const double Calls = Each * static_cast<double>(Its.Own.Count);
      Untimed[I][Around] = {Calls, Calls * Its.Own.mean(), Each * static_cast<double>(Its.Direct)};
    }
  }

  /// Some of \p Inner seem to lie next to \p Outer, but lie in its untimed calls: as many in each
  /// as in a timed one.
  void nest(size_t Outer, size_t Inner) {
    const uint32_t Row = rowOf(Outer);
    const auto Joint = Entry[Inner].In.find(Row);
    if (Row >= None || Joint == Entry[Inner].In.end() || !Input.Throttled[Inner].Timed ||
        Input.Throttled[Outer].Track != Input.Throttled[Inner].Track)
      return;
    const ThrottledCalls &Calls = Input.Throttled[Inner];
    const double Each = static_cast<double>(Calls.Untimed + Calls.Timed) /
                        static_cast<double>(Calls.Timed) *
                        static_cast<double>(Joint->second.Own.Count) /
                        static_cast<double>(Entry[Outer].Whole.Count);
    for (const auto &[Around, OfOuter] : Untimed[Outer]) {
      const auto Beside = Untimed[Inner].find(Around);
      if (Around == Row || Beside == Untimed[Inner].end())
        continue;
      Estimate &From = Beside->second;
      if (!(From.Calls > 0))
        continue;
      const double Within = std::min(From.Calls, OfOuter.Calls * Each);
      const double Ns = From.Ns * (Within / From.Calls);
      const double Direct = From.Direct * (Within / From.Calls);
      From.Calls -= Within;
      From.Ns -= Ns;
      From.Direct -= Direct;
      Estimate &To = Untimed[Inner][Row];
      To.Calls += Within;
      To.Ns += Ns;
      To.Direct += Direct;
    }
  }

  /// If several threads worked at once, a row's part of the window is less than its threads' own
  /// time, and what it gives to other rows is reduced in proportion. Outer rows come first, so that
  /// a row can pass on what it got.
  MovedTimes apply() {
    MovedTimes Result;
    std::vector<double> Wanted(RowNs.size());
    std::vector<bool> HasRoom(RowNs.size());
    Result.OfRow.resize(RowNs.size());
    for (const uint32_t From : outerFirst()) {
      int64_t &Has = From == None ? UnattributedNs : RowNs[From];
      const double Scale =
          From == None || !(OwnNs[From] > 0)
              ? 1
              : std::min(1.0, static_cast<double>(OwnWindowNs[From]) / OwnNs[From]);
      const Room Its = Callers.room(From, Scale > 0 ? static_cast<double>(Has) / Scale : 0,
                                    Moved[From].Ns, Moved[From].Calls);
      for (const auto &[To, Ns] : Moved[From].To) {
        const int64_t Amount = std::min(Has, rounded(Ns * Scale * Its.Part));
        Has -= Amount;
        RowNs[To] += Amount;
        Result.Moves.push_back({From, To, Amount});
        Room &OfRow = Result.OfRow[To];
        if (!HasRoom[To])
          OfRow = {0, 0, 0};
        HasRoom[To] = true;
        Wanted[To] += Ns;
        OfRow.Part += Ns * Its.Part;
        OfRow.Least += Ns * Its.Least;
        OfRow.MostNs += Its.MostNs;
      }
    }
    for (size_t Row = 0; Row < Wanted.size(); ++Row)
      if (Room &Its = Result.OfRow[Row]; HasRoom[Row]) {
        Its.Part = Wanted[Row] > 0 ? Its.Part / Wanted[Row] : 1;
        Its.Least = Wanted[Row] > 0 ? Its.Least / Wanted[Row] : 1;
      }
    return Result;
  }

  /// Those without calls around first; then each giver before those that it gives to.
  std::vector<uint32_t> outerFirst() const {
    std::vector<uint32_t> Order{None};
    std::vector<bool> Seen(RowNs.size() + 1);
    Seen[None] = true;
    const auto Visit = [&](auto &&Self,
                           uint32_t Row) -> void { // after it, the rows that it gives to
      if (Seen[Row])
        return;
      Seen[Row] = true;
      for (const auto &[To, Ns] : Moved[Row].To)
        Self(Self, To);
      Order.push_back(Row);
    };
    for (uint32_t Row = 0; Row < None; ++Row)
      Visit(Visit, Row);
    std::reverse(Order.begin() + 1, Order.end());
    return Order;
  }

  const Trace &Input;
  std::span<const uint32_t> RowOfSite;
  std::vector<int64_t> &RowNs;
  int64_t &UnattributedNs;
  const std::vector<bool> *const OnTracks, *const Keep;
  const uint32_t None;
  const ThrottledEntries All;
  CallerTimes Callers;
  std::vector<Placed> Entry;
  const std::vector<int64_t> OwnWindowNs;            ///< RowNs as given
  std::vector<std::map<uint32_t, Estimate>> Untimed; ///< by entry, then by row around
  std::vector<Gift> Moved;                           ///< by row
  std::vector<double> OwnNs;                         ///< by row, over its threads
};

} // namespace

MovedTimes moveUntimed(const Trace &Input, std::span<const uint32_t> RowOfSite,
                       std::vector<int64_t> &RowNs, int64_t &UnattributedNs,
                       const std::vector<bool> *OnTracks, const std::vector<bool> *Keep) {
  if (Input.Throttled.empty())
    return {std::vector<Room>(RowNs.size()), {}};
  return Moving(Input, RowOfSite, RowNs, UnattributedNs, OnTracks, Keep).run();
}

} // namespace seamscope::tools
