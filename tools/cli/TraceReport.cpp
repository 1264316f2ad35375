//===- TraceReport.cpp - makes the report of a trace ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/TraceReport.h"

#include "analysis/compare/StepsAlone.h"
#include "analysis/core/KernelNames.h"
#include "analysis/core/LoopTree.h"
#include "analysis/core/RecordingCost.h"
#include "analysis/groups/SourceLines.h"
#include "analysis/groups/WaitAdvice.h"
#include "analysis/torch/Steps.h"
#include "cli/ReportInputs.h"
#include "report/Report.h"
#include "report/sections/Documents.h"
#include "report/sections/Samples.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/RunFolder.h"
#include "run/folder/SourceRoots.h"
#include "run/join/AttributionPlan.h"
#include "run/join/ComparedRuns.h"
#include "run/join/CompiledAdvice.h"
#include "run/join/FailedRuns.h"
#include "run/join/GraphCalls.h"
#include "run/join/SampledCode.h"
#include "run/join/TeamOverhead.h"
#include "run/join/TorchRun.h"
#include "run/join/Unrecorded.h"
#include "trace/ReadTrace.h"
#include "trace/rewrite/JoinTraces.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// What a report reads besides calls. \p Page: also what modules need, which is a large part of a
/// trace.
ReadOptions detailsOfReport(bool Page) {
  return {.Autograd = Page, .Launches = true, .Collectives = true, .Memory = true, .Syncs = true};
}

/// Makes a report. Its document refers to the members, which must stay in place.
class TraceReport {
public:
  explicit TraceReport(const ReportOptions &Given) : Options(Given) {}
  TraceReport(const TraceReport &) = delete;
  TraceReport &operator=(const TraceReport &) = delete;

  int run() {
    for (const auto Step : {&TraceReport::chooseTraces, &TraceReport::readSettings,
                            &TraceReport::readTraces, &TraceReport::nameByRun})
      if (const int Failed = (this->*Step)())
        return Failed;
    if (!source().SampledSpans.empty())
      Names = nameCode(source());
    Numbers = computeStatistics(source(), Options.CompileTime ? std::string_view() : CompileScope,
                                Names ? &*Names : nullptr);
    if (!Options.By.empty())
      return reportGroups();
    findDevices();
    findLoad();
    findAdvice();
    // Streams overlap: for device kernels the sum is more useful than the share of the window.
    const SortKey Natural = Devices.Rows.empty() ? SortKey::Self : SortKey::Total;
    sortKernels(Numbers, source(), Options.Self ? SortKey::Self : Options.Sort.value_or(Natural));
    setInput();
    if (const int Failed = compareSides())
      return Failed;
    return write();
  }

private:
  Trace &source() { return Read->Source; }
  void note(std::string Sentence) { source().Info.Notes.push_back(std::move(Sentence)); }

  // Functions that return an exit status have reported what is wrong.

  int chooseTraces() {
    Wanted = Options.Path.empty() ? newestRunFolder(UsualRunParent) : Options.Path;
    if (Wanted.empty()) {
      complain(fmt::format("report: no run below '{}'; name a trace or the folder of one",
                           UsualRunParent));
      return BadUsage;
    }
    Paths = tracesToReport(Wanted, Options.Rank);
    return Paths.empty() ? BadData : Success;
  }

  int readSettings() {
    if (!Options.Peaks.empty())
      if (const auto Failure = Peaks.read(Options.Peaks))
        return fail(*Failure);
    if (!Options.Filter.empty())
      if (const std::string Wrong = Filter.set(Options.Filter); !Wrong.empty()) {
        complain(fmt::format("report: --filter {}: {}", Options.Filter, Wrong));
        return BadUsage;
      }
    return Success;
  }

