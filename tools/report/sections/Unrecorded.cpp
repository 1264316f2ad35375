//===- Unrecorded.cpp - unrecorded runs -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/Unrecorded.h"
#include "report/model/Numbers.h"
#include "report/sections/AttributionRows.h"
#include "report/sections/Sections.h"
#include "run/join/BreakEven.h"
#include "run/join/ComparedRuns.h"
#include "run/join/TorchRun.h"

#include <cmath>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// By how much runs made only once may differ.
std::string assumedText(const PairedTimes &Times) {
  return Times.runs() > 1 || Times.isOfOneRun()
             ? std::string()
             : fmt::format("; runs are assumed to differ by {:.0f} % (--repeat 3 measures it)",
                           std::max(1.0, 100 * Times.runsDifferBy()));
}

std::string interval(const RatioEstimate &Ratio) {
  return fmt::format("95 % {} to {}", shownRatio(Ratio.Low), shownRatio(Ratio.High));
}

/// "1.57x (95 % 1.43 to 1.72)".
std::string ratioText(const RatioEstimate &Ratio) {
  return Ratio.differs() ? fmt::format("{}x ({})", shownRatio(Ratio.Value), interval(Ratio))
                         : fmt::format("no difference ({})", interval(Ratio));
}

std::string counted(uint64_t Count, const char *What) {
  return fmt::format("{} {}{}", Count, What, Count == 1 ? "" : "s");
}

/// "1.93 ms in eager mode and 1.22 ms compiled".
std::string timesText(const PairedTimes &Times) {
  return fmt::format("{} in eager mode and {} compiled",
                     shownTime(std::llround(Times.meanEagerNs())),
                     shownTime(std::llround(Times.meanCompiledNs())));
}

/// How much longer recorded steps of one mode take.
std::string effect(const char *Mode, const char *What, const RecordingEffect &Of) {
  const auto Ratio = Of.InTurns ? Of.InTurns->Times.ratio() : std::nullopt;
  const auto Percent = [](double Value) { return 100 * (Value - 1); };
  std::string Text =
      Ratio ? fmt::format("Recording costs {} {} {:.0f} % (95 % {:.0f} to {:.0f} %, {})", Mode,
                          What, Percent(Ratio->Value), Percent(Ratio->Low), Percent(Ratio->High),
                          counted(Of.InTurns->Times.steps(), "pair"))
            : fmt::format("What recording costs {} {} is not known: too few of them", Mode, What);
  if (Of.OfRuns)
    Text += fmt::format("; page faults a step: {} recorded, {} unrecorded",
                        Of.OfRuns->First.PageFaults, Of.OfRuns->Second.PageFaults);
  return Text;
}

void addRatio(Section &To, const std::string &Key, const std::optional<RatioEstimate> &Ratio) {
  To.fact(ratioColumn(Key, "the first over the second"), ratioValue(Ratio));
}

void addSide(Section &To, const std::string &Key, const StepFigures &Of, double MeanNs) {
  To.fact({Key + ".mean_ns", Unit::Ns, "of a step"}, std::llround(MeanNs));
  To.fact({Key + ".median_ns", Unit::Ns, "of a step"}, Of.MedianNs);
  To.fact({Key + ".page_faults", Unit::Count, "of a step, median"}, Of.PageFaults);
  To.fact({Key + ".waits", Unit::Ratio, "voluntary switches of a step, mean"}, Of.Waits);
  To.fact({Key + ".preempted", Unit::Ratio, "involuntary ones, mean"}, Of.Preempted);
}

/// \p First and \p Second: the names of the two runs.
void addBeside(Section &To, const std::string &Key, const std::optional<StepsBeside> &Of,
               const char *First, const char *Second) {
  if (!Of)
    return To.fact({Key, Unit::Record, "of runs side by side"}, {});
  To.fact({Key + ".steps", Unit::Count, "that are compared"}, Of->Times.steps());
  addSide(To, Key + "." + First, Of->First, Of->Times.meanEagerNs());
  addSide(To, Key + "." + Second, Of->Second, Of->Times.meanCompiledNs());
  addRatio(To, Key + ".ratio", Of->ratio());
}

