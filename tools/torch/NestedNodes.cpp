//===- NestedNodes.cpp - what kernels compute of nested graphs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/NestedNodes.h"
#include "torch/EagerOps.h"

#include <algorithm>
#include <map>
#include <utility>

namespace seamscope::tools {

void mapNestedNodes(const FxGraph &PreGrad, const FxGraph &PostGrad, Provenance &Map) {
  std::map<std::pair<std::string, uint32_t>, std::vector<uint32_t>> ByLine;
  for (uint32_t Node = 0; Node < PreGrad.Nodes.size(); ++Node)
    if (const SourceLine *Line = PreGrad.lineOf(Node);
        Line && !PreGrad.Nodes[Node].Within.empty() && !eagerOps(PreGrad, Node).empty())
      ByLine[{Line->File, Line->Line}].push_back(Node);
  if (ByLine.empty())
    return;
  for (uint32_t Post = 0; Post < PostGrad.Nodes.size(); ++Post) {
    const FxNode &Node = PostGrad.Nodes[Post];
    const SourceLine *Line = PostGrad.lineOf(Post);
    if (!Line || Map.PostToPre.contains(Node.Name))
      continue;
    const auto Found = ByLine.find({Line->File, Line->Line});
    if (Found == ByLine.end())
      continue;
    const std::vector<std::string> Ops = eagerOps(PostGrad, Post);
    std::vector<std::string> Same, All;
    for (const uint32_t Pre : Found->second) {
      All.push_back(PreGrad.Nodes[Pre].Name);
      if (eagerOps(PreGrad, Pre) == Ops)
        Same.push_back(All.back());
    }
    Map.PostToPre[Node.Name] = Same.empty() ? std::move(All) : std::move(Same);
  }
}

} // namespace seamscope::tools
