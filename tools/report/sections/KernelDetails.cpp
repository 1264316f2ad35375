//===- KernelDetails.cpp - details of a kernel, for its panel ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Page.h"
#include "report/sections/Samples.h"
#include "report/sections/Source.h"
#include "report/sections/TorchRecords.h"
#include "run/folder/SourceRoots.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Kernels with details: more would fill the page with what few look at.
constexpr size_t MostKernels = 200;
constexpr size_t MostLaunches = 100;
constexpr size_t SparkPoints = 24;

/// Classes of equal ratio between the shortest and the longest.
Histogram histogram(const Trace &Source, std::span<const uint32_t> Calls) {
  constexpr size_t Classes = 24;
  int64_t Least = INT64_MAX, Most = 0;
  for (const uint32_t I : Calls) {
    Least = std::min(Least, Source.Events.DurationNs[I]);
    Most = std::max(Most, Source.Events.DurationNs[I]);
  }
  Histogram Made;
  Made.EdgesNs.push_back(Least);
  // A ratio needs more than 0.
  Least = std::max<int64_t>(Least, 1);
  const double Step = std::pow(static_cast<double>(Most + 1) / static_cast<double>(Least),
                               1.0 / static_cast<double>(Classes));
  double Edge = static_cast<double>(Least);
  while (Made.EdgesNs.back() <= Most) {
    Edge *= Step;
    // Classes of short durations would be empty.
    Made.EdgesNs.push_back(std::max<int64_t>(std::llround(Edge), Made.EdgesNs.back() + 1));
    Edge = static_cast<double>(Made.EdgesNs.back());
  }
  Made.Counts.resize(Made.EdgesNs.size() - 1);
  for (const uint32_t I : Calls) {
    const auto At = std::ranges::upper_bound(Made.EdgesNs, Source.Events.DurationNs[I]) -
                    Made.EdgesNs.begin() - 1;
    ++Made.Counts[std::min(static_cast<size_t>(At), Made.Counts.size() - 1)];
  }
  return Made;
}

/// All of its time.
Bars stateBars(const KernelRow &Kernel) {
  Bars Made{{"running", "blocked", "preempted"},
            {{"all calls",
              {Kernel.RunningNs.value_or(0), Kernel.Off->BlockedNs, Kernel.Off->PreemptedNs}}}};
  if (Kernel.Off->UnknownNs) {
    Made.Parts.emplace_back("not recorded");
    Made.Rows[0].second.push_back(Kernel.Off->UnknownNs);
  }
  return Made;
}

Bars threadBars(const RegionRow &Region) {
  Bars Made{{"busy", "wait"}, {}};
  if (Region.PreemptedNs)
    Made.Parts.emplace_back("preempted");
  for (const ThreadShare &Share : threadsWithEnds(Region)) {
    std::vector<int64_t> Values{Share.BusyNs, Share.WaitNs};
    if (Region.PreemptedNs)
      Values.push_back(Share.PreemptedNs);
    Made.Rows.emplace_back(Share.Team == TeamThread::OneTeam ? "thread " + shownThread(Share)
                                                             : shownThread(Share),
                           std::move(Values));
  }
  return Made;
}

Table launchTable(const Context &In, std::vector<uint32_t> Calls, int64_t First) {
  const EventColumns &Events = In->Source.Events;
  const std::string Title = fmt::format("The longest of its {} calls", Calls.size());
  Table Rows = makeTable<uint32_t>(
      "launches", Title, std::move(Calls),
      {{{"begin_ns", "Begin", Unit::Ns, "since the trace's first event"},
        [&Events, First](uint32_t I) { return Events.BeginNs[I] - First; }},
       {{"duration_ns", "Duration", Unit::Ns, "of the call"},
        [&Events](uint32_t I) { return Events.DurationNs[I]; }},
       {{"thread", "Thread or stream", Unit::Name, "that ran it"}, [In](uint32_t I) {
          return In->Source.text(In->Source.Tracks[In->Source.Events.Track[I]].Thread);
        }}});
  Rows.In = ForHtml;
  return Rows;
}

/// The source: generated code next to what it stands for.
void addSource(std::vector<Item> &To, const Context &In, const KernelRow &Row) {
  if (!In->Input.Roots)
    return;
  Section Part;
  addKernelSource(Part, In, Row, *In->Input.Roots);
  std::vector<Item> Left, Right;
  for (Item &One : Part.Items)
    (One.as<Code>() ? Left : Right).push_back(std::move(One));
  // The first sentence would repeat the row's numbers.
  if (!Right.empty() && Right[0].as<Sentence>())
    Right.erase(Right.begin());
  const auto Captured =
      std::ranges::find_if(Right, [](const Item &One) { return One.as<Table>(); });
  if (!Left.empty() && Captured != Right.end()) {
    To.emplace_back(std::make_shared<const Pair>(Pair{Left[0], *Captured}));
    Right.erase(Captured);
    Left.erase(Left.begin());
  }
  for (std::vector<Item> *Rest : {&Left, &Right})
    for (Item &One : *Rest)
      To.push_back(std::move(One));
}

} // namespace

