//===- Report.cpp - seamscope report ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"
#include "analysis/Cut.h"
#include "cli/Verbs.h"
#include "report/Groups.h"
#include "run/ComparedRuns.h"
#include "run/RunFolder.h"
#include "run/TorchRun.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct ReportOptions {
  std::string Path, Baseline, Out, By, Type, Peaks, Filter, Window;
  std::vector<std::string> Columns;
  std::optional<int64_t> Step;
  bool Json = false, Csv = false, Strict = false, Self = false;
  size_t Top = 0;
  unsigned Threads = 0;
  std::optional<SortKey> Sort;
};

/// Leaves of the trace what --window and --step ask for.
int cutAsAsked(const ReportOptions &Options, Trace &Source) {
  if (Options.Window.empty() && !Options.Step)
    return Success;
  if (!Source.Profile.empty())
    return fail({Source.Info.Path,
                 {},
                 "holds sums of mode profile, not calls; a part of it cannot be cut out"});
  const std::optional<TimeRange> Whole = extentOf(Source);
  if (!Whole)
    return fail({Source.Info.Path, {}, "holds no events to cut a part from"});
  std::optional<TimeRange> Range;
  if (Options.Step) {
    Range = stepRange(Source, *Options.Step);
    if (!Range)
      return fail({Source.Info.Path,
                   {},
                   fmt::format("has no step ProfilerStep#{}; the program marks steps with "
                               "torch.profiler's step()",
                               *Options.Step)});
  } else {
    Range = parseRange(Options.Window, *Whole);
    if (!Range) {
      complain(fmt::format("report: --window {}: is no range like 10ms..1.5s, counted from the "
                           "first event",
                           Options.Window));
      return BadUsage;
    }
  }
  cutTo(Source, *Range);
  Source.Info.Notes.push_back(
      fmt::format("only {} of the trace; events that reach beyond are cut off there",
                  Options.Step ? fmt::format("step {}", *Options.Step) : Options.Window));
  return Success;
}

int reportGroups(const ReportOptions &Options, const Trace &Source, int64_t WindowNs,
                 const NameFilter &Filter) {
  if (!Source.Profile.empty())
    return fail({Source.Info.Path,
                 {},
                 "holds sums of mode profile, not calls; --by needs a trace of mode trace"});
  Grouping Groups = groupBy(Source, linkWork(Source), *groupKeyOf(Options.By));
  const GroupsInput Input = {&Source,
                             &Groups,
                             Options.By,
                             WindowNs,
                             Options.Top ? Options.Top : SIZE_MAX,
                             filterRows(Groups.Rows, Filter)};
  const int Written = writeResult(
      Options.Out, Options.Json  ? groupsJson(Input)
                   : Options.Csv ? groupsCsv(Input)
                                 : groupsText(Input, Options.Out.empty() && coloursWanted()));
  return Written ? Written : tellOfDamage(Source.Info, Options.Strict);
}

std::vector<ReportColumn> columnsAsked(const ReportOptions &Options) {
  const std::vector<std::string> &Names = reportColumnNames();
  std::vector<ReportColumn> Columns;
  for (const std::string &Name : Options.Columns)
    Columns.push_back(static_cast<ReportColumn>(std::ranges::find(Names, Name) - Names.begin()));
  return Columns;
}

/// The trace that \p Path means: itself, or of a run's folder the first. Empty, after a word on
/// stderr, when there is none.
std::string traceOf(const std::string &Path) {
  std::error_code Failed;
  if (!std::filesystem::is_directory(Path, Failed))
    return Path;
  const std::vector<std::string> Traces = tracesIn(Path);
  if (Traces.empty()) {
    fail({Path,
          {},
          "is a directory without a trace.json; name a trace, or a folder that `seamscope run` "
          "made"});
    return {};
  }
  if (Traces.size() > 1)
    complain(fmt::format("report: {} holds {} traces, of processes or cycles; this is {}", Path,
                         Traces.size(), Traces[0]));
  return Traces[0];
}

