//===- ExpectedOps.cpp - operators expected of an eager step --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/ExpectedOps.h"

#include <algorithm>

namespace seamscope::tools {

ExpectedOps::ExpectedOps(const std::vector<PlannedGraph> &Graphs, const Trace &Eager)
    : Graphs(Graphs) {
  for (const Site &Each : Eager.Sites)
    if (Each.Kind == SiteKind::Operator)
      InEager.emplace(Eager.text(Each.Name));
}

void ExpectedOps::clear() {
  Expected.clear();
  Places.clear();
  Owners.clear();
  Runs = 0;
}

bool ExpectedOps::runsInside(const PlannedGraph &Graph, uint32_t Eager) const {
  return Graph.Inside.contains(Eager) && !InEager.contains(Graph.Eager[Eager].Name);
}

void ExpectedOps::addGraph(uint32_t Number, std::span<const uint32_t> Branches) {
  const PlannedGraph &Graph = Graphs[Number];
  const auto First = static_cast<int64_t>(Owners.size());
  const uint32_t Run = Runs++;
  for (uint32_t Call = 0; Call < Graph.Calls.size(); ++Call)
    Owners.push_back({Number, Call});
  const auto Add = [&](const ShapedOp &Op, uint32_t Node) {
    Expected.push_back(Op);
    if (Op.Owner >= 0)
      Expected.back().Owner += First;
    Places.push_back({Number, Node, Run});
  };
  const auto AddBranches = [&](const auto &Self, const auto &Of, uint32_t Before) -> void {
    const auto Here = Of.find(Before);
    while (Here != Of.end() && !Branches.empty() &&
           std::ranges::find(Here->second, Branches[0]) != Here->second.end()) {
      const PlannedBranch &Branch = Graph.Branches[Branches[0]];
      Branches = Branches.subspan(1);
      for (uint32_t I = 0; I < Branch.Eager.size(); ++I) {
        Self(Self, Branch.Runs, I);
        Add(Branch.Eager[I], Branch.EagerNodes[I]);
      }
      Self(Self, Branch.Runs, static_cast<uint32_t>(Branch.Eager.size()));
    }
  };
  for (uint32_t I = 0; I < Graph.Eager.size(); ++I) {
    AddBranches(AddBranches, Graph.Runs, I);
    const uint32_t Node = I < Graph.EagerNodes.size() ? Graph.EagerNodes[I] : I;
    if (!runsInside(Graph, I))
      Add(Graph.Eager[I], Node);
    else
      for (const ShapedOp &Op : Graph.Inside.at(I))
        Add(Op, Node);
  }
  AddBranches(AddBranches, Graph.Runs, static_cast<uint32_t>(Graph.Eager.size()));
}

void ExpectedOps::addUncompiled(ShapedOp Op) {
  Expected.push_back(std::move(Op));
  Places.emplace_back();
}

void ExpectedOps::align(const std::vector<ShapedOp> &Calls) {
  if (Calls == LastCalls && Expected == LastExpected)
    return;
  Found = tools::align(Expected, Calls);
  LastCalls = Calls;
  LastExpected = Expected;
  findPlaces();
}

void ExpectedOps::findPlaces() {
  PlaceOf.assign(Found.size(), {});
  NodePlace Before;
  size_t First = 0; // among the calls after the last expected one
  for (size_t I = 0; I < Found.size(); ++I) {
    if (!Found[I].Expected)
      continue;
    PlaceOf[I] = Places[*Found[I].Expected];
    for (size_t Between = First; Between < I && Before == PlaceOf[I]; ++Between)
      PlaceOf[Between] = Before;
    Before = PlaceOf[I];
    First = I + 1;
  }
}

} // namespace seamscope::tools
