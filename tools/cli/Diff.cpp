//===- Diff.cpp - the verb `diff` -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/RunTotals.h"
#include "analysis/compare/StepDiff.h"
#include "analysis/torch/Steps.h"
#include "cli/Help.h"
#include "cli/Output.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "report/model/Document.h"
#include "report/sections/Documents.h"
#include "report/sections/Filter.h"
#include "run/folder/RunFolder.h"
#include "run/folder/Sources.h"
#include "run/join/AttributionPlan.h"
#include "run/join/SampledCode.h"
#include "run/join/TorchRun.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// What rows can be sorted by.
enum class DiffOrder { Delta, First, Second, FirstCalls, SecondCalls, Name };

struct DiffOptions {
  std::string First, Second, Filter, Columns;
  std::vector<std::string> MoreA, MoreB; ///< further runs of a side
  std::string SourceA, SourceB;          ///< folders with the sources of a side
  std::optional<double> FailAbove;       ///< percent
  std::optional<int64_t> Rank;           ///< of both
  DiffOrder Order = DiffOrder::Delta;
  OutputWanted Output;
  bool Strict = false;
  RowsWanted Top;
  unsigned Threads = 0;
  WantedPart Part; ///< of both
};

/// Largest first; names in alphabetical order. Equal rows keep their order.
void sortRows(std::vector<DiffRow> &Rows, DiffOrder Order) {
  const auto Largest = [&](auto Get) {
    std::ranges::stable_sort(Rows, std::ranges::greater(), Get);
  };
  switch (Order) {
  case DiffOrder::Delta: // already in order
    return;
  case DiffOrder::First:
    return Largest(&DiffRow::FirstNs);
  case DiffOrder::Second:
    return Largest(&DiffRow::SecondNs);
  case DiffOrder::FirstCalls:
    return Largest(&DiffRow::FirstCalls);
  case DiffOrder::SecondCalls:
    return Largest(&DiffRow::SecondCalls);
  case DiffOrder::Name:
    std::ranges::stable_sort(Rows, {}, &DiffRow::Key);
    return;
  }
}

/// Keeps the rows that pass, and the places of kernels that pass.
DiffFiltered filterRows(Difference &Of, const NameFilter &Filter) {
  DiffFiltered Out;
  std::erase_if(Of.Rows, [&](const DiffRow &Row) {
    if (Filter.passes(Row.Key))
      return false;
    ++Out.Rows;
    Out.FirstNs += Row.FirstNs;
    Out.SecondNs += Row.SecondNs;
    Out.FirstCalls += Row.FirstCalls;
    Out.SecondCalls += Row.SecondCalls;
    return true;
  });
  std::erase_if(Of.Places, [&](const PlaceDiffRow &Row) { return !Filter.passes(Row.Kernel); });
  return Out;
}

/// Reads a trace of one side, or returns the exit status after a line on stderr.
std::variant<Trace, int> readSide(const DiffOptions &Options, const std::string &Named) {
  const std::string Path = oneTraceOf("diff", Named, Options.Rank);
  if (Path.empty())
    return BadData;
  auto Read = readCalls("diff", "`diff` needs traces of mode trace", Path, Options.Part,
                        readOptions(Path, Options.Threads));
  if (Trace *const Source = std::get_if<Trace>(&Read))
    dropOperatorsOfCompilation(*Source);
  return Read;
}

/// The sources that the program of a side was built from: those that the user names, or that the
/// run kept.
SourceTexts::Reader sourcesOfSide(const std::string &Given, const Trace &Side) {
  if (!Given.empty())
    return [Given](std::string_view File) { return sourceBelow(Given, File); };
  const std::string Folder = runFolderOf(Side.Info.Path);
  if (Folder.empty() || sourcesOf(Folder).empty())
    return nullptr;
  return [Folder](std::string_view File) { return copiedSource(Folder, File); };
}

/// The steps of a side, if its trace is in the folder of a run with torch.compile.
std::optional<StepsAlone> stepsOfSide(const DiffOptions &Options, const Trace &Side) {
  const std::string Folder = runFolderOf(Side.Info.Path);
  // Steps of a part of the trace would be incomplete, too.
  if (Folder.empty() || !Options.Part.isWhole())
    return std::nullopt;
  const auto Torch = loadTorchRun(Folder, Side);
  if (!Torch || !*Torch)
    return std::nullopt;
  return stepsAlone(Side, planGraphs(**Torch, Side));
}

