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

class FactList {
public:
  explicit FactList(Section &To) : To(To) {}

  void add(const std::string &Key, Unit Of, const char *Help, Cell What) {
    To.Items.emplace_back(Fact{{Key, "", Of, Help}, std::move(What)});
  }
  void addRatio(const std::string &Key, const std::optional<RatioEstimate> &Ratio) {
    To.Items.emplace_back(
        Fact{ratioColumn(Key, "of the first over the second"), ratioValue(Ratio)});
  }
  /// \p First and \p Second: what the two runs are called.
  void addBeside(const std::string &Key, const std::optional<StepsBeside> &Of, const char *First,
                 const char *Second) {
    if (!Of)
      return add(Key, Unit::Record, "of runs side by side", {});
    add(Key + ".steps", Unit::Count, "that are compared", Of->Times.steps());
    addSide(Key + "." + First, Of->First, Of->Times.meanEagerNs());
    addSide(Key + "." + Second, Of->Second, Of->Times.meanCompiledNs());
    addRatio(Key + ".ratio", Of->Times.ratio());
  }
  void addEffect(const std::string &Key, const RecordingEffect &Of) {
    addBeside(Key + ".in_turns", Of.InTurns, "recorded", "unrecorded");
    addBeside(Key + ".of_runs", Of.OfRuns, "recorded", "unrecorded");
  }

private:
  void addSide(const std::string &Key, const StepFigures &Of, double MeanNs) {
    add(Key + ".mean_ns", Unit::Ns, "of a step", std::llround(MeanNs));
    add(Key + ".median_ns", Unit::Ns, "of a step", Of.MedianNs);
    add(Key + ".page_faults", Unit::Count, "of a step, median", Of.PageFaults);
    add(Key + ".waits", Unit::Ratio, "voluntary switches of a step, mean", Of.Waits);
    add(Key + ".preempted", Unit::Ratio, "involuntary ones, mean", Of.Preempted);
  }

  Section &To;
};

} // namespace

void addUnrecorded(Section &To, const Context &In) {
  if (!In->Input.Beside)
    return;
  const Unrecorded &Of = *In->Input.Beside;
  FactList Facts(To);
  Facts.addEffect("unrecorded.eager", Of.Eager);
  Facts.addEffect("unrecorded.compiled", Of.Compiled);
  Facts.addBeside("unrecorded.speedup", Of.Speedup, "eager", "compiled");
  const std::vector<std::string> Warnings = Of.warnings();
  Facts.add("unrecorded.notes", Unit::List, "what recording changed",
            Value(Value::List(Warnings.begin(), Warnings.end())));
  if (Of.Own) {
    const auto Own = [&](const char *Key, Unit Kind, const char *Help, Cell What) {
      Facts.add(std::string("own_compiler.") + Key, Kind, Help, std::move(What));
    };
    Own("steps", Unit::Count, "that are compared", Of.Own->Times.steps());
    Own("mean_ns", Unit::Ns, "of a step", std::llround(Of.Own->Times.meanCompiledNs()));
    Own("own_mean_ns", Unit::Ns, "with torch's own compiler",
        std::llround(Of.Own->Times.meanEagerNs()));
    Facts.addRatio("own_compiler.ratio", Of.Own->Times.ratio());
    Facts.addRatio("own_compiler.own_speedup",
                   Of.OwnSpeedup ? Of.OwnSpeedup->Times.ratio() : std::nullopt);
    Own("median_ns", Unit::Ns, "of a step", Of.Own->Second.MedianNs);
    Own("own_median_ns", Unit::Ns, "with torch's own compiler", Of.Own->First.MedianNs);
    Own("eager_median_ns", Unit::Ns, "in eager mode",
        Of.OwnSpeedup ? Cell(Of.OwnSpeedup->First.MedianNs) : Cell());
  }
  bool First = true;
  for (std::string &Line : Of.lines())
    To.Items.emplace_back(Sentence{std::move(Line), ForPeople, std::exchange(First, false)});
  for (const std::string &Warning : Warnings)
    To.Items.emplace_back(
        Sentence{"note: " + Warning, ForPeople, std::exchange(First, false), true});
}

} // namespace seamscope::tools
