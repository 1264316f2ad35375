//===- Diff.cpp - the difference of two traces, as a document ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Documents.h"

#include "report/model/Numbers.h"
#include "report/sections/DiffPlaces.h"
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

Column timeOf(const char *Key, const char *Title, const char *Help) {
  return {Key, Title, Unit::Ns, Help};
}

Table rowTable(const DiffInput &Input) {
  const Difference &Result = *Input.Result;
  const int64_t Total = Result.SecondWindowNs - Result.FirstWindowNs;
  Table Rows = makeTable<DiffRow>(
      "rows", "Changes", std::span(Result.Rows),
      {{Column("key", "Kernel or operator", Unit::Name, "its name").cut(60).least(24),
        &DiffRow::Key},
       {Column("match", "Match", Unit::Text, "what makes both sides one row")
            .left()
            .chosen("match"),
        [](const DiffRow &R) { return diffMatchName(R.Match); }},
       {timeOf("a_ns", "A", "in the first trace").sum().chosen("a"), &DiffRow::FirstNs},
       {timeOf("b_ns", "B", "in the second trace").sum().chosen("b"), &DiffRow::SecondNs},
       {Column("a_calls", "A calls", Unit::Count, "in the first trace").sum().chosen("a_calls"),
        &DiffRow::FirstCalls},
       {Column("b_calls", "B calls", Unit::Count, "in the second trace").sum().chosen("b_calls"),
        &DiffRow::SecondCalls},
       {Column("delta_ns", "Delta", Unit::Change, "b_ns less a_ns")
            .sum()
            .chosen("delta")
            .better(Better::Less),
        &DiffRow::deltaNs},
       {Column("change_percent", "Change %", Unit::Percent, "b_ns less a_ns, of a_ns")
            .in(ForPeople | ForJson)
            .chosen("change"),
        [](const DiffRow &R) {
          return R.isPair() ? percentOf(R.deltaNs(), R.FirstNs) : std::nullopt;
        }},
       {Column("ratio", "B/A", Unit::Ratio, "b_ns over a_ns")
            .in(ForPeople | ForJson)
            .chosen("ratio"),
        [](const DiffRow &R) {
          return R.isPair() ? ratioOf(R.FirstNs, R.SecondNs) : std::nullopt;
        }},
       {Column("call_ratio", "B/A a call", Unit::Ratio, "of the mean times of one call")
            .in(ForPeople | ForJson)
            .chosen("call_ratio"),
        [](const DiffRow &R) {
          return R.isPair() ? callRatioOf(R.FirstNs, R.FirstCalls, R.SecondNs, R.SecondCalls)
                            : std::nullopt;
        }},
       {column::percent("delta_percent", "% of delta",
                        "of the windows' change; parts can exceed it")
            .sum()
            .chosen("percent"),
        [Total](const DiffRow &R) { return percentOf(R.deltaNs(), Total); }}});
  Rows.Top = Rows.Data = Input.Top;
  Rows.In = ForData | ForHtml;

  Rows.Stands = [&Result](size_t Row) {
    return isOutside(Result.Rows[Row].Match) ? Emphasis::Faint : Emphasis::None;
  };
  if (const DiffFiltered &Out = Input.Filtered; Out.Rows)
    Rows.Summaries.push_back({fmt::format("[{} filtered out]", Out.Rows),
                              {{"a_ns", Out.FirstNs},
                               {"b_ns", Out.SecondNs},
                               {"a_calls", Out.FirstCalls},
                               {"b_calls", Out.SecondCalls},
                               {"delta_ns", Out.SecondNs - Out.FirstNs},
                               {"delta_percent", percentOf(Out.SecondNs - Out.FirstNs, Total)}}});
  Rows.Summaries.push_back({"[window]",
                            {{"a_ns", Result.FirstWindowNs},
                             {"b_ns", Result.SecondWindowNs},
                             {"delta_ns", Total},
                             {"delta_percent", Total ? Cell(100.0) : Cell()}}});
  return Rows;
}

bool hasOtherCalls(const DiffRow &Row) {
  return Row.isPair() && Row.FirstCalls && Row.SecondCalls && Row.FirstCalls != Row.SecondCalls;
}