void addEffect(Section &To, const std::string &Key, const RecordingEffect &Of) {
  addBeside(To, Key + ".in_turns", Of.InTurns, "recorded", "unrecorded");
  addBeside(To, Key + ".of_runs", Of.OfRuns, "recorded", "unrecorded");
}

/// Compared with the same run with torch's own compiler.
void addOwn(Section &To, const StepsBeside &Of, const StepsBeside *Speedup) {
  To.fact({"own_compiler.steps", Unit::Count, "that are compared"}, Of.Times.steps());
  To.fact({"own_compiler.mean_ns", Unit::Ns, "of a step"}, std::llround(Of.Times.meanCompiledNs()));
  To.fact({"own_compiler.own_mean_ns", Unit::Ns, "with torch's own compiler"},
          std::llround(Of.Times.meanEagerNs()));
  addRatio(To, "own_compiler.ratio", Of.ratio());
  addRatio(To, "own_compiler.own_speedup", Speedup ? Speedup->ratio() : std::nullopt);
  To.fact({"own_compiler.median_ns", Unit::Ns, "of a step"}, Of.Second.MedianNs);
  To.fact({"own_compiler.own_median_ns", Unit::Ns, "with torch's own compiler"}, Of.First.MedianNs);
  To.fact({"own_compiler.eager_median_ns", Unit::Ns, "in eager mode"},
          Speedup ? Cell(Speedup->First.MedianNs) : Cell());
}

/// After how many steps compilation pays off; nulls if that is not known.
void addBreakEven(Section &To, const std::optional<BreakEven> &Of) {
  if (!Of)
    return To.fact({"unrecorded.break_even", Unit::Record, "of compilation"}, {});
  const auto Add = [&](const std::string &Key, Unit In, const Estimate &Number) {
    const std::string Whole = "unrecorded.break_even." + Key;
    To.fact({Whole + ".value", In, "estimate"}, std::llround(Number.Value));
    To.fact({Whole + ".low", In, "95 % interval"}, std::llround(Number.Low));
    To.fact({Whole + ".high", In, "95 % interval"}, std::llround(Number.High));
  };
  To.fact({"unrecorded.break_even.compile_ns", Unit::Ns, "of one run"}, Of->CompileNs);
  Add("saved_ns", Unit::Ns, Of->SavedNs);
  Add("steps", Unit::Count, Of->Steps);
}

} // namespace

std::string takesText(const PairedTimes &Times, const std::optional<RatioEstimate> &Ratio) {
  const std::string Base =
      fmt::format("{} of {} each", counted(Times.steps(), "step"), counted(Times.runs(), "run"));
  return timesText(Times) +
         (Ratio ? fmt::format(": {}, {}{}", ratioText(*Ratio), Base, assumedText(Times))
                : fmt::format("; {}, too few to tell them apart", Base));
}

std::string speedupText(const Unrecorded &Of) {
  const StepsBeside *Any = Of.Speedup ? &*Of.Speedup : Of.Own ? &*Of.Own : nullptr;
  if (!Any)
    return {};
  std::string Text =
      fmt::format("Without recording {} takes ",
                  Of.By == StepsBy::Turn   ? "a step, from one compiled call to the next,"
                  : Of.By == StepsBy::Mark ? "a call of a compiled function"
                                           : "a step");
  if (!Of.Speedup)
    return Text + shownTime(std::llround(Any->Times.meanCompiledNs())) + " compiled";
  if (!Of.Speedup->oneDisturbed())
    return Text + takesText(Any->Times, Any->ratio()) +
           (Any->LeftOut
                ? fmt::format("; {} left out because other work took the processors of one side",
                              counted(Any->LeftOut, "more run"))
                : "");
  return fmt::format("{}{}; they cannot be compared, because other work took the processor {:.1f} "
                     "times an eager step and {:.1f} times a compiled one",
                     Text, timesText(Any->Times), Any->First.Preempted, Any->Second.Preempted);
}

std::string speedupText(const ReportContext &In) {
  if (!In.Input.Beside)
    return {};
  std::string Text = speedupText(*In.Input.Beside);
  if (const auto Recorded = disagreement(In))
    Text += fmt::format(". Recorded steps: {}; the tables of the comparison show shares of "
                        "a step, not times",
                        ratioText(*Recorded));
  return Text;
}

