//===- Report.cpp - seamscope report ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"
#include "analysis/compare/StepsAlone.h"
#include "analysis/core/Cut.h"
#include "analysis/core/LoopTree.h"
#include "analysis/core/RecordingCost.h"
#include "analysis/groups/SourceLines.h"
#include "analysis/torch/Steps.h"
#include "cli/Help.h"
#include "cli/Output.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "report/model/Document.h"
#include "report/sections/Documents.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/RunFolder.h"
#include "run/folder/SourceRoots.h"
#include "run/join/AttributionPlan.h"
#include "run/join/ComparedRuns.h"
#include "run/join/CompiledAdvice.h"
#include "run/join/FailedRuns.h"
#include "run/join/GraphCalls.h"
#include "run/join/TeamOverhead.h"
#include "run/join/TorchRun.h"
#include "run/join/Unrecorded.h"
#include "trace/ReadTrace.h"
#include "trace/rewrite/JoinTraces.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

struct ReportOptions {
  std::string Path, Baseline, By, Type, Peaks, Filter;
  std::vector<std::string> Columns, Roots;
  std::optional<int64_t> Rank;
  WantedPart Part;
  OutputWanted Output;
  bool Strict = false, Self = false, CompileTime = false, Loops = false;
  RowsWanted Top;
  unsigned Threads = 0;
  std::optional<SortKey> Sort;
};

int reportGroups(const ReportOptions &Options, const ReportedTrace &Read, const TorchRun *Torch,
                 const Statistics &Numbers, const NameFilter &Filter) {
  const Trace &Source = Read.Source;
  if (Source.Info.Part)
    return fail({Source.Info.Path,
                 {},
                 fmt::format("has sums of {} calls that were left out; --by needs them all, which "
                             "are in {}",
                             Source.Info.Part->LeftOut, Source.Info.Part->AllIn)});
  if (!Source.Profile.empty())
    return fail({Source.Info.Path,
                 {},
                 "holds sums of mode profile, not calls; --by needs a trace of mode trace"});
  const bool HasLoops = std::ranges::any_of(
      Source.Sites, [](const Site &What) { return What.Kind == SiteKind::Loop; });
  const GroupKey Key = *groupKeyOf(Options.By);
  Grouping Groups = Key == GroupKey::Line && HasLoops
                        ? groupByLine(Source, loopTree(Source, /*AllKernels=*/true))
                        : groupBy(Source, linkWork(Source), Key,
                                  Key == GroupKey::Module && Torch ? kernelModules(*Torch, Source)
                                                                   : KernelModules());
  if (Options.Sort && !sortGroups(Groups.Rows, *Options.Sort)) {
    complain(fmt::format("report: --sort with --by {}: its rows have no percentiles", Options.By));
    return BadUsage;
  }
  const GroupsInput Input = {&Source, &Groups, Options.By, Numbers.WindowNs,
                             Numbers.ApartNs.value_or(0),
                             // A table for people is short, data are whole.
                             Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : 50),
                             filterRows(Groups.Rows, Filter)};
  Document Made = groupsDocument(Input);
  if (const std::string Why = chooseColumns(Made, Options.Columns); !Why.empty()) {
    complain(fmt::format("report: --columns with --by {}: {}", Options.By, Why));
    return BadUsage;
  }
  const int Written = writeDocument(Made, Options.Output, "report");
  return Written ? Written : warnOfDamage(Read, Options.Strict);
}

/// What a report reads beside calls; \p Page: what it takes to know modules is much of a trace.
ReadOptions detailsOfReport(bool Page) {
  return {.Autograd = Page, .Launches = true, .Collectives = true, .Memory = true, .Syncs = true};
}

/// Of three options and more that do nothing together the sentence that says so; of pairs
/// addReport() knows. Empty: all have an effect.
std::string uselessOption(const ReportOptions &Options) {
  if (!Options.Output.Csv || Options.Baseline.empty())
    return {};
  for (const auto &[Name, Given] : {std::pair("--top", Options.Top.Count > 0),
                                    {"--columns", !Options.Columns.empty()},
                                    {"--dtype", !Options.Type.empty()},
                                    {"--peaks", !Options.Peaks.empty()}})
    if (Given)
      return fmt::format("{} does nothing with --csv and --baseline", Name);
  return {};
}

