//===- AttributionPlan.cpp - what compiled graphs run, and what for ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/AttributionPlan.h"
#include "analysis/torch/Compiled.h"
#include "run/join/CallParts.h"
#include "run/join/GraphWork.h"
#include "run/join/KernelTraffic.h"
#include "torch/EagerOps.h"
#include "torch/LibraryCalls.h"
#include "torch/NestedNodes.h"
#include "torch/PythonText.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace seamscope::tools {
namespace {

/// Shapes of a node's inputs as in an operator's call; nothing if one is unknown or a symbol.
std::optional<std::string> shapesOf(const FxGraph &Graph, const FxNode &Node) {
  std::string All;
  for (const std::string_view Variable : variablesIn(Node.Text)) {
    const auto Input = Graph.find(Variable);
    if (!Input)
      continue; // the function's own name
    const std::string_view Type = Graph.Nodes[*Input].shape();
    const size_t Open = Type.find('[');
    if (Open == Type.npos || Type[0] == '(')
      return std::nullopt;
    for (const char Each : Type.substr(Open))
      if ((Each < '0' || Each > '9') && Each != '[' && Each != ']' && Each != ',' && Each != ' ')
        return std::nullopt;
    All += Type.substr(Open);
  }
  return shapesIn(All);
}

/// The operator that a program calls, for one that it is decomposed into.
std::string outermostOf(const std::string &Operator) {
  if (Operator == "aten::addmm" || Operator == "aten::mm")
    return "aten::linear";
  if (partOfOperator(Operator) == StepPart::Attention)
    return "aten::scaled_dot_product_attention";
  return Operator == "aten::_softmax" ? "aten::softmax" : Operator;
}

/// The name of torch's scope around a graph's calls.
std::string regionOf(const std::string &Graph) {
  return fmt::format("{}: {}", CompiledRegionName, Graph);
}

/// Whether dynamo captured a call of NumPy, which it replaces by torch operators.
bool isNumPyCall(std::string_view Target) {
  return Target.starts_with("torch__dynamo_utils_wrapped_");
}

/// Whether a graph computes nothing.
bool handsOutViews(const FxGraph &Graph) {
  for (uint32_t Node = 0; Node < Graph.Nodes.size(); ++Node)
    if (Graph.Nodes[Node].Kind != FxNodeKind::Placeholder && !isViewNode(Graph, Node))
      return false;
  return true;
}

/// The nested graphs that higher-order operators run and whose calls are known, numbered.
struct NestedGraphs {
  /// By captured graph, the index in PlannedGraph::Branches.
  std::map<std::string, uint32_t> OfCapture;
  std::map<std::string, uint32_t> OfCode; ///< the same by function of the output code
};

NestedGraphs nestedGraphs(const CompiledGraph &Graph) {
  NestedGraphs Nested;
  if (!Graph.PreGrad)
    return Nested;
  for (const auto &[Captured, Compiled] : branchesOf(*Graph.PreGrad, Graph.PostGrad))
    if (std::ranges::find(Graph.Code.Calls, Compiled, &CodeCall::Within) !=
        Graph.Code.Calls.end()) {
      const auto Number = static_cast<uint32_t>(Nested.OfCapture.size());
      Nested.OfCode.emplace(Compiled, Number);
      Nested.OfCapture.emplace(Captured, Number);
    }
  return Nested;
}

/// Plans one graph.
class Planner {
public:
  Planner(const TorchRun &Run, uint32_t Number,
          const std::map<uint32_t, std::vector<SiteId>> &SitesOfUse)
      : Graph(Run.Graphs.log().Graphs[Number]), Nested(nestedGraphs(Graph)),
        Work(Run.Graphs, Number, Nested.OfCode), Uses(Work.Uses),
        FirstUse(static_cast<uint32_t>(Uses.data() - Run.Graphs.uses().data())),
        SitesOfUse(SitesOfUse) {}