/// "B takes 12.3 % more time than A".
std::string comparison(double Percent) {
  constexpr double Least = 0.05; // is shown as 0.1
  return Percent > -Least && Percent < Least
             ? "B takes as long as A"
             : fmt::format("B takes {:.1f} % {} time than A", std::abs(Percent),
                           Percent > 0 ? "more" : "less");
}

/// A change with its interval; empty if it is not known.
std::string certain(const RepeatChange &Change) {
  if (!Change.Percent || !Change.LowPercent)
    return "";
  const std::string Interval =
      fmt::format("{:+.1f} to {}", *Change.LowPercent,
                  Change.HighPercent ? fmt::format("{:+.1f} %", *Change.HighPercent) : "no limit");
  if (*Change.LowPercent <= 0 && Change.HighPercent.value_or(0) >= 0)
    return fmt::format("No certain difference between A and B: {:+.1f} % ({})", *Change.Percent,
                       Interval);
  return fmt::format("{} ({})", comparison(*Change.Percent), Interval);
}

/// The steps of one run for each side.
std::string verdictOnSteps(const StepDiff *Steps) {
  const std::string Text =
      Steps && !Steps->Rows.empty() ? certain(Steps->Rows.back().Change) : std::string();
  return Text.empty() ? "" : "Per step, without compilation: " + Text;
}

/// The answer, in a line.
std::string verdictOf(const DiffInput &Input) {
  if (Input.Repeats && Input.Repeats->knowsSpread())
    return certain(Input.Repeats->Window.Change);
  const Difference &Result = *Input.Result;
  const auto Percent =
      percentOf(Result.SecondWindowNs - Result.FirstWindowNs, Result.FirstWindowNs);
  return Percent ? fmt::format("{}; run-to-run variation is not known", comparison(*Percent)) : "";
}

/// For the summary of the page.
void addLargest(Section &To, const Table &Rows, const std::vector<DiffRow> &Changes) {
  constexpr size_t Most = 5;
  std::vector<size_t> Largest = allRows(std::min(Rows.Count, Changes.size()));
  std::erase_if(Largest, [&](size_t I) { return !Changes[I].deltaNs(); });
  std::ranges::stable_sort(Largest, std::greater(),
                           [&](size_t I) { return std::abs(Changes[I].deltaNs()); });
  Largest.resize(std::min(Most, Largest.size()));
  if (Largest.empty())
    return;
  Table Shown =
      view(Rows, "Kernel or operator", std::move(Largest),
           {"key", "a_ns", "b_ns", "delta_ns", "change_percent", "ratio", "delta_percent"});
  Shown.Key = "largest";
  Shown.Title = "Largest changes";
  Shown.In = ForHtml;
  Shown.Summaries.clear();
  To.add(std::move(Shown));
}

/// The command line without the program, whose name may contain its version.
std::string_view argumentsIn(std::string_view CommandLine) {
  const size_t Blank = CommandLine.find(' ');
  return Blank == CommandLine.npos ? std::string_view() : CommandLine.substr(Blank + 1);
}

/// Differences that mean that A and B do different work.
std::string otherArguments(const TraceInfo &A, const TraceInfo &B) {
  if (A.CommandLine.empty() || B.CommandLine.empty() ||
      argumentsIn(A.CommandLine) == argumentsIn(B.CommandLine))
    return "";
  return fmt::format("the command lines differ, so A and B may do different work: {} and {}",
                     fit(A.CommandLine, 80), fit(B.CommandLine, 80));
}

/// Blocked time stays in kernels unless it is known of all traces.
std::string withoutSwitches(const Trace &A, const Trace &B, const Difference &Of) {
  const bool Known[] = {!A.SampledSpans.empty(), !B.SampledSpans.empty()};
  if (Of.HasSwitches || !(Known[0] || Known[1]))
    return "";
  return fmt::format(
      "blocked and preempted time counts as time of kernels, since the switches of threads were "
      "not recorded in {}",
      !Known[0]   ? "A"
      : !Known[1] ? "B"
                  : "a further run");
}

} // namespace

