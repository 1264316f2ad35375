//===- SampleRows.cpp - samples by kernel, function and line ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/SampleRows.h"

#include "analysis/core/Cut.h"
#include "analysis/core/HostNesting.h"
#include "analysis/core/Order.h"
#include "analysis/samples/ThreadTimes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::vector<bool> hostRows(const Trace &Input, const KernelRows &Rows) {
  std::vector<bool> Wanted(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    Wanted[Id] = Rows.OfSite[Id] != KernelRows::None && Input.Sites[Id].Device < 0;
  return Wanted;
}

/// First and last moment of the trace's events: samples outside were not reported.
TimeRange windowOf(const Trace &Input) { return extentOf(Input).value_or(TimeRange()); }

TrackId trackOf(const Trace &Input, size_t Sample) {
  return static_cast<TrackId>(Input.Samples.Track[Sample]);
}

/// The running time that a sample stands for: those of one stratum, such as a thread, share its
/// exact running time. The clock of samples begins anew in each thread.
template <typename KeyT> class Weights {
public:
  template <typename FnT>
  Weights(const Trace &Input, FnT KeyOf, const std::map<KeyT, int64_t> &RunningNs) {
    std::map<KeyT, uint64_t> Count;
    const auto Window = windowOf(Input);
    const auto IsIn = [&](size_t I) {
      return Input.Samples.Ns[I] >= Window.BeginNs && Input.Samples.Ns[I] < Window.EndNs;
    };
    for (size_t I = 0; I < Input.Samples.size(); ++I)
      Count[KeyOf(I)] += IsIn(I);
    All.resize(Input.Samples.size());
    for (size_t I = 0; I < All.size(); ++I) {
      const auto Known = RunningNs.find(KeyOf(I));
      if (IsIn(I) && Known != RunningNs.end())
        All[I] = static_cast<double>(std::max<int64_t>(0, Known->second)) /
                 static_cast<double>(Count[KeyOf(I)]);
    }
  }

  double of(size_t Sample) const { return All[Sample]; }

private:
  std::vector<double> All;
};
template <typename FnT, typename KeyT>
Weights(const Trace &, FnT, const std::map<KeyT, int64_t> &) -> Weights<KeyT>;

/// Makes the times of \p Rows shares of \p RunningNs by their weights.
void shareOut(std::span<SampleRow> Rows, int64_t RunningNs) {
  double All = 0, Seen = 0;
  uint64_t Samples = 0;
  for (const SampleRow &Row : Rows) {
    All += Row.Weight;
    Samples += Row.Samples;
  }
  if (!(All > 0))
    return;
  int64_t Given = 0;
  const auto Whole = static_cast<double>(RunningNs), N = static_cast<double>(Samples);
  for (SampleRow &Row : Rows) {
    const Proportion Part = proportionOf(N * Row.Weight / All, N);
    Seen += Row.Weight;
    // Below 2^62 a double is a time; beyond, no trace has any.
    const auto UpTo = std::min(
        RunningNs, static_cast<int64_t>(std::min(0x1p62, Whole * std::min(1.0, Seen / All))));
    Row.Ns = UpTo - std::exchange(Given, UpTo);
    Row.LowNs = static_cast<int64_t>(std::min(0x1p62, Whole * Part.Low));
    Row.HighNs = static_cast<int64_t>(std::min(0x1p62, std::ceil(Whole * Part.High)));
  }
  Rows.back().Ns += RunningNs - Given;
}

std::string textOr(const std::string &Text, const char *Else) { return Text.empty() ? Else : Text; }

std::string keyOf(const CodeName &Code, SamplesBy Key) {
  switch (Key) {
  case SamplesBy::Symbol:
    return textOr(Code.Symbol, "[unknown]");
  case SamplesBy::Library:
    return Code.Library;
  case SamplesBy::Line:
    break;
  }
  const bool Known = !Code.Frames.empty() && Code.Frames.front().Line;
  return Known ? fmt::format("{}:{}", Code.Frames.front().File, Code.Frames.front().Line)
               : fmt::format("[no line in {}]", Code.Library);
}

} // namespace

