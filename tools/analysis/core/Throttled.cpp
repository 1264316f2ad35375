//===- Throttled.cpp - calls that were counted but not timed --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Throttled.h"

#include "analysis/core/Order.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace seamscope::tools {

ThrottledEntries::ThrottledEntries(const Trace &Input) : Input(Input) {
  for (uint32_t I = 0; I < Input.Throttled.size(); ++I)
    ByPlace.try_emplace({Input.Throttled[I].Site, Input.Throttled[I].Track}, I);
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
  return std::max(0.0, (Squares - Sum * Sum / N) / (N - 1));
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
  IsSampled |= Others.IsSampled;
  LowNs += Others.LowNs;
  HighNs += Others.HighNs;
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
  Result.Sum = std::max(0.0, static_cast<double>(Row.TotalNs - Calls.BeforeNs) -
                                 Count * static_cast<double>(Input.Info.StampBiasNs));
  Result.Squares = Count * (Result.mean() * Result.mean() + Whole.variance().value_or(0));
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
      Samples[*Entry].add(static_cast<double>(netOfStamps(Input, Input.Events.DurationNs[I])));
  for (const ProfileRow &Row : Input.Profile)
    if (const auto Entry = All.of(Row))
      Samples[*Entry].add(sampleOf(Input, Row, Input.Throttled[*Entry]));
  return Samples;
}

int64_t untimedOf(const ThrottledCalls &Calls, const DurationSample &Sample) {
  return rounded(Sample.mean() * static_cast<double>(Calls.Untimed));
}

} // namespace

std::vector<UntimedCalls> untimedCalls(const Trace &Input, std::span<const uint32_t> RowOfSite,
                                       size_t Rows) {
  std::vector<UntimedCalls> Result(Rows);
  if (Input.Throttled.empty())
    return Result;
  const std::vector<DurationSample> Samples = samplesOf(Input, ThrottledEntries(Input));
  for (size_t I = 0; I < Samples.size(); ++I) {
    const ThrottledCalls &Calls = Input.Throttled[I];
    const uint32_t Row = RowOfSite[Calls.Site];
    if (Row >= Rows)
      continue;
    Result[Row].add({.Every = Calls.Every,
                     .Timed = Calls.Timed,
                     .Calls = Calls.Untimed,
                     .Ns = untimedOf(Calls, Samples[I]),
                     .StderrNs = Samples[I].stderrOfSum(Calls.Untimed)});
  }
  return Result;
}

std::vector<int64_t> untimedNs(const Trace &Input) {
  std::vector<int64_t> Result;
  if (Input.Throttled.empty())
    return Result;
  const std::vector<DurationSample> Samples = samplesOf(Input, ThrottledEntries(Input));
  for (size_t I = 0; I < Samples.size(); ++I)
    Result.push_back(untimedOf(Input.Throttled[I], Samples[I]));
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
  /// What samples took by themselves, by row of the calling function: short calls in one function
  /// say nothing about long ones in another.
  std::map<uint32_t, DurationSample> Own;
};

/// Untimed calls, and what they took by themselves.
struct Estimate {
  double Calls = 0, Ns = 0;
};

class Moving {
public:
  Moving(const Trace &Input, std::span<const uint32_t> RowOfSite, std::vector<int64_t> &RowNs,
         int64_t &UnattributedNs, const std::vector<bool> *OnTracks, const std::vector<bool> *Keep)
      : Input(Input), RowOfSite(RowOfSite), RowNs(RowNs), UnattributedNs(UnattributedNs),
        OnTracks(OnTracks), Keep(Keep), None(static_cast<uint32_t>(RowNs.size())), All(Input),
        Entry(Input.Throttled.size()), OwnWindowNs(RowNs), Moved(RowNs.size() + 1),
        OwnNs(RowNs.size() + 1) {}

