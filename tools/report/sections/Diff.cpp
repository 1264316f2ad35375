//===- Diff.cpp - the difference of two traces, as a document ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Documents.h"

#include "report/model/Numbers.h"
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <ranges>

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
      {{Column("key", "Kernel or operator", Unit::Name, "its name").cut(60), &DiffRow::Key},
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
       {Column("ratio", "B/A", Unit::Ratio, "b_ns over a_ns").in(ForPeople).chosen("ratio"),
        [](const DiffRow &R) {
          return R.FirstNs > 0 && R.SecondNs > 0
                     ? Value(static_cast<double>(R.SecondNs) / static_cast<double>(R.FirstNs))
                     : Value();
        }},
       {column::percent("delta_percent", "% of delta",
                        "of the windows' change; parts can exceed it")
            .sum()
            .chosen("percent"),
        [Total](const DiffRow &R) { return percentOf(R.deltaNs(), Total); }}});
  Rows.Top = Rows.Data = Input.Top;
  Rows.In = ForData | ForHtml;

  Rows.Stands = [&Result](size_t Row) {
    return Result.Rows[Row].Match == DiffMatch::Unattributed ? Emphasis::Faint : Emphasis::None;
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

/// Of kernels whose loops both traces have.
Table loopData(const DiffInput &Input) {
  return forJson(makeTable<LoopDiffRow>(
      "loops", "", std::span(Input.Result->Loops),
      {{{"kernel", Unit::Name, "its kernel"}, &LoopDiffRow::Kernel},
       {{"loop", Unit::Name, "name, and the call through which it was inlined"},
        &LoopDiffRow::Loop},
       {{"depth", Unit::Count, "1: outermost"}, &LoopDiffRow::Depth},
       {timeOf("a_ns", "", "in the first trace"), &LoopDiffRow::FirstNs},
       {timeOf("b_ns", "", "in the second trace"), &LoopDiffRow::SecondNs},
       {timeOf("a_self_ns", "", "without what is in it"), &LoopDiffRow::FirstSelfNs},
       {timeOf("b_self_ns", "", "without what is in it"), &LoopDiffRow::SecondSelfNs},
       {{"a_calls", Unit::Count, "0: the trace has no such loop"}, &LoopDiffRow::FirstCalls},
       {{"b_calls", Unit::Count, "0: the trace has no such loop"}, &LoopDiffRow::SecondCalls}}));
}

Table loopTable(const DiffInput &Input) {
  std::vector<TreeLine> Lines;
  std::string_view Kernel;
  for (const LoopDiffRow &Row : Input.Result->Loops | std::views::take(Input.Top)) {
    if (Kernel != Row.Kernel)
      Lines.push_back({Row.Kernel, {}, 0, Emphasis::Strong});
    Kernel = Row.Kernel;
    TreeLine Line = {Row.Loop, {}, Row.Depth};
    const auto Side = [&](const char *Ns, const char *Self, const char *Calls, uint64_t Count,
                          int64_t All, int64_t Own) {
      Line.Cells.emplace_back(Ns, Count ? Cell(All) : Cell());
      Line.Cells.emplace_back(Self, Count ? Cell(Own) : Cell());
      Line.Cells.emplace_back(Calls, Count);
    };
    Side("a_ns", "a_self_ns", "a_calls", Row.FirstCalls, Row.FirstNs, Row.FirstSelfNs);
    Side("b_ns", "b_self_ns", "b_calls", Row.SecondCalls, Row.SecondNs, Row.SecondSelfNs);
    Line.Cells.emplace_back("delta_ns", Row.SecondNs - Row.FirstNs);
    Line.Cells.emplace_back(
        "ratio", Row.FirstCalls && Row.SecondCalls && Row.FirstNs
                     ? Cell(static_cast<double>(Row.SecondNs) / static_cast<double>(Row.FirstNs))
                     : Cell());
    Lines.push_back(std::move(Line));
  }
  Table Rows =
      treeTable("loop-rows", "Loops of kernels that both traces have",
                {column::name("Kernel, loop").cut(72), timeOf("a_ns", "A", "in the first trace"),
                 timeOf("b_ns", "B", "in the second trace"),
                 Column("delta_ns", "Delta", Unit::Change, "B less A").better(Better::Less),
                 Column("ratio", "B/A", Unit::Ratio, "B over A"),
                 timeOf("a_self_ns", "Self A", "without what is in it"),
                 timeOf("b_self_ns", "Self B", "without what is in it"),
                 Column("a_calls", "A calls", Unit::Count, "in the first trace"),
                 Column("b_calls", "B calls", Unit::Count, "in the second trace")},
                std::move(Lines));
  Rows.leaveOut(Input.Result->Loops.size(), Input.Top, "more loops");
  return Rows;
}

/// "B takes 12.3 % more time than A".
std::string comparison(double Percent) {
  constexpr double Least = 0.05; // is shown as 0.1
  return Percent > -Least && Percent < Least
             ? "B takes as long as A"
             : fmt::format("B takes {:.1f} % {} time than A", std::abs(Percent),
                           Percent > 0 ? "more" : "less");
}

/// The answer, in a line.
std::string verdictOf(const DiffInput &Input) {
  if (Input.Repeats && Input.Repeats->knowsSpread()) {
    const RepeatChange &Change = Input.Repeats->Window.Change;
    if (!Change.Percent || !Change.LowPercent)
      return "";
    const std::string Interval = fmt::format(
        "{:+.1f} to {}", *Change.LowPercent,
        Change.HighPercent ? fmt::format("{:+.1f} %", *Change.HighPercent) : "no limit");
    if (*Change.LowPercent <= 0 && Change.HighPercent.value_or(0) >= 0)
      return fmt::format("No certain difference between A and B: {:+.1f} % ({})", *Change.Percent,
                         Interval);
    return fmt::format("{} ({})", comparison(*Change.Percent), Interval);
  }
  const Difference &Result = *Input.Result;
  const auto Percent =
      percentOf(Result.SecondWindowNs - Result.FirstWindowNs, Result.FirstWindowNs);
  return Percent ? fmt::format("{}; how much runs differ by themselves is not known",
                               comparison(*Percent))
                 : "";
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
  Table Shown = view(Rows, "Kernel or operator", std::move(Largest),
                     {"key", "a_ns", "b_ns", "delta_ns", "ratio", "delta_percent"});
  Shown.Key = "largest";
  Shown.Title = "Largest changes";
  Shown.In = ForHtml;
  Shown.Summaries.clear();
  To.add(std::move(Shown));
}

} // namespace

