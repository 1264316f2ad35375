//===- Throttled.cpp - calls that were counted but not timed --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Throttled.h"

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
  Result.Ns = roundedNs(Its.mean() * Calls);
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
    Result.push_back(
        roundedNs(Samples[I].mean() * static_cast<double>(Input.Throttled[I].Untimed)));
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

} // namespace seamscope::tools
