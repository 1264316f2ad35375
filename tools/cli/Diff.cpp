//===- Diff.cpp - the verb `diff` -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Diff.h"
#include "analysis/compare/RunTotals.h"
#include "analysis/torch/Steps.h"
#include "cli/Output.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "trace/ReadTrace.h"

#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <variant>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct DiffOptions {
  std::string First, Second;
  std::vector<std::string> MoreA, MoreB; ///< further runs of a side
  std::optional<double> FailAbove;       ///< percent
  OutputWanted Output;
  bool Strict = false;
  RowsWanted Top;
  unsigned Threads = 0;
  WantedPart Part; ///< of both
};

/// A trace of one side, as it is compared; or the exit status, after a line on stderr.
std::variant<Trace, int> readSide(const DiffOptions &Options, const std::string &Named) {
  const std::string Path = oneTraceOf("diff", Named);
  if (Path.empty())
    return BadData;
  auto Read = readNamed(Path, readOptions(Path, Options.Threads));
  if (!Read)
    return fail(Read.error());
  if (!Read->Profile.empty())
    return fail({Read->Info.Path,
                 {},
                 "holds sums of mode profile, not calls; `diff` needs traces of mode trace"});
  if (const int Failed = cutToPart("diff", Options.Part, *Read))
    return Failed;
  dropOperatorsOfCompilation(*Read);
  return std::move(*Read);
}

/// What --fail-above makes of the comparison.
int judge(const RepeatedDifference &Of, double ThresholdPercent) {
  const RepeatChange &Change = Of.Window.Change;
  // Of one run a side the change is all there is: whoever asks is told, and what it is worth.
  if (!Of.knowsSpread() && Change.Percent && *Change.Percent > ThresholdPercent) {
    complain(
        fmt::format("diff: B takes {:+.1f} % of A's time, above {:+.1f} %; how much runs differ "
                    "by themselves is not known",
                    *Change.Percent, ThresholdPercent));
    return AboveThreshold;
  }
  if (Change.Verdict == RepeatVerdict::Exceeds) {
    complain(fmt::format("diff: B takes {:+.1f} % of A's time, {:+.1f} % at least: above {:+.1f} %",
                         *Change.Percent, *Change.LowPercent, ThresholdPercent));
    return AboveThreshold;
  }
  if (Change.Verdict == RepeatVerdict::NotCertain && Of.knowsSpread())
    complain(fmt::format("diff: runs differ too much to tell whether B is above {:+.1f} %",
                         ThresholdPercent));
  return Success;
}

int diff(const DiffOptions &Options) {
  std::vector<Trace> Sides[2];
  for (const bool IsSecond : {false, true}) {
    std::vector<std::string> Names = IsSecond ? Options.MoreB : Options.MoreA;
    Names.insert(Names.begin(), IsSecond ? Options.Second : Options.First);
    for (const std::string &Name : Names) {
      auto Read = readSide(Options, Name);
      if (const int *Failed = std::get_if<int>(&Read))
        return *Failed;
      Sides[IsSecond].push_back(std::get<Trace>(std::move(Read)));
    }
  }
  const Trace &First = Sides[0][0], &Second = Sides[1][0];
  Difference Result = difference(First, Second);
  addLoopDifference(Result, First, Second);
  // A table for people is short, data are whole.
  constexpr size_t UsualRows = 50;
  DiffInput Input = {&First, &Second, &Result,
                     Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : UsualRows)};
  std::optional<RepeatedDifference> Repeats;
  if (Options.FailAbove || Sides[0].size() + Sides[1].size() > 2) {
    bool OfHost = true;
    for (const std::vector<Trace> &Side : Sides)
      for (const Trace &Run : Side)
        OfHost = OfHost && !hasDeviceKernels(Run);
    std::vector<RunTotals> Totals[2];
    for (const bool IsSecond : {false, true})
      for (const Trace &Run : Sides[IsSecond])
        Totals[IsSecond].push_back(runTotals(Run, OfHost));
    Repeats = compareRepeats(
        std::move(Totals[0]), std::move(Totals[1]),
        {.ThresholdPercent = Options.FailAbove.value_or(0), .AllRowsTogether = true});
    Input.Repeats = &*Repeats;
    Input.ThresholdPercent = Options.FailAbove.value_or(0);
  }
  int Status = writeDocument(diffDocument(Input), Options.Output, "diff");
  for (const std::vector<Trace> &Side : Sides)
    for (const Trace &Run : Side)
      if (const int Damage = reportDamage(Run.Info, Options.Strict); !Status)
        Status = Damage;
  return Status || !Options.FailAbove ? Status : judge(*Repeats, *Options.FailAbove);
}

/// "5%" or "5" as 5; else throws what is wrong.
double percentOf(std::string Word) {
  const std::string Given = Word;
  if (Word.ends_with('%'))
    Word.pop_back();
  double Percent = 0;
  const auto [End, Error] = std::from_chars(Word.data(), Word.data() + Word.size(), Percent);
  if (Error != std::errc() || End != Word.data() + Word.size() || !(Percent > -100) ||
      !std::isfinite(Percent))
    throw CLI::ValidationError(
        fmt::format("--fail-above: '{}' is no number of percent above -100", Given));
  return Percent;
}

} // namespace

Action addDiff(CLI::App &Verb) {
  auto Options = std::make_shared<DiffOptions>();
  Verb.add_option("A", Options->First,
                  "Trace to compare from, or the folder of a run; see `seamscope report --help`")
      ->required();
  Verb.add_option("B", Options->Second, "Trace to compare to")->required();
  addOutputOptions(Verb, Options->Output, "seamscope.diff/1", "a row");
  addTopOption(Verb, Options->Top,
               "Show only the N largest changes; default: 50 of them in the text, all else");
  const auto AddRuns = [&](const char *Name, std::vector<std::string> &Runs, const char *Side) {
    Verb.add_option(Name, Runs,
                    fmt::format("A further run of {}: with several of each side, changes get "
                                "intervals. May be given several times",
                                Side))
        ->type_name("TRACE")
        ->allow_extra_args(false);
  };
  AddRuns("--more-a", Options->MoreA, "A");
  AddRuns("--more-b", Options->MoreB, "B");
  Verb.add_option_function<std::string>(
          "--fail-above",
          [Options](const std::string &Word) { Options->FailAbove = percentOf(Word); },
          "Fail (exit code 3) where the time of B is above that of A by more than this many "
          "percent, with several runs of each side for certain (95 %)")
      ->type_name("PERCENT");
  addPartOptions(Verb, Options->Part);
  addThreadsOption(Verb, Options->Threads);
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  return [Options] { return diff(*Options); };
}

} // namespace seamscope::tools
