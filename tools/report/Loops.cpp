//===- Loops.cpp - the loops of kernels, in a report -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Loops.h"

#include "analysis/core/LoopTree.h"
#include "report/FileNames.h"
#include "report/Table.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t NameWidth = 60, PlaceWidth = 40;
/// Kernels where --top does not say.
constexpr size_t UsualKernels = 20;

/// The node of kernel \p Site; None: it has no loops.
uint32_t nodeOfKernel(const LoopTree &Tree, SiteId Site) {
  for (uint32_t I = 0; I < Tree.Nodes.size(); ++I)
    if (!Tree.Nodes[I].Depth && Tree.Nodes[I].Site == Site)
      return I;
  return LoopNode::None;
}

Json loopJson(const Trace &Source, const LoopTree &Tree, uint32_t Index) {
  const LoopNode &Node = Tree.Nodes[Index];
  const Site &What = Source.Sites[Node.Site];
  const auto IsLoop = [&](uint32_t I) {
    return Source.Sites[Tree.Nodes[I].Site].Kind == SiteKind::Loop;
  };
  Json Region;
  for (uint32_t Up = Node.Parent; Up != LoopNode::None; Up = Tree.Nodes[Up].Parent)
    if (const Site &Around = Source.Sites[Tree.Nodes[Up].Site]; Around.Kind == SiteKind::Region)
      Region = Source.text(Around.Name);
  Json Callers = Json::array(), Threads = Json::array();
  for (std::string_view Rest = Source.text(What.Ops); !Rest.empty();) {
    const size_t End = std::min(Rest.find('\n'), Rest.size());
    Callers.push_back(Rest.substr(0, End));
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  for (const ThreadShare &Share : Node.Threads)
    Threads.push_back(
        {{"thread", *Share.Thread}, {"calls", Share.Calls}, {"busy_ns", Share.BusyNs}});
  return {{"id", Index},
          {"parent", IsLoop(Node.Parent) ? Json(Node.Parent) : Json()},
          {"region", std::move(Region)},
          {"name", Source.text(What.Name)},
          {"source",
           {{"file", What.File ? Json(Source.text(What.File)) : Json()},
            {"line", What.Line ? Json(What.Line) : Json()},
            {"column", What.Column ? Json(What.Column) : Json()}}},
          {"inlined_from", std::move(Callers)},
          {"calls", Node.Calls},
          {"total_ns", Node.TotalNs},
          {"self_ns", Node.SelfNs ? Json(*Node.SelfNs) : Json()},
          {"open", Node.Open},
          {"imbalance", Node.Imbalance ? Json(*Node.Imbalance) : Json()},
          {"threads", std::move(Threads)}};
}

} // namespace

void addLoops(Json &Into, const ReportInput &Input, SiteId Kernel) {
  Json Loops = Json::array();
  if (Input.Loops)
    if (const uint32_t First = nodeOfKernel(*Input.Loops, Kernel); First != LoopNode::None)
      for (uint32_t I = First + 1; I < Input.Loops->Nodes.size() && Input.Loops->Nodes[I].Depth;
           ++I)
        if (Input.Source->Sites[Input.Loops->Nodes[I].Site].Kind == SiteKind::Loop)
          Loops.push_back(loopJson(*Input.Source, *Input.Loops, I));
  Into["loops"] = std::move(Loops);
}

std::string loopsText(const ReportInput &Input, bool Colours) {
  if (!Input.Loops)
    return {};
  const Trace &Source = *Input.Source;
  const LoopTree &Tree = *Input.Loops;
  Table Rows({"Kernel, region, loop", "Calls", "Total", "Self", "Of parent %", "Threads",
              "Imbalance", "Source"},
             {7});
  Rows.cut(0, NameWidth);
  Rows.cut(7, PlaceWidth);
  const FileNames Files(Source);
  const size_t Most = Input.rowsOf(UsualKernels);
  size_t Found = 0;
  for (const KernelRow &Row : Input.Numbers->Kernels) {
    const uint32_t First = nodeOfKernel(Tree, Row.Site);
    if (First == LoopNode::None || (!Input.AllLoops && Tree.loopsOf(First, Source) < 2) ||
        Found++ >= Most)
      continue;
    for (uint32_t I = First; I < Tree.Nodes.size() && (I == First || Tree.Nodes[I].Depth); ++I) {
      const LoopNode &Node = Tree.Nodes[I];
      const Site &What = Source.Sites[Node.Site];
      const bool IsLoop = What.Kind == SiteKind::Loop;
      Rows.add({std::string(2 * size_t{Node.Depth}, ' ') + escaped(Source.text(What.Name)),
                fmt::to_string(Node.Calls), shownTime(Node.TotalNs),
                Node.SelfNs ? shownTime(*Node.SelfNs) : "-",
                IsLoop ? shownShare(Node.TotalNs, Tree.Nodes[Node.Parent].TotalNs) : "",
                Node.Threads.empty() ? "" : fmt::to_string(Node.Threads.size()),
                Node.Imbalance ? fmt::format("{:.2f}", *Node.Imbalance) : "", Files.place(What)});
    }
  }
  if (!Found)
    return {};
  std::string Text = Rows.text(Colours, Input.Width);
  if (Found > Most)
    Text += fmt::format("[{} more kernels]\n", Found - Most);
  return Text;
}

} // namespace seamscope::tools
