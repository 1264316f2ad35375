//===- Groups.cpp - a trace split by one property, as a document ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Documents.h"

#include "analysis/core/Statistics.h"
#include "report/model/Numbers.h"
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace seamscope::tools {
namespace {

std::string_view whatName(GroupedTime What) {
  static constexpr std::string_view Names[] = {"device work", "kernels", "operators",
                                               "compiled code", "lines"};
  return Names[static_cast<size_t>(What)];
}

std::string_view whatSentence(GroupedTime What) {
  static constexpr std::string_view Sentences[] = {"kernels, copies and fills of devices",
                                                   "kernels", "operators",
                                                   "kernels and libraries' calls of compiled code",
                                                   "self time of kernels and loops on all threads"};
  return Sentences[static_cast<size_t>(What)];
}

/// For lines, the file's name without folders, unless another file of the rows has the same.
std::map<std::string_view, std::string_view> shortKeys(const Grouping &Groups) {
  std::map<std::string_view, std::string_view> Short;
  if (Groups.What != GroupedTime::Lines)
    return Short;
  const auto FileOf = [](std::string_view Key) { return Key.substr(0, Key.rfind(':')); };
  const auto NameOf = [](std::string_view Path) { return Path.substr(Path.rfind('/') + 1); };
  std::map<std::string_view, std::set<std::string_view>> Files;
  for (const GroupRow &Row : Groups.Rows)
    Files[NameOf(FileOf(Row.Key))].insert(FileOf(Row.Key));
  for (const GroupRow &Row : Groups.Rows) {
    const std::string_view File = FileOf(Row.Key);
    if (Files[NameOf(File)].size() == 1)
      Short[Row.Key] = std::string_view(Row.Key).substr(File.size() - NameOf(File).size());
  }
  return Short;
}

Fields<GroupRow> groupRowFields(const GroupsInput &Input) {
  const Grouping &Groups = *Input.Groups;
  constexpr size_t KeyWidth = 72;
  const auto Short =
      std::make_shared<const std::map<std::string_view, std::string_view>>(shortKeys(Groups));
  const bool Lines = Groups.What == GroupedTime::Lines;

  const Field<GroupRow> Self = {column::self().sum().chosen("self"), &GroupRow::SelfNs};
  const Field<GroupRow> Percent = {
      column::percent("percent", "%", "self_ns of all rows").sum().chosen("percent"),
      [Sum = Groups.SelfNs](const GroupRow &R) { return percentOf(R.SelfNs, Sum); }};
  const auto OfThreads = [Known = Groups.HasSwitches](int64_t GroupRow::*Ns) {
    return [Known, Ns](const GroupRow &R) { return Known ? Value(R.*Ns) : Value(); };
  };
  const Field<GroupRow> Preempted = {
      Column("preempted_ns", "Preempted", Unit::Ns, "ready, while another thread ran").sum(),
      OfThreads(&GroupRow::PreemptedNs)};
  Fields<GroupRow> Made = {
      {Column("key", Input.By, Unit::Name, "what the rows are split by")
           .header(Input.By)
           .cut(KeyWidth),
       [Short](const GroupRow &R) -> Cell {
         const auto Found = Short->find(R.Key);
         return Found == Short->end() ? Cell(R.Key) : Cell(R.Key, std::string(Found->second));
       }},
      {column::calls().sum().chosen("calls"), &GroupRow::Calls},
  };
  if (Lines) {
    append(Made, {Self,
                  Percent,
                  {column::wait().sum(), &GroupRow::WaitNs},
                  Preempted,
                  {Column("kernels", "Kernels", Unit::List, "that have the line")
                       .left()
                       .cut(KeyWidth)
                       .chosen("kernels")
                       .in(ForAll),
                   [](const GroupRow &R) { return listOf(R.Kernels); }}});
    return Made;
  }
  append(
      Made,
      {{column::total().chosen("total"), &GroupRow::TotalNs},
       Self,
       Percent,
       {Column("mean_ns", "Mean", Unit::Ns, "of the durations").in(ForPeople).chosen("mean"),
        [](const GroupRow &R) { return R.Calls ? Value(roundedMean(R.SumNs, R.Calls)) : Value(); }},
       {Column("min_ns", "Min", Unit::Ns, "shortest duration").chosen("min"), &GroupRow::MinNs},
       {Column("max_ns", "Max", Unit::Ns, "longest duration").chosen("max"), &GroupRow::MaxNs},
       {column::wait().sum().helped("its thread was blocked; not in self_ns; null: not known"),
        OfThreads(&GroupRow::WaitNs)},
       Preempted});
  return Made;
}

} // namespace

Document groupsDocument(const GroupsInput &Input) {
  const Grouping &Groups = *Input.Groups;
  const TraceInfo &Info = Input.Source->Info;
  Section Part{"summary", "Time by " + Input.By};
  Part.fact({"trace.path", "Trace", Unit::Name, "as given"}, Info.Path);
  Part.fact({"trace.bytes", Unit::Bytes, "of the file"}, Info.Bytes);
  Part.fact({"window_ns", "Window", Unit::Ns, "from the first begin to the last end"},
            Input.WindowNs);
  Part.fact({"compilation_ns", Unit::Ns, "compilation, which is not in the window"}, Input.ApartNs);
  Part.fact({"by", Unit::Text, "what the rows are split by"}, Input.By);
  Part.fact({"of", Unit::Text, "what is split"}, whatName(Groups.What));
  Part.fact({"calls", Unit::Count, "of all rows"}, Groups.Calls);
  Part.fact({"self_ns", Unit::Ns, "of all rows"}, Groups.SelfNs);
  Part.fact({"filtered_out_ns", Unit::Ns, "self_ns of the rows that --filter left out"},
            Input.Filtered.SelfNs);
  Part.say(fmt::format(
      "{}: {}, by {}; window {}{}", escaped(Info.Path), whatSentence(Groups.What), Input.By,
      shownTime(Input.WindowNs),
      Input.ApartNs ? fmt::format(" without {} of compilation", shownTime(Input.ApartNs)) : ""));
  addHealthOf(Part, *Input.Source);
  Table Rows =
      makeTable("rows", "Time by " + Input.By, std::span(Groups.Rows), groupRowFields(Input));
  Rows.Top = Rows.Data = Input.Top;
  Rows.In = ForData | ForHtml;
  const FilteredOut &Out = Input.Filtered;
  if (Out.Rows)
    Rows.Summaries.push_back({fmt::format("[{} filtered out]", Out.Rows),
                              {{"calls", Out.Calls},
                               {"self_ns", Out.SelfNs},
                               {"percent", percentOf(Out.SelfNs, Groups.SelfNs)}}});
  int64_t WaitNs = 0, PreemptedNs = 0;
  for (const GroupRow &Row : Groups.Rows) {
    WaitNs = saturatingSum(WaitNs, Row.WaitNs);
    PreemptedNs = saturatingSum(PreemptedNs, Row.PreemptedNs);
  }
  Rows.Summaries.push_back({"[total]",
                            {{"calls", Groups.Calls},
                             {"self_ns", Groups.SelfNs},
                             {"wait_ns", WaitNs},
                             {"preempted_ns", PreemptedNs},
                             {"percent", Groups.SelfNs ? Cell(100.0) : Cell()}}});
  std::vector<std::string> Keys = {"key", "calls", "self_ns", "percent"};
  if (Groups.What == GroupedTime::Lines || WaitNs)
    Keys.push_back("wait_ns");
  if (PreemptedNs)
    Keys.push_back("preempted_ns");
  if (Groups.What == GroupedTime::Lines)
    Keys.push_back("kernels");
  else
    Keys.insert(Keys.end(), {"total_ns", "mean_ns", "min_ns", "max_ns"});
  Part.add(view(Rows, Input.By, allRows(Rows.Count), Keys));
  Part.add(std::move(Rows));
  return {"seamscope.groups/1", Info.Path, {std::move(Part)}, "rows"};
}

} // namespace seamscope::tools
