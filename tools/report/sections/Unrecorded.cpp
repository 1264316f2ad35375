//===- Unrecorded.cpp - what recording does to a program ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/Unrecorded.h"
#include "report/sections/AttributionRows.h"
#include "report/sections/Sections.h"

#include <cmath>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

void addRatio(Section &To, const std::string &Key, const std::optional<RatioEstimate> &Ratio) {
  To.fact(ratioColumn(Key, "of the first over the second"), ratioValue(Ratio));
}

void addSide(Section &To, const std::string &Key, const StepFigures &Of, double MeanNs) {
  To.fact({Key + ".mean_ns", Unit::Ns, "of a step"}, std::llround(MeanNs));
  To.fact({Key + ".median_ns", Unit::Ns, "of a step"}, Of.MedianNs);
  To.fact({Key + ".page_faults", Unit::Count, "of a step, median"}, Of.PageFaults);
  To.fact({Key + ".waits", Unit::Ratio, "voluntary switches of a step, mean"}, Of.Waits);
  To.fact({Key + ".preempted", Unit::Ratio, "involuntary ones, mean"}, Of.Preempted);
}

/// \p First and \p Second: what the two runs are called.
void addBeside(Section &To, const std::string &Key, const std::optional<StepsBeside> &Of,
               const char *First, const char *Second) {
  if (!Of)
    return To.fact({Key, Unit::Record, "of runs side by side"}, {});
  To.fact({Key + ".steps", Unit::Count, "that are compared"}, Of->Times.steps());
  addSide(To, Key + "." + First, Of->First, Of->Times.meanEagerNs());
  addSide(To, Key + "." + Second, Of->Second, Of->Times.meanCompiledNs());
  addRatio(To, Key + ".ratio", Of->Times.ratio());
}

void addEffect(Section &To, const std::string &Key, const RecordingEffect &Of) {
  addBeside(To, Key + ".in_turns", Of.InTurns, "recorded", "unrecorded");
  addBeside(To, Key + ".of_runs", Of.OfRuns, "recorded", "unrecorded");
}

/// Beside the same run with torch's own compiler.
void addOwn(Section &To, const StepsBeside &Of, const std::optional<StepsBeside> &Speedup) {
  To.fact({"own_compiler.steps", Unit::Count, "that are compared"}, Of.Times.steps());
  To.fact({"own_compiler.mean_ns", Unit::Ns, "of a step"}, std::llround(Of.Times.meanCompiledNs()));
  To.fact({"own_compiler.own_mean_ns", Unit::Ns, "with torch's own compiler"},
          std::llround(Of.Times.meanEagerNs()));
  addRatio(To, "own_compiler.ratio", Of.Times.ratio());
  addRatio(To, "own_compiler.own_speedup", Speedup ? Speedup->Times.ratio() : std::nullopt);
  To.fact({"own_compiler.median_ns", Unit::Ns, "of a step"}, Of.Second.MedianNs);
  To.fact({"own_compiler.own_median_ns", Unit::Ns, "with torch's own compiler"}, Of.First.MedianNs);
  To.fact({"own_compiler.eager_median_ns", Unit::Ns, "in eager mode"},
          Speedup ? Cell(Speedup->First.MedianNs) : Cell());
}

} // namespace

void addUnrecorded(Section &To, const Context &In) {
  if (!In->Input.Beside)
    return;
  const Unrecorded &Of = *In->Input.Beside;
  addEffect(To, "unrecorded.eager", Of.Eager);
  addEffect(To, "unrecorded.compiled", Of.Compiled);
  addBeside(To, "unrecorded.speedup", Of.Speedup, "eager", "compiled");
  const std::vector<std::string> Warnings = Of.warnings();
  To.fact({"unrecorded.notes", Unit::List, "what recording changed"}, listOf(Warnings));
  if (Of.Own)
    addOwn(To, *Of.Own, Of.OwnSpeedup);
  bool First = true;
  for (std::string &Line : Of.lines())
    To.add(Sentence{std::move(Line), ForPeople, std::exchange(First, false)});
  for (const std::string &Warning : Warnings)
    To.add(Sentence{"note: " + Warning, ForPeople, std::exchange(First, false), true});
}

} // namespace seamscope::tools
