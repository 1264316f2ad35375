//===- Kernels.cpp - the kernels of a trace ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Operators.h"
#include "kernels/Category.h"
#include "report/sections/CountedWork.h"
#include "report/sections/FusedOperators.h"
#include "report/sections/Page.h"
#include "report/sections/WorkSources.h"
#include "run/join/TorchRun.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Rows of the text without --top. With thousands of kernels, people look at the first.
constexpr size_t UsualKernels = 50;

/// A percentile of a profile, known by the floor of its bucket: at most the bucket's end.
std::string boundText(int64_t Floor, const CallStatistics &Times, int64_t BiasNs) {
  // A bucket is at most a quarter wider than its floor; both ends were rounded. The time that
  // stamps take is subtracted for throttled sites.
  const int64_t Less = Times.Untimed ? BiasNs : 0, Read = Floor + Less;
  return "<=" + shownTime(std::min(Read + Read / 4 + 2 - Less, Times.MaxNs.value_or(INT64_MAX)));
}

/// Calls of a row that did not return; empty if all did.
std::string unendedText(const KernelRow &Row) {
  const auto Were = [](uint64_t Calls) {
    return fmt::format("{} call{}", Calls, Calls == 1 ? " was" : "s were");
  };
  std::string Text;
  if (Row.Open)
    Text = Were(Row.Open) + " open at the end";
  if (Row.Abandoned)
    Text += fmt::format("{}{} left without an exit", Text.empty() ? "" : ", ", Were(Row.Abandoned));
  return Text;
}

Cell errorCell(std::optional<double> Ns) { return Ns ? Cell(std::llround(*Ns)) : Cell(); }

/// The error of a row whose calls were all timed, but not those inside.
std::string ownErrorText(const KernelRow &Row) {
  if (!Row.SelfErrorNs || Row.Times.Untimed)
    return {};
  return fmt::format("~ own time: error at most {}", shownTime(std::llround(*Row.SelfErrorNs)));
}