Document diffDocument(const DiffInput &Input) {
  const Difference &Result = *Input.Result;
  Section Head{"summary", "Summary"}, Rows{"changes", "Changes"},
      Places{"loops", "Regions, loops and waits"};
  Head.say(verdictOnSteps(Input.Steps));
  Head.say(verdictOf(Input));
  const auto AddSide = [&](const char *Name, const std::string &Key, const Trace &Side,
                           int64_t WindowNs) {
    Head.fact({Key + ".path", Name, Unit::Name, "the trace"}, Side.Info.Path);
    Head.fact({Key + ".command", Unit::Name, "its command line"},
              textOrNull(Side.Info.CommandLine));
    Head.fact({Key + ".window_ns", "Window", Unit::Ns, "its window"}, WindowNs);
    Head.add(Sentence{
        fmt::format("{}: {}, window {}", Name, escaped(Side.Info.Path), shownTime(WindowNs)),
        ForText}); // the page has them as facts
    addHealthOf(Head, Side, (Key + ".health").c_str(), (std::string(Name) + ": ").c_str());
  };
  AddSide("A", "a", *Input.First, Result.FirstWindowNs);
  AddSide("B", "b", *Input.Second, Result.SecondWindowNs);
  Head.warn(withoutSwitches(*Input.First, *Input.Second, Result));
  Head.warn(otherArguments(Input.First->Info, Input.Second->Info));
  Head.fact({"total_delta_ns", Unit::Ns, "of the windows, B less A"},
            Result.SecondWindowNs - Result.FirstWindowNs);
  if (const DiffFiltered &Out = Input.Filtered; Out.Rows) {
    Head.fact({"filtered_out.rows", Unit::Count, "rows that --filter left out"}, Out.Rows);
    Head.fact({"filtered_out.a_ns", Unit::Ns, "their time in the first trace"}, Out.FirstNs);
    Head.fact({"filtered_out.b_ns", Unit::Ns, "their time in the second trace"}, Out.SecondNs);
  }
  int64_t LeftFirst = 0, LeftSecond = 0;
  const size_t Kept = std::min(Input.Top, Result.Rows.size());
  for (const DiffRow &Row : std::span(Result.Rows).subspan(Kept)) {
    LeftFirst += Row.FirstNs;
    LeftSecond += Row.SecondNs;
  }
  Head.fact({"left_out.rows", Unit::Count, "rows that --top left out"}, Result.Rows.size() - Kept);
  Head.fact({"left_out.a_ns", Unit::Ns, "their time in the first trace"}, LeftFirst);
  Head.fact({"left_out.b_ns", Unit::Ns, "their time in the second trace"}, LeftSecond);
  Table All = rowTable(Input);
  addLargest(Head, All, Result.Rows);
  addLargestPlaces(Head, Result);
  std::vector<std::string> Keys = {"key",           "a_ns",           "b_ns",
                                   "delta_ns",      "change_percent", "ratio",
                                   "delta_percent", "a_calls",        "b_calls"};
  if (const auto Other = std::ranges::count_if(Result.Rows, hasOtherCalls)) {
    Keys.push_back("call_ratio");
    Rows.say(fmt::format("{} row{} a different number of calls in B than in A: B/A compares "
                         "totals, \"B/A a call\" the means of one call",
                         Other, Other == 1 ? " has" : "s have"));
  }
  Keys.push_back("match");
  Rows.add(view(All, "Kernel or operator", allRows(All.Count), Keys));
  Rows.add(std::move(All));
  addPlaces(Places, Result, Input.Top);
  Section Repeats{"repeats", "Several runs a side"};
  if (Input.Repeats)
    addRepeats(Repeats, *Input.Repeats, Input.ThresholdPercent, Input.Top);
  Section Steps{"steps", "Steps"};
  if (Input.Steps)
    addStepDiff(Steps, *Input.Steps);
  return {
      "seamscope.diff/1",
      fmt::format("{} against {}", Input.First->Info.Path, Input.Second->Info.Path),
      {std::move(Head), std::move(Steps), std::move(Repeats), std::move(Rows), std::move(Places)},
      "rows"};
}

} // namespace seamscope::tools
