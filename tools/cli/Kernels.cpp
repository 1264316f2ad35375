//===- Kernels.cpp - seamscope kernels ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Output.h"
#include "cli/ReportInputs.h"
#include "report/render/TextTable.h"
#include "report/sections/Filter.h"
#include "report/sections/Launches.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct KernelsOptions {
  std::string Path, Columns, Filter;
  OutputWanted Output;
  bool Strict = false;
  unsigned Threads = 0;
};

/// \p Names, with commas between. False: one of them is none, which was said.
bool readColumns(const std::string &Names, std::vector<std::string> &Columns) {
  if (Names == "all") {
    Columns = launchColumnNames();
    return true;
  }
  for (size_t Begin = 0; Begin <= Names.size();) {
    const size_t End = std::min(Names.find(',', Begin), Names.size());
    const std::string Name = Names.substr(Begin, End - Begin);
    Begin = End + 1;
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
  const std::string Path = oneTraceOf("kernels", Options.Path);
  if (Path.empty())
    return BadData;
  auto Source = readNamed(Path, readOptions(Path, Options.Threads,
                                            {.Autograd = true, .Stacks = true, .Launches = true}));
  if (!Source)
    return fail(Source.error());
  if (!Source->Profile.empty())
    return fail({Source->Info.Path,
                 {},
                 "holds sums of mode profile, not calls; kernels needs a trace of mode trace"});
  const KernelLaunches Launches(*Source);
  LaunchesInput Input{&*Source, &Launches, {}, std::move(Columns)};
  for (uint32_t I = 0; I < Launches.Rows.size(); ++I) {
    const SiteId Site = Source->Events.Site[Launches.Rows[I].Event];
    if (Filter.passes(Source->text(Source->Sites[Site].Name)))
      Input.Rows.push_back(I);
  }
  if (Launches.Rows.empty())
    complain(fmt::format("{}: holds no kernel of a device and no compiled kernel of the host",
                         Source->Info.Path));
  const Document Made = launchesDocument(Input);
  if (const size_t Width = Options.Output.Width; Width && Width != AnyWidth)
    if (const size_t Least = leastWidth(*findTable(Made, Made.Main)); Width < Least) {
      complain(fmt::format("kernels: -w {} is too narrow for these columns, which need {}", Width,
                           Least));
      return BadUsage;
    }
  const int Written = writeDocument(Made, Options.Output, "kernels");
  return Written ? Written : reportDamage(Source->Info, Options.Strict);
}

} // namespace

Action addKernels(CLI::App &Verb) {
  auto Options = std::make_shared<KernelsOptions>();
  Verb.add_option("TRACE", Options->Path,
                  "Trace to read: Chrome trace JSON of Seamscope or torch.profiler, also .gz, or a "
                  "spool; - is standard input; or the folder of a `seamscope run`")
      ->required();
  Verb.add_option("-c,--columns", Options->Columns,
                  fmt::format("Columns to show, with commas between, of {}; or all",
                              fmt::join(launchColumnNames(), ",")))
      ->check([](const std::string &Names) {
        return Names.empty() ? std::string("no column is named") : std::string();
      });
  addOutputOptions(Verb, Options->Output, "seamscope.kernels/1", "a kernel, values whole");
  Verb.get_option("--width")->description(
      "Characters a line of the text may have; all: cut nothing. Default: the "
      "terminal's, else 120");
  Verb.add_option("--filter", Options->Filter,
                  "Show only kernels whose name fits this extended regular expression");
  addThreadsOption(Verb, Options->Threads);
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  return [Options] { return kernels(*Options); };
}

} // namespace seamscope::tools