/// Calls, times and place of a kernel.
Fields<KernelRow> timeFields(const Context &In) {
  using Times = CallStatistics;
  /// Estimates are marked as such.
  const auto Estimated = [](auto Get) {
    return [Get](const KernelRow &R) -> Cell {
      const std::optional<int64_t> Ns = std::invoke(Get, R);
      return Ns ? timeCell(*Ns, R.Times.Untimed.has_value()) : Cell();
    };
  };
  const auto Percentile = [In](auto Member) {
    return [In, Member](const KernelRow &R) -> Cell {
      const std::optional<int64_t> Ns = R.Times.*Member;
      if (!Ns)
        return {};
      const bool IsEstimate = R.Times.Untimed.has_value();
      if (In->Source.Profile.empty())
        return timeCell(*Ns, IsEstimate);
      return {*Ns, (IsEstimate ? "~" : "") + boundText(*Ns, R.Times, In->Source.Info.StampBiasNs)};
    };
  };
  const Column Of("device", "Device", Unit::Count, "that ran it; null: the host");
  return {
      {column::name("Kernel"), [In](const KernelRow &R) { return In->name(R.Site); }},
      {column::calls().sum().chosen("calls"), [](const KernelRow &R) { return R.Times.Calls; }},
      {column::total().sum().chosen("total"),
       Estimated([](const KernelRow &R) { return std::optional(R.Times.TotalNs); })},
      {column::self().chosen("self").helped(
           "its own part of the window: moments in which several threads work are divided"),
       [](const KernelRow &R) -> Cell {
         return R.SelfNs ? timeCell(*R.SelfNs, R.SelfErrorNs.has_value()) : Cell();
       }},
      {Column("self_error_ns", Unit::Ns,
              "how far self_ns may be off, since calls inside or around were not timed")
           .in(ForJson),
       [](const KernelRow &R) { return errorCell(R.SelfErrorNs); }},
      {Column("mean_ns", "Mean", Unit::Ns, "of the durations of all calls").chosen("mean"),
       Estimated([](const KernelRow &R) { return R.Times.MeanNs; })},
      {Column("min_ns", "Min", Unit::Ns, "shortest duration").chosen("min"),
       [](const KernelRow &R) { return R.Times.MinNs; }},
      {Column("p50_ns", "p50", Unit::Ns, "median duration, nearest rank").chosen("p50"),
       Percentile(&Times::MedianNs)},
      {Column("p99_ns", "p99", Unit::Ns, "99th percentile of the durations, nearest rank")
           .chosen("p99"),
       Percentile(&Times::P99Ns)},
      {Column("max_ns", "Max", Unit::Ns, "longest duration").chosen("max"),
       [](const KernelRow &R) { return R.Times.MaxNs; }},
      {column::percent("window_percent", "Window %", "self_ns of the window")
           .sum()
           .chosen("window"),
       [In](const KernelRow &R) -> Cell {
         if (!R.SelfNs)
           return {};
         const auto Share = percentOf(*R.SelfNs, In->Numbers.WindowNs);
         return R.SelfErrorNs ? Cell(Share, "~" + shownShare(*R.SelfNs, In->Numbers.WindowNs))
                              : Cell(Share);
       }},
      {Column("open", "Open", Unit::Count, "calls that had not ended").wide(), &KernelRow::Open},
      {Column("abandoned", "Abandoned", Unit::Count, "calls left without an exit").wide(),
       &KernelRow::Abandoned},
      {Column("running_ns", "Running", Unit::Ns,
              "of total_ns, time in which the calling thread ran; null: not recorded")
           .wide()
           .in(ForJson | ForHtml),
       [](const KernelRow &R) -> Cell {
         return R.RunningNs ? timeCell(*R.RunningNs, R.RunningErrorNs.has_value()) : Cell();
       }},
      {Column("running_error_ns", Unit::Ns,
              "how far running_ns may be off, since calls were not timed; null: it is exact")
           .in(ForJson),
       [](const KernelRow &R) { return errorCell(R.RunningErrorNs); }},
      {Column("blocked_ns", "Blocked", Unit::Ns,
              "of total_ns, time in which it waited for something")
           .wide()
           .in(ForJson | ForHtml),
       [](const KernelRow &R) { return R.Off ? Value(R.Off->BlockedNs) : Value(); }},
      {Column("preempted_ns", "Preempted", Unit::Ns,
              "of total_ns, time in which it was ready and another thread ran")
           .wide()
           .in(ForJson | ForHtml),
       [](const KernelRow &R) { return R.Off ? Value(R.Off->PreemptedNs) : Value(); }},
      {column::source().chosen("source"),
       [In](const KernelRow &R) { return In->source(In->site(R.Site)); }},
      {Column("category", "Category", Unit::Text, "kind of work").left().aside(),
       [In](const KernelRow &R) {
         return categoryName(categoryOf(In->Input.Torch, In->Source, R.Site));
       }},
      {severalDevices(*In) ? Of.in(ForAll) : Of.wide(),
       [In](const KernelRow &R) { return unlessNegative(In->site(R.Site).Device); }},
  };
}

const EfficiencyInput *workOf(const ReportContext &In) {
  return In.Input.Devices ? In.Input.Devices->Efficiency : nullptr;
}

Fields<KernelRow> workFields(const Context &In) {
  const EfficiencyInput *const Of = workOf(*In);
  const auto Rates = [In, Of](const KernelRow &R) {
    const Site &What = In->site(R.Site);
    return kernelEfficiency(*Of, What.Name, What.Device);
  };
  // A CPU does GFLOP/s.
  double Most = 0;
  for (const KernelRow &Row : In->Numbers.Kernels)
    Most = std::max(Most, Of ? Rates(Row).FlopPerS.value_or(0) : 0);
  Fields<KernelRow> Made =
      efficiencyFields<KernelRow>(Of, Rates, Most > 0 && Most < 1e11 ? 1e9 : 1e12);
  const auto Share = [Of, Rates](auto Member) {
    return [Of, Rates, Member](const KernelRow &R) -> Cell {
      return Of ? Value(Rates(R).*Member) : Value(Absent());
    };
  };
  append(Made, {{{"flop_peak_share", Unit::Ratio, "flop_per_s of the device's peak: 1 is all"},
                 Share(&Efficiency::FlopShare)},
                {{"dram_peak_share", Unit::Ratio, "bytes_per_s of the device's memory peak"},
                 Share(&Efficiency::DramShare)},
                {Column("roof_percent", "Roof %", Unit::Percent, "of the roof that is nearer")
                     .chosen("roof")
                     .in(ForPeople),
                 [Of, Rates](const KernelRow &R) -> Cell {
                   if (!Of)
                     return {};
                   const Efficiency Each = Rates(R);
                   const auto Roof = Each.BytesOfCaches ? Each.FlopShare : Each.roofShare();
                   const bool IsLeast = Each.BytesOfCaches || (Each.BytesAtLeast && Each.DramShare);
                   const std::string Text = shownRate(Roof, 0.01);
                   // A lower bound of almost nothing says nothing.
                   if (!Roof || (IsLeast && Text.starts_with('<')))
                     return {};
                   return {100 * *Roof, (IsLeast ? ">=" : "") + Text};
                 }}});
  append(Made, workSourceFields(In));
  return Made;
}

