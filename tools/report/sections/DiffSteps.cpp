//===- DiffSteps.cpp - a step of two compiled runs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepDiff.h"
#include "report/model/Numbers.h"
#include "report/sections/AttributionRows.h"
#include "report/sections/Documents.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::optional<double> factor(const std::optional<double> &Percent) {
  return Percent ? std::optional(1 + *Percent / 100) : std::nullopt;
}

/// B/A, or an end of its interval; nothing if only one side has the part.
auto ratio(std::optional<double> RepeatChange::*Member) {
  return [Member](const StepDiffRow &Row) {
    return Row.FirstNs && Row.SecondNs ? factor(Row.Change.*Member) : std::nullopt;
  };
}

Cell intervalText(const StepDiffRow &Row) {
  const RepeatChange &Of = Row.Change;
  if (!Row.FirstNs || !Row.SecondNs || !Of.LowPercent)
    return {Value(), std::string("-")};
  return Of.HighPercent
             ? fmt::format("{:.2f} to {:.2f}", *factor(Of.LowPercent), *factor(Of.HighPercent))
             : fmt::format("{:.2f} or more", *factor(Of.LowPercent));
}

} // namespace

void addStepDiff(Section &To, const StepDiff &Of) {
  To.fact({"steps.a_steps", Unit::Count, "steady steps of A"}, Of.FirstSteps);
  To.fact({"steps.b_steps", Unit::Count, "steady steps of B"}, Of.SecondSteps);
  To.fact({"steps.by", Unit::Text, StepsByHelp}, keyOf(Of.By));
  To.fact({"steps.time_of", Unit::Text, "device or host"}, Of.OnDevice ? "device" : "host");
  To.fact({"steps.not_compared", Unit::Text, "why there are no parts"}, textOrNull(Of.NotCompared));
  if (!Of.NotCompared.empty())
    To.sayApart(fmt::format("steps are not compared: {}", Of.NotCompared));
  else
    To.sayApart(
        fmt::format("a step of A ({} steps) and of B ({}), without compilation and warm-up; the 95 "
                    "% intervals cover the scatter of the steps, not run-to-run variation",
                    Of.FirstSteps, Of.SecondSteps));
  using Row = StepDiffRow;
  const bool OnDevice = Of.OnDevice;
  const auto Mean = [](int64_t Ns, size_t Steps) {
    return Steps ? Value(static_cast<double>(Ns) / static_cast<double>(Steps)) : Value();
  };
  const auto MeanTime = [](int64_t Ns, size_t Steps) { return perStep(Ns, Steps); };
  const size_t A = Of.FirstSteps, B = Of.SecondSteps;
  Table Rows = makeTable<Row>(
      "steps.parts", "A step of both runs", std::span(Of.Rows),
      {{Column("part", "Mean of a step", Unit::Text, "kind of work; step: all of it"),
        [OnDevice](const Row &R) -> Cell {
          if (!R.Part)
            return {Value("step"), std::string("[step]")};
          return {Value(keyOf(*R.Part)),
                  std::string(OnDevice ? titleOnDevice(*R.Part) : titleOf(*R.Part))};
        }},
       {{"a_ns", Unit::Ns, "of all steps of A"}, &Row::FirstNs},
       {{"b_ns", Unit::Ns, "of all steps of B"}, &Row::SecondNs},
       {Column("a_step_ns", "A", Unit::Ns, "of a step").in(ForPeople),
        [=](const Row &R) { return MeanTime(R.FirstNs, A); }},
       {Column("b_step_ns", "B", Unit::Ns, "of a step").in(ForPeople),
        [=](const Row &R) { return MeanTime(R.SecondNs, B); }},
       {Column("delta_ns", "Delta", Unit::Change, "of the means, B less A").better(Better::Less),
        [](const Row &R) { return R.Change.Ns; }},
       {Column("change_percent", "Change %", Unit::Percent, "of the mean of A").typed("number"),
        [](const Row &R) { return R.Change.Percent; }},
       {Column("ratio", "B/A", Unit::Ratio, "of the means").typed("number"),
        ratio(&RepeatChange::Percent)},
       {Column("ratio_low", Unit::Ratio, "of its interval of 95 %").typed("number"),
        ratio(&RepeatChange::LowPercent)},
       {Column("ratio_high", Unit::Ratio, "null: unknown, or without a limit").typed("number"),
        ratio(&RepeatChange::HighPercent)},
       {Column("interval", "95 %", Unit::Text, "of B/A").in(ForPeople), intervalText},
       {Column("a_calls", "A calls", Unit::Count, "kernels and operators in a step")
            .typed("number"),
        [=](const Row &R) {
          return R.Part ? Mean(static_cast<int64_t>(R.FirstCalls), A) : Value();
        }},
       {Column("b_calls", "B calls", Unit::Count, "kernels and operators in a step")
            .typed("number"),
        [=](const Row &R) {
          return R.Part ? Mean(static_cast<int64_t>(R.SecondCalls), B) : Value();
        }}});
  Rows.In = ForJson | (Of.Rows.empty() ? 0 : ForPeople);
  Rows.Stands = [Last = Rows.Count](size_t Row) {
    return Row + 1 == Last ? Emphasis::Faint : Emphasis::None;
  };
  To.add(std::move(Rows));
}

} // namespace seamscope::tools