std::vector<uint32_t> rowsOfSamples(const Trace &Input, const KernelRows &Rows) {
  const EventColumns &Events = Input.Events;
  const std::vector<bool> Wanted = hostRows(Input, Rows);
  const std::vector<uint32_t> Order =
      orderedByTrack(Input, eventsWhere(Input, [&](uint32_t I) { return Wanted[Events.Site[I]]; }));
  std::vector<uint32_t> Result(Input.Samples.size(), KernelRows::None);
  std::vector<uint32_t> Stack;
  size_t Next = 0;
  for (size_t I = 0; I < Result.size(); ++I) { // by track and time
    const auto Track = static_cast<TrackId>(Input.Samples.Track[I]);
    const int64_t Ns = Input.Samples.Ns[I];
    while (Next < Order.size() &&
           (Events.Track[Order[Next]] < Track ||
            (Events.Track[Order[Next]] == Track && Events.BeginNs[Order[Next]] <= Ns)))
      Stack.push_back(Order[Next++]);
    // The last that began and goes on; one that ended before goes for good.
    while (!Stack.empty() &&
           (Events.Track[Stack.back()] != Track || Events.endNs(Stack.back()) <= Ns))
      Stack.pop_back();
    if (!Stack.empty())
      Result[I] = Rows.OfSite[Events.Site[Stack.back()]];
  }
  return Result;
}

std::map<std::pair<uint32_t, TrackId>, int64_t> runningOfRows(const Trace &Input,
                                                              const KernelRows &Rows) {
  const EventColumns &Events = Input.Events;
  const ThreadTimes Times(Input);
  std::map<std::pair<uint32_t, TrackId>, int64_t> Running;
  if (!Times.any())
    return Running;
  const auto [Begin, End] = windowOf(Input);
  const auto RunningNs = [&](TrackId Track, int64_t From, int64_t To) {
    const OffTime Off = Times.between(Track, From, To);
    return To - From - Off.offNs() - Off.UnknownNs;
  };
  for (TrackId Track = 0; Track < Input.Tracks.size(); ++Track)
    if (Times.knows(Track))
      Running[{KernelRows::None, Track}] = RunningNs(Track, Begin, End);
  const HostNesting Nesting = nestCalls(Input, hostRows(Input, Rows));
  for (const uint32_t Event : Nesting.Order) {
    const TrackId Track = Events.Track[Event];
    if (!Times.knows(Track))
      continue;
    const int64_t Ns = RunningNs(Track, Events.BeginNs[Event], Events.endNs(Event));
    const uint32_t Outer = Nesting.Parent[Event];
    Running[{Rows.OfSite[Events.Site[Event]], Track}] += Ns;
    Running[{Outer == NoEvent ? KernelRows::None : Rows.OfSite[Events.Site[Outer]], Track}] -= Ns;
  }
  return Running;
}

std::vector<std::optional<Proportion>> sharesOfRows(const Trace &Input, const KernelRows &Rows,
                                                    const CodeNames &Names,
                                                    const std::vector<bool> &Is) {
  struct Sum {
    double All = 0, Part = 0; // weights
    uint64_t Samples = 0, PartSamples = 0;
  };
  const std::vector<uint32_t> RowOf = rowsOfSamples(Input, Rows);
  const auto Running = runningOfRows(Input, Rows);
  const Weights Of(
      Input, [&](size_t I) { return std::pair(RowOf[I], trackOf(Input, I)); }, Running);
  std::vector<Sum> Sums(Rows.Sites.size() + 1);
  for (size_t I = 0; I < RowOf.size(); ++I) {
    const double Weight = Of.of(I);
    if (!(Weight > 0))
      continue;
    Sum &Its = Sums[std::min<size_t>(RowOf[I], Rows.Sites.size())];
    Its.All += Weight;
    ++Its.Samples;
    if (Is[Names.OfSample[I]]) {
      Its.Part += Weight;
      ++Its.PartSamples;
    }
  }
  std::vector<std::optional<Proportion>> Shares(Sums.size());
  for (size_t Row = 0; Row < Sums.size(); ++Row)
    if (const Sum &Its = Sums[Row]; Its.PartSamples >= LeastSamples) {
      const auto N = static_cast<double>(Its.Samples);
      Shares[Row] = proportionOf(N * std::min(1.0, Its.Part / Its.All), N);
    }
  return Shares;
}

