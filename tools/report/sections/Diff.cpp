//===- Diff.cpp - the difference of two traces, as a document ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Diff.h"
#include "report/sections/RepeatRows.h"

#include "report/model/Numbers.h"
#include "trace/io/Escape.h"

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
      {{Column("key", "Kernel or operator", Unit::Name, "its name").cut(60),
        [](const DiffRow &R) { return R.Key; }},
       {Column("match", "", Unit::Text, "what makes both sides one row").chosen("match"),
        [](const DiffRow &R) { return diffMatchName(R.Match); }},
       {timeOf("a_ns", "A", "in the first trace").sum().chosen("a"),
        [](const DiffRow &R) { return R.FirstNs; }},
       {timeOf("b_ns", "B", "in the second trace").sum().chosen("b"),
        [](const DiffRow &R) { return R.SecondNs; }},
       {Column("a_calls", "A calls", Unit::Count, "in the first trace").sum().chosen("a_calls"),
        [](const DiffRow &R) { return R.FirstCalls; }},
       {Column("b_calls", "B calls", Unit::Count, "in the second trace").sum().chosen("b_calls"),
        [](const DiffRow &R) { return R.SecondCalls; }},
       {Column("delta_ns", "Delta", Unit::Change, "b_ns less a_ns").sum().chosen("delta"),
        [](const DiffRow &R) { return R.deltaNs(); }},
       {column::percent("delta_percent", "% of delta",
                        "of the windows' change; parts can exceed it")
            .sum()
            .chosen("percent"),
        [Total](const DiffRow &R) { return percentOf(R.deltaNs(), Total); }}});
  Rows.Top = Rows.Data = Input.Top;
  Rows.In = ForData | ForHtml;
  Rows.Columns[Rows.find("match")].Title = "Match";
  Rows.Columns[Rows.find("match")].Left = true;
  Rows.Columns[Rows.find("match")].In = ForAll;
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
  Table Rows = makeTable<LoopDiffRow>(
      "loops", "", std::span(Input.Result->Loops),
      {{{"kernel", "", Unit::Name, "its kernel"}, [](const LoopDiffRow &R) { return R.Kernel; }},
       {{"loop", "", Unit::Name, "name, and the call through which it was inlined"},
        [](const LoopDiffRow &R) { return R.Loop; }},
       {{"depth", "", Unit::Count, "1: outermost"}, [](const LoopDiffRow &R) { return R.Depth; }},
       {timeOf("a_ns", "", "in the first trace"), [](const LoopDiffRow &R) { return R.FirstNs; }},
       {timeOf("b_ns", "", "in the second trace"), [](const LoopDiffRow &R) { return R.SecondNs; }},
       {timeOf("a_self_ns", "", "without what is in it"),
        [](const LoopDiffRow &R) { return R.FirstSelfNs; }},
       {timeOf("b_self_ns", "", "without what is in it"),
        [](const LoopDiffRow &R) { return R.SecondSelfNs; }},
       {{"a_calls", "", Unit::Count, "0: the trace has no such loop"},
        [](const LoopDiffRow &R) { return R.FirstCalls; }},
       {{"b_calls", "", Unit::Count, "0: the trace has no such loop"},
        [](const LoopDiffRow &R) { return R.SecondCalls; }}});
  Rows.In = ForJson;
  return Rows;
}

Table loopTable(const DiffInput &Input) {
  std::vector<TreeLine> Lines;
  std::string_view Kernel;
  size_t Shown = 0;
  for (const LoopDiffRow &Row : Input.Result->Loops) {
    if (Shown++ >= Input.Top)
      break;
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
                 Column("delta_ns", "Delta", Unit::Change, "B less A"),
                 Column("ratio", "B/A", Unit::Ratio, "B over A"),
                 timeOf("a_self_ns", "Self A", "without what is in it"),
                 timeOf("b_self_ns", "Self B", "without what is in it"),
                 Column("a_calls", "A calls", Unit::Count, "in the first trace"),
                 Column("b_calls", "B calls", Unit::Count, "in the second trace")},
                std::move(Lines));
  if (const size_t Found = Input.Result->Loops.size(); Found > Input.Top)
    Rows.Summaries.push_back({fmt::format("[{} more loops]", Found - Input.Top), {}});
  return Rows;
}

} // namespace

Document diffDocument(const DiffInput &Input) {
  const Difference &Result = *Input.Result;
  Section Head{"summary", "Summary"}, Rows{"changes", "Changes"}, Loops{"loops", "Loops"};
  const auto AddFact = [&](const char *Key, const char *Title, Unit Of, const char *Help,
                           Cell What) {
    Head.Items.emplace_back(Fact{{Key, Title, Of, Help}, std::move(What)});
  };
  const auto AddSide = [&](const char *Name, const char *Key, const Trace &Side, int64_t WindowNs) {
    AddFact(fmt::format("{}.path", Key).c_str(), Name, Unit::Name, "the trace", Side.Info.Path);
    AddFact(fmt::format("{}.window_ns", Key).c_str(), "Window", Unit::Ns, "its window", WindowNs);
    Head.Items.emplace_back(Sentence{
        fmt::format("{}: {}, window {}", Name, escaped(Side.Info.Path), shownTime(WindowNs))});
  };
  AddSide("A", "a", *Input.First, Result.FirstWindowNs);
  AddSide("B", "b", *Input.Second, Result.SecondWindowNs);
  AddFact("total_delta_ns", "", Unit::Ns, "of the windows, B less A",
          Result.SecondWindowNs - Result.FirstWindowNs);
  if (const DiffFiltered &Out = Input.Filtered; Out.Rows) {
    AddFact("filtered_out.rows", "", Unit::Count, "rows that --filter left out", Out.Rows);
    AddFact("filtered_out.a_ns", "", Unit::Ns, "their time in the first trace", Out.FirstNs);
    AddFact("filtered_out.b_ns", "", Unit::Ns, "their time in the second trace", Out.SecondNs);
  }
  Table All = rowTable(Input);
  Rows.Items.emplace_back(
      view(All, "Kernel or operator", allRows(All.Count),
           {"key", "a_ns", "b_ns", "delta_ns", "delta_percent", "a_calls", "b_calls", "match"}));
  Rows.Items.emplace_back(std::move(All));
  Loops.Items.emplace_back(loopData(Input));
  if (Result.FirstHasLoops != Result.SecondHasLoops)
    Loops.Items.emplace_back(Sentence{
        fmt::format("only {} was recorded with loops (option loops of the pass): none are compared",
                    Result.FirstHasLoops ? "A" : "B"),
        ForPeople, /*Apart=*/true});
  else if (!Result.Loops.empty())
    Loops.Items.emplace_back(loopTable(Input));
  Section Repeats{"repeats", "Several runs a side"};
  if (Input.Repeats)
    addRepeats(Repeats, *Input.Repeats, Input.ThresholdPercent, Input.Top);
  Document Made{"seamscope.diff/1",
                fmt::format("{} against {}", Input.First->Info.Path, Input.Second->Info.Path),
                {},
                "rows"};
  Made.Sections = {std::move(Head), std::move(Repeats), std::move(Rows), std::move(Loops)};
  return Made;
}

} // namespace seamscope::tools
