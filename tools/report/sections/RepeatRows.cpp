//===- RepeatRows.cpp - two sides of several runs each -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/RepeatRows.h"

#include "report/model/Numbers.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// The window's row stands first.
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
  const auto Add = [&](const char *Key, Unit Kind, const char *Help, Cell What) {
    To.Items.emplace_back(Fact{{std::string("repeats.") + Key, "", Kind, Help}, std::move(What)});
  };
  Add("a_runs", Unit::Count, "runs of the first side", Of.FirstRuns);
  Add("b_runs", Unit::Count, "runs of the second side", Of.SecondRuns);
  Add("threshold_percent", Unit::Percent, "--fail-above", ThresholdPercent);
  Add("verdict", Unit::Text, "of the window: exceeds, within or not certain",
      repeatVerdictName(Of.Window.Change.Verdict));
  Add("row_confidence", Unit::Ratio, "of the rows' intervals", Of.RowConfidence);
  std::vector<Row> Rows = {{"[window]", &Of.Window}};
  for (const RepeatRow &Each : Of.Rows)
    Rows.push_back({Each.Runs.Key, &Each});
  const auto Get = [](auto Member) { return [Member](const Row &R) { return R.Of->*Member; }; };
  const auto Change = [](auto Member) {
    return [Member](const Row &R) { return R.Of->Change.*Member; };
  };
  Table Made = makeTable<Row>(
      "repeats.rows", "Changes of the means of several runs", std::move(Rows),
      {{Column("key", "Mean of the runs", Unit::Name, "kernel or operator").cut(60),
        [](const Row &R) { return R.Key; }},
       {Column("a_mean_ns", "A", Unit::Ns, "mean of the first side's runs"),
        Get(&RepeatRow::FirstMeanNs)},
       {Column("b_mean_ns", "B", Unit::Ns, "mean of the second side's runs"),
        Get(&RepeatRow::SecondMeanNs)},
       {Column("delta_ns", "Delta", Unit::Change, "b_mean_ns less a_mean_ns"),
        Change(&RepeatChange::Ns)},
       {Column("delta_percent", "%", Unit::Percent, "of a_mean_ns"),
        [](const Row &R) { return percentCell(R.Of->Change.Percent); }},
       {Column("low_percent", "Interval, %", Unit::Percent,
               "from here; by the ratio of the means with Welch's error (Fieller)"),
        [](const Row &R) { return intervalCell(R.Of->Change); }},
       {Column("high_percent", "", Unit::Percent, "to here; null: no limit"),
        Change(&RepeatChange::HighPercent)},
       {Column("low_ns", "", Unit::Ns, "of delta_ns, from here; by Welch's test"),
        Change(&RepeatChange::LowNs)},
       {Column("high_ns", "", Unit::Ns, "to here"), Change(&RepeatChange::HighNs)},
       {Column("probability", "", Unit::Ratio,
               "of means that far apart if nothing changed, by Welch's test"),
        Change(&RepeatChange::Probability)},
       {Column("verdict", "Verdict", Unit::Text, "whether the change is above the threshold")
            .left(),
        [](const Row &R) { return repeatVerdictName(R.Of->Change.Verdict); }}});
  Made.Stands = [](size_t Index) { return Index ? Emphasis::None : Emphasis::Strong; };
  Made.Top = Top;
  To.Items.emplace_back(
      Sentence{fmt::format("{} run{} of A against {} of B; threshold {:+.1f} %", Of.FirstRuns,
                           Of.FirstRuns == 1 ? "" : "s", Of.SecondRuns, ThresholdPercent),
               ForPeople, /*Apart=*/true});
  if (!Of.knowsSpread())
    To.Items.emplace_back(Sentence{"how much runs differ by themselves is not known: give several "
                                   "traces of each side (--more-a, --more-b)"});
  To.Items.emplace_back(std::move(Made));
}

} // namespace seamscope::tools
