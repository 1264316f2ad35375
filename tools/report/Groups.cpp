//===- Groups.cpp - renders a trace split by one property -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Groups.h"

#include "analysis/core/Statistics.h"
#include "report/Table.h"
#include "trace/io/Escape.h"
#include "trace/rewrite/EventsCsv.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <vector>

namespace seamscope::tools {
namespace {

std::string_view whatName(GroupedTime What) {
  static constexpr std::string_view Names[] = {"device work", "kernels", "operators", "lines"};
  return Names[static_cast<size_t>(What)];
}

/// Of lines the file's name without folders, where no other file of the rows has it.
std::vector<std::string> shownKeys(const Grouping &Groups) {
  const auto FileOf = [](std::string_view Key) { return Key.substr(0, Key.rfind(':')); };
  const auto NameOf = [](std::string_view Path) { return Path.substr(Path.rfind('/') + 1); };
  std::map<std::string_view, std::set<std::string_view>> Files;
  for (const GroupRow &Row : Groups.Rows)
    Files[NameOf(FileOf(Row.Key))].insert(FileOf(Row.Key));
  std::vector<std::string> Keys;
  for (const GroupRow &Row : Groups.Rows) {
    const std::string_view File = FileOf(Row.Key);
    const bool Short = Groups.What == GroupedTime::Lines && Files[NameOf(File)].size() == 1;
    Keys.push_back(Short ? Row.Key.substr(File.size() - NameOf(File).size()) : Row.Key);
  }
  return Keys;
}

std::string_view whatSentence(GroupedTime What) {
  static constexpr std::string_view Sentences[] = {"kernels, copies and fills of devices",
                                                   "kernels", "operators",
                                                   "kernels, loops and waits, without each other"};
  return Sentences[static_cast<size_t>(What)];
}

} // namespace

std::string groupsText(const GroupsInput &Input, bool Colours) {
  constexpr size_t KeyWidth = 72;
  const Grouping &Groups = *Input.Groups;
  std::string Text = fmt::format("{}: {}, by {}; window {}\n\n", escaped(Input.Source->Info.Path),
                                 whatSentence(Groups.What), Input.By, shownTime(Input.WindowNs));
  const bool Lines = Groups.What == GroupedTime::Lines;
  constexpr size_t KernelsColumn = 4;
  Table Rows = Lines ? Table({Input.By, "Calls", "Self", "%", "Kernels"}, {KernelsColumn})
                     : Table({Input.By, "Calls", "Self", "%", "Total", "Mean", "Min", "Max"});
  Rows.cut(0, KeyWidth);
  if (Lines)
    Rows.cut(KernelsColumn, KeyWidth);
  GroupRow Rest;
  size_t Shown = 0;
  const std::vector<std::string> Keys = shownKeys(Groups);
  for (const GroupRow &Row : Groups.Rows) {
    if (Shown++ >= Input.Top) {
      Rest.Calls += Row.Calls;
      Rest.SelfNs += Row.SelfNs;
      continue;
    }
    std::vector<std::string> Cells = {escaped(Keys[Shown - 1]), std::to_string(Row.Calls),
                                      shownTime(Row.SelfNs), shownShare(Row.SelfNs, Groups.SelfNs)};
    if (Lines)
      Cells.push_back(escaped(fmt::format("{}", fmt::join(Row.Kernels, ", "))));
    else
      Cells.insert(Cells.end(), {shownTime(Row.TotalNs),
                                 Row.Calls ? shownTime(roundedMean(Row.SumNs, Row.Calls)) : "-",
                                 shownTime(Row.MinNs), shownTime(Row.MaxNs)});
    Rows.add(std::move(Cells));
  }
  if (Shown > Input.Top)
    Rows.add({fmt::format("[{} more]", Shown - Input.Top), std::to_string(Rest.Calls),
              shownTime(Rest.SelfNs), shownShare(Rest.SelfNs, Groups.SelfNs)},
             Emphasis::Faint);
  if (Input.Filtered.Rows)
    Rows.add({fmt::format("[{} filtered out]", Input.Filtered.Rows),
              std::to_string(Input.Filtered.Calls), shownTime(Input.Filtered.SelfNs),
              shownShare(Input.Filtered.SelfNs, Groups.SelfNs)},
             Emphasis::Faint);
  Rows.add({"[total]", std::to_string(Groups.Calls), shownTime(Groups.SelfNs),
            Groups.SelfNs ? "100.0" : "-"},
           Emphasis::Faint);
  return Text + Rows.text(Colours, Input.Width);
}

std::string groupsJson(const GroupsInput &Input) {
  using Json = nlohmann::ordered_json;
  const TraceInfo &Info = Input.Source->Info;
  Json Rows = Json::array();
  for (const GroupRow &Row : Input.Groups->Rows) {
    if (Rows.size() >= Input.Top)
      break;
    Json One = {{"key", Row.Key}, {"calls", Row.Calls}};
    if (Input.Groups->What == GroupedTime::Lines)
      One.update({{"self_ns", Row.SelfNs}, {"kernels", Row.Kernels}});
    else
      One.update({{"total_ns", Row.TotalNs},
                  {"self_ns", Row.SelfNs},
                  {"min_ns", Row.MinNs},
                  {"max_ns", Row.MaxNs}});
    Rows.push_back(std::move(One));
  }
  const Json Report = {{"schema", "seamscope.groups/1"},
                       {"trace", {{"path", Info.Path}, {"bytes", Info.Bytes}}},
                       {"window_ns", Input.WindowNs},
                       {"by", Input.By},
                       {"of", whatName(Input.Groups->What)},
                       {"calls", Input.Groups->Calls},
                       {"self_ns", Input.Groups->SelfNs},
                       {"filtered_out_ns", Input.Filtered.SelfNs},
                       {"rows", std::move(Rows)}};
  return Report.dump(2, ' ', true, Json::error_handler_t::replace) + '\n';
}

std::string groupsCsv(const GroupsInput &Input) {
  size_t Shown = 0;
  if (Input.Groups->What == GroupedTime::Lines) {
    std::string Text = fmt::format("{},calls,self_ns,kernels\r\n", csvField(Input.By));
    for (const GroupRow &Row : Input.Groups->Rows)
      if (Shown++ < Input.Top)
        Text += fmt::format("{},{},{},{}\r\n", csvField(Row.Key), Row.Calls, Row.SelfNs,
                            csvField(fmt::format("{}", fmt::join(Row.Kernels, "; "))));
    return Text;
  }
  std::string Text = fmt::format("{},calls,total_ns,self_ns,min_ns,max_ns\r\n", csvField(Input.By));
  for (const GroupRow &Row : Input.Groups->Rows)
    if (Shown++ < Input.Top)
      Text += fmt::format("{},{},{},{},{},{}\r\n", csvField(Row.Key), Row.Calls, Row.TotalNs,
                          Row.SelfNs, Row.MinNs, Row.MaxNs);
  return Text;
}

} // namespace seamscope::tools
