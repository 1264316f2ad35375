//===- NestedNodes.cpp - map from kernels to nodes of nested graphs -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/NestedNodes.h"
#include "torch/EagerOps.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace seamscope::tools {

namespace {

using Places = std::map<std::pair<std::string, uint32_t>, std::vector<uint32_t>>;

/// By Python line, the nodes of \p Graph that run operators and satisfy \p Wanted.
template <typename Fn> Places nodesByLine(const FxGraph &Graph, Fn Wanted) {
  Places ByLine;
  for (uint32_t Node = 0; Node < Graph.Nodes.size(); ++Node)
    if (const SourceLine *Line = Graph.lineOf(Node);
        Line && Wanted(Graph.Nodes[Node]) && !eagerOps(Graph, Node).empty())
      ByLine[{Line->File, Line->Line}].push_back(Node);
  return ByLine;
}

/// Maps nodes of \p PostGrad that satisfy \p Wanted to those of \p ByLine.
template <typename Fn>
void mapByLine(const FxGraph &PreGrad, const FxGraph &PostGrad, const Places &ByLine, Fn Wanted,
               Provenance &Map) {
  std::map<std::pair<std::string, uint32_t>, std::set<std::vector<std::string>>> OpsByLine;
  for (const auto &[Line, Nodes] : nodesByLine(PostGrad, Wanted))
    for (const uint32_t Post : Nodes)
      OpsByLine[Line].insert(eagerOps(PostGrad, Post));
  for (uint32_t Post = 0; Post < PostGrad.Nodes.size(); ++Post) {
    const FxNode &Node = PostGrad.Nodes[Post];
    const SourceLine *Line = PostGrad.lineOf(Post);
    if (!Line || !Wanted(Node) || Map.PostToPre.contains(Node.fullName()))
      continue;
    const auto Found = ByLine.find({Line->File, Line->Line});
    if (Found == ByLine.end())
      continue;
    const std::vector<std::string> Ops = eagerOps(PostGrad, Post);
    std::vector<std::string> Same, Others, All; // Others: nodes whose operator does not occur
    for (const uint32_t Pre : Found->second) {
      const std::vector<std::string> Own = eagerOps(PreGrad, Pre);
      All.push_back(PreGrad.Nodes[Pre].fullName());
      if (Own == Ops)
        Same.push_back(All.back());
      else if (!OpsByLine[Found->first].contains(Own))
        Others.push_back(All.back());
    }
    Map.PostToPre[Node.fullName()] = !Same.empty() ? Same : !Others.empty() ? Others : All;
  }
}

/// All graphs that higher-order operators run, in order.
std::vector<std::string> graphsIn(const FxGraph &Graph) {
  std::vector<std::string> All;
  for (const FxNode &Node : Graph.Nodes)
    for (std::string &Name : Graph.graphsOf(Node))
      All.push_back(std::move(Name));
  return All;
}

} // namespace

std::map<std::string, std::string> branchesOf(const FxGraph &PreGrad, const FxGraph &PostGrad) {
  const std::vector<std::string> Captured = graphsIn(PreGrad), Compiled = graphsIn(PostGrad);
  std::map<std::string, std::string> Pairs;
  if (Captured.size() == Compiled.size())
    for (size_t I = 0; I < Captured.size(); ++I)
      Pairs.emplace(Captured[I], Compiled[I]);
  return Pairs;
}

void mapNestedNodes(const FxGraph &PreGrad, const FxGraph &PostGrad, Provenance &Map) {
  const auto IsWithin = [](const FxNode &Node) { return !Node.Within.empty(); };
  if (const Places ByLine = nodesByLine(PreGrad, IsWithin); !ByLine.empty())
    mapByLine(PreGrad, PostGrad, ByLine, [](const FxNode &) { return true; }, Map);
  for (const auto &[Captured, Compiled] : branchesOf(PreGrad, PostGrad)) {
    const auto Pre = nodesByLine(PreGrad, [&](const FxNode &N) { return N.Apart == Captured; });
    mapByLine(PreGrad, PostGrad, Pre, [&](const FxNode &N) { return N.Apart == Compiled; }, Map);
  }
}

} // namespace seamscope::tools
