//===- Findings.cpp - steps, compiled regions and advice in a report ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Findings.h"

#include "report/Table.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t NameWidth = 64;
constexpr size_t MostSteps = 8;

std::string stepName(const Trace &Source, const CompiledStep &Step) {
  return Step.Name ? shortened(escaped(Source.text(Step.Name)), NameWidth) : "[no step]";
}

} // namespace

std::string compiledText(const Trace &Source, const CompiledView &View, bool Colours) {
  if (!View.any())
    return "";
  Table Rows({"Compiled", "Calls", "Host", "Device"});
  for (const CompiledRow &Row : View.Rows)
    Rows.add({shortened(escaped(Source.text(Row.Name)), NameWidth), std::to_string(Row.Calls),
              shownTime(Row.TotalNs), shownTime(Row.DeviceNs)});
  std::string Text = Rows.text(Colours);
  if (View.Recompiled)
    Text += fmt::format("{} regions had been compiled again (a number behind / that is not 0)\n",
                        View.Recompiled);

  Table Steps({"Step", "Wall", "Compiled", "Outside", "Regions", "Breaks", "Eager ops", "Between"},
              {7});
  size_t Shown = 0;
  for (const CompiledStep &Step : View.Steps) {
    if (Shown++ == MostSteps)
      break;
    std::string Between;
    for (const StringId Name : Step.Between)
      Between += (Between.empty() ? "" : ", ") + escaped(Source.text(Name));
    Steps.add({stepName(Source, Step), shownTime(Step.WallNs), shownTime(Step.CompiledNs),
               shownTime(Step.OutsideNs), std::to_string(Step.Regions),
               Step.Name ? std::to_string(Step.GraphBreaks) : "-", std::to_string(Step.EagerOps),
               shortened(Between, NameWidth)});
  }
  if (View.Steps.size() > MostSteps)
    Steps.add({fmt::format("[{} more]", View.Steps.size() - MostSteps)}, Emphasis::Faint);
  return Text + '\n' + Steps.text(Colours);
}

Json compiledJson(const Trace &Source, const CompiledView &View) {
  Json Rows = Json::array(), Steps = Json::array();
  for (const CompiledRow &Row : View.Rows)
    Rows.push_back({{"name", Source.text(Row.Name)},
                    {"kind", Row.IsGraph ? "graph" : "region"},
                    {"frame", Row.Frame ? Json(*Row.Frame) : Json()},
                    {"recompile", Row.Frame ? Json(Row.Recompile) : Json()},
                    {"calls", Row.Calls},
                    {"total_ns", Row.TotalNs},
                    {"device_ns", Row.DeviceNs}});
  for (const CompiledStep &Step : View.Steps) {
    Json Between = Json::array();
    for (const StringId Name : Step.Between)
      Between.push_back(Source.text(Name));
    Steps.push_back({{"name", Step.Name ? Json(Source.text(Step.Name)) : Json()},
                     {"wall_ns", Step.WallNs},
                     {"compiled_ns", Step.CompiledNs},
                     {"outside_ns", Step.OutsideNs},
                     {"regions", Step.Regions},
                     {"graph_breaks", Step.Name ? Json(Step.GraphBreaks) : Json()},
                     {"eager_ops", Step.EagerOps},
                     {"eager_ns", Step.EagerNs},
                     {"between", std::move(Between)}});
  }
  return {{"rows", std::move(Rows)}, {"steps", std::move(Steps)}, {"recompiled", View.Recompiled}};
}

std::string adviceText(const std::vector<Advice> &Findings, int64_t WindowNs, size_t Most) {
  std::string Text;
  for (size_t I = 0; I < std::min(Most, Findings.size()); ++I) {
    const Advice &A = Findings[I];
    Text += fmt::format("{:<20} at most {} ({} % of the window): {}\n{:21}{}\n", A.Kind,
                        shownTime(A.SavingNs), shownShare(A.SavingNs, WindowNs),
                        escaped(A.Evidence), "", A.Remedy);
  }
  return Text;
}

Json adviceJson(const std::vector<Advice> &Findings) {
  Json Rows = Json::array();
  for (const Advice &A : Findings)
    Rows.push_back({{"kind", A.Kind},
                    {"saving_ns", A.SavingNs},
                    {"prize_ns", A.SavingNs}, // its former name
                    {"evidence", A.Evidence},
                    {"remedy", A.Remedy}});
  return Rows;
}

std::string stepsText(const Trace &Source) {
  std::vector<bool> IsStep(Source.Sites.size());
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id)
    IsStep[Id] =
        Source.Sites[Id].Kind == SiteKind::Span && isStepName(Source.text(Source.Sites[Id].Name));
  std::vector<int64_t> Durations;
  for (size_t I = 0; I < Source.Events.size(); ++I)
    if (IsStep[Source.Events.Site[I]])
      Durations.push_back(Source.Events.DurationNs[I]);
  if (Durations.empty())
    return "";
  std::ranges::sort(Durations);
  return fmt::format("{} step{} of {} (median; {} to {})", Durations.size(),
                     Durations.size() == 1 ? "" : "s",
                     shownTime(Durations[(Durations.size() - 1) / 2]), shownTime(Durations.front()),
                     shownTime(Durations.back()));
}

} // namespace seamscope::tools
