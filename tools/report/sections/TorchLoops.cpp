//===- TorchLoops.cpp - what the loops of generated kernels compute --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/TorchLoops.h"

#include "analysis/core/LoopTree.h"
#include "report/sections/TorchRecords.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t LinesShown = 3;

Value nameList(const FxGraph &Graph, const std::vector<uint32_t> &Nodes) {
  Value::List Names;
  for (const uint32_t Node : Nodes)
    Names.emplace_back(std::string_view(Graph.Nodes[Node].Name));
  return Value(std::move(Names));
}

/// A call of the kernel in a graph, and what a loop of the kernel computes there.
struct LoopCall {
  const KernelUse *Use;
  LoopNodes Nodes;
};

Fields<LoopCall> loopCallFields(const CompiledGraphs *Graphs) {
  Fields<LoopCall> Made = fieldsOf<LoopCall>(callFields(Graphs), &LoopCall::Use);
  append(Made,
         {{{"nodes", Unit::List, "nodes of torch's graph that it computes"},
           [Graphs](const LoopCall &C) {
             return nameList(Graphs->graphOf(*C.Use).PostGrad, C.Nodes.PostNodes);
           }},
          {{"captured", Unit::List, "nodes that dynamo captured"}, [Graphs](const LoopCall &C) {
             const CompiledGraph &Graph = Graphs->graphOf(*C.Use);
             return Graph.PreGrad ? nameList(*Graph.PreGrad, C.Nodes.PreNodes)
                                  : Value(Value::List());
           }}});
  return Made;
}

/// "model.py:3, model.py:7": lines of this run's graph, if there are any.
std::string placesOf(const CompiledGraph &Graph, const LoopNodes &Nodes) {
  const bool Captured = Graph.PreGrad && !Nodes.PreNodes.empty();
  const FxGraph &Lines = Captured ? *Graph.PreGrad : Graph.PostGrad;
  std::vector<std::string> Places;
  for (const uint32_t Node : Captured ? Nodes.PreNodes : Nodes.PostNodes)
    if (const SourceLine *Line = Lines.lineOf(Node)) {
      std::string Place = shortPlace(*Line) + "  " + fit(Line->Code, 40);
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
    : Input(Input), KernelId(Kernel), Kernel(Input.Source->Sites[Kernel]),
      Generated(Input.Torch ? Input.Torch->kernel(Kernel) : nullptr) {
  if (Generated)
    Loops = codeLoops(Generated->Source);
}

std::optional<LoopNodes> TorchLoops::nodesOf(const Site &Loop, const KernelUse &Use) const {
  // A loop inlined from another file has that file's lines.
  if (Loop.File != Kernel.File || !Loop.Line)
    return std::nullopt;
  return nodesOfLoop(Input.Torch->Graphs, Use, Loops, Loop.Line);
}

Column nodesColumn() {
  Column Made("nodes", "", Unit::Rows, "what it computes, by call of the kernel in a graph");
  Made.Nested = std::make_shared<const std::vector<Column>>(columnsOf(loopCallFields(nullptr)));
  return Made;
}

Value TorchLoops::value(const Site &Loop) const {
  std::vector<LoopCall> Calls;
  if (Generated)
    for (const uint32_t Number : Generated->Uses) {
      const KernelUse &Use = Input.Torch->Graphs.uses()[Number];
      const std::optional<LoopNodes> Nodes = nodesOf(Loop, Use);
      if (!Nodes)
        return {};
      Calls.push_back({&Use, *Nodes});
    }
  if (Calls.empty())
    return {};
  return std::make_shared<const Table>(
      makeTable("", "", std::move(Calls), loopCallFields(&Input.Torch->Graphs)));
}

std::string TorchLoops::text(const Site &Loop) const {
  if (!Generated)
    return {};
  const KernelUse &Use = Input.Torch->Graphs.uses()[Generated->Uses.front()];
  const std::optional<LoopNodes> Nodes = nodesOf(Loop, Use);
  return Nodes ? nodeNames(Input.Torch->Graphs.graphOf(Use).PostGrad, Nodes->PostNodes) : "unknown";
}

Table TorchLoops::table() const {
  std::vector<TreeLine> Lines;
  if (const LoopTree *const Tree = Input.Loops; Generated && Tree) {
    const KernelUse &Use = Input.Torch->Graphs.uses()[Generated->Uses.front()];
    const CompiledGraph &Graph = Input.Torch->Graphs.graphOf(Use);
    for (const LoopNode &Node : Tree->of(KernelId)) {
      const Site &What = Input.Source->Sites[Node.Site];
      if (What.Kind != SiteKind::Loop)
        continue;
      const std::optional<LoopNodes> Nodes = nodesOf(What, Use);
      Lines.push_back(
          {fmt::to_string(What.Line),
           {{"calls", Node.Calls},
            {"total_ns", Node.TotalNs},
            {"parent_percent", percentOf(Node.TotalNs, Tree->Nodes[Node.Parent].TotalNs)},
            {"nodes", Nodes ? nodeNames(Graph.PostGrad, Nodes->PostNodes) : "unknown"},
            {"python", Nodes ? placesOf(Graph, *Nodes) : "-"}},
           size_t{Node.Depth - 1}});
    }
  }
  return treeTable("kernel-loops", "Loops",
                   {Column("line", "Loop at line", Unit::Text, "of the generated file"),
                    column::calls(), column::total(),
                    column::percent("parent_percent", "Of parent %", "total of what is around it"),
                    Column("nodes", "Nodes", Unit::Name, "of torch's graph").left().cut(60),
                    Column("python", "Python", Unit::Name, "lines of the program").left().cut(100)},
                   std::move(Lines));
}

} // namespace seamscope::tools
