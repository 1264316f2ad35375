//===- Combine.cpp - seamscope combine ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/Combine.h"
#include "cli/Help.h"
#include "cli/RankClocks.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct Options {
  std::vector<std::string> Paths;
  std::string Out;
  CombineOptions How;
  bool Strict = false;
};

/// Warns where traces begin hours apart: they can hardly come from one run.
void warnOfDistance(const std::vector<TraceSurvey> &Surveys, const CombinePlan &Plan) {
  constexpr double Hour = 3600e9, Day = 24 * Hour;
  std::optional<double> First, Last;
  for (size_t I = 0; I < Surveys.size(); ++I)
    if (Surveys[I].FirstNs) {
      const double Begin = static_cast<double>(*Surveys[I].FirstNs) +
                           static_cast<double>(Plan.Inputs[I].Time.ShiftNs);
      First = std::min(Begin, First.value_or(Begin));
      Last = std::max(Begin, Last.value_or(Begin));
    }
  if (!First || *Last - *First < Hour)
    return;
  const double Apart = *Last - *First;
  complain(fmt::format("combine: the traces begin {:.1f} {} apart; --align start lets their first "
                       "calls begin together",
                       Apart / (Apart < 2 * Day ? Hour : Day), Apart < 2 * Day ? "hours" : "days"));
}

/// Warns of an input that has the calls of all others: some tool merged these into it.
void warnOfMerged(const Options &Given, const std::vector<TraceSurvey> &Surveys) {
  uint64_t All = 0;
  for (const TraceSurvey &Survey : Surveys)
    All += Survey.Calls;
  for (size_t I = 0; I < Surveys.size() && Surveys.size() > 2; ++I)
    if (All && All == 2 * Surveys[I].Calls)
      complain(fmt::format("combine: {} has as many calls as the others together; if it was merged "
                           "from them, their calls are in the result twice",
                           Given.Paths[I]));
}

/// Warns of input that could not be read, and of times that cannot be compared; returns the exit
/// status.
int warnOfInputs(const Options &Given, const std::vector<TraceSurvey> &Surveys,
                 const CombinePlan &Plan) {
  bool Lost = false;
  for (size_t I = 0; I < Surveys.size(); ++I) {
    const TraceSurvey &Survey = Surveys[I];
    if (Survey.LeftOut)
      complain(fmt::format("{}: {} event(s) left out, the first at offset {}: not a JSON object",
                           Given.Paths[I], Survey.LeftOut, Survey.LeftOutOffset));
    Lost |= Survey.LeftOut > 0;
    for (const std::string &Key : Survey.LargeMembers)
      complain(fmt::format("{}: \"{}\" left out: not JSON, or too large", Given.Paths[I], Key));
  }
  const bool ByClock =
      Given.How.Align == Alignment::Clock || Given.How.Align == Alignment::Collectives;
  if (!Plan.NotAligned.empty() && ByClock)
    complain(fmt::format("combine: the times of the traces cannot be compared: {}; --align start "
                         "lets their first calls begin together",
                         Plan.NotAligned));
  warnOfMerged(Given, Surveys);
  if (Plan.NotAligned.empty())
    warnOfDistance(Surveys, Plan);
  return Given.Strict && Lost ? BadData : Success;
}

/// Corrects the times by collectives, and says on stderr what is known of the clocks then. The
/// traces are read for it one after the other.
std::optional<Error> alignByCollectives(const Options &Given, CombinePlan &Plan) {
  RankClocks Found(Plan);
  for (const std::string &Path : Given.Paths) {
    auto Read = readTrace(Path, {.Launches = true, .Collectives = true});
    if (!Read)
      return Read.error();
    Found.add(*Read);
  }
  const std::vector<RankClock> Clocks = Found.align();
  std::vector<std::string> Labels;
  for (const InputPlan &Each : Plan.Inputs)
    Labels.push_back(Each.Label);
  for (const std::string &Note : clockNotes(Clocks, Labels, Plan.NotAligned))
    complain("combine: " + Note);
  // Those that it holds for are named.
  if (Plan.ByCollectives)
    Plan.NotAligned.clear();
  return std::nullopt;
}

/// The named traces; a folder is replaced by its traces. Empty, after a line on stderr, if a folder
/// has none.
std::vector<std::string> inputs(const std::vector<std::string> &Named) {
  std::vector<std::string> Paths;
  for (const std::string &Each : Named) {
    const std::vector<std::string> Traces = tracesToReport(Each, std::nullopt);
    if (Traces.empty())
      return {};
    Paths.insert(Paths.end(), Traces.begin(), Traces.end());
  }
  return Paths;
}

int combine(Options Given) {
  if (!Given.Out.ends_with(".json") && !Given.Out.ends_with(".json.gz") && Given.Out != "-") {
    complain("combine: cannot tell the format of '" + Given.Out +
             "': its name must end in .json or .json.gz, or be -");
    return BadUsage;
  }
  if (std::ranges::count(Given.Paths, "-") > 1) {
    complain("combine: standard input can be one trace only");
    return BadUsage;
  }
  Given.Paths = inputs(Given.Paths);
  if (Given.Paths.empty())
    return BadData;
  CorrectTimes Correct;
  if (Given.How.Align == Alignment::Collectives) {
    if (std::ranges::count(Given.Paths, "-")) {
      complain("combine: --align collectives reads the traces a third time, which standard input "
               "cannot be; name a file");
      return BadUsage;
    }
    Correct = [&](CombinePlan &Plan) { return alignByCollectives(Given, Plan); };
  }
  auto All = combineTraces(Given.Paths, Given.How, Given.Out, Correct);
  if (!All)
    return fail(All.error());
  return warnOfInputs(Given, All->Surveys, All->Plan);
}

} // namespace

Action addCombine(CLI::App &Verb) {
  auto Given = std::make_shared<Options>();
  Verb.add_option("TRACE", Given->Paths,
                  "Chrome trace JSON, also .gz, or a spool, or the folder of a run for all of its "
                  "traces; - is standard input")
      ->required();
  Verb.add_option("-o,--output", Given->Out,
                  "File to write, .json or .json.gz; - is standard output")
      ->type_name("FILE")
      ->required();
  addChoice<Alignment, Alignment>(
      Verb, "--align", Given->How.Align,
      {{"clock", Alignment::Clock},
       {"collectives", Alignment::Collectives},
       {"start", Alignment::Start},
       {"none", Alignment::None}},
      "How to align the clocks of the traces: clock (by the time of day, the default), collectives "
      "(where these show that the time of day is missing or wrong, by them), start (first calls "
      "begin together) or none");
  Verb.add_flag("--same-devices", Given->How.SameDevices,
                "A device number means the same device in all traces");
  addStrictOption(Verb, Given->Strict);
  addExamples(Verb, {"rank0.json rank1.json -o both.json",
                     "--align start log/*.pt.trace.json.gz -o all.json.gz"});
  return [Given] { return combine(*Given); };
}

} // namespace seamscope::tools
