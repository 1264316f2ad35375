//===- MakeReport.cpp - makes the report of a trace -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/MakeReport.h"

#include "analysis/core/KernelNames.h"
#include "analysis/groups/WaitAdvice.h"
#include "analysis/torch/Steps.h"
#include "cli/Messages.h"
#include "machine/Processor.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/OwnCache.h"
#include "run/folder/RunFolder.h"
#include "run/join/AttributionPlan.h"
#include "run/join/BusyMachine.h"
#include "run/join/CompiledAdvice.h"
#include "run/join/FailedRuns.h"
#include "run/join/FusedWork.h"
#include "run/join/GraphCalls.h"
#include "run/join/TeamOverhead.h"
#include "trace/ReadTrace.h"
#include "trace/rewrite/JoinTraces.h"

#include <algorithm>
#include <array>
#include <future>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace seamscope::tools {

/// What a report reads besides calls. \p Page: also what modules need, which is a large part of a
/// trace.
static ReadOptions detailsOfReport(bool Page) {
  return {.Autograd = Page, .Launches = true, .Collectives = true, .Memory = true, .Syncs = true};
}

int ReportMaker::read() {
  for (const auto Step : {&ReportMaker::chooseTraces, &ReportMaker::readSettings,
                          &ReportMaker::readTraces, &ReportMaker::nameByRun})
    if (const int Failed = (this->*Step)())
      return Failed;
  if (!source().SampledSpans.empty())
    Names = nameCode(source());
  Numbers = computeStatistics(source(), Options.CompileTime ? std::string_view() : CompileScope,
                              Names ? &*Names : nullptr);
  return Success;
}

std::optional<Machine> ownRoofs(const Trace &Source, bool &CanMeasure) {
  std::array<char, 256> Host{};
  gethostname(Host.data(), Host.size() - 1);
  if (Source.Work.empty() || Source.Info.HostName != Host.data())
    return std::nullopt;
  auto Known = machineFor({{}, ownCache(), thisProcessor().Key});
  CanMeasure = !Known;
  return Known ? std::optional(std::move(*Known)) : std::nullopt;
}

void ReportMaker::findRoofs() {
  if (!Roofs)
    Roofs = ownRoofs(source(), Input.CanMeasureRoofs);
}

int ReportMaker::make() {
  findDevices();
  findLoad();
  findAdvice();
  // Streams overlap: for device kernels the sum is more useful than the share of the window.
  const SortKey Natural = Devices.Rows.empty() ? SortKey::Self : SortKey::Total;
  sortKernels(Numbers, source(), Options.Self ? SortKey::Self : Options.Sort.value_or(Natural));
  setInput();
  findRoofs();
  Input.Roofs = Roofs ? &*Roofs : nullptr;
  return compareSides();
}

int ReportMaker::warn(bool Strict) const {
  int Damage = warnOfDamage(*Read, Strict);
  for (const Error &Why : StepsNotRead)
    Damage = std::max(Damage, fail(Why));
  return Eager ? std::max(Damage, reportDamage(Eager->Info, Strict)) : Damage;
}

bool ReportMaker::hasA(SiteKind Kind) {
  return std::ranges::any_of(source().Sites, [&](const Site &What) { return What.Kind == Kind; });
}

int ReportMaker::chooseTraces() {
  Wanted = Options.Path.empty() ? newestRunFolder(UsualRunParent) : Options.Path;
  if (Wanted.empty()) {
    complain(fmt::format("{}: no run below '{}'; name a trace or the folder of one", Options.Verb,
                         UsualRunParent));
    return BadUsage;
  }
  Paths = tracesToReport(Wanted, Options.Rank);
  return Paths.empty() ? BadData : Success;
}

int ReportMaker::readSettings() {
  if (!Options.Peaks.empty())
    if (const auto Failure = Peaks.read(Options.Peaks))
      return fail(*Failure);
  if (!Options.Machine.empty()) {
    auto Known = readMachine(Options.Machine);
    if (!Known)
      return fail(Known.error());
    Roofs = std::move(*Known);
  }
  if (!Options.Filter.empty())
    if (const std::string Wrong = Filter.set(Options.Filter); !Wrong.empty()) {
      complain(fmt::format("{}: --filter {}: {}", Options.Verb, Options.Filter, Wrong));
      return BadUsage;
    }
  return Success;
}

