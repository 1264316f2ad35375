//===- Report.cpp - seamscope report ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"
#include "cli/Verbs.h"
#include "report/Groups.h"
#include "run/RunFolder.h"
#include "run/TorchRun.h"
#include "trace/ReadTrace.h"

#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct ReportOptions {
  std::string Path, Baseline, Out, By, Type, Peaks;
  bool Json = false, Csv = false, Strict = false;
  size_t Top = 0;
  std::optional<SortKey> Sort;
};

int reportGroups(const ReportOptions &Options, const Trace &Source, int64_t WindowNs) {
  if (!Source.Profile.empty())
    return fail({Source.Info.Path,
                 {},
                 "holds sums of mode profile, not calls; --by needs a trace of mode trace"});
  const Grouping Groups = groupBy(Source, linkWork(Source), *groupKeyOf(Options.By));
  const GroupsInput Input = {&Source, &Groups, Options.By, WindowNs,
                             Options.Top ? Options.Top : SIZE_MAX};
  const int Written = writeResult(
      Options.Out, Options.Json  ? groupsJson(Input)
                   : Options.Csv ? groupsCsv(Input)
                                 : groupsText(Input, Options.Out.empty() && coloursWanted()));
  return Written ? Written : tellOfDamage(Source.Info, Options.Strict);
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
    complain(fmt::format("report: {} holds {} traces, one a process; this is {}", Path,
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
  auto Source = readTrace(Options.Path);
  if (!Source)
    return fail(Source.error());
  Statistics Numbers = computeStatistics(*Source);
  if (!Options.By.empty())
    return reportGroups(Options, *Source, Numbers.WindowNs);
  DeviceReport Devices;
  Devices.Links = linkWork(*Source);
  Devices.Rows = deviceRows(*Source, Numbers.WindowNs, Devices.Links);
  Devices.Linking = countLinks(*Source, Devices.Links);
  Devices.Categories = categoryRows(*Source);
  Devices.Operators = operatorTimes(*Source, Devices.Links);
  const TraceWork Work(*Source, Devices.Links, typeOfTorchName(Options.Type));
  const EfficiencyInput Efficiency = {&*Source, &Work, &Peaks};
  Devices.Efficiency = &Efficiency;
  // Streams overlap: of a device's kernels the sum tells more than the share of the window.
  const SortKey Natural = Devices.Rows.empty() ? SortKey::Self : SortKey::Total;
  sortKernels(Numbers, *Source, Options.Sort.value_or(Natural));
  ReportInput Input = {&*Source, &Numbers, Options.Top ? Options.Top : SIZE_MAX, nullptr, &Devices};

  std::optional<TorchRun> Torch;
  if (const std::string Folder = runFolderOf(Options.Path); !Folder.empty()) {
    auto Read = loadTorchRun(Folder, *Source);
    if (!Read)
      return fail(Read.error());
    Torch = std::move(*Read);
    Input.Torch = Torch ? &*Torch : nullptr;
  }

  std::optional<Result<Trace>> Eager;
  BaselineComparison Comparison;
  BaselineInput Baseline{};
  if (!Options.Baseline.empty()) {
    Eager.emplace(readTrace(Options.Baseline));
    if (!*Eager)
      return fail(Eager->error());
    Comparison = compareToBaseline(*Source, Numbers, **Eager);
    Baseline = {&**Eager, &Comparison};
    Input.Baseline = &Baseline;
  }
  const int Written = writeResult(
      Options.Out, Options.Json  ? reportJson(Input)
                   : Options.Csv ? reportCsv(Input)
                                 : reportText(Input, Options.Out.empty() && coloursWanted()));
  if (Written)
    return Written;
  return tellOfDamage(Source->Info, Options.Strict);
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
                  "Trace to read: Chrome trace JSON of Seamscope or torch.profiler, also .gz, or a "
                  "spool; - is standard input; or the folder of a `seamscope run`")
      ->required();
  auto *By = Verb.add_option("--by", Options->By,
                             "Split the time by one of kernel, op, op+shape, category, device, "
                             "stream, step, annotation, line")
                 ->check(CLI::IsMember(groupKeyNames()));
  auto *Baseline = Verb.add_option(
      "--baseline", Options->Baseline,
      "Trace of the eager run: show each fused kernel beside the eager ones it replaced");
  auto *Json =
      Verb.add_flag("--json", Options->Json, "Write seamscope.report/1; times are integers of ns");
  Verb.add_flag("--csv", Options->Csv, "Write one line a kernel; times in ns")->excludes(Json);
  By->excludes(Baseline);
  Verb.add_option("--top", Options->Top, "Show only the first N rows")->check(CLI::PositiveNumber);
  static const std::map<std::string, SortKey> Keys = {
      {"self", SortKey::Self}, {"total", SortKey::Total}, {"calls", SortKey::Calls},
      {"mean", SortKey::Mean}, {"p50", SortKey::Median},  {"p99", SortKey::P99},
      {"max", SortKey::Max},   {"name", SortKey::Name}};
  Verb.add_option("--sort", Options->Sort,
                  "Sort by self (share of the window; the default without a device), total (with "
                  "one), calls, mean, p50, p99, max or name")
      ->transform(CLI::CheckedTransformer(Keys));
  Verb.add_option("--dtype", Options->Type,
                  "Element type, for FLOPs and bytes, of tensors whose type the trace does not "
                  "tell: float32, bfloat16, ...")
      ->check([](const std::string &Name) {
        return typeOfTorchName(Name) == DType::Unknown ? "'" + Name + "' is no element type"
                                                       : std::string();
      });
  Verb.add_option("--peaks", Options->Peaks,
                  "JSON file with peaks of devices, used before the published ones");
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  Verb.add_option("-o,--output", Options->Out, "Write to a file, not to standard output");
  return [Options] { return report(*Options); };
}

} // namespace seamscope::tools