/// Columns from each analysis of kernels.
Fields<KernelRow> kernelFields(const Context &In) {
  Fields<KernelRow> Made = timeFields(In);
  append(Made, groupFields(In));
  Made.push_back(
      rowsField("regions", "its parallel regions", regionFields(In), &KernelRow::Regions));
  Made.push_back(sampledField<KernelRow>(
      [](const KernelRow &R) { return R.Times.Untimed ? &*R.Times.Untimed : nullptr; }));
  append(Made, workFields(In));
  append(Made, countedFields(In));
  append(Made, fusedOperatorFields(In));
  append(Made,
         {{Column("untimed_calls", Unit::Count, "calls that were counted and not timed").in(ForCsv),
           [](const KernelRow &R) { return R.Times.Untimed ? R.Times.Untimed->Calls : 0; }},
          {Column("total_stderr_ns", Unit::Ns, "standard error of total_ns").in(ForCsv),
           [](const KernelRow &R) {
             return R.Times.Untimed ? Value(R.Times.Untimed->StderrNs) : Value();
           }}});
  append(Made, recordingFields(In));
  Made.push_back(rowsField<KernelRow>("loops", "its loops, outer ones first", loopFields(In),
                                      [In](const KernelRow &R) { return loopRows(*In, R.Site); }));
  append(Made, gpuKernelFields(In));
  append(Made, torchFields(In));
  append(Made, attributionFields(In));
  return Made;
}

std::vector<std::string> chosenKeys(const Context &In, const Table &Kernels) {
  std::vector<std::string> Names = In->Input.Columns;
  if (Names.empty()) {
    Names = {"calls", "total", "mean", "min", "p50", "p99"};
    // Sums do not show what ran at the same time.
    if (In->Source.Profile.empty())
      Names.emplace_back("window");
    const EfficiencyInput *const Of = workOf(*In);
    if (Of && std::ranges::any_of(In->Numbers.Kernels, [&](const KernelRow &Row) {
          const Site &What = In->site(Row.Site);
          return Of->Work->ofKernel(What.Name, What.Device) != nullptr;
        }))
      Names.insert(Names.end(), {"tflops", "gbps", "intensity", "roof"});
    if (hasSeveralSources(*In))
      Names.emplace_back("from");
    Names.emplace_back("source");
  }
  std::vector<std::string> Keys = {"name"};
  if (In->Input.Columns.empty() && severalDevices(*In))
    Keys.emplace_back("device");
  for (const std::string &Name : Names)
    for (const Column &Each : Kernels.Columns)
      if (Each.Chosen == Name)
        Keys.push_back(Each.Key);
  return Keys;
}

