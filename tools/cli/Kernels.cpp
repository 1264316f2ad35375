//===- Kernels.cpp - seamscope kernels ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/Output.h"
#include "cli/ReportInputs.h"
#include "report/render/TextTable.h"
#include "report/sections/Documents.h"
#include "report/sections/Filter.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// What launches can be sorted by.
enum class LaunchOrder { Begin, Total, Flops, Bytes, Operator, Name };

struct KernelsOptions {
  std::string Path, Columns, Filter;
  RowsWanted Top;
  WantedPart Part;
  std::optional<int64_t> Rank;
  LaunchOrder Order = LaunchOrder::Begin;
  OutputWanted Output;
  bool Strict = false;
  unsigned Threads = 0;
};

/// Splits \p Names at commas. False, after a line on stderr, if one is not a column.
bool readColumns(const std::string &Names, std::vector<std::string> &Columns) {
  if (Names == "all") {
    Columns = launchColumnNames();
    return true;
  }
  for (const std::string &Name : splitList(Names)) {
    if (std::ranges::find(launchColumnNames(), Name) != launchColumnNames().end()) {
      Columns.push_back(Name);
      continue;
    }
    const std::string Near = Name.empty() ? "" : nearestName(Name, launchColumnNames());
    complain(fmt::format(
        "kernels: unknown column '{}'; {}", Name,
        Near.empty() ? fmt::format("the columns are {}", fmt::join(launchColumnNames(), ","))
                     : fmt::format("did you mean '{}'?", Near)));
    return false;
  }
  return true;
}

/// Largest first; names in alphabetical order. Equal rows keep their order.
void sortLaunches(std::vector<uint32_t> &Rows, const KernelLaunches &Launches, const Trace &Source,
                  LaunchOrder Order) {
  const auto Row = [&](uint32_t I) -> const KernelLaunch & { return Launches.Rows[I]; };
  const auto NameOf = [&](uint32_t Event) {
    return Event == NoEvent ? std::string_view()
                            : Source.text(Source.Sites[Source.Events.Site[Event]].Name);
  };
  const auto Largest = [&](auto Get) {
    std::ranges::stable_sort(Rows, std::ranges::greater(), Get);
  };
  switch (Order) {
  case LaunchOrder::Begin:
    return;
  case LaunchOrder::Total:
    return Largest([&](uint32_t I) { return Source.Events.DurationNs[Row(I).Event]; });
  case LaunchOrder::Flops:
    return Largest([&](uint32_t I) { return Row(I).Flop; });
  case LaunchOrder::Bytes:
    return Largest([&](uint32_t I) { return Row(I).Bytes; });
  case LaunchOrder::Operator:
    std::ranges::stable_sort(Rows, {}, [&](uint32_t I) { return NameOf(Row(I).Operator); });
    return;
  case LaunchOrder::Name:
    std::ranges::stable_sort(Rows, {}, [&](uint32_t I) { return NameOf(Row(I).Event); });
    return;
  }
}

