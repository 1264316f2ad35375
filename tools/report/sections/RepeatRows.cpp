//===- RepeatRows.cpp - compares several runs of each side ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Documents.h"

#include "report/model/Numbers.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// The window's row comes first.
struct Row {
  std::string Key;
  const RepeatRow *Of;
};

std::string signedPercent(double Percent) { return fmt::format("{:+.1f}", Percent); }

Cell percentCell(const std::optional<double> &Percent) {
  return Percent ? Cell(*Percent, signedPercent(*Percent)) : Cell();
}

Cell intervalCell(const RepeatChange &Of) {
  if (!Of.LowPercent)
    return Cell(Value(), std::string("unknown"));
  return Cell(*Of.LowPercent,
              fmt::format("{} .. {}", signedPercent(*Of.LowPercent),
                          Of.HighPercent ? signedPercent(*Of.HighPercent) : "no limit"));
}

} // namespace

void addRepeats(Section &To, const RepeatedDifference &Of, double ThresholdPercent, size_t Top) {
  To.fact({"repeats.a_runs", Unit::Count, "runs of the first side"}, Of.FirstRuns);
  To.fact({"repeats.b_runs", Unit::Count, "runs of the second side"}, Of.SecondRuns);
  To.fact({"repeats.threshold_percent", Unit::Percent, "--fail-above"}, ThresholdPercent);
  To.fact({"repeats.verdict", Unit::Text, "of the window: exceeds, within or not certain"},
          repeatVerdictName(Of.Window.Change.Verdict));
  To.fact({"repeats.row_confidence", Unit::Ratio, "of the rows' intervals"}, Of.RowConfidence);
  std::vector<Row> Rows = {{"[window]", &Of.Window}};
  for (const RepeatRow &Each : Of.Rows)
    Rows.push_back({Each.Runs.Key, &Each});
  const auto Get = [](auto What) { return member(&Row::Of, What); };
  const auto Change = [&](auto What) { return member(Get(&RepeatRow::Change), What); };
  Table Made = makeTable<Row>(
      "repeats.rows", "Changes of the means of several runs", std::move(Rows),
      {{Column("key", "Mean of the runs", Unit::Name, "kernel or operator").cut(60), &Row::Key},
       {{"a_mean_ns", "A", Unit::Ns, "mean of the first side's runs"},
        Get(&RepeatRow::FirstMeanNs)},
       {{"b_mean_ns", "B", Unit::Ns, "mean of the second side's runs"},
        Get(&RepeatRow::SecondMeanNs)},
       {Column("delta_ns", "Delta", Unit::Change, "b_mean_ns less a_mean_ns").better(Better::Less),
        Change(&RepeatChange::Ns)},
       {Column("delta_percent", "%", Unit::Percent, "of a_mean_ns").better(Better::Less),
        member(Change(&RepeatChange::Percent), percentCell)},
       {{"low_percent", "Interval, %", Unit::Percent,
         "from here; by the ratio of the means with Welch's error (Fieller)"},
        member(Get(&RepeatRow::Change), intervalCell)},
       {{"high_percent", Unit::Percent, "to here; null: no limit"},
        Change(&RepeatChange::HighPercent)},
       {{"low_ns", Unit::Ns, "of delta_ns, from here; by Welch's test"},
        Change(&RepeatChange::LowNs)},
       {{"high_ns", Unit::Ns, "to here"}, Change(&RepeatChange::HighNs)},
       {{"probability", Unit::Ratio,
         "probability of means that far apart if nothing changed, by Welch's test"},
        Change(&RepeatChange::Probability)},
       {Column("verdict", "Verdict", Unit::Text, "whether the change is above the threshold")
            .left(),
        member(Change(&RepeatChange::Verdict), repeatVerdictName)}});
  Made.Stands = [](size_t Index) { return Index ? Emphasis::None : Emphasis::Strong; };
  Made.Top = Top;
  To.sayApart(fmt::format("{} run{} of A against {} of B; threshold {:+.1f} %", Of.FirstRuns,
                          Of.FirstRuns == 1 ? "" : "s", Of.SecondRuns, ThresholdPercent));
  if (!Of.knowsSpread())
    To.say(
        "run-to-run variation is not known: give several traces of each side (--more-a, --more-b)");
  else if (Of.Window.Change.Verdict == RepeatVerdict::NotCertain)
    To.say("runs differ too much to tell whether B is above the threshold: give more of each side, "
           "on a quieter machine");
  To.add(std::move(Made));
}

} // namespace seamscope::tools