int ReportMaker::readTraces() {
  auto Whole = readToReport(
      Paths, Wanted,
      Options.Reading(Paths[0], Options.Details.value_or(detailsOfReport(Options.Page))));
  if (!Whole)
    return fail(Whole.error());
  Read = std::move(*Whole);
  if (const int Failed = cutToPart(Options.Verb, Options.Part, source()))
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

int ReportMaker::nameByRun() {
  Folder = runFolderOf(Paths[0]);
  auto Loaded = loadAndName(Folder, source(), Options.Roots);
  if (!Loaded)
    return fail(Loaded.error());
  Torch = std::move(*Loaded);
  return Success;
}

void ReportMaker::findDevices() {
  Devices.Links = linkWork(source());
  // Takes as long as the rest. Where no thread can be started, get() does it.
  std::future<CriticalPaths> Finding;
  if (!Devices.Links.empty())
    Finding = std::async([this] { return CriticalPaths(source(), Devices.Links); });
  Devices.Rows = deviceRows(source(), Numbers.WindowNs, Devices.Links, &Devices.Gaps);
  Devices.Linking = countLinks(source(), Devices.Links);
  Untimed = untimedShares(source(), Numbers);
  Devices.Categories = categoryRows(source(), Untimed);
  Devices.Gpu = gpuKernels(source(), Devices.Links, Devices.Gaps);
  Devices.Loops = gpuLoops(source());
  Devices.Operators = operatorTimes(source(), Devices.Links, Untimed);
  if (Torch)
    Fused = fusedWork(*Torch);
  Work.emplace(source(), Devices.Links, typeOfTorchName(Options.Type), forRows(Fused, source()));
  Efficiency = {.Source = &source(), .Work = &*Work, .Peaks = &Peaks};
  Devices.Efficiency = &Efficiency;
  Devices.Compiled = compiledView(source(), Devices.Links);
  Loops = loopTree(source());
  if (Finding.valid())
    Devices.Paths = &CriticalOf.emplace(Finding.get());
}

void ReportMaker::findLoad() {
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

void ReportMaker::findAdvice() {
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
      .Paths = Devices.Paths,
  });
  if (Names)
    addAdvice(Devices.Findings, adviseOnWaits(source(), *Names, Numbers.WindowNs, processors()));
}

void ReportMaker::setInput() {
  Input.Source = &source();
  Input.Numbers = &Numbers;
  Input.Top = Options.Top.orUsual(SIZE_MAX);
  Input.AllRows = Options.Top.all();
  Input.Devices = &Devices;
  Input.Columns = Options.Columns;
  Input.Page = Options.Page;
  Input.Loops = &Loops;
  Input.AllLoops = Options.Loops;
  Input.Estimate = Options.Estimate;
  Roots.emplace(Folder, Options.Roots);
  if (Input.Page && (!Folder.empty() || !Options.Roots.empty()))
    Input.Roots = &*Roots;
  Recording = recordingCost(source(), Numbers);
  Input.Recording = Recording ? &*Recording : nullptr;
  if (!Read->Ranks.empty()) {
    Ranks = splitByRank(source(), Read->Ranks, Untimed);
    Ranks->Unread = Read->Unread;
    Ranks->NotAligned = Read->NotAligned;
    Ranks->Clocks = Read->Clocks;
    Input.Ranks = &*Ranks;
  }
  Input.Torch = Torch ? &*Torch : nullptr;
  Input.Fused = &Fused;
  if (Names)
    Input.Sampled = &Sampled.emplace(sampledReport(source(), Numbers, *Names));
}

int ReportMaker::compareSides() {
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

int ReportMaker::compareRunsInFolder() {
  const TraceAccess Traces = {.Read = readTrace,
                              .RankOf = [](const std::string &Path) { return rankOfTrace(Path); }};
  auto Both = compareRuns(Folder, source(), *Torch, Traces, Options.Reading(Folder, {}));
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

int ReportMaker::compareToTrace() {
  auto Other = readNamed(Options.Baseline, Options.Reading(Options.Baseline, {}));
  if (!Other)
    return fail(Other.error());
  Eager = std::move(*Other);
  tellKernelsApart(*Eager);
  Comparison = compareToBaseline(source(), Numbers, *Eager);
  Baseline = {.Eager = &*Eager, .Comparison = &Comparison};
  Input.Baseline = &Baseline;
  return Success;
}

} // namespace seamscope::tools