  PlannedGraph run() {
    PlannedGraph Plan;
    const bool Backward = Graph.Code.Direction == GraphDirection::Backward;
    Plan.Region = Backward ? std::string(CompiledBackward) : regionOf(Graph.Id);
    Plan.Branches.resize(Nested.OfCapture.size());
    const KernelTraffic Traffic(Graph.PostGrad, Work.work());
    for (size_t I = 0; I < Uses.size(); ++I) {
      Plan.Calls.push_back(planCall(I));
      Plan.Calls.back().Bytes = Traffic.bytesOf(I);
      Plan.Calls.back().Shared = Work.sharesNodes(I);
    }
    if (!Graph.PreGrad)
      return Plan;
    planShared(Plan);
    if (Backward) {
      Plan.ForNode = opsByNode();
      return Plan;
    }
    Plan.CallsNumPy = std::ranges::any_of(Graph.PreGrad->Nodes, isNumPyCall, &FxNode::Target);
    planOwnGradients(Plan);
    std::vector<int64_t> Owners(Graph.PreGrad->Nodes.size(), -1);
    for (uint32_t Node = 0; Node < Owners.size(); ++Node)
      Owners[Node] = ownerOf(Node, Plan.Calls);
    ownUnknown(Owners);
    joinHelpers(Owners, Plan.Calls);
    const std::map<uint32_t, std::vector<ShapedOp>> Inside = opsInside();
    for (uint32_t Node = 0; Node < Owners.size(); ++Node) {
      const FxNode &Captured = Graph.PreGrad->Nodes[Node];
      if (const std::vector<uint32_t> Ran = branchesRunBy(Captured); !Ran.empty()) {
        runBranches(Plan, Captured, Ran);
        continue;
      }
      if (!Captured.Apart.empty()) {
        if (const auto Known = Nested.OfCapture.find(Captured.Apart);
            Known != Nested.OfCapture.end())
          addToBranch(Plan, Plan.Branches[Known->second], Node, Owners[Node]);
        continue; // not known whether and how often it runs
      }
      for (std::string &Name : eagerOps(*Graph.PreGrad, Node)) {
        if (const auto Found = Inside.find(Node); Found != Inside.end())
          Plan.Inside[static_cast<uint32_t>(Plan.Eager.size())] = Found->second;
        for (const uint32_t Other : Work.othersOf(Node, Owners[Node]))
          Plan.Shared.push_back({static_cast<uint32_t>(Owners[Node]), Other,
                                 static_cast<uint32_t>(Plan.Eager.size())});
        Plan.Eager.push_back(
            {std::move(Name), shapesOf(*Graph.PreGrad, Graph.PreGrad->Nodes[Node]), Owners[Node]});
        Plan.EagerNodes.push_back(Node);
      }
    }
    return Plan;
  }

private:
  std::vector<uint32_t> branchesRunBy(const FxNode &Captured) const {
    std::vector<uint32_t> Ran;
    for (const std::string &Name : Graph.PreGrad->graphsOf(Captured))
      if (const auto Known = Nested.OfCapture.find(Name); Known != Nested.OfCapture.end())
        Ran.push_back(Known->second);
    return Ran;
  }

  void runBranches(PlannedGraph &Plan, const FxNode &Call, const std::vector<uint32_t> &Ran) const {
    const auto Outer = Nested.OfCapture.find(Call.Apart);
    if (Call.Apart.empty())
      Plan.Runs[static_cast<uint32_t>(Plan.Eager.size())] = Ran;
    else if (Outer != Nested.OfCapture.end()) {
      PlannedBranch &Of = Plan.Branches[Outer->second];
      Of.Runs[static_cast<uint32_t>(Of.Eager.size())] = Ran;
    }
  }

  void addToBranch(PlannedGraph &Plan, PlannedBranch &To, uint32_t Node, int64_t Owner) const {
    const std::vector<std::string> Ops = eagerOps(*Graph.PreGrad, Node);
    if (!Ops.empty())
      for (const uint32_t Other : Work.othersOf(Node, Owner))
        Plan.Shared.push_back({static_cast<uint32_t>(Owner), Other, std::nullopt});
    for (const std::string &Name : Ops) {
      To.Eager.push_back({Name, shapesOf(*Graph.PreGrad, Graph.PreGrad->Nodes[Node]), Owner});
      To.EagerNodes.push_back(Node);
    }
  }