  int readTraces() {
    auto Whole =
        readToReport(Paths, Wanted,
                     readOptions(Paths[0], Options.Threads,
                                 Options.By.empty()       ? detailsOfReport(Options.Output.Html)
                                 : groupKeyOf(Options.By) ? detailsFor(*groupKeyOf(Options.By))
                                                          : ReadOptions()));
    if (!Whole)
      return fail(Whole.error());
    Read = std::move(*Whole);
    if (const int Failed = cutToPart("report", Options.Part, source()))
      return Failed;
    // A trace of the part has no other kernels, and must get the same names.
    tellKernelsApart(source());
    if (Options.CompileTime)
      return Success;
    if (const uint64_t Dropped = dropOperatorsOfCompilation(source()))
      note(fmt::format("{} operator calls during compilation left out (--compile-time shows them)",
                       Dropped));
    return Success;
  }

  /// Reads what torch compiled in the trace's run, and names kernels by it.
  int nameByRun() {
    Folder = runFolderOf(Paths[0]);
    auto Loaded = loadAndName(Folder, source(), Options.Roots);
    if (!Loaded)
      return fail(Loaded.error());
    Torch = std::move(*Loaded);
    return Success;
  }

  /// --by symbol, library, and line where neither loops nor operators were recorded.
  int reportSamples(SamplesBy Key) {
    std::vector<SampleRow> Rows = samplesBy(source(), *Names, Key);
    const FilteredOut Filtered = filterRows(Rows, Filter);
    if (Options.Sort && *Options.Sort == SortKey::Name)
      std::ranges::stable_sort(Rows, {}, &SampleRow::Key);
    Document Doc = sampleGroupsDocument({
        .Source = &source(),
        .Rows = &Rows,
        .Complaints = &Names->Complaints,
        .By = Options.By,
        .WindowNs = Numbers.WindowNs,
        .Top = Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : 50),
        .Filtered = Filtered,
    });
    if (const std::string Why = chooseColumns(Doc, Options.Columns); !Why.empty()) {
      complain(fmt::format("report: --columns with --by {}: {}", Options.By, Why));
      return BadUsage;
    }
    const int Written = writeDocument(Doc, Options.Output, "report");
    return Written ? Written : warnOfDamage(*Read, Options.Strict);
  }

  bool hasA(SiteKind Kind) {
    return std::ranges::any_of(source().Sites, [&](const Site &What) { return What.Kind == Kind; });
  }

  int reportGroups() {
    const TraceInfo &Info = source().Info;
    if (const auto Key = sampleKeyOf(Options.By);
        Key && (*Key != SamplesBy::Line || !(hasA(SiteKind::Loop) || hasA(SiteKind::Operator)))) {
      if (Names && source().Samples.size())
        return reportSamples(*Key);
      if (*Key != SamplesBy::Line)
        return fail({Info.Path, {}, fmt::format("has no samples; --by {} needs them", Options.By)});
    }
    if (Info.Part)
      return fail(
          {Info.Path,
           {},
           fmt::format("has only sums of {} calls; --by needs every call, and all are in {}",
                       Info.Part->LeftOut, Info.Part->AllIn)});
    if (!source().Profile.empty())
      return fail({Info.Path,
                   {},
                   "holds sums of mode profile, not calls; --by needs a trace of mode trace"});
    Grouping Groups = groupRows(*groupKeyOf(Options.By));
    if (Options.Sort && !sortGroups(Groups.Rows, *Options.Sort)) {
      complain(
          fmt::format("report: --sort with --by {}: its rows have no percentiles", Options.By));
      return BadUsage;
    }
    const FilteredOut Filtered = filterRows(Groups.Rows, Filter);
    Document Doc = groupsDocument({
        .Source = &source(),
        .Groups = &Groups,
        .By = Options.By,
        .WindowNs = Numbers.WindowNs,
        .ApartNs = Numbers.ApartNs.value_or(0),
        // A table for people is short, data are complete.
        .Top = Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : 50),
        .Filtered = Filtered,
    });
    if (const std::string Why = chooseColumns(Doc, Options.Columns); !Why.empty()) {
      complain(fmt::format("report: --columns with --by {}: {}", Options.By, Why));
      return BadUsage;
    }
    const int Written = writeDocument(Doc, Options.Output, "report");
    return Written ? Written : warnOfDamage(*Read, Options.Strict);
  }

  Grouping groupRows(GroupKey Key) {
    if (Key == GroupKey::Line && hasA(SiteKind::Loop))
      return groupByLine(source(), loopTree(source(), /*AllKernels=*/true));
    return groupBy(source(), linkWork(source()), Key,
                   Key == GroupKey::Module && Torch ? kernelModules(*Torch, source())
                                                    : KernelModules());
  }

  /// Finds what happened on devices, and by operators.
  void findDevices() {
    Devices.Links = linkWork(source());
    Devices.Rows = deviceRows(source(), Numbers.WindowNs, Devices.Links, &Devices.Gaps);
    Devices.Linking = countLinks(source(), Devices.Links);
    Untimed = untimedShares(source(), Numbers);
    Devices.Categories = categoryRows(source(), Untimed);
    Devices.Gpu = gpuKernels(source(), Devices.Links, Devices.Gaps);
    Devices.Loops = gpuLoops(source());
    Devices.Operators = operatorTimes(source(), Devices.Links, Untimed);
    Work.emplace(source(), Devices.Links, typeOfTorchName(Options.Type));
    Efficiency = {.Source = &source(), .Work = &*Work, .Peaks = &Peaks};
    Devices.Efficiency = &Efficiency;
    Devices.Compiled = compiledView(source(), Devices.Links);
    Loops = loopTree(source());
  }

  /// Finds what other work on the machine, and failed runs in the folder, did to this run.
  void findLoad() {
    if (Folder.empty())
      return;
    Logs = logsOf(Folder, StepsNotRead);
    Host = hostLoadOf(Folder);
    std::vector<HealthFinding> &Found = source().Health.Found;
    if (auto Busy = busyMachine(Folder, Logs))
      Found.push_back(std::move(*Busy));
    if (auto Failed = failedRuns(Folder))
      Found.push_back(std::move(*Failed)); // the last of the checks
  }

  unsigned processors() { return Host ? Host->Processors : source().Info.Processors; }

  void findAdvice() {
    Devices.Findings = advise({
        .Source = &source(),
        .Numbers = &Numbers,
        .Devices = &Devices.Rows,
        .Links = &Devices.Links,
        .Work = &*Work,
        .Peaks = &Peaks,
        .Compiled = &Devices.Compiled,
        .Loops = &Loops,
        .Processors = processors(),
        .Gaps = &Devices.Gaps,
    });
    if (Names)
      addAdvice(Devices.Findings, adviseOnWaits(source(), *Names, Numbers.WindowNs, processors()));
  }

  /// Sets what the document shows of this trace alone.
  void setInput() {
    Input.Source = &source();
    Input.Numbers = &Numbers;
    Input.Top = Options.Top.orUsual(SIZE_MAX);
    Input.AllRows = Options.Top.all();
    Input.Devices = &Devices;
    Input.Columns = Options.Columns;
    Input.Page = Options.Output.Html;
    Input.Loops = &Loops;
    Input.AllLoops = Options.Loops;
    Roots.emplace(Folder, Options.Roots);
    if (Input.Page && (!Folder.empty() || !Options.Roots.empty()))
      Input.Roots = &*Roots;
    Recording = recordingCost(source(), Numbers);
    Input.Recording = Recording ? &*Recording : nullptr;
    if (!Read->Ranks.empty()) {
      Ranks = splitByRank(source(), Read->Ranks, Untimed);
      Ranks->Unread = Read->Unread;
      Ranks->NotAligned = Read->NotAligned;
      Input.Ranks = &*Ranks;
    }
    Input.Torch = Torch ? &*Torch : nullptr;
    if (Names)
      Input.Sampled = &Sampled.emplace(sampledReport(source(), Numbers, *Names));
  }

  /// Compares this run with those in the folder, or with the trace that --baseline names.
  int compareSides() {
    for (const Error &Why : StepsNotRead)
      note("left out: " + Why.message());
    // Steps of a part of the trace would be incomplete, too.
    if (Ranks && !Folder.empty() && !baselinesIn(Folder).empty())
      note("eager and compiled runs are compared for one process at a time: "
           "--rank N, or the name of its trace");
    else if (Torch && Options.Part.isWhole() && Options.Baseline.empty())
      if (const int Failed = compareRunsInFolder())
        return Failed;
    addAdvice(Devices.Findings, adviseOnTeams({
                                    .Source = &source(),
                                    .Numbers = &Numbers,
                                    .Processors = processors(),
                                    .Torch = Input.Torch,
                                    .Compared = Input.Compared,
                                }));
    if (!Options.Baseline.empty())
      return compareToTrace();
    // A comparison refers to rows by number: none may be left out there.
    Input.Kernels = filterRows(Numbers.Kernels, source(), Filter);
    Input.Operators = filterRows(Devices.Operators, source(), Filter);
    return Success;
  }

  int compareRunsInFolder() {
    const TraceAccess Traces = {
        .Read = readTrace, .RankOf = [](const std::string &Path) { return rankOfTrace(Path); }};
    auto Both = compareRuns(Folder, source(), *Torch, Traces, readOptions(Folder, Options.Threads));
    if (!Both)
      return fail(Both.error());
    Compared = std::move(*Both);
    Input.Compared = Compared ? &*Compared : nullptr;
    Beside = compareUnrecorded(Logs, Compared ? Compared->All.By : StepsBy::Call);
    Input.Beside = Beside ? &*Beside : nullptr;
    if (!Compared)
      Input.Steps = &Alone.emplace(stepsAlone(source(), planGraphs(*Torch, source())));
    else
      addAdvice(Devices.Findings,
                adviseOnCompiled(source(), Numbers, *Torch, *Compared, Input.Beside));
    return Success;
  }

  int compareToTrace() {
    auto Other = readNamed(Options.Baseline, readOptions(Options.Baseline, Options.Threads));
    if (!Other)
      return fail(Other.error());
    Eager = std::move(*Other);
    tellKernelsApart(*Eager);
    Comparison = compareToBaseline(source(), Numbers, *Eager);
    Baseline = {.Eager = &*Eager, .Comparison = &Comparison};
    Input.Baseline = &Baseline;
    return Success;
  }

  int write() {
    Document Doc = reportDocument(Input);
    if (Options.Output.Csv && !Options.Columns.empty())
      chooseColumns(Doc, Input.Columns);
    if (const int Written = writeDocument(Doc, Options.Output, "report"))
      return Written;
    int Damage = warnOfDamage(*Read, Options.Strict);
    for (const Error &Why : StepsNotRead)
      Damage = std::max(Damage, fail(Why));
    return Eager ? std::max(Damage, reportDamage(Eager->Info, Options.Strict)) : Damage;
  }

  const ReportOptions Options;
  std::string Wanted;             ///< trace or folder
  std::vector<std::string> Paths; ///< of traces
  PeakTable Peaks = PeakTable::published();
  NameFilter Filter;
  std::optional<ReportedTrace> Read;
  std::string Folder; ///< of the run; empty: none
  std::optional<TorchRun> Torch;
  std::optional<CodeNames> Names; ///< nothing: threads were not sampled
  std::optional<SampledReport> Sampled;
  Statistics Numbers;
  DeviceReport Devices;
  std::vector<UntimedShare> Untimed;
  std::optional<TraceWork> Work;
  EfficiencyInput Efficiency = {};
  LoopTree Loops;
  FolderLogs Logs;
  std::vector<Error> StepsNotRead;
  std::optional<HostLoad> Host;
  std::optional<SourceRoots> Roots;
  std::optional<RecordingCost> Recording;
  std::optional<RankReport> Ranks;
  std::optional<ComparedRuns> Compared;
  std::optional<StepsAlone> Alone;
  std::optional<Unrecorded> Beside;
  std::optional<Trace> Eager; ///< that --baseline names
  BaselineComparison Comparison;
  BaselineInput Baseline = {};
  ReportInput Input = {};
};

} // namespace

int reportTrace(const ReportOptions &Options) { return TraceReport(Options).run(); }

} // namespace seamscope::tools