  std::vector<double> run() {
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
      for (const auto &[Around, Own] : Entry[Order[I]].Own)
        Within[{Input.Throttled[Order[I]].Track, Around}].push_back(I);
    for (size_t I = 0; I < Order.size(); ++I)
      if (const auto Found = Within.find({Input.Throttled[Order[I]].Track, rowOf(Order[I])});
          Found != Within.end())
        for (auto J = std::ranges::upper_bound(Found->second, I); J != Found->second.end(); ++J)
          nest(Order[I], Order[*J]);
    for (size_t I = 0; I < Entry.size(); ++I)
      for (const auto &[Around, Its] : Untimed[I])
        if (const uint32_t Row = rowOf(I); Row != Around && Row < None && !(Keep && (*Keep)[Row]))
          Moved[Around][Row] += Its.Ns;
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
    };
    std::vector<Frame> Stack;
    const auto Pop = [&] {
      const auto [Event, Inside] = Stack.back();
      Stack.pop_back();
      const uint32_t Row = RowOfSite[Events.Site[Event]];
      const int64_t Own = std::max<int64_t>(0, Events.DurationNs[Event] - Inside);
      OwnNs[Row] += static_cast<double>(Own);
      if (!Stack.empty())
        Stack.back().InsideNs += Events.DurationNs[Event];
      if (const auto Of = All.of(Event)) {
        Placed &Its = Entry[*Of];
        Its.Whole.add(static_cast<double>(Events.DurationNs[Event]));
        Its.Own[Stack.empty() ? None : RowOfSite[Events.Site[Stack.back().Event]]].add(
            static_cast<double>(netOfStamps(Input, Own)));
      }
    };
    for (const uint32_t I : orderedByTrack(Input, eventsWhere(Input, [&](uint32_t Event) {
                                             return RowOfSite[Events.Site[Event]] < None &&
                                                    (!OnTracks || (*OnTracks)[Events.Track[Event]]);
                                           }))) {
      while (!Stack.empty() && (Events.Track[Stack.back().Event] != Events.Track[I] ||
                                Events.endNs(Stack.back().Event) <= Events.BeginNs[I]))
        Pop();
      Stack.push_back({I, 0});
    }
    while (!Stack.empty())
      Pop();
  }

  /// Untimed calls lie where timed ones lie.
  void spread(size_t I) {
    Untimed.resize(Entry.size());
    for (const auto &[Around, Own] : Entry[I].Own) {
      const double Calls = static_cast<double>(Input.Throttled[I].Untimed) *
                           static_cast<double>(Own.Count) /
                           static_cast<double>(Entry[I].Whole.Count);
      Untimed[I][Around] = {Calls, Calls * Own.mean()};
    }
  }

  /// Some of \p Inner seem to lie next to \p Outer, but lie in its untimed calls: as many in each
  /// as in a timed one.
  void nest(size_t Outer, size_t Inner) {
    const uint32_t Row = rowOf(Outer);
    const auto Joint = Entry[Inner].Own.find(Row);
    if (Row >= None || Joint == Entry[Inner].Own.end() || !Input.Throttled[Inner].Timed ||
        Input.Throttled[Outer].Track != Input.Throttled[Inner].Track)
      return;
    const ThrottledCalls &Calls = Input.Throttled[Inner];
    const double Each =
        static_cast<double>(Calls.Untimed + Calls.Timed) / static_cast<double>(Calls.Timed) *
        static_cast<double>(Joint->second.Count) / static_cast<double>(Entry[Outer].Whole.Count);
    for (const auto &[Around, OfOuter] : Untimed[Outer]) {
      const auto Beside = Untimed[Inner].find(Around);
      if (Around == Row || Beside == Untimed[Inner].end())
        continue;
      Estimate &From = Beside->second;
      if (!(From.Calls > 0))
        continue;
      const double Within = std::min(From.Calls, OfOuter.Calls * Each);
      const double Ns = From.Ns * (Within / From.Calls);
      From.Calls -= Within;
      From.Ns -= Ns;
      Estimate &To = Untimed[Inner][Row];
      To.Calls += Within;
      To.Ns += Ns;
    }
  }

  /// If several threads worked at once, a row's part of the window is less than its threads' own
  /// time, and what it gives to other rows is reduced in proportion. Outer rows come first, so that
  /// a row can pass on what it got.
  std::vector<double> apply() {
    std::vector<double> Wanted(RowNs.size()), Got(RowNs.size());
    for (const uint32_t From : outerFirst()) {
      double All = 0;
      for (const auto &[To, Ns] : Moved[From])
        All += Ns;
      if (!(All > 0))
        continue;
      int64_t &Has = From == None ? UnattributedNs : RowNs[From];
      const double Scale =
          From == None || !(OwnNs[From] > 0)
              ? 1
              : std::min(1.0, static_cast<double>(OwnWindowNs[From]) / OwnNs[From]);
      const double Part = std::min(1.0, static_cast<double>(Has) / (All * Scale));
      for (const auto &[To, Ns] : Moved[From]) {
        const int64_t Amount = std::min(Has, rounded(Ns * Scale * Part));
        Has -= Amount;
        RowNs[To] += Amount;
        Wanted[To] += Ns;
        Got[To] += Ns * Part;
      }
    }
    std::vector<double> Room(RowNs.size(), 1);
    for (size_t Row = 0; Row < Room.size(); ++Row)
      if (Wanted[Row] > 0)
        Room[Row] = Got[Row] / Wanted[Row];
    return Room;
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
      for (const auto &[To, Ns] : Moved[Row])
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
  std::vector<Placed> Entry;
  const std::vector<int64_t> OwnWindowNs;            ///< RowNs as given
  std::vector<std::map<uint32_t, Estimate>> Untimed; ///< by entry, then by row around
  std::vector<std::map<uint32_t, double>> Moved;     ///< by row, then by target: ns
  std::vector<double> OwnNs;                         ///< by row, over its threads
};

} // namespace

std::vector<double> moveUntimed(const Trace &Input, std::span<const uint32_t> RowOfSite,
                                std::vector<int64_t> &RowNs, int64_t &UnattributedNs,
                                const std::vector<bool> *OnTracks, const std::vector<bool> *Keep) {
  if (Input.Throttled.empty())
    return std::vector<double>(RowNs.size(), 1);
  return Moving(Input, RowOfSite, RowNs, UnattributedNs, OnTracks, Keep).run();
}

} // namespace seamscope::tools