  /// Finds calls that together compute one node of PostGrad, such as a reduction in two kernels.
  void planShared(PlannedGraph &Plan) const {
    const std::map<uint32_t, int64_t> Owners = Work.ownersOfPost();
    for (uint32_t I = 0; I < Uses.size(); ++I)
      for (const uint32_t Post : Work.work()[I])
        if (const auto Owner = static_cast<uint32_t>(Owners.at(Post));
            Owner != I && !isViewNode(Graph.PostGrad, Post) && !Work.isComputedAnew(Post) &&
            Graph.PostGrad.Nodes[Post].Kind != FxNodeKind::Placeholder)
          Plan.Shared.push_back({Owner, I, std::nullopt});
  }

  PlannedCall planCall(size_t Number) const {
    const CodeCall &Call = Work.code(Number);
    PlannedCall Plan;
    Plan.Generated = !Call.Extern;
    if (const auto Branch = Nested.OfCode.find(Call.Within); Branch != Nested.OfCode.end())
      Plan.Branch = Branch->second;
    if (Call.Extern)
      Plan.Operator = operatorOfExtern(Call.Kernel);
    else if (const auto Sites = SitesOfUse.find(FirstUse + static_cast<uint32_t>(Number));
             Sites != SitesOfUse.end())
      Plan.Sites = Sites->second;
    findPart(Work, Number, Plan);
    return Plan;
  }

  /// By node of the captured graph, what the calls compute for it, in the order of PostGrad.
  std::map<uint32_t, std::vector<ShapedOp>> opsByNode() const {
    std::map<uint32_t, std::vector<ShapedOp>> Ops;
    for (const auto &[Post, Owner] : Work.ownersOfPost()) {
      if (isViewNode(Graph.PostGrad, Post))
        continue;
      for (const uint32_t Node : nodesFor(Graph, Post))
        for (std::string &Op : eagerOps(Graph.PostGrad, Post))
          Ops[Node].push_back(
              {std::move(Op), shapesOf(Graph.PostGrad, Graph.PostGrad.Nodes[Post]), Owner});
    }
    return Ops;
  }

  /// By node, the operators inside nodes that several calls compute, as called in eager mode.
  std::map<uint32_t, std::vector<ShapedOp>> opsInside() const {
    std::map<uint32_t, std::vector<ShapedOp>> Inside = opsByNode();
    std::erase_if(Inside, [&](const auto &Each) { return !Work.isShared(Each.first); });
    for (auto &[Node, Ops] : Inside)
      for (ShapedOp &Op : Ops)
        Op.Name = outermostOf(Op.Name);
    return Inside;
  }

  /// What the calls compute if the captured graph requests gradients from autograd.
  void planOwnGradients(PlannedGraph &Plan) const {
    for (const auto &[Post, Owner] : Work.ownersOfPost())
      if (!isViewNode(Graph.PostGrad, Post) &&
          std::ranges::any_of(nodesFor(Graph, Post), [&](uint32_t Node) {
            return Graph.PreGrad->Nodes[Node].Target.ends_with("._autograd_grad");
          }))
        for (std::string &Op : eagerOps(Graph.PostGrad, Post))
          Plan.Gradients.push_back(
              {std::move(Op), shapesOf(Graph.PostGrad, Graph.PostGrad.Nodes[Post]), Owner});
  }

  int64_t ownerOf(uint32_t Node, const std::vector<PlannedCall> &Calls) const {
    int64_t Best = -1;
    std::pair<int, uint32_t> BestRank;
    for (size_t I = 0; I < Uses.size(); ++I) {
      if (!std::ranges::binary_search(Uses[I].PreNodes, Node))
        continue;
      const int Weight = !Calls[I].Generated ? 3 : Calls[I].Part != StepPart::Fused ? 2 : 1;
      const auto Last = Work.computedBy(I).find(Node);
      const std::pair<int, uint32_t> Rank =
          Last == Work.computedBy(I).end() ? std::pair<int, uint32_t>(0, 0)
                                           : std::pair<int, uint32_t>(Weight, Last->second.back());
      if (Best < 0 || Rank > BestRank) {
        Best = static_cast<int64_t>(I);
        BestRank = Rank;
      }
    }
    return Best;
  }

