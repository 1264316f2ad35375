//===- WorkSources.cpp - where the work of kernels is known from ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/WorkSources.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct Mark {
  WorkSource Of;
  char Shown;
  const char *Meaning;
};
constexpr auto Marks =
    std::to_array<Mark>({{WorkSource::Counted, 'c', "counted by the kernels"},
                         {WorkSource::Recorded, 'r', "recorded in the trace"},
                         {WorkSource::Graph, 'g', "by the graph of torch.compile"},
                         {WorkSource::Formula, 'f', "by formula"}});

std::string markOf(WorkSource Source) {
  for (const Mark &Each : Marks)
    if (Each.Of == Source)
      return {Each.Shown};
  return {};
}

const EfficiencyInput *workOf(const ReportContext &In) {
  return In.Input.Devices ? In.Input.Devices->Efficiency : nullptr;
}

Efficiency ratesOf(const ReportContext &In, const KernelRow &Row) {
  const EfficiencyInput *const Of = workOf(In);
  const Site &What = In.site(Row.Site);
  return Of ? kernelEfficiency(*Of, What.Name, What.Device) : Efficiency();
}

std::set<WorkSource> sourcesOf(const ReportContext &In) {
  std::set<WorkSource> Used;
  for (const KernelRow &Row : In.Numbers.Kernels) {
    const Efficiency Of = ratesOf(In, Row);
    Used.insert({Of.FlopSource, Of.BytesSource});
  }
  Used.erase(WorkSource::None);
  return Used;
}

/// `graph_work` of a kernel that torch generated: of one call.
Fields<FusedWork> graphFields() {
  return {{{"flop", Unit::Flop, "of the nodes that it runs, by formula; null: not known"},
           &FusedWork::Flop},
          {{"bytes", Unit::Bytes, "of the buffers that it reads and writes; null: not known"},
           &FusedWork::Bytes},
          {{"flop_unknown", Unit::Text, "why flop is not known"}, orNull(&FusedWork::FlopWhy)},
          {{"bytes_unknown", Unit::Text, "why bytes is not known"}, orNull(&FusedWork::BytesWhy)},
          {{"source", Unit::Name, "where the figures come from: graph"},
           [](const FusedWork &) { return nameOf(WorkSource::Graph); }}};
}

} // namespace

Fields<KernelRow> workSourceFields(const Context &In) {
  Fields<KernelRow> Made;
  Made.push_back({Column("work_marks", "From", Unit::Text,
                         "where FLOPs, then bytes, are known from; one mark if from the same")
                      .left()
                      .chosen("from")
                      .in(ForPeople),
                  [In](const KernelRow &R) -> Cell {
                    const Efficiency Of = ratesOf(*In, R);
                    const std::string Flop = markOf(Of.FlopSource), Bytes = markOf(Of.BytesSource);
                    return Cell(Flop == Bytes ? Flop : Flop + Bytes);
                  }});
  Made.push_back({Column("unknown_work", Unit::List, "why figures of a fused kernel are not known")
                      .in(ForJson)
                      .optional(),
                  [In](const KernelRow &R) -> Cell {
                    const EfficiencyInput *const Of = workOf(*In);
                    const Site &What = In->site(R.Site);
                    const auto *Why = Of ? Of->Work->unknownOf(What.Name, What.Device) : nullptr;
                    return Why ? Cell(listOf(*Why)) : Cell(Value(Absent()));
                  }});
  Field<KernelRow> Graph = optionalField(
      recordField<KernelRow>("graph_work", "work of a call, by its nodes and buffers in the graph",
                             graphFields(), [In](const KernelRow &R) -> const FusedWork * {
                               if (!In->Input.Fused)
                                 return nullptr;
                               const auto Found = In->Input.Fused->find(R.Site);
                               return Found == In->Input.Fused->end() ? nullptr : &Found->second;
                             }));
  Graph.In = ForJson;
  Made.push_back(std::move(Graph));
  return Made;
}

bool hasSeveralSources(const ReportContext &In) { return sourcesOf(In).size() > 1; }

void addWorkLegend(Section &To, const Context &In) {
  const std::set<WorkSource> Used = sourcesOf(*In);
  const bool AtLeast = std::ranges::any_of(
      In->Numbers.Kernels, [&](const KernelRow &Row) { return ratesOf(*In, Row).BytesAtLeast; });
  std::string Text;
  for (const Mark &Each : Marks)
    if (Used.contains(Each.Of))
      Text += Used.size() == 1 ? fmt::format("FLOPs and bytes are {}", Each.Meaning)
                               : fmt::format("{}{} {}", Text.empty() ? "From: " : ", ", Each.Shown,
                                             Each.Meaning);
  if (AtLeast)
    Text += "; >= may move more";
  To.say(Text.empty() ? Text : Text + " (docs/work.md)");
}

} // namespace seamscope::tools
