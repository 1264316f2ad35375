//===- RecordingText.cpp - what recording took, in a report ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Recording.h"

#include "report/Table.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

/// As the pass option `exclude` has it: the symbol, where it is known.
std::string_view excludedName(const Trace &Source, SiteId Id) {
  const Site &What = Source.Sites[Id];
  return Source.text(What.LinkageName ? What.LinkageName : What.Name);
}

/// Whether \p Name stands for itself in a list of globs, between the quotes of a shell.
bool isPlainName(std::string_view Name) {
  return !Name.empty() && std::ranges::all_of(Name, [](char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_' ||
           C == '.' || C == '$' || C == ':';
  });
}

std::vector<std::string> excludeList(const Trace &Source, const RecordingCost &Cost) {
  std::vector<std::string> Names;
  for (const SiteId Id : Cost.Short)
    if (const std::string_view Name = excludedName(Source, Id); isPlainName(Name))
      Names.emplace_back(Name);
  return Names;
}

} // namespace

std::string recordingText(const Trace &Source, const Statistics &Numbers, const RecordingCost *Cost,
                          bool Colours) {
  if (!Cost)
    return "";
  const int64_t WindowNs = Numbers.WindowNs;
  std::vector<const KernelRow *> Affected;
  for (const KernelRow &Row : Numbers.Kernels)
    if (Cost->matters(Row, WindowNs))
      Affected.push_back(&Row);
  if (Affected.empty() && Cost->BusiestNs <= WindowNs / 20)
    return "";
  std::string Text = fmt::format(
      "Recording took about {} on the thread that recorded most, {} % of the window: {} calls of "
      "{:.1f} ns each\n",
      shownTime(Cost->BusiestNs), shownShare(std::min(Cost->BusiestNs, WindowNs), WindowNs),
      Cost->Calls, Cost->CallNs);
  if (!Affected.empty()) {
    Table Rows({"Kernel", "Calls", "Total", Cost->InsideKnown ? "Recording in it" : "At least", "%",
                "Without"});
    constexpr size_t Most = 10, Width = 48;
    std::ranges::stable_sort(Affected, std::greater(), [&](const KernelRow *Row) {
      return Cost->Rows.at(Row->Site).InsideNs;
    });
    for (size_t I = 0; I < std::min(Most, Affected.size()); ++I) {
      const KernelRow &Row = *Affected[I];
      const int64_t Inside = std::min(Cost->Rows.at(Row.Site).InsideNs, Row.Times.TotalNs);
      Rows.add({shortened(escaped(Source.text(Source.Sites[Row.Site].Name)), Width),
                std::to_string(Row.Times.Calls), shownTime(Row.Times.TotalNs), shownTime(Inside),
                shownShare(Inside, Row.Times.TotalNs), shownTime(Row.Times.TotalNs - Inside)});
    }
    Text += Rows.text(Colours);
    if (Affected.size() > Most)
      Text += fmt::format("[{} more]\n", Affected.size() - Most);
  }
  if (const std::vector<std::string> Names = excludeList(Source, *Cost); !Names.empty())
    Text += fmt::format("Without the short ones, compiled anew: SEAMSCOPE_PASS='exclude={}'\n",
                        fmt::join(Names, ","));
  return Text;
}

Json recordingJson(const Trace &Source, const Statistics &Numbers, const RecordingCost *Cost) {
  if (!Cost)
    return nullptr;
  return {{"call_cost_ns", Cost->CallNs},
          {"stamp_bias_ns", Cost->BiasNs},
          {"calls", Cost->Calls},
          {"total_ns", Cost->TotalNs},
          {"busiest_thread_ns", Cost->BusiestNs},
          {"window_share", Numbers.WindowNs ? Json(static_cast<double>(Cost->BusiestNs) /
                                                   static_cast<double>(Numbers.WindowNs))
                                            : Json()},
          {"inside_known", Cost->InsideKnown},
          {"exclude", excludeList(Source, *Cost)}};
}

void addRecording(Json &Kernel, const KernelRow &Row, const RecordingCost *Cost) {
  const RowRecordingCost *Its = nullptr;
  if (Cost)
    if (const auto Found = Cost->Rows.find(Row.Site); Found != Cost->Rows.end())
      Its = &Found->second;
  Kernel["recording_own_ns"] = Its ? Json(Its->OwnNs) : Json();
  Kernel["recording_inside_ns"] = Its ? Json(Its->InsideNs) : Json();
}

} // namespace seamscope::tools