/// Of the table of kernels: "all" becomes the names of all. An empty text, or what is wrong.
std::string checkColumns(std::vector<std::string> &Names) {
  const std::vector<std::string> &Known = reportColumnNames();
  if (Names == std::vector<std::string>{"all"})
    Names = Known;
  for (const std::string &Name : Names)
    if (std::ranges::find(Known, Name) == Known.end())
      return fmt::format("there is no column '{}' here; the columns are {}", Name,
                         fmt::join(Known, ","));
  return {};
}

int report(const ReportOptions &Given) {
  if (const std::string Why = uselessOption(Given); !Why.empty()) {
    complain("report: " + Why);
    return BadUsage;
  }
  ReportOptions Options = Given;
  if (Options.By.empty())
    if (const std::string Why = checkColumns(Options.Columns); !Why.empty()) {
      complain("report: --columns: " + Why);
      return BadUsage;
    }
  const std::string Wanted = Given.Path.empty() ? newestRunFolder(UsualRunParent) : Given.Path;
  if (Wanted.empty()) {
    complain(fmt::format("report: no run below '{}'; name a trace or the folder of one",
                         UsualRunParent));
    return BadUsage;
  }
  const std::vector<std::string> Paths = tracesToReport(Wanted, Given.Rank);
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
  auto Read = readToReport(Paths, Wanted,
                           readOptions(Options.Path, Options.Threads,
                                       Options.By.empty() ? detailsOfReport(Options.Output.Html)
                                                          : detailsFor(*groupKeyOf(Options.By))));
  if (!Read)
    return fail(Read.error());
  Trace *const Source = &Read->Source;
  if (const int Failed = cutToPart("report", Options.Part, *Source))
    return Failed;
  if (!Options.CompileTime)
    if (const uint64_t Dropped = dropOperatorsOfCompilation(*Source))
      Source->Info.Notes.push_back(fmt::format(
          "{} calls of operators while torch compiled are left out (--compile-time shows them)",
          Dropped));
  std::optional<TorchRun> Torch;
  const std::string Folder = runFolderOf(Options.Path);
  if (!Folder.empty()) {
    auto Loaded = loadTorchRun(Folder, *Source, Options.Roots);
    if (!Loaded)
      return fail(Loaded.error());
    if ((Torch = std::move(*Loaded)))
      nameKernels(*Source, *Torch);
  }
  Statistics Numbers =
      computeStatistics(*Source, Options.CompileTime ? std::string_view() : CompileScope);
  if (!Options.By.empty())
    return reportGroups(Options, *Read, Torch ? &*Torch : nullptr, Numbers, Filter);
  DeviceReport Devices;
  Devices.Links = linkWork(*Source);
  Devices.Rows = deviceRows(*Source, Numbers.WindowNs, Devices.Links, &Devices.Gaps);
  Devices.Linking = countLinks(*Source, Devices.Links);
  const std::vector<UntimedShare> Untimed = untimedShares(*Source, Numbers);
  Devices.Categories = categoryRows(*Source, Untimed);
  Devices.Gpu = gpuKernels(*Source, Devices.Links, Devices.Gaps);
  Devices.Loops = gpuLoops(*Source);
  Devices.Operators = operatorTimes(*Source, Devices.Links, Untimed);
  const TraceWork Work(*Source, Devices.Links, typeOfTorchName(Options.Type));
  const EfficiencyInput Efficiency = {&*Source, &Work, &Peaks};
  Devices.Efficiency = &Efficiency;
  Devices.Compiled = compiledView(*Source, Devices.Links);
  const LoopTree Loops = loopTree(*Source);
  std::vector<Error> StepsNotRead;
  const FolderLogs Logs = Folder.empty() ? FolderLogs() : logsOf(Folder, StepsNotRead);
  std::optional<HostLoad> Host;
  if (!Folder.empty()) {
    Host = hostLoadOf(Folder);
    if (auto Busy = busyMachine(Folder, Logs))
      Source->Health.Found.push_back(std::move(*Busy));
    if (auto Failed = failedRuns(Folder))
      Source->Health.Found.push_back(std::move(*Failed)); // the last of the checks
  }
  Devices.Findings =
      advise({&*Source, &Numbers, &Devices.Rows, &Devices.Links, &Work, &Peaks, &Devices.Compiled,
              &Loops, Host ? Host->Processors : 0, &Devices.Gaps});
  // Streams overlap: of a device's kernels the sum is more useful than the share of the window.
  const SortKey Natural = Devices.Rows.empty() ? SortKey::Self : SortKey::Total;
  sortKernels(Numbers, *Source, Options.Self ? SortKey::Self : Options.Sort.value_or(Natural));
  ReportInput Input = {&*Source, &Numbers,       Options.Top.orUsual(SIZE_MAX),
                       nullptr,  &Devices,       {},
                       {},       Options.Columns};

  Input.AllRows = Options.Top.all();
  Input.Page = Options.Output.Html;
  const SourceRoots Roots(Folder, Options.Roots);
  if (Input.Page && (!Folder.empty() || !Options.Roots.empty()))
    Input.Roots = &Roots;
  Input.Loops = &Loops;
  Input.AllLoops = Options.Loops;
  const std::optional<RecordingCost> Recording = recordingCost(*Source, Numbers);
  Input.Recording = Recording ? &*Recording : nullptr;
  std::optional<RankReport> Ranks;
  if (!Read->Ranks.empty()) {
    Ranks = splitByRank(*Source, Read->Ranks, Untimed);
    Ranks->Unread = Read->Unread;
    Ranks->NotAligned = Read->NotAligned;
    Input.Ranks = &*Ranks;
  }
  std::optional<ComparedRuns> Compared;
  std::optional<StepsAlone> Alone;
  std::optional<Unrecorded> Beside;
  if (!Folder.empty()) {
    Input.Torch = Torch ? &*Torch : nullptr;
    for (const Error &Why : StepsNotRead)
      Source->Info.Notes.push_back("left out: " + Why.message());
    // Of a part of the trace the steps would be parts, too.
    if (Ranks && !baselinesIn(Folder).empty())
      Source->Info.Notes.push_back(
          "eager and compiled runs are compared for one process at a time: "
          "--rank N, or the name of its trace");
    else if (Torch && Options.Part.isWhole() && Options.Baseline.empty()) {
      auto Both =
          compareRuns(Folder, *Source, *Torch,
                      {readTrace, [](const std::string &Path) { return rankOfTrace(Path); }},
                      readOptions(Folder, Options.Threads));
      if (!Both)
        return fail(Both.error());
      Compared = std::move(*Both);
      Input.Compared = Compared ? &*Compared : nullptr;
      Beside = compareUnrecorded(Logs, Compared ? Compared->All.By : StepsBy::Call);
      Input.Beside = Beside ? &*Beside : nullptr;
      if (!Compared)
        Input.Steps = &Alone.emplace(stepsAlone(*Source, planGraphs(*Torch, *Source)));
      if (Compared)
        addAdvice(Devices.Findings, adviseOnCompiled(*Source, Numbers, *Torch, *Compared,
                                                     Beside ? &*Beside : nullptr));
    }
  }
  addAdvice(Devices.Findings,
            adviseOnTeams({&*Source, &Numbers, Host ? Host->Processors : 0,
                           Torch ? &*Torch : nullptr, Compared ? &*Compared : nullptr}));

  std::optional<Result<Trace>> Eager;
  BaselineComparison Comparison;
  BaselineInput Baseline{};
  if (!Options.Baseline.empty()) {
    Eager.emplace(readNamed(Options.Baseline, readOptions(Options.Baseline, Options.Threads)));
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
  Document Made = reportDocument(Input);
  if (Options.Output.Csv && !Options.Columns.empty())
    chooseColumns(Made, Input.Columns);
  if (const int Written = writeDocument(Made, Options.Output, "report"))
    return Written;
  int Damage = warnOfDamage(*Read, Options.Strict);
  for (const Error &Why : StepsNotRead)
    Damage = std::max(Damage, fail(Why));
  return Eager ? std::max(Damage, reportDamage((*Eager)->Info, Options.Strict)) : Damage;
}

} // namespace

