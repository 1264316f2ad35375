//===- GraphWork.cpp - what each call of a compiled graph computes --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/GraphWork.h"
#include "run/join/KernelTraffic.h"
#include "torch/EagerOps.h"
#include "torch/LibraryCalls.h"
#include "torch/Recomputed.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace seamscope::tools {

StepPart partOfNode(const FxGraph &Graph, uint32_t Node) {
  StepPart Part = StepPart::Other;
  for (const std::string &Name : eagerOps(Graph, Node))
    if (const StepPart Own = partOfOperator(Name); Own != StepPart::Other)
      Part = Own;
  return Part;
}

GraphWork::GraphWork(const CompiledGraphs &Graphs, uint32_t Number,
                     const std::map<std::string, uint32_t> &Branches)
    : Graph(Graphs.log().Graphs[Number]), Uses(Graphs.usesIn(Number)), Graphs(Graphs) {
  findWork(Branches);
  findComputed();
}

std::string_view GraphWork::sourceOf(size_t Call) const {
  const KernelSource *Source = Graphs.sourceOf(Uses[Call]);
  return Source ? Graph.Code.sourceOf(*Source) : std::string_view();
}

void GraphWork::findWork(const std::map<std::string, uint32_t> &Branches) {
  std::set<uint32_t> Elsewhere;
  for (size_t I = 0; I < Uses.size(); ++I)
    if (const bool Extern = isExtern(I); Extern || !templateOf(sourceOf(I)).empty())
      for (const uint32_t Post : Extern ? workOfExtern(I) : Uses[I].PostNodes)
        if (Extern || partOfNode(Graph.PostGrad, Post) != StepPart::Other)
          Elsewhere.insert(Post);
  for (size_t I = 0; I < Uses.size(); ++I)
    Work.push_back(isExtern(I) ? workOfExtern(I) : workOfGenerated(I, Elsewhere));
  // Calls of a branch also name the operator that runs it, and its condition.
  for (size_t I = 0; I < Uses.size(); ++I)
    if (const std::string &Within = code(I).Within; Branches.contains(Within))
      std::erase_if(Work[I],
                    [&](uint32_t Post) { return Graph.PostGrad.Nodes[Post].Apart != Within; });
}

/// The nodes of PostGrad that a library call computes: Inductor also names those of its inputs.
std::vector<uint32_t> GraphWork::workOfExtern(size_t Call) const {
  const std::string &Kernel = code(Call).Kernel;
  std::vector<uint32_t> Own, Products;
  for (const uint32_t Post : Uses[Call].PostNodes) {
    if (std::ranges::any_of(eagerOps(Graph.PostGrad, Post), [&](const std::string &Operator) {
          return runsOperator(Kernel, Operator);
        }))
      Own.push_back(Post);
    // A product with a bias may be computed by one without, and a kernel that adds the bias.
    if (partOfNode(Graph.PostGrad, Post) != StepPart::Other)
      Products.push_back(Post);
  }
  return !Own.empty() ? Own : !Products.empty() ? Products : Uses[Call].PostNodes;
}

/// The nodes of PostGrad that a generated kernel computes. A kernel that prepares or completes the
/// work of a library call or template also names its node; it keeps that node only if it computes
/// no other.
std::vector<uint32_t> GraphWork::workOfGenerated(size_t Call,
                                                 const std::set<uint32_t> &Elsewhere) const {
  const std::vector<uint32_t> &Nodes = Uses[Call].PostNodes;
  if (!templateOf(sourceOf(Call)).empty())
    return Nodes;
  std::vector<uint32_t> Own;
  for (const uint32_t Post : Nodes)
    if (!Elsewhere.contains(Post))
      Own.push_back(Post);
  const bool Computes = std::ranges::any_of(Own, [&](uint32_t Post) {
    return Graph.PostGrad.Nodes[Post].Kind != FxNodeKind::Placeholder &&
           !isViewNode(Graph.PostGrad, Post);
  });
  return Computes ? Own : Nodes;
}

/// The captured nodes for which a node of PostGrad is computed. torch's map also has those that
/// change its result in place.
std::vector<uint32_t> GraphWork::capturedFor(uint32_t Post) const {
  std::vector<uint32_t> Nodes = nodesFor(Graph, Post), Same;
  if (Nodes.size() < 2 || Graph.Code.Direction == GraphDirection::Backward)
    return Nodes;
  const std::vector<std::string> Ops = eagerOps(Graph.PostGrad, Post);
  std::ranges::copy_if(Nodes, std::back_inserter(Same),
                       [&](uint32_t Node) { return eagerOps(*Graph.PreGrad, Node) == Ops; });
  return Same.empty() ? Nodes : Same;
}

void GraphWork::findComputed() {
  Computed.resize(Uses.size());
  if (!Graph.PreGrad)
    return;
  for (size_t I = 0; I < Uses.size(); ++I)
    for (const uint32_t Post : Work[I]) {
      if (isViewNode(Graph.PostGrad, Post))
        continue;
      for (const uint32_t Node : capturedFor(Post))
        Computed[I][Node].push_back(Post);
    }
  for (const auto &Of : Computed)
    for (const auto &[Node, Posts] : Of)
      ++Sharers[Node];
}

bool GraphWork::sharesNodes(size_t Call) const {
  return std::ranges::any_of(Computed[Call],
                             [&](const auto &Each) { return isShared(Each.first); });
}

bool GraphWork::isShared(uint32_t Node) const {
  const auto Calls = Sharers.find(Node);
  return Calls != Sharers.end() && Calls->second > 1;
}

bool GraphWork::isComputedAnew(uint32_t Post) const {
  constexpr auto Cheap = std::to_array<std::string_view>(
      {"aten::full", "aten::arange", "aten::_to_copy", "prims::convert_element_type", "prims::iota",
       "aten::scalar_tensor"});
  return isPointwise(Graph.PostGrad.Nodes[Post]) ||
         std::ranges::any_of(eagerOps(Graph.PostGrad, Post), [&](const std::string &Name) {
           return std::ranges::find(Cheap, Name) != Cheap.end();
         });
}

std::vector<uint32_t> GraphWork::othersOf(uint32_t Node, int64_t Owner) const {
  std::vector<uint32_t> Others;
  if (Owner < 0 || !Computed[Owner].contains(Node))
    return Others;
  const std::vector<uint32_t> &Own = Computed[Owner].at(Node);
  for (uint32_t I = 0; I < Computed.size(); ++I)
    if (const auto Found = Computed[I].find(Node); I != Owner && Found != Computed[I].end())
      if (std::ranges::any_of(Found->second, [&](uint32_t Post) {
            return !isComputedAnew(Post) || !std::ranges::binary_search(Own, Post);
          }))
        Others.push_back(I);
  return Others;
}

std::map<uint32_t, int64_t> GraphWork::ownersOfPost() const {
  std::map<uint32_t, int64_t> Owners;
  for (size_t I = 0; I < Uses.size(); ++I)
    for (const uint32_t Post : Work[I]) {
      const auto [Known, New] = Owners.try_emplace(Post, static_cast<int64_t>(I));
      if (!New && !isExtern(static_cast<size_t>(Known->second)) && isExtern(I))
        Known->second = static_cast<int64_t>(I);
    }
  return Owners;
}

} // namespace seamscope::tools