  /// Nodes without a known call (Inductor's patterns replace them) belong to the only call that
  /// uses their values.
  void ownUnknown(std::vector<int64_t> &Owners) const {
    constexpr int64_t None = -1, Several = -2;
    std::vector<int64_t> Users(Owners.size(), None);
    for (uint32_t Node = static_cast<uint32_t>(Owners.size()); Node-- > 0;) {
      if (Owners[Node] < 0 && Users[Node] >= 0 && !Work.computedBy(Users[Node]).empty())
        Owners[Node] = Users[Node];
      const int64_t Owner = Owners[Node];
      for (const uint32_t Input : Graph.PreGrad->Nodes[Node].Inputs)
        Users[Input] =
            Users[Input] == None || Users[Input] == Owner ? (Owner < 0 ? Several : Owner) : Several;
    }
  }

  /// A kernel that completes no node, such as one that only reorders a convolution's input, counts
  /// with the part whose work it does.
  void joinHelpers(const std::vector<int64_t> &Owners, std::vector<PlannedCall> &Calls) const {
    for (size_t I = 0; I < Uses.size(); ++I) {
      const std::vector<uint32_t> &Nodes = Uses[I].PreNodes;
      if (!Calls[I].Generated || Nodes.empty() ||
          std::ranges::find(Owners, static_cast<int64_t>(I)) != Owners.end())
        continue;
      const auto PartOf = [&](uint32_t Node) {
        return Owners[Node] < 0 ? StepPart::Fused : Calls[Owners[Node]].Part;
      };
      const StepPart First = PartOf(Nodes[0]);
      if (std::ranges::all_of(Nodes, [&](uint32_t Node) { return PartOf(Node) == First; }))
        Calls[I].Part = First;
    }
  }

  const CompiledGraph &Graph;
  const NestedGraphs Nested;
  const GraphWork Work;
  const std::span<const KernelUse> Uses;
  const uint32_t FirstUse;
  const std::map<uint32_t, std::vector<SiteId>> &SitesOfUse;
};

} // namespace

std::vector<PlannedGraph> planGraphs(const TorchRun &Run, const Trace &Source) {
  std::map<uint32_t, std::vector<SiteId>> SitesOfUse;
  for (const auto &[Site, Kernel] : Run.Kernels)
    for (const uint32_t Use : Kernel.Uses)
      SitesOfUse[Use].push_back(Site);
  for (auto &[Use, Sites] : SitesOfUse)
    std::ranges::sort(Sites);
  std::set<std::string, std::less<>> Pids;
  for (const Track &Each : Source.Tracks)
    Pids.emplace(Source.text(Each.Process));
  const std::vector<CompiledGraph> &Graphs = Run.Graphs.log().Graphs;
  const bool Known = std::ranges::any_of(Graphs, [&](const CompiledGraph &Graph) {
    return Pids.contains(std::to_string(Graph.Process));
  });
  std::vector<PlannedGraph> Plans;
  for (uint32_t Number = 0; Number < Graphs.size(); ++Number) {
    const CompiledGraph &Graph = Graphs[Number];
    const bool Elsewhere = Known && !Pids.contains(std::to_string(Graph.Process));
    Plans.push_back(Elsewhere ? PlannedGraph() : Planner(Run, Number, SitesOfUse).run());
    if (const auto Forward = Run.Graphs.forwardOf(Number))
      Plans[*Forward].Backward = Number;
  }
  for (const UncompiledGraph &Graph : Run.Graphs.log().Uncompiled)
    if (!Graph.PreGrad || handsOutViews(*Graph.PreGrad))
      Plans.emplace_back().Region = regionOf(Graph.Id);
  return Plans;
}

} // namespace seamscope::tools