Document diffDocument(const DiffInput &Input) {
  const Difference &Result = *Input.Result;
  Section Head{"summary", "Summary"}, Rows{"changes", "Changes"}, Loops{"loops", "Loops"};
  Head.say(verdictOf(Input));
  const auto AddSide = [&](const char *Name, const std::string &Key, const Trace &Side,
                           int64_t WindowNs) {
    Head.fact({Key + ".path", Name, Unit::Name, "the trace"}, Side.Info.Path);
    Head.fact({Key + ".window_ns", "Window", Unit::Ns, "its window"}, WindowNs);
    Head.add(Sentence{
        fmt::format("{}: {}, window {}", Name, escaped(Side.Info.Path), shownTime(WindowNs)),
        ForText}); // the page has them as facts
    addHealthOf(Head, Side, (Key + ".health").c_str(), (std::string(Name) + ": ").c_str());
  };
  AddSide("A", "a", *Input.First, Result.FirstWindowNs);
  AddSide("B", "b", *Input.Second, Result.SecondWindowNs);
  Head.fact({"total_delta_ns", Unit::Ns, "of the windows, B less A"},
            Result.SecondWindowNs - Result.FirstWindowNs);
  if (const DiffFiltered &Out = Input.Filtered; Out.Rows) {
    Head.fact({"filtered_out.rows", Unit::Count, "rows that --filter left out"}, Out.Rows);
    Head.fact({"filtered_out.a_ns", Unit::Ns, "their time in the first trace"}, Out.FirstNs);
    Head.fact({"filtered_out.b_ns", Unit::Ns, "their time in the second trace"}, Out.SecondNs);
  }
  Table All = rowTable(Input);
  addLargest(Head, All, Result.Rows);
  Rows.add(view(All, "Kernel or operator", allRows(All.Count),
                {"key", "a_ns", "b_ns", "delta_ns", "ratio", "delta_percent", "a_calls", "b_calls",
                 "match"}));
  Rows.add(std::move(All));
  Loops.add(loopData(Input));
  if (Result.FirstHasLoops != Result.SecondHasLoops)
    Loops.sayApart(
        fmt::format("only {} was recorded with loops (option loops of the pass): none are compared",
                    Result.FirstHasLoops ? "A" : "B"));
  else if (!Result.Loops.empty())
    Loops.add(loopTable(Input));
  Section Repeats{"repeats", "Several runs a side"};
  if (Input.Repeats)
    addRepeats(Repeats, *Input.Repeats, Input.ThresholdPercent, Input.Top);
  return {"seamscope.diff/1",
          fmt::format("{} against {}", Input.First->Info.Path, Input.Second->Info.Path),
          {std::move(Head), std::move(Repeats), std::move(Rows), std::move(Loops)},
          "rows"};
}

} // namespace seamscope::tools
