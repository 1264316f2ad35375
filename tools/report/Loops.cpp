//===- Loops.cpp - the loops of kernels, in a report -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Loops.h"

#include "analysis/core/LoopTree.h"
#include "report/FileNames.h"
#include "report/GpuLoops.h"
#include "report/SiteJson.h"
#include "report/Table.h"
#include "report/TorchLoops.h"
#include "report/Untimed.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t NameWidth = 60, PlaceWidth = 40;
/// Kernels where --top does not say, with --loops and without it.
constexpr size_t UsualKernels = 20, FewKernels = 5;
/// Loops of a kernel, without --loops.
constexpr size_t FewLoops = 20;

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
  return {{"id", Index},
          {"parent", IsInner ? Json(Node.Parent) : Json()},
          {"region", std::move(Region)},
          {"name", Source.text(What.Name)},
          {"source", sourceJson(Source, What)},
          {"inlined_from", inlinedFrom(Source, What)},
          {"calls", Node.Calls},
          {"total_ns", Node.TotalNs},
          {"self_ns", Node.SelfNs ? Json(*Node.SelfNs) : Json()},
          {"wait_ns", Node.WaitNs},
          {"untimed", Node.Untimed.Calls},
          {"open", Node.Open},
          {"imbalance", Node.Imbalance ? Json(*Node.Imbalance) : Json()},
          {"threads", threadsJson(Node.Threads, /*Waits=*/true)}};
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
          if (Tree->Nodes[I].Untimed.Calls)
            Loops.back()["sampled"] = sampledJson(Tree->Nodes[I].Untimed);
          Loops.back()["nodes"] = Generated.json(Input.Source->Sites[Tree->Nodes[I].Site]);
        }
    }
  addGpuLoops(Loops, Input, Input.Source->Sites[Kernel]);
  Into["loops"] = std::move(Loops);
}

std::string loopsText(const ReportInput &Input, bool Colours) {
  if (!Input.Loops)
    return {};
  const Trace &Source = *Input.Source;
  const LoopTree &Tree = *Input.Loops;
  const bool Waits =
      std::ranges::any_of(Tree.Nodes, [](const LoopNode &Node) { return Node.WaitNs != 0; });
  std::vector<std::string> Head = {"Kernel, region, loop", "Calls", "Total", "Self"};
  if (Waits)
    Head.emplace_back("Wait");
  Head.insert(Head.end(), {"Of parent %", "Threads", "Imbalance", "Source"});
  const size_t Place = Head.size() - 1;
  std::vector<size_t> Texts = {Place};
  if (Input.Torch) {
    Texts.push_back(Head.size());
    Head.emplace_back("Nodes");
  }
  Table Rows(std::move(Head), Texts);
  Rows.cut(0, NameWidth);
  Rows.cut(Place, PlaceWidth);
  if (Input.Torch)
    Rows.cut(Place + 1, NameWidth);
  const FileNames Files(Source);
  const size_t Most = Input.rowsOf(Input.AllLoops ? UsualKernels : FewKernels);
  const size_t MostLoops = Input.AllLoops || Input.AllRows ? SIZE_MAX : FewLoops;
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
    size_t Shown = 0;
    const TorchLoops Generated(Input, Row.Site);
    for (uint32_t I = First; I < End; ++I) {
      const LoopNode &Node = Tree.Nodes[I];
      if (isLoop(Source, Node) && Shown++ == MostLoops) {
        Rows.add({fmt::format("  [{} more loops]", static_cast<size_t>(Loops) - MostLoops)},
                 Emphasis::Faint);
        break;
      }
      const Site &What = Source.Sites[Node.Site];
      const std::string Mark = Node.Untimed.Calls ? "~" : "";
      std::vector<std::string> Cells = {std::string(2 * size_t{Node.Depth}, ' ') +
                                            escaped(Source.text(What.Name)),
                                        fmt::to_string(Node.Calls), Mark + shownTime(Node.TotalNs),
                                        Node.SelfNs ? Mark + shownTime(*Node.SelfNs) : "-"};
      if (Waits)
        Cells.push_back(Node.WaitNs ? shownTime(Node.WaitNs) : "");
      Cells.push_back(
          isLoop(Source, Node) ? shownShare(Node.TotalNs, Tree.Nodes[Node.Parent].TotalNs) : "");
      Cells.push_back(Node.Threads.empty() ? "" : fmt::to_string(Node.Threads.size()));
      Cells.push_back(Node.Imbalance ? fmt::format("{:.2f}", *Node.Imbalance) : "");
      Cells.push_back(Files.place(What));
      if (Input.Torch)
        Cells.push_back(isLoop(Source, Node) ? Generated.text(What) : "");
      Rows.add(std::move(Cells));
      if (Node.Untimed.Calls && isLoop(Source, Node))
        Rows.add({std::string(2 * size_t{Node.Depth} + 2, ' ') + shownUntimed(Node.Untimed)},
                 Emphasis::Faint);
    }
  }
  return textOfFirst(Rows, Colours, Input.Width, Most, Found, "more kernels");
}

} // namespace seamscope::tools