KernelCalls::KernelCalls(const ReportContext &In)
    : FirstNs(In.firstNs()), Rows(kernelRows(In.Source)), OfRow(Rows.Sites.size()) {
  for (size_t I = 0; I < In.Source.Events.size(); ++I)
    if (const uint32_t Row = Rows.OfSite[In.Source.Events.Site[I]]; Row != KernelRows::None)
      OfRow[Row].push_back(static_cast<uint32_t>(I));
  for (std::vector<uint32_t> &Events : OfRow)
    std::ranges::stable_sort(Events, {}, [&](uint32_t I) { return In.Source.Events.BeginNs[I]; });
}

std::span<const uint32_t> KernelCalls::of(SiteId Site) const {
  const uint32_t Row = Rows.OfSite[Site];
  return Row == KernelRows::None ? std::span<const uint32_t>() : std::span(OfRow[Row]);
}

Field<KernelRow> durationsField(const Context &In,
                                const std::shared_ptr<const KernelCalls> &Known) {
  return {Column("durations", "Over time", Unit::Spark,
                 "durations of its calls in their order, as means")
              .in(ForHtml),
          [In, Known](const KernelRow &Row) -> Cell {
            const std::span<const uint32_t> Calls = Known->of(Row.Site);
            Value::List Means;
            const size_t Points = std::min(SparkPoints, Calls.size());
            for (size_t I = 0; I < Points && Points > 1; ++I) {
              const size_t Begin = Calls.size() * I / Points, End = Calls.size() * (I + 1) / Points;
              int64_t Sum = 0;
              for (size_t Call = Begin; Call < End; ++Call)
                Sum += In->Source.Events.DurationNs[Calls[Call]];
              Means.emplace_back(Sum / std::max<int64_t>(static_cast<int64_t>(End - Begin), 1));
            }
            return Means.empty() ? Cell() : Cell(Value(std::move(Means)));
          }};
}

std::vector<Item> kernelDetails(const Context &In, const KernelCalls &Known, size_t Row) {
  std::vector<Item> Made;
  if (Row >= MostKernels)
    return Made;
  const KernelRow &Kernel = In->Numbers.Kernels[Row];
  const std::span<const uint32_t> Found = Known.of(Kernel.Site);
  std::vector<uint32_t> Calls(Found.begin(), Found.end());
  const int64_t First = Known.firstNs();
  if (Calls.size() > 2) {
    Made.emplace_back(Chart{fmt::format("durations-{}", Row),
                            fmt::format("Durations of its {} calls", Calls.size()),
                            histogram(In->Source, Calls)});
    Made.emplace_back(Chart{fmt::format("spread-{}", Row), "Durations over time",
                            spreadOf(In->Source, Calls, First)});
  }
  if (Kernel.Off)
    Made.emplace_back(
        Chart{fmt::format("states-{}", Row), "Its calling thread", stateBars(Kernel)});
  else if (Kernel.RunningNs)
    Made.emplace_back(Sentence{
        fmt::format("ran about {} of {}, +-{}: not all of its calls were timed, so that waits are "
                    "not known",
                    shownTime(*Kernel.RunningNs), shownTime(Kernel.Times.TotalNs),
                    shownTime(std::llround(Kernel.RunningErrorNs.value_or(0)))),
        ForHtml});
  size_t Number = 0;
  for (const RegionRow &Region : Kernel.Regions)
    if (!Region.Threads.empty())
      Made.emplace_back(Chart{fmt::format("threads-{}-{}", Row, Number++),
                              fmt::format("Threads of {}", In->name(Region.Site)),
                              threadBars(Region)});
  if (In->Input.Torch)
    if (std::vector<OpCount> Ops = eagerOps(*In, Kernel); !Ops.empty()) {
      const bool Compared = Ops[0].TotalNs.has_value();
      Fields<OpCount> Columns = {{column::name("Eager operator"), &OpCount::Name},
                                 {column::calls(), &OpCount::Calls}};
      if (Compared)
        append(Columns, {{column::calls().keyed("compared_calls").titled("In the compared steps"),
                          &OpCount::ComparedCalls},
                         {column::total().titled("Eager time"), &OpCount::TotalNs}});
      Table Twins = makeTable<OpCount>("eager", "Eager operators it replaced", std::move(Ops),
                                       std::move(Columns));
      Twins.In = ForHtml;
      Made.emplace_back(std::move(Twins));
    }
  for (Item &One : sampledDetails(In, Kernel.Site))
    Made.push_back(std::move(One));
  addSource(Made, In, Kernel);
  if (!Calls.empty()) {
    std::ranges::stable_sort(Calls, std::greater(),
                             [&](uint32_t I) { return In->Source.Events.DurationNs[I]; });
    const size_t Shown = std::min(Calls.size(), MostLaunches);
    Made.emplace_back(Sentence{othersText(In->Source, Calls, Shown, Kernel.Times.Calls), ForHtml});
    Table Launches = launchTable(In, std::move(Calls), First);
    Launches.Count = Shown;
    Made.emplace_back(std::move(Launches));
  }
  return Made;
}

} // namespace seamscope::tools
