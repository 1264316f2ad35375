//===- TorchLoops.cpp - what the loops of generated kernels compute --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/TorchLoops.h"

#include "analysis/core/LoopTree.h"
#include "report/Table.h"
#include "report/Torch.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t LinesShown = 3;

std::string namesOf(const FxGraph &Graph, const std::vector<uint32_t> &Nodes) {
  std::string Text;
  for (const uint32_t Node : Nodes)
    Text += (Text.empty() ? "" : ", ") + escaped(Graph.Nodes[Node].Name);
  return Text;
}

Json namesJson(const FxGraph &Graph, const std::vector<uint32_t> &Nodes) {
  Json Names = Json::array();
  for (const uint32_t Node : Nodes)
    Names.push_back(Graph.Nodes[Node].Name);
  return Names;
}

/// "model.py:3, model.py:7", those of this run's graph where there are any.
std::string placesOf(const CompiledGraph &Graph, const LoopNodes &Nodes) {
  const bool Captured = Graph.PreGrad && !Nodes.PreNodes.empty();
  const FxGraph &Lines = Captured ? *Graph.PreGrad : Graph.PostGrad;
  std::vector<std::string> Places;
  for (const uint32_t Node : Captured ? Nodes.PreNodes : Nodes.PostNodes)
    if (const SourceLine *Line = Lines.lineOf(Node)) {
      std::string Place = shortPlace(*Line) + "  " + shortened(escaped(Line->Code), 40);
      if (std::ranges::find(Places, Place) == Places.end())
        Places.push_back(std::move(Place));
    }
  std::string Text;
  for (size_t I = 0; I < std::min(Places.size(), LinesShown); ++I)
    Text += (I ? "; " : "") + Places[I];
  if (Places.size() > LinesShown)
    Text += fmt::format("; {} more", Places.size() - LinesShown);
  return Text.empty() ? "-" : Text;
}

} // namespace

TorchLoops::TorchLoops(const ReportInput &Input, SiteId Kernel)
    : Input(Input), Kernel(Input.Source->Sites[Kernel]),
      Generated(Input.Torch ? Input.Torch->kernel(Kernel) : nullptr) {
  if (Generated)
    Loops = codeLoops(Generated->Source);
}

std::optional<LoopNodes> TorchLoops::nodesOf(const Site &Loop, const KernelUse &Use) const {
  // A loop that was inlined from another file has that one's lines.
  if (Loop.File != Kernel.File || !Loop.Line)
    return std::nullopt;
  return nodesOfLoop(Input.Torch->Graphs, Use, Loops, Loop.Line);
}

Json TorchLoops::json(const Site &Loop) const {
  Json Calls = Json::array();
  if (Generated)
    for (const uint32_t Number : Generated->Uses) {
      const CompiledGraphs &Graphs = Input.Torch->Graphs;
      const KernelUse &Use = Graphs.uses()[Number];
      const std::optional<LoopNodes> Nodes = nodesOf(Loop, Use);
      if (!Nodes)
        return nullptr;
      const CompiledGraph &Graph = Graphs.graphOf(Use);
      Json Call = callJson(Graphs, Use);
      Call["nodes"] = namesJson(Graph.PostGrad, Nodes->PostNodes);
      Call["captured"] = Graph.PreGrad ? namesJson(*Graph.PreGrad, Nodes->PreNodes) : Json::array();
      Calls.push_back(std::move(Call));
    }
  return Calls.empty() ? Json() : Calls;
}

std::string TorchLoops::text(const Site &Loop) const {
  if (!Generated)
    return {};
  const KernelUse &Use = Input.Torch->Graphs.uses()[Generated->Uses.front()];
  const std::optional<LoopNodes> Nodes = nodesOf(Loop, Use);
  return Nodes ? namesOf(Input.Torch->Graphs.graphOf(Use).PostGrad, Nodes->PostNodes) : "unknown";
}

std::map<uint32_t, std::string> TorchLoops::shares() const {
  std::map<uint32_t, std::string> Shares;
  const LoopTree *const Tree = Input.Loops;
  if (!Tree)
    return Shares;
  const auto Found = Tree->Kernels.find(static_cast<SiteId>(&Kernel - Input.Source->Sites.data()));
  if (Found == Tree->Kernels.end())
    return Shares;
  struct Times {
    int64_t Own = 0, Around = 0;
  };
  // One loop may run in several places, as in a kernel's clone for one thread.
  std::map<uint32_t, std::map<uint32_t, Times>> ByLine;
  for (uint32_t I = Found->second; I < Tree->endOf(Found->second); ++I) {
    const Site &What = Input.Source->Sites[Tree->Nodes[I].Site];
    if (What.Kind != SiteKind::Loop || What.File != Kernel.File || !What.Line)
      continue;
    uint32_t Around = Tree->Nodes[I].Parent;
    while (Input.Source->Sites[Tree->Nodes[Around].Site].Kind == SiteKind::Loop)
      Around = Tree->Nodes[Around].Parent;
    Times &Sum = ByLine[What.Line][Around];
    Sum.Own += Tree->Nodes[I].TotalNs;
    Sum.Around = Tree->Nodes[Around].TotalNs;
  }
  for (const auto &[Line, Places] : ByLine) {
    Times Sum;
    for (const auto &[Around, Each] : Places) {
      Sum.Own += Each.Own;
      Sum.Around += Each.Around;
    }
    Shares.emplace(Line, shownShare(Sum.Own, Sum.Around));
  }
  return Shares;
}

std::string TorchLoops::table(bool Colours) const {
  const LoopTree *const Tree = Input.Loops;
  if (!Generated || !Tree)
    return {};
  const auto Found = Tree->Kernels.find(static_cast<SiteId>(&Kernel - Input.Source->Sites.data()));
  if (Found == Tree->Kernels.end())
    return {};
  const uint32_t First = Found->second, End = Tree->endOf(First);
  const KernelUse &Use = Input.Torch->Graphs.uses()[Generated->Uses.front()];
  const CompiledGraph &Graph = Input.Torch->Graphs.graphOf(Use);
  Table Rows({"Loop at line", "Calls", "Total", "Of parent %", "Nodes", "Python"}, {4, 5});
  Rows.cut(4, 60);
  Rows.cut(5, 100);
  for (uint32_t I = First; I < End; ++I) {
    const LoopNode &Node = Tree->Nodes[I];
    const Site &What = Input.Source->Sites[Node.Site];
    if (What.Kind != SiteKind::Loop)
      continue;
    const std::optional<LoopNodes> Nodes = nodesOf(What, Use);
    Rows.add({std::string(2 * size_t{Node.Depth - 1}, ' ') + fmt::to_string(What.Line),
              fmt::to_string(Node.Calls), shownTime(Node.TotalNs),
              shownShare(Node.TotalNs, Tree->Nodes[Node.Parent].TotalNs),
              Nodes ? namesOf(Graph.PostGrad, Nodes->PostNodes) : "unknown",
              Nodes ? placesOf(Graph, *Nodes) : "-"});
  }
  return Rows.text(Colours);
}

} // namespace seamscope::tools