int kernels(const KernelsOptions &Options) {
  std::vector<std::string> Columns;
  if (!Options.Columns.empty() && !readColumns(Options.Columns, Columns))
    return BadUsage;
  if (Columns.empty())
    Columns = Options.Output.isData() ? launchColumnNames() : usualLaunchColumns();
  NameFilter Filter;
  if (const std::string Why = Options.Filter.empty() ? "" : Filter.set(Options.Filter);
      !Why.empty()) {
    complain(fmt::format("kernels: --filter: {}", Why));
    return BadUsage;
  }
  const std::string Path = oneTraceOf("kernels", Options.Path, Options.Rank);
  if (Path.empty())
    return BadData;
  auto Read = readCalls(
      "kernels", "kernels needs a trace of mode trace", Path, Options.Part,
      readOptions(Path, Options.Threads, {.Autograd = true, .Stacks = true, .Launches = true}));
  if (const int *Failed = std::get_if<int>(&Read))
    return *Failed;
  const Trace &Source = std::get<Trace>(Read);
  const KernelLaunches Launches(Source);
  LaunchesInput Input{&Source, &Launches, {}, std::move(Columns)};
  for (uint32_t I = 0; I < Launches.Rows.size(); ++I) {
    const SiteId Site = Source.Events.Site[Launches.Rows[I].Event];
    if (Filter.passes(Source.text(Source.Sites[Site].Name)))
      Input.Rows.push_back(I);
  }
  sortLaunches(Input.Rows, Launches, Source, Options.Order);
  if (Input.Rows.size() > Options.Top.orUsual(SIZE_MAX))
    Input.Rows.resize(Options.Top.Count);
  if (Launches.Rows.empty())
    complain(
        fmt::format("{}: has neither device kernels nor compiled host kernels", Source.Info.Path));
  const Document Doc = launchesDocument(Input);
  if (const size_t Width = Options.Output.Width; Width && Width != AnyWidth)
    if (const size_t Least = leastWidth(*findTable(Doc, Doc.Main)); Width < Least) {
      complain(fmt::format("kernels: -w {} is too narrow for these columns, which need {}", Width,
                           Least));
      return BadUsage;
    }
  const int Written = writeDocument(Doc, Options.Output, "kernels");
  return Written ? Written : reportDamage(Source.Info, Options.Strict);
}

} // namespace

Action addKernels(CLI::App &Verb) {
  auto Options = std::make_shared<KernelsOptions>();
  Verb.add_option("TRACE", Options->Path,
                  "Trace to read: Chrome trace JSON of Seamscope or torch.profiler, also .gz, or a "
                  "spool; - is standard input; or the folder of a `seamscope run`")
      ->required();
  addOutputOptions(Verb, Options->Output, "seamscope.kernels/1", "a kernel, values whole",
                   "the table of kernels");
  Verb.add_option("-c,--columns", Options->Columns,
                  fmt::format("Columns to show, with commas between, of {}; or all",
                              fmt::join(launchColumnNames(), ", ")))
      ->type_name(fmt::format("LIST:{{{},all}}", fmt::join(launchColumnNames(), ",")))
      ->check([](const std::string &Names) {
        return Names.empty() ? std::string("no column is named") : std::string();
      })
      ->excludes(Verb.get_option("--json"));
  Verb.get_option("--width")->description(
      "Characters a line of the text may have; all: cut nothing. Default: the "
      "terminal's, else 120");
  addFilterOption(Verb, Options->Filter);
  addTopOption(Verb, Options->Top, "Show only the first N rows; default: all");
  addChoice<LaunchOrder, LaunchOrder>(
      Verb, "--sort", Options->Order,
      {{"begin", LaunchOrder::Begin},
       {"total", LaunchOrder::Total},
       {"flops", LaunchOrder::Flops},
       {"bytes", LaunchOrder::Bytes},
       {"op", LaunchOrder::Operator},
       {"name", LaunchOrder::Name}},
      "Sort by begin (the default), total (how long it ran), flops, "
      "bytes, op or name");
  addPartOptions(Verb, Options->Part);
  addRankOption(Verb, Options->Rank);
  addThreadsOption(Verb, Options->Threads);
  addStrictOption(Verb, Options->Strict);
  refuseOptions(Verb, {"--by"},
                "its rows are single launches; `seamscope report --by` splits the time");
  putUnder(heading::Input, Verb, {"--window", "--step", "--rank", "--threads", "--strict"});
  putUnder(heading::Rows, Verb, {"--columns", "--filter", "--top", "--sort"});
  addExamples(Verb, {"trace.json.gz", "--sort total --top 20 trace.json.gz",
                     "-c idx,dir,op,kernel,sil,tc --filter 'gemm|Cijk' trace.json.gz",
                     "--csv --step 3 trace.json -o kernels.csv"});
  return [Options] {
    chooseFormat(Options->Output, "kernels");
    return kernels(*Options);
  };
}

} // namespace seamscope::tools