int report(const ReportOptions &Given) {
  ReportOptions Options = Given;
  Options.Path = traceOf(Given.Path);
  if (Options.Path.empty())
    return BadData;
  PeakTable Peaks = PeakTable::published();
  if (!Options.Peaks.empty())
    if (const auto Failure = Peaks.read(Options.Peaks))
      return fail(*Failure);
  NameFilter Filter;
  if (!Options.Filter.empty())
    if (const std::string Wrong = Filter.set(Options.Filter); !Wrong.empty()) {
      complain(fmt::format("report: --filter {}: {}", Options.Filter, Wrong));
      return BadUsage;
    }
  auto Source = readTrace(
      Options.Path,
      readOptions(Options.Path, Options.Threads,
                  Options.By.empty() ? ReadOptions() : detailsFor(*groupKeyOf(Options.By))));
  if (!Source)
    return fail(Source.error());
  if (const int Failed = cutAsAsked(Options, *Source))
    return Failed;
  Statistics Numbers = computeStatistics(*Source);
  if (!Options.By.empty())
    return reportGroups(Options, *Source, Numbers.WindowNs, Filter);
  DeviceReport Devices;
  Devices.Links = linkWork(*Source);
  Devices.Rows = deviceRows(*Source, Numbers.WindowNs, Devices.Links);
  Devices.Linking = countLinks(*Source, Devices.Links);
  Devices.Categories = categoryRows(*Source);
  Devices.Operators = operatorTimes(*Source, Devices.Links);
  const TraceWork Work(*Source, Devices.Links, typeOfTorchName(Options.Type));
  const EfficiencyInput Efficiency = {&*Source, &Work, &Peaks};
  Devices.Efficiency = &Efficiency;
  Devices.Compiled = compiledView(*Source, Devices.Links);
  Devices.Findings =
      advise({&*Source, &Numbers, &Devices.Rows, &Devices.Links, &Work, &Peaks, &Devices.Compiled});
  // Streams overlap: of a device's kernels the sum tells more than the share of the window.
  const SortKey Natural = Devices.Rows.empty() ? SortKey::Self : SortKey::Total;
  sortKernels(Numbers, *Source, Options.Self ? SortKey::Self : Options.Sort.value_or(Natural));
  ReportInput Input = {&*Source,
                       &Numbers,
                       Options.Top ? Options.Top : SIZE_MAX,
                       nullptr,
                       &Devices,
                       {},
                       {},
                       columnsAsked(Options)};

  std::optional<TorchRun> Torch;
  std::optional<ComparedRuns> Compared;
  if (const std::string Folder = runFolderOf(Options.Path); !Folder.empty()) {
    auto Read = loadTorchRun(Folder, *Source);
    if (!Read)
      return fail(Read.error());
    Torch = std::move(*Read);
    Input.Torch = Torch ? &*Torch : nullptr;
    // Of a part of the trace the steps would be parts, too.
    if (Torch && Options.Window.empty() && !Options.Step && Options.Baseline.empty()) {
      auto Both = compareRuns(Folder, *Source, *Torch, readOptions(Folder, Options.Threads));
      if (!Both)
        return fail(Both.error());
      Compared = std::move(*Both);
      Input.Compared = Compared ? &*Compared : nullptr;
    }
  }

  std::optional<Result<Trace>> Eager;
  BaselineComparison Comparison;
  BaselineInput Baseline{};
  if (!Options.Baseline.empty()) {
    Eager.emplace(readTrace(Options.Baseline, readOptions(Options.Baseline, Options.Threads)));
    if (!*Eager)
      return fail(Eager->error());
    Comparison = compareToBaseline(*Source, Numbers, **Eager);
    Baseline = {&**Eager, &Comparison};
    Input.Baseline = &Baseline;
  } else {
    // A comparison names rows by their numbers.
    Input.Kernels = filterRows(Numbers.Kernels, *Source, Filter);
    Input.Operators = filterRows(Devices.Operators, *Source, Filter);
  }
  const int Written = writeResult(
      Options.Out, Options.Json  ? reportJson(Input)
                   : Options.Csv ? reportCsv(Input)
                                 : reportText(Input, Options.Out.empty() && coloursWanted()));
  if (Written)
    return Written;
  const int Damage = tellOfDamage(Source->Info, Options.Strict);
  return Eager ? std::max(Damage, tellOfDamage((*Eager)->Info, Options.Strict)) : Damage;
}

} // namespace

int printReport(const std::string &Path) {
  ReportOptions Options;
  Options.Path = Path;
  return report(Options);
}

Action addReport(CLI::App &Verb) {
  auto Options = std::make_shared<ReportOptions>();
  Verb.add_option("TRACE", Options->Path,
                  "Trace to read: Chrome trace JSON of Seamscope or torch.profiler, also .gz, an "
                  "SQLite export of nsys or database of nvprof, or a spool; - is standard input "
                  "(JSON alone); or the folder of a `seamscope run`")
      ->required();
  auto *By = Verb.add_option("--by", Options->By,
                             "Split the time by one of kernel, op, op+shape, category, device, "
                             "stream, step, annotation, region (of torch.compile), line, "
                             "stack")
                 ->check(CLI::IsMember(groupKeyNames()));
  auto *Baseline = Verb.add_option(
      "--baseline", Options->Baseline,
      "Trace of the eager run: show each fused kernel beside the eager ones it replaced");
  auto *Json =
      Verb.add_flag("--json", Options->Json, "Write seamscope.report/1; times are integers of ns");
  Verb.add_flag("--csv", Options->Csv, "Write one line a kernel; times in ns")->excludes(Json);
  By->excludes(Baseline);
  Verb.add_option("--filter", Options->Filter,
                  "Show only rows whose name holds this POSIX extended regular expression; the "
                  "others are summed in one row")
      ->excludes(Baseline);
  auto *Window = Verb.add_option("--window", Options->Window,
                                 "Report only a part of the trace, counted from its first event: "
                                 "10ms..1.5s, ..2s, 500us..");
  Verb.add_option("--step", Options->Step,
                  "Report only the time of ProfilerStep#N, the steps that the program marked")
      ->excludes(Window);
  Verb.add_option("--columns", Options->Columns,
                  "Columns of the kernel table, separated by commas: calls, total, mean, min, p50, "
                  "p99, max, self, window, tflops, gbps, intensity, roof, source")
      ->delimiter(',')
      ->check(CLI::IsMember(reportColumnNames()));
  Verb.add_option("--top", Options->Top, "Show only the first N rows")->check(CLI::PositiveNumber);
  static const std::map<std::string, SortKey> Keys = {
      {"self", SortKey::Self}, {"total", SortKey::Total}, {"calls", SortKey::Calls},
      {"mean", SortKey::Mean}, {"p50", SortKey::Median},  {"p99", SortKey::P99},
      {"max", SortKey::Max},   {"name", SortKey::Name}};
  auto *Self = Verb.add_flag("--self", Options->Self,
                             "Sort kernels by their own part of the window: --sort self");
  Verb.add_option("--sort", Options->Sort,
                  "Sort by self (share of the window; the default without a device), total (with "
                  "one), calls, mean, p50, p99, max or name")
      ->transform(CLI::CheckedTransformer(Keys))
      ->excludes(Self);
  addWorkOptions(Verb, Options->Type, Options->Peaks);
  addThreadsOption(Verb, Options->Threads);
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  Verb.add_option("-o,--output", Options->Out, "Write to a file, not to standard output");
  return [Options] { return report(*Options); };
}

} // namespace seamscope::tools