/// A summary row for many kernels, or for none.
std::vector<Summary> summaries(const ReportContext &In) {
  const Statistics &Numbers = In.Numbers;
  const FilteredOut &Out = In.Input.Kernels;
  const auto Percent = [&](int64_t Ns) { return percentOf(Ns, Numbers.WindowNs); };
  std::vector<Summary> Made;
  if (Out.Rows)
    Made.push_back({fmt::format("[{} filtered out]", Out.Rows),
                    {{"calls", Out.Calls},
                     {"total_ns", Out.TotalNs},
                     {"window_percent", Percent(Out.SelfNs)}}});
  if (Numbers.UnattributedNs) {
    Made.push_back({"[unattributed]",
                    {{"total_ns", *Numbers.UnattributedNs},
                     {"window_percent", Percent(*Numbers.UnattributedNs)}}});
    // In data, it is a separate time.
    Made.push_back({"[unattributed]", {{"self_ns", *Numbers.UnattributedNs}}, ForCsv});
  }
  for (const auto &[Label, Ns] : {std::pair("[blocked]", Numbers.BlockedNs),
                                  {"[preempted]", Numbers.PreemptedNs},
                                  {"[spinning]", Numbers.SpinningNs},
                                  {"[recording]", Numbers.RecordingNs}})
    if (Ns.value_or(0)) {
      Made.push_back({Label, {{"total_ns", *Ns}, {"window_percent", Percent(*Ns)}}});
      Made.push_back({Label, {{"self_ns", *Ns}}, ForCsv});
    }
  Made.push_back({"[window]",
                  {{"total_ns", Numbers.WindowNs},
                   {"window_percent", Numbers.UnattributedNs ? Cell(100.0) : Cell()}}});
  return Made;
}

} // namespace

Table kernelsTable(const Context &In) {
  Fields<KernelRow> Columns = kernelFields(In);
  std::shared_ptr<const KernelCalls> Calls;
  if (In->Input.Page) {
    Calls = std::make_shared<const KernelCalls>(*In);
    Columns.insert(Columns.begin() + 4, durationsField(In, Calls));
  }
  Table Made = makeTable("kernels", "Kernels", std::span(In->Numbers.Kernels), std::move(Columns));
  Made.In = ForData | ForHtml;
  Made.Data = In->Input.Top;
  Made.Top = In->Input.rowsOf(UsualKernels);
  Made.Summaries = summaries(*In);
  if (Calls)
    Made.Details = [In, Calls](size_t Row) { return kernelDetails(In, *Calls, Row); };
  Made.Notes = [In](size_t Row) {
    const KernelRow &Of = In->Numbers.Kernels[Row];
    std::vector<std::string> Lines = {
        unendedText(Of), Of.Times.Untimed ? untimedText(*Of.Times.Untimed) : ownErrorText(Of)};
    std::erase(Lines, "");
    return Lines;
  };
  return Made;
}

void addKernels(Section &To, const Context &In, const Table &Kernels) {
  Table Shown = view(Kernels, "Kernel", allRows(Kernels.Count), chosenKeys(In, Kernels));
  To.add(Kernels);
  To.fact({"unattributed_ns", "Outside kernels", Unit::Ns, "of the window, outside kernels"},
          In->Numbers.UnattributedNs);
  To.fact({"unattributed_error_ns", Unit::Ns,
           "how far unattributed_ns may be off, since calls were not timed; null: it is exact"},
          errorCell(In->Numbers.UnattributedErrorNs));
  To.fact({"blocked_ns", "Blocked in kernels", Unit::Ns,
           "of the window, threads were blocked in kernels and none ran; null: not recorded"},
          In->Numbers.BlockedNs);
  To.fact({"preempted_ns", Unit::Ns,
           "of the window, threads in kernels were ready and none ran; null: not recorded"},
          In->Numbers.PreemptedNs);
  To.fact(
      {"spinning_ns", Unit::Ns,
       "of the window, threads waited in kernels without blocking; an estimate by samples; null: "
       "none was sampled"},
      In->Numbers.SpinningNs);
  To.fact({"recording_ns", Unit::Ns,
           "of the window, hooks ran; an estimate by samples; null: less than 1 %, or there are no "
           "samples: then it is in the other times"},
          In->Numbers.RecordingNs);
  // A trace with only operators shows their table.
  const DeviceReport *const Devices = In->Input.Devices;
  if (!In->Numbers.Kernels.empty() || !Devices || Devices->Operators.empty())
    To.add(std::move(Shown));
  addWorkLegend(To, In);
}

const std::vector<std::string> &reportColumnNames() {
  static const std::vector<std::string> Names = {"calls", "total",     "mean", "min",    "p50",
                                                 "p99",   "max",       "self", "window", "tflops",
                                                 "gbps",  "intensity", "roof", "from",   "source"};
  return Names;
}

} // namespace seamscope::tools
