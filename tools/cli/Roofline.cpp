//===- Roofline.cpp - seamscope roofline --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/MakeReport.h"
#include "cli/Verbs.h"
#include "report/render/RooflineSvg.h"
#include "trace/io/OutputFile.h"

#include <algorithm>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct RooflineOptions {
  ReportWanted Each; ///< for each of Paths
  std::vector<std::string> Paths;
  std::string Out;
  unsigned Threads = 0;
  bool Strict = false;
};

int roofline(const RooflineOptions &Options) {
  if (Options.Out.empty() && isatty(STDOUT_FILENO)) {
    complain("roofline: writes an image, which a browser shows: name its file with -o");
    return BadUsage;
  }
  Document Doc{"", "", {}, ""};
  std::vector<std::unique_ptr<ReportMaker>> All;
  std::vector<std::string> Paths = Options.Paths;
  if (Paths.empty())
    Paths.emplace_back(); // the newest run
  for (const std::string &Path : Paths) {
    ReportWanted Wanted = Options.Each;
    Wanted.Path = Path;
    Wanted.Verb = "roofline";
    Wanted.Reading = [Threads = Options.Threads](const std::string &Of, ReadOptions Keep) {
      return readOptions(Of, Threads, std::move(Keep));
    };
    ReportMaker &Made = *All.emplace_back(std::make_unique<ReportMaker>(std::move(Wanted)));
    if (const int Failed = Made.read())
      return Failed;
    if (const int Failed = Made.make())
      return Failed;
    const std::string Name = Made.source().Info.Path;
    Section &Part = Doc.Sections.emplace_back();
    if (const std::string Why = Made.addRoofline(Part); !Why.empty())
      return fail({Name, {}, "has no roofline: " + Why});
    if (Paths.size() > 1)
      Part.Title = Name;
    else
      Doc.Title = Name;
  }
  auto Out = OutputFile::create(Options.Out.empty() ? "-" : Options.Out);
  if (!Out)
    return fail(Out.error());
  renderRooflineSvg(Doc, [&](std::string_view Piece) { (*Out)->write(Piece); });
  if (const auto Failure = (*Out)->commit())
    return fail(*Failure);
  int Damage = Success;
  for (const std::unique_ptr<ReportMaker> &Made : All)
    Damage = std::max(Damage, Made->warn(Options.Strict));
  return Damage;
}

} // namespace

Action addRoofline(CLI::App &Verb) {
  auto Options = std::make_shared<RooflineOptions>();
  ReportWanted &Each = Options->Each;
  Verb.add_option("TRACE", Options->Paths,
                  "Traces to draw, one below the other, each as `seamscope report` reads it; or "
                  "folders of a `seamscope run`; default: the newest below seamscope-out");
  Verb.add_option("-o,--output", Options->Out, "SVG file to write, instead of standard output")
      ->type_name("FILE");
  Verb.add_option("--baseline", Each.Baseline,
                  "Trace of the eager run: also draw the operators that fused kernels replaced. A "
                  "folder of `seamscope run --baseline eager` has them")
      ->type_name("FILE");
  addRankOption(Verb, Each.Rank);
  addPartOptions(Verb, Each.Part);
  addWorkOptions(Verb, Each.Type, Each.Peaks);
  Verb.add_option("--machine", Each.Machine,
                  "JSON file of `seamscope machine` with the roofs of the machine that ran it, in "
                  "place of this machine's own")
      ->type_name("FILE");
  addThreadsOption(Verb, Options->Threads);
  addStrictOption(Verb, Options->Strict);
  putUnder(heading::Input, Verb,
           {"--baseline", "--rank", "--window", "--step", "--threads", "--strict"});
  putUnder(heading::Work, Verb, {"--dtype", "--machine", "--peaks"});
  putUnder(heading::Output, Verb, {"--output"});
  addExamples(Verb, {"k.json -o k.svg", "a.json.gz b.json.gz -o both.svg",
                     "k.json --machine roofs.json -o k.svg"});
  return [Options] { return roofline(*Options); };
}

} // namespace seamscope::tools
