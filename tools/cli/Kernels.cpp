//===- Kernels.cpp - seamscope kernels ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Kernels.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "report/Filter.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct KernelsOptions {
  std::string Path, Columns, Filter, Out;
  bool Json = false, Csv = false, Strict = false;
  size_t Width = 0; ///< 0: not given
  unsigned Threads = 0;
};

/// \p Names, with commas between. False: one of them is none, which was said.
bool readColumns(const std::string &Names, std::vector<KernelColumn> &Columns) {
  if (Names == "all") {
    Columns = allKernelColumns();
    return true;
  }
  for (size_t Begin = 0; Begin <= Names.size();) {
    const size_t End = std::min(Names.find(',', Begin), Names.size());
    const std::string Name = Names.substr(Begin, End - Begin);
    Begin = End + 1;
    if (const std::optional<KernelColumn> Column = kernelColumnOf(Name)) {
      Columns.push_back(*Column);
      continue;
    }
    const std::string Near = Name.empty() ? "" : nearestName(Name, kernelColumnNames());
    complain(fmt::format(
        "kernels: unknown column '{}'; {}", Name,
        Near.empty() ? fmt::format("the columns are {}", fmt::join(kernelColumnNames(), ","))
                     : fmt::format("did you mean '{}'?", Near)));
    return false;
  }
  return true;
}

int kernels(const KernelsOptions &Options) {
  std::vector<KernelColumn> Columns;
  if (!Options.Columns.empty() && !readColumns(Options.Columns, Columns))
    return BadUsage;
  if (Columns.empty())
    Columns = Options.Json || Options.Csv ? allKernelColumns() : usualKernelColumns();
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
  KernelsInput Input{&*Source, &Launches, {}, std::move(Columns)};
  for (uint32_t I = 0; I < Launches.Rows.size(); ++I) {
    const SiteId Site = Source->Events.Site[Launches.Rows[I].Event];
    if (Filter.passes(Source->text(Source->Sites[Site].Name)))
      Input.Rows.push_back(I);
  }
  if (Launches.Rows.empty())
    complain(fmt::format("{}: holds no kernel of a device and no compiled kernel of the host",
                         Source->Info.Path));
  if (Options.Width && Options.Width != SIZE_MAX)
    if (const size_t Least = leastKernelsWidth(Input); Options.Width < Least) {
      complain(fmt::format("kernels: -w {} is too narrow for these columns, which need {}",
                           Options.Width, Least));
      return BadUsage;
    }
  constexpr size_t Usual = 120;
  const size_t Terminal = widthToUse(Options.Width, Options.Out);
  const size_t Width = Terminal ? Terminal : Usual;
  const int Written =
      writeResult(Options.Out, Options.Json  ? kernelsJson(Input)
                               : Options.Csv ? kernelsCsv(Input)
                                             : kernelsText(Input, Width,
                                                           Options.Out.empty() && coloursWanted()));
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
                              fmt::join(kernelColumnNames(), ",")))
      ->check([](const std::string &Names) {
        return Names.empty() ? std::string("no column is named") : std::string();
      });
  auto *Json =
      Verb.add_flag("--json", Options->Json, "Write seamscope.kernels/1; times are integers of ns");
  auto *Csv =
      Verb.add_flag("--csv", Options->Csv, "Write one line a kernel, values whole")->excludes(Json);
  addWidthOption(Verb, Options->Width)
      ->description("Characters a line of the text may have; all: cut nothing. Default: the "
                    "terminal's, else 120")
      ->excludes(Json)
      ->excludes(Csv);
  Verb.add_option("--filter", Options->Filter,
                  "Show only kernels whose name fits this extended regular expression");
  addThreadsOption(Verb, Options->Threads);
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  Verb.add_option("-o,--output", Options->Out, "Write to a file, not to standard output");
  return [Options] { return kernels(*Options); };
}

} // namespace seamscope::tools