std::vector<std::string> unrecordedLines(const Unrecorded &Of) {
  const auto &[Eager, Compiled, Speedup, Own, OfOwn, By, EagerFaults, CompiledFaults] = Of;
  std::vector<std::string> Lines;
  if (Own) {
    const auto Ratio = Own->ratio();
    // If the speedup is shown, no second figure for the same step from other pairs of steps.
    const std::string Times =
        OfOwn ? "With the compiler and the OpenMP runtime of the kernels below in place of torch's "
                "own "
                "choice, a step takes as long: "
              : fmt::format(
                    "With the compiler and the OpenMP runtime of torch's own choice a step takes "
                    "{}, with those of the kernels below {}: ",
                    shownTime(std::llround(Own->Times.meanEagerNs())),
                    shownTime(std::llround(Own->Times.meanCompiledNs())));
    if (Own->oneDisturbed())
      Lines.push_back(
          fmt::format("{}not known, since other work took the processor {:.1f} and {:.1f} "
                      "times a step",
                      Times, Own->First.Preempted, Own->Second.Preempted));
    else if (!Ratio)
      Lines.push_back(fmt::format("{}not known, {} {} too few", Times,
                                  counted(Own->Times.steps(), "step"),
                                  Own->Times.steps() == 1 ? "is" : "are"));
    else if (OfOwn && Ratio->differs())
      Lines.push_back("With the compiler and the OpenMP runtime of the kernels below in place of "
                      "torch's own choice, a step takes " +
                      ratioText(Ratio->inverse()) + " the time");
    else
      Lines.push_back(Times + ratioText(OfOwn ? Ratio->inverse() : *Ratio));
  }
  const char *const What = By == StepsBy::Turn ? "calls" : "steps";
  if (Eager)
    Lines.push_back(effect("eager", What, Eager));
  if (Compiled)
    Lines.push_back(effect("compiled", What, Compiled));
  return Lines;
}

void addUnrecorded(Section &To, const Context &In) {
  if (!In->Input.Beside)
    return;
  const Unrecorded &Of = *In->Input.Beside;
  addEffect(To, "unrecorded.eager", Of.Eager);
  addEffect(To, "unrecorded.compiled", Of.Compiled);
  addBeside(To, "unrecorded.speedup", Of.Speedup, "eager", "compiled");
  if (Of.Speedup) {
    To.fact({"unrecorded.speedup.runs", Unit::Count, "of each side"}, Of.Speedup->Times.runs());
    To.fact({"unrecorded.speedup.runs_left_out", Unit::Count,
             "left out because other work took the processors of one side"},
            Of.Speedup->LeftOut);
  }
  To.fact({"unrecorded.disagrees", Unit::Flag,
           "attribution, which is of recorded steps, has a different speedup: use only its shares"},
          disagreement(*In).has_value());
  To.fact({"unrecorded.speedup_of_own", Unit::Flag,
           "the compiled steps are those of torch's own compiler and OpenMP runtime"},
          Of.OfOwn);
  const std::vector<std::string> Warnings = Of.warnings();
  To.fact({"unrecorded.notes", Unit::List, "what recording changed"}, listOf(Warnings));
  if (Of.Own)
    addOwn(To, *Of.Own, Of.OfOwn && Of.Speedup ? &*Of.Speedup : nullptr);
  const std::optional<BreakEven> Even =
      In->Input.Compared && In->Input.Torch
          ? breakEven(In->Input.Torch->Graphs.log().CompileNs, &Of, In->Input.Compared->All)
          : std::nullopt;
  addBreakEven(To, Even);
  bool First = true;
  std::vector<std::string> Lines = unrecordedLines(Of);
  // On the page it is in the summary.
  if (std::string Speedup = speedupText(*In); !Speedup.empty())
    Lines.insert(Lines.begin(), std::move(Speedup));
  for (std::string &Line : Lines)
    To.add(Sentence{std::move(Line), ForPeople, std::exchange(First, false)});
  if (Even)
    To.add(Sentence{Even->text(), ForPeople, std::exchange(First, false)});
  for (const std::string &Warning : Warnings)
    To.add(Sentence{"note: " + Warning, ForPeople, std::exchange(First, false), true});
}

} // namespace seamscope::tools