int printReport(const std::string &Path) {
  ReportOptions Options;
  Options.Path = Path;
  Options.Output.Pages = false;
  return report(Options);
}

Action addReport(CLI::App &Verb) {
  auto Options = std::make_shared<ReportOptions>();
  Verb.add_option("TRACE", Options->Path,
                  "Trace to read: Chrome trace JSON of Seamscope or torch.profiler, also .gz, an "
                  "SQLite export of nsys or database of nvprof, or a spool; - is standard input "
                  "(JSON alone); or the folder of a `seamscope run`; default: the newest below "
                  "seamscope-out");
  auto *By = Verb.add_option("--by", Options->By,
                             "Split the time by one of kernel, op, op+shape, category, device, "
                             "stream, step, annotation, region (of torch.compile), line "
                             "(of compiled code by its loops, else of Python), stack, module")
                 ->check(CLI::IsMember(groupKeyNames()));
  auto *Baseline = Verb.add_option(
      "--baseline", Options->Baseline,
      "Trace of the eager run: show each fused kernel beside the eager ones it replaced");
  Baseline->type_name("FILE");
  addOutputOptions(Verb, Options->Output, "seamscope.report/1", "a kernel",
                   "tables, source, timeline and flame graph");
  auto *const Json = Verb.get_option("--json");
  auto *const Html = Verb.get_option("--html"), *const Xlsx = Verb.get_option("--xlsx");
  By->excludes(Baseline);
  addFilterOption(Verb, Options->Filter)->excludes(Baseline);
  addRankOption(Verb, Options->Rank);
  addPartOptions(Verb, Options->Part);
  std::vector<std::string> Columns = reportColumnNames();
  Columns.insert(Columns.end(), {"percent", "kernels", "all"}); // two of --by
  Verb.add_option("-c,--columns", Options->Columns,
                  "Columns to show, with commas between: of kernels calls, total, mean, min, p50, "
                  "p99, max, self, window, tflops, gbps, intensity, roof, source; of --by calls, "
                  "self, percent, total, mean, min, max, or of lines kernels; or all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(Columns))
      ->excludes(Json)
      ->excludes(Html)
      ->excludes(Xlsx);
  addTopOption(Verb, Options->Top,
               "Show only the first N rows; default: 50 kernels and 20 operators in the text, all "
               "else");
  auto *Self = Verb.add_flag("--self", Options->Self,
                             "Sort kernels by their own part of the window: --sort self")
                   ->excludes(By);
  addChoice<std::optional<SortKey>, SortKey>(
      Verb, "--sort", Options->Sort,
      {{"self", SortKey::Self},
       {"total", SortKey::Total},
       {"calls", SortKey::Calls},
       {"mean", SortKey::Mean},
       {"p50", SortKey::Median},
       {"p99", SortKey::P99},
       {"max", SortKey::Max},
       {"name", SortKey::Name}},
      "Sort by self (share of the window; the default without a device), total (with one), calls, "
      "mean, p50, p99, max or name")
      ->excludes(Self);
  addWorkOptions(Verb, Options->Type, Options->Peaks);
  Verb.get_option("--dtype")->excludes(By);
  Verb.get_option("--peaks")->excludes(By);
  addThreadsOption(Verb, Options->Threads);
  addRootOption(Verb, Options->Roots, "Show on the page")->excludes(By);
  Verb.add_flag(
      "--compile-time", Options->CompileTime,
      "Show also operators that were called while torch compiled, most of them on tensors without "
      "data, and have compilation in the window");
  Verb.add_flag(
          "--loops", Options->Loops,
          "Show all loops, also where each kernel has a single one, and of 20 kernels (recorded "
          "with "
          "the pass's option loops); default: 20 loops each of the 5 hottest kernels with loops")
      ->excludes(By)
      ->excludes(Json)
      ->excludes(Verb.get_option("--csv"));
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  putUnder(
      heading::Input, Verb,
      {"--baseline", "--rank", "--window", "--step", "--compile-time", "--threads", "--strict"});
  putUnder(heading::Rows, Verb,
           {"--by", "--columns", "--filter", "--loops", "--self", "--sort", "--top"});
  putUnder(heading::Work, Verb, {"--dtype", "--peaks"});
  addExamples(Verb, {"k.json", "trace.json.gz --by op+shape --top 20",
                     "fused.json --baseline eager.json", "k.json --json | python3 -m json.tool",
                     "--step 3 --sort total -c calls,total,source k.json"});
  return [Options] {
    return chooseFormat(Options->Output, "report", !Options->Columns.empty())
               ? report(*Options)
               : static_cast<int>(BadUsage);
  };
}

} // namespace seamscope::tools