std::vector<SampleRow> samplesOfKernels(const Trace &Input, const CodeNames &Names) {
  const KernelRows Rows = kernelRows(Input);
  const std::vector<uint32_t> RowOf = rowsOfSamples(Input, Rows);
  const auto Running = runningOfRows(Input, Rows);
  const Weights Of(
      Input, [&](size_t I) { return std::pair(RowOf[I], trackOf(Input, I)); }, Running);
  std::vector<int64_t> RunningNs(Rows.Sites.size());
  for (const auto &[Key, Ns] : Running)
    if (Key.first != KernelRows::None)
      RunningNs[Key.first] += Ns;
  std::map<std::tuple<uint32_t, std::string, std::string, uint32_t, std::string>, SampleRow> Found;
  for (size_t I = 0; I < RowOf.size(); ++I) {
    if (RowOf[I] == KernelRows::None)
      continue;
    const CodeName &Code = Names.of(I);
    const CodeName::Frame Inner =
        Code.Frames.empty() ? CodeName::Frame{Code.Symbol, "", 0} : Code.Frames.front();
    SampleRow &Row = Found[{RowOf[I], Inner.Function, Inner.File, Inner.Line, Code.Library}];
    Row.Weight += Of.of(I);
    if (!Row.Samples++) {
      Row.Kernel = Rows.Sites[RowOf[I]];
      Row.Function = Inner.Function;
      Row.Library = Code.Library;
      Row.Symbol = Code.Symbol;
      Row.File = Inner.File;
      Row.Line = Inner.Line;
    }
  }
  std::vector<SampleRow> Result;
  for (auto First = Found.begin(); First != Found.end();) {
    const uint32_t Kernel = std::get<0>(First->first);
    const size_t From = Result.size();
    for (; First != Found.end() && std::get<0>(First->first) == Kernel; ++First)
      Result.push_back(std::move(First->second));
    const auto Its = std::span(Result).subspan(From);
    std::ranges::stable_sort(Its, std::greater(), &SampleRow::Samples);
    shareOut(Its, std::max<int64_t>(0, RunningNs[Kernel]));
  }
  return Result;
}

std::vector<SampleRow> samplesBy(const Trace &Input, const CodeNames &Names, SamplesBy Key) {
  const KernelRows Rows = kernelRows(Input);
  const std::vector<uint32_t> RowOf = rowsOfSamples(Input, Rows);
  const auto [Begin, End] = windowOf(Input);
  std::map<TrackId, int64_t> Running;
  int64_t RunningNs = 0;
  for (const auto &[Row, Ns] : runningOfRows(Input, Rows)) {
    Running[Row.second] += Ns;
    RunningNs = saturatingSum(RunningNs, Ns);
  }
  const Weights Of(Input, [&](size_t I) { return trackOf(Input, I); }, Running);
  std::map<std::string, SampleRow> Found;
  std::map<std::string, std::map<uint32_t, uint64_t>> Kernels;
  for (size_t I = 0; I < RowOf.size(); ++I) {
    if (Input.Samples.Ns[I] < Begin || Input.Samples.Ns[I] >= End)
      continue;
    const CodeName &Code = Names.of(I);
    const std::string Text = keyOf(Code, Key);
    SampleRow &Row = Found[Text];
    Row.Weight += Of.of(I);
    if (!Row.Samples++) {
      Row.Key = Text;
      Row.Library = Code.Library;
    } else if (Row.Library != Code.Library) {
      Row.Library.clear(); // of several
    }
    if (RowOf[I] != KernelRows::None)
      ++Kernels[Text][RowOf[I]];
  }
  std::vector<SampleRow> Result;
  for (auto &[Text, Row] : Found) {
    std::vector<std::pair<uint64_t, uint32_t>> Most;
    for (const auto &[Kernel, Count] : Kernels[Text])
      Most.emplace_back(Count, Kernel);
    std::ranges::stable_sort(Most, std::greater(), &std::pair<uint64_t, uint32_t>::first);
    for (const auto &[Count, Kernel] : Most)
      Row.Kernels.emplace_back(Input.text(Input.Sites[Rows.Sites[Kernel]].Name));
    Result.push_back(std::move(Row));
  }
  std::ranges::stable_sort(Result, std::greater(), &SampleRow::Samples);
  shareOut(Result, std::max<int64_t>(0, RunningNs));
  return Result;
}

} // namespace seamscope::tools