std::optional<StepDiff> compareStepsOf(const DiffOptions &Options, const Trace &First,
                                       const Trace &Second) {
  const std::optional<StepsAlone> A = stepsOfSide(Options, First);
  const std::optional<StepsAlone> B = A ? stepsOfSide(Options, Second) : std::nullopt;
  return B ? std::optional(compareSteps(*A, *B)) : std::nullopt;
}

/// The exit status that --fail-above gives the comparison.
int judge(const RepeatedDifference &Of, double ThresholdPercent) {
  const RepeatChange &Change = Of.Window.Change;
  // With one run for each side, only the change decides, and the message says how certain that is.
  if (!Of.knowsSpread() && Change.Percent && *Change.Percent > ThresholdPercent) {
    complain(fmt::format(
        "diff: B takes {:+.1f} % of A's time, above {:+.1f} %; run-to-run variation is not known",
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

/// A run, and the names of its sampled code where these decide about untimed calls.
struct NamedRun {
  Trace Source;
  std::optional<CodeNames> Code;

  const CodeNames *code() const { return Code ? &*Code : nullptr; }
};

/// Compares several runs of each side, or one with a threshold; nothing if neither was asked for.
std::optional<RepeatedDifference> repeatsOf(const DiffOptions &Options,
                                            const std::vector<NamedRun> (&Sides)[2],
                                            const Comparable &How, const RowNames &Names) {
  if (!Options.FailAbove && Sides[0].size() + Sides[1].size() == 2)
    return std::nullopt;
  std::vector<RunTotals> Totals[2];
  for (const bool IsSecond : {false, true})
    for (const NamedRun &Run : Sides[IsSecond]) {
      Totals[IsSecond].push_back(runTotals(Run.Source, How, Run.code()));
      nameGroups(Totals[IsSecond].back(), IsSecond ? Names.Second : Names.First);
    }
  return compareRepeats(
      std::move(Totals[0]), std::move(Totals[1]),
      {.ThresholdPercent = Options.FailAbove.value_or(0), .AllRowsTogether = true});
}

int diff(const DiffOptions &Options) {
  NameFilter Filter;
  if (const std::string Why = Options.Filter.empty() ? "" : Filter.set(Options.Filter);
      !Why.empty()) {
    complain("diff: --filter: " + Why);
    return BadUsage;
  }
  std::vector<NamedRun> Sides[2];
  Comparable How;
  for (const bool IsSecond : {false, true}) {
    std::vector<std::string> Names = IsSecond ? Options.MoreB : Options.MoreA;
    Names.insert(Names.begin(), IsSecond ? Options.Second : Options.First);
    for (const std::string &Name : Names) {
      auto Read = readSide(Options, Name);
      if (const int *Failed = std::get_if<int>(&Read))
        return *Failed;
      Sides[IsSecond].push_back({std::get<Trace>(std::move(Read)), std::nullopt});
      How.restrictTo(Sides[IsSecond].back().Source);
    }
  }
  for (std::vector<NamedRun> &Side : Sides)
    for (NamedRun &Run : Side)
      if (How.HasSwitches && !Run.Source.Throttled.empty())
        Run.Code = nameCode(Run.Source);
  const Trace &First = Sides[0][0].Source, &Second = Sides[1][0].Source;
  Difference Result =
      difference(First, Second,
                 {sourcesOfSide(Options.SourceA, First), sourcesOfSide(Options.SourceB, Second)},
                 How, Sides[0][0].code(), Sides[1][0].code());
  const std::optional<StepDiff> Steps = compareStepsOf(Options, First, Second);
  const DiffFiltered Filtered = filterRows(Result, Filter);
  sortRows(Result.Rows, Options.Order);
  const std::optional<RepeatedDifference> Repeats = repeatsOf(Options, Sides, How, Result.Names);
  // A table for people is short; data are complete.
  constexpr size_t UsualRows = 50;
  Document Doc = diffDocument({&First, &Second, &Result,
                               Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : UsualRows),
                               Filtered, Repeats ? &*Repeats : nullptr,
                               Options.FailAbove.value_or(0), Steps ? &*Steps : nullptr});
  if (!Options.Columns.empty())
    if (const std::string Why = chooseColumns(Doc, splitList(Options.Columns)); !Why.empty()) {
      complain("diff: --columns: " + Why);
      return BadUsage;
    }
  if (const int Written = writeDocument(Doc, Options.Output, "diff"))
    return Written;
  int Status = Success;
  for (const std::vector<NamedRun> &Side : Sides)
    for (const NamedRun &Run : Side)
      if (const int Damage = reportDamage(Run.Source.Info, Options.Strict); !Status)
        Status = Damage;
  return Status || !Options.FailAbove ? Status : judge(*Repeats, *Options.FailAbove);
}

/// Reads "5%" or "5" as 5; throws the reason if it is neither.
double percentOf(std::string Word) {
  const std::string Given = Word;
  if (Word.ends_with('%'))
    Word.pop_back();
  double Percent = 0;
  const auto [End, Error] = std::from_chars(Word.data(), Word.data() + Word.size(), Percent);
  if (Error != std::errc() || End != Word.data() + Word.size() || !(Percent > -100) ||
      !std::isfinite(Percent))
    throw CLI::ValidationError(
        fmt::format("--fail-above: '{}' is not a number of percent above -100", Given));
  return Percent;
}

} // namespace

Action addDiff(CLI::App &Verb) {
  auto Options = std::make_shared<DiffOptions>();
  Verb.add_option("A", Options->First,
                  "Trace to compare from, or the folder of a run; see `seamscope report --help`")
      ->required();
  Verb.add_option("B", Options->Second, "Trace to compare to")->required();
  addOutputOptions(Verb, Options->Output, "seamscope.diff/1", "a row",
                   "the verdict and the tables of changes");
  addTopOption(Verb, Options->Top,
               "Show only the first N rows; default: 50 in the text, all elsewhere");
  addFilterOption(Verb, Options->Filter);
  Verb.add_option("-c,--columns", Options->Columns,
                  "Columns to show, with commas between, of match, a, b, a_calls, b_calls, delta, "
                  "ratio, call_ratio, change, percent; or all")
      ->type_name("LIST:{match,a,b,a_calls,b_calls,delta,ratio,call_ratio,change,percent,all}")
      ->excludes(Verb.get_option("--json"))
      ->excludes(Verb.get_option("--html"))
      ->excludes(Verb.get_option("--xlsx"));
  addChoice<DiffOrder, DiffOrder>(Verb, "--sort", Options->Order,
                                  {{"delta", DiffOrder::Delta},
                                   {"a", DiffOrder::First},
                                   {"b", DiffOrder::Second},
                                   {"a_calls", DiffOrder::FirstCalls},
                                   {"b_calls", DiffOrder::SecondCalls},
                                   {"name", DiffOrder::Name}},
                                  "Sort by delta (the largest change, the default), a or b (time), "
                                  "a_calls, b_calls or name");
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
          "Fail (exit code 3) if B takes more than this many percent longer than A; with several "
          "runs of each side, only if that is certain (95 %)")
      ->type_name("PERCENT");
  const auto AddSource = [&](const char *Name, std::string &Folder, const char *Side) {
    Verb.add_option(Name, Folder,
                    fmt::format("Folder with the sources that the program of {} was built from; "
                                "default: the copies in the folder of its run",
                                Side))
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory);
  };
  AddSource("--source-a", Options->SourceA, "A");
  AddSource("--source-b", Options->SourceB, "B");
  addPartOptions(Verb, Options->Part);
  addRankOption(Verb, Options->Rank);
  addThreadsOption(Verb, Options->Threads);
  addStrictOption(Verb, Options->Strict);
  refuseOptions(Verb, {"--by"},
                "its rows are the kernels and operators by which two traces can be matched");
  putUnder(heading::Input, Verb,
           {"--more-a", "--more-b", "--source-a", "--source-b", "--window", "--step", "--rank",
            "--threads", "--strict", "--fail-above"});
  putUnder(heading::Rows, Verb, {"--columns", "--filter", "--top", "--sort"});
  addExamples(Verb,
              {"before.json after.json --top 20", "--sort b --filter gemm a.json b.json",
               "h100.json.gz mi300x.json.gz --step 3 --csv -o difference.csv",
               "old-1.json new-1.json --more-a old-2.json --more-b new-2.json --fail-above 5%"},
              "0 all is well, 1 bad data or a file that cannot be read or written,\n2 bad usage, 3 "
              "--fail-above found B slower.");
  return [Options] {
    return chooseFormat(Options->Output, "diff", !Options->Columns.empty())
               ? diff(*Options)
               : static_cast<int>(BadUsage);
  };
}

} // namespace seamscope::tools
