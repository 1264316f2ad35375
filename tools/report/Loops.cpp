//===- Loops.cpp - the loops of kernels, in a report -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Loops.h"

#include "analysis/core/LoopTree.h"
#include "report/FileNames.h"
#include "report/SiteJson.h"
#include "report/Table.h"
#include "report/TorchLoops.h"
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

bool isLoop(const Trace &Source, const LoopNode &Node) {
  return Source.Sites[Node.Site].Kind == SiteKind::Loop;
}

Json loopJson(const Trace &Source, const LoopTree &Tree, uint32_t Index) {
  const LoopNode &Node = Tree.Nodes[Index];
  const Site &What = Source.Sites[Node.Site];
  const bool IsInner = isLoop(Source, Tree.Nodes[Node.Parent]);
  Json Region;
  for (uint32_t Up = Node.Parent; Up != LoopNode::None; Up = Tree.Nodes[Up].Parent)
    if (const Site &Around = Source.Sites[Tree.Nodes[Up].Site]; Around.Kind == SiteKind::Region)
      Region = Source.text(Around.Name);
  Json Callers = Json::array();
  for (std::string_view Rest = Source.text(What.Ops); !Rest.empty();) {
    const size_t End = std::min(Rest.find('\n'), Rest.size());
    Callers.push_back(Rest.substr(0, End));
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return {{"id", Index},
          {"parent", IsInner ? Json(Node.Parent) : Json()},
          {"region", std::move(Region)},
          {"name", Source.text(What.Name)},
          {"source", sourceJson(Source, What)},
          {"inlined_from", std::move(Callers)},
          {"calls", Node.Calls},
          {"total_ns", Node.TotalNs},
          {"self_ns", Node.SelfNs ? Json(*Node.SelfNs) : Json()},
          {"open", Node.Open},
          {"imbalance", Node.Imbalance ? Json(*Node.Imbalance) : Json()},
          {"threads", threadsJson(Node.Threads)}};
}

} // namespace

void addLoops(Json &Into, const ReportInput &Input, SiteId Kernel) {
  Json Loops = Json::array();
  if (const LoopTree *const Tree = Input.Loops)
    if (const auto Found = Tree->Kernels.find(Kernel); Found != Tree->Kernels.end()) {
      const TorchLoops Generated(Input, Kernel);
      for (uint32_t I = Found->second; I < Tree->endOf(Found->second); ++I)
        if (isLoop(*Input.Source, Tree->Nodes[I])) {
          Loops.push_back(loopJson(*Input.Source, *Tree, I));
          Loops.back()["nodes"] = Generated.json(Input.Source->Sites[Tree->Nodes[I].Site]);
        }
    }
  Into["loops"] = std::move(Loops);
}

std::string loopsText(const ReportInput &Input, bool Colours) {
  if (!Input.Loops)
    return {};
  const Trace &Source = *Input.Source;
  const LoopTree &Tree = *Input.Loops;
  std::vector<std::string> Header = {"Kernel, region, loop", "Calls",   "Total",     "Self",
                                     "Of parent %",          "Threads", "Imbalance", "Source"};
  std::vector<size_t> Texts = {7};
  if (Input.Torch) {
    Header.emplace_back("Nodes");
    Texts.push_back(8);
  }
  Table Rows(std::move(Header), std::move(Texts));
  Rows.cut(0, NameWidth);
  Rows.cut(7, PlaceWidth);
  if (Input.Torch)
    Rows.cut(8, NameWidth);
  const FileNames Files(Source);
  const size_t Most = Input.rowsOf(UsualKernels);
  size_t Found = 0;
  for (const KernelRow &Row : Input.Numbers->Kernels) {
    const auto Kernel = Tree.Kernels.find(Row.Site);
    if (Kernel == Tree.Kernels.end())
      continue;
    const uint32_t First = Kernel->second, End = Tree.endOf(First);
    const auto Loops = std::count_if(Tree.Nodes.begin() + First, Tree.Nodes.begin() + End,
                                     [&](const LoopNode &Node) { return isLoop(Source, Node); });
    if ((!Input.AllLoops && Loops < 2) || Found++ >= Most)
      continue;
    const TorchLoops Generated(Input, Row.Site);
    for (uint32_t I = First; I < End; ++I) {
      const LoopNode &Node = Tree.Nodes[I];
      const Site &What = Source.Sites[Node.Site];
      std::vector<std::string> Cells = {
          std::string(2 * size_t{Node.Depth}, ' ') + escaped(Source.text(What.Name)),
          fmt::to_string(Node.Calls),
          shownTime(Node.TotalNs),
          Node.SelfNs ? shownTime(*Node.SelfNs) : "-",
          isLoop(Source, Node) ? shownShare(Node.TotalNs, Tree.Nodes[Node.Parent].TotalNs) : "",
          Node.Threads.empty() ? "" : fmt::to_string(Node.Threads.size()),
          Node.Imbalance ? fmt::format("{:.2f}", *Node.Imbalance) : "",
          Files.place(What)};
      if (Input.Torch)
        Cells.push_back(isLoop(Source, Node) ? Generated.text(What) : "");
      Rows.add(std::move(Cells));
    }
  }
  return textOfFirst(Rows, Colours, Input.Width, Most, Found, "more kernels");
}

} // namespace seamscope::tools
