//===- Report.cpp - seamscope report ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"
#include "analysis/Cut.h"
#include "analysis/Ranks.h"
#include "cli/Verbs.h"
#include "report/Groups.h"
#include "run/BaselineFolder.h"
#include "run/ComparedRuns.h"
#include "run/CompiledAdvice.h"
#include "run/OwnCompiler.h"
#include "run/RunFolder.h"
#include "run/TorchRun.h"
#include "torch/CompileLog.h"
#include "trace/Combine.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct ReportOptions {
  std::string Path, Baseline, Out, By, Type, Peaks, Filter, Window;
  std::vector<std::string> Columns;
  std::optional<int64_t> Step, Rank;
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

/// Whether a trace of a run's folder is that of a schedule's second cycle (trace-2.json) or a later
/// one: of the same process as the first.
bool isLaterCycle(const std::string &Path) {
  std::string_view Name = Path;
  Name.remove_prefix(Name.rfind('/') + 1);
  if (!Name.starts_with("trace-"))
    return false;
  Name.remove_prefix(6);
  const size_t Digits = std::min(Name.find_first_not_of("0123456789"), Name.size());
  return Digits > 0 && Name.substr(Digits).starts_with(".json");
}

/// The traces that the options mean: that which is named, or of a run's folder all, or those of one
/// rank. Empty, after a word on stderr, when there is none.
std::vector<std::string> tracesAsked(const ReportOptions &Options) {
  std::error_code Failed;
  const bool IsFolder = std::filesystem::is_directory(Options.Path, Failed);
  std::vector<std::string> Traces =
      IsFolder ? tracesIn(Options.Path) : std::vector<std::string>{Options.Path};
  if (Traces.empty() && isRunFolder(Options.Path))
    fail({Options.Path,
          {},
          compileLogsIn(logsIn(Options.Path)).empty()
              ? "the run in it recorded nothing: no part of the program is built with "
                "seamscope-clang++, and it called no operator of torch"
              : "the run in it recorded nothing beside what torch compiled, which is in its "
                "torch-trace"});
  else if (Traces.empty())
    fail({Options.Path,
          {},
          "is a directory without a trace.json; name a trace, or a folder that `seamscope run` "
          "made"});
  if (Traces.size() > 1 && !isLaterCycle(Traces[0]))
    if (const size_t Cycles = std::erase_if(Traces, isLaterCycle))
      complain(fmt::format("report: {} holds {} cycles of a schedule; this is the first, {}",
                           Options.Path, Cycles + 1, Traces[0]));
  if (Traces.size() > 1) {
    std::vector<std::pair<int64_t, std::string>> ByRank;
    for (const std::string &Path : Traces)
      ByRank.emplace_back(rankOfTrace(Path).value_or(INT64_MAX), Path);
    std::ranges::stable_sort(ByRank, {}, &std::pair<int64_t, std::string>::first);
    Traces.clear();
    for (auto &[Rank, Path] : ByRank)
      Traces.push_back(std::move(Path));
  }
  if (Traces.empty() || !Options.Rank)
    return Traces;
  std::string Ranks;
  std::erase_if(Traces, [&](const std::string &Path) {
    const std::optional<int64_t> Rank = rankOfTrace(Path);
    if (Rank)
      Ranks += fmt::format("{}{}", Ranks.empty() ? "" : ", ", *Rank);
    return Rank != Options.Rank;
  });
  if (Traces.empty())
    fail({Options.Path,
          {},
          Ranks.empty() ? "tells no ranks"
                        : fmt::format("has no rank {}; there are {}", *Options.Rank, Ranks)});
  return Traces;
}

/// What is reported, and the processes that it is made of, where there are several.
struct Reported {
  Trace Source;
  std::vector<RankInput> Inputs;
};

Result<Reported> readAll(const std::vector<std::string> &Paths, const std::string &Name,
                         const ReadOptions &Keep) {
  if (Paths.size() == 1) {
    auto One = readTrace(Paths[0], Keep);
    if (!One)
      return One.error();
    return Reported{std::move(*One), {}};
  }
  auto All = readTogether(Paths, Keep);
  if (!All) {
    Error Why = All.error();
    Why.Reason += fmt::format("; the {} traces of {} cannot be reported together: name one of them",
                              Paths.size(), Name);
    return Why;
  }
  Reported Result{std::move(All->Whole), {}};
  Result.Source.Info.Path = Name;
  for (size_t I = 0; I < Paths.size(); ++I) {
    const InputPlan &Plan = All->Inputs.Plan.Inputs[I];
    RankInput &Input = Result.Inputs.emplace_back();
    Input.Rank = All->Inputs.Surveys[I].Rank;
    // A folder's traces without ranks are told apart by their processes.
    Input.Label = Plan.Label;
    Input.Path = Paths[I];
    for (const auto &[Old, New] : Plan.Pids)
      Input.Pids.push_back(New);
    if (!Input.Rank && !Input.Pids.empty())
      Input.Label = "process " + Input.Pids.front();
  }
  return Result;
}

int report(const ReportOptions &Given) {
  ReportOptions Options = Given;
  const std::vector<std::string> Paths = tracesAsked(Given);
  if (Paths.empty())
    return BadData;
  Options.Path = Paths[0];
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
  auto Read = readAll(
      Paths, Given.Path,
      readOptions(Options.Path, Options.Threads,
                  Options.By.empty() ? ReadOptions() : detailsFor(*groupKeyOf(Options.By))));
  if (!Read)
    return fail(Read.error());
  Trace *const Source = &Read->Source;
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

  std::optional<RankReport> Ranks;
  if (!Read->Inputs.empty()) {
    Ranks = splitByRank(*Source, std::move(Read->Inputs));
    Input.Ranks = &*Ranks;
  }
  std::optional<TorchRun> Torch;
  std::optional<ComparedRuns> Compared;
  std::optional<OwnCompiler> Own;
  if (const std::string Folder = runFolderOf(Options.Path); !Folder.empty()) {
    auto Loaded = loadTorchRun(Folder, *Source);
    if (!Loaded)
      return fail(Loaded.error());
    Torch = std::move(*Loaded);
    Input.Torch = Torch ? &*Torch : nullptr;
    // Of a part of the trace the steps would be parts, too.
    if (Ranks && !baselinesIn(Folder).empty())
      Source->Info.Notes.push_back(
          "eager and compiled runs are compared for one process at a time: "
          "--rank N, or the name of its trace");
    else if (Torch && Options.Window.empty() && !Options.Step && Options.Baseline.empty()) {
      auto Both = compareRuns(Folder, *Source, *Torch, readOptions(Folder, Options.Threads));
      if (!Both)
        return fail(Both.error());
      Compared = std::move(*Both);
      Input.Compared = Compared ? &*Compared : nullptr;
      auto Beside = compareOwnCompiler(Folder, *Source, readOptions(Folder, Options.Threads));
      if (!Beside)
        return fail(Beside.error());
      Own = *Beside;
      Input.Own = Own ? &*Own : nullptr;
      if (Compared) {
        std::ranges::move(adviseOnCompiled(*Source, Numbers, *Torch, *Compared),
                          std::back_inserter(Devices.Findings));
        std::ranges::stable_sort(Devices.Findings, std::ranges::greater(), &Advice::PrizeNs);
      }
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
  Verb.add_option("--rank", Options->Rank,
                  "Of the folder of a run, report this rank alone; else all together");
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
