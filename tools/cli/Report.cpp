//===- Report.cpp - seamscope report ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"
#include "cli/Help.h"
#include "cli/Output.h"
#include "cli/TraceReport.h"
#include "cli/Verbs.h"
#include "report/sections/Samples.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// Names an option without effect next to --csv and --baseline; addReport() excludes pairs. Empty:
/// all options have an effect.
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

/// Checks columns of the table of kernels, and expands "all". Returns what is wrong, or nothing.
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

std::vector<std::string> keyNames() {
  std::vector<std::string> Names = groupKeyNames();
  std::ranges::copy(sampleKeyNames(), std::back_inserter(Names));
  return Names;
}

int report(ReportOptions Options) {
  if (const std::string Why = uselessOption(Options); !Why.empty()) {
    complain("report: " + Why);
    return BadUsage;
  }
  if (Options.By.empty())
    if (const std::string Why = checkColumns(Options.Columns); !Why.empty()) {
      complain("report: --columns: " + Why);
      return BadUsage;
    }
  return reportTrace(Options);
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
  auto *By =
      Verb.add_option("--by", Options->By,
                      "Split the time by one of kernel, op, op+shape, category, device, "
                      "stream, step, annotation, region (of torch.compile), line "
                      "(of compiled code by its loops, else by samples or of Python), stack, "
                      "module, or the running time by symbol or library (by samples)")
          ->check(CLI::IsMember(keyNames()));
  auto *Baseline = Verb.add_option(
      "--baseline", Options->Baseline,
      "Trace of the eager run: compare each fused kernel with the eager ones it replaced, by the "
      "names of its operators. With torch.compile use `seamscope run --baseline eager`; for two "
      "versions of a program `seamscope diff`");
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
  Columns.insert(Columns.end(), {"percent", "kernels", "all"}); // two columns of --by
  Verb.add_option(
          "-c,--columns", Options->Columns,
          "Columns to show, with commas between: of kernels calls, total, mean, min, p50, "
          "p99, max, self, window, tflops, gbps, intensity, roof, from, source; of --by calls, "
          "self, percent, total, mean, min, max, or of lines kernels; or all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(Columns))
      ->excludes(Json)
      ->excludes(Html)
      ->excludes(Xlsx);
  addTopOption(Verb, Options->Top,
               "Show only the first N rows; default: 50 kernels and 20 operators in the text, all "
               "elsewhere");
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
  Verb.add_option("--machine", Options->Machine,
                  "JSON file of `seamscope machine` with the roofs of the machine that ran it, in "
                  "place of this machine's own")
      ->type_name("FILE");
  Verb.get_option("--dtype")->excludes(By);
  Verb.get_option("--peaks")->excludes(By);
  addThreadsOption(Verb, Options->Threads);
  addRootOption(Verb, Options->Roots, "Show on the page")->excludes(By);
  Verb.add_flag(
      "--compile-time", Options->CompileTime,
      "Also show operators that were called during compilation, most of them on tensors without "
      "data, and count compilation in the window");
  Verb.add_flag(
          "--loops", Options->Loops,
          "Show all loops, also of kernels with a single one, of 20 kernels (recorded with the "
          "pass's option loops); default: 20 loops each of the 5 hottest kernels with loops")
      ->excludes(By)
      ->excludes(Json)
      ->excludes(Verb.get_option("--csv"));
  Verb.add_flag("--estimate", Options->Estimate,
                "Estimate what the operators in fused C++ kernels cost, from counted work and the "
                "roofs of the machine; needs `seamscope machine`")
      ->excludes(By);
  addStrictOption(Verb, Options->Strict);
  putUnder(
      heading::Input, Verb,
      {"--baseline", "--rank", "--window", "--step", "--compile-time", "--threads", "--strict"});
  putUnder(heading::Rows, Verb,
           {"--by", "--columns", "--filter", "--loops", "--self", "--sort", "--top"});
  putUnder(heading::Work, Verb, {"--dtype", "--estimate", "--machine", "--peaks"});
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
