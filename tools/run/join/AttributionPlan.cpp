//===- AttributionPlan.cpp - what compiled graphs run, and what for ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/AttributionPlan.h"
#include "analysis/torch/Compiled.h"
#include "run/join/KernelTraffic.h"
#include "torch/EagerOps.h"
#include "torch/LibraryCalls.h"
#include "torch/NestedNodes.h"
#include "torch/PythonText.h"
#include "torch/Recomputed.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace seamscope::tools {
namespace {

/// The part of the operators that a node stands for: Other where none tells more.
StepPart partOfNode(const FxGraph &Graph, uint32_t Node) {
  StepPart Part = StepPart::Other;
  for (const std::string &Name : eagerOps(Graph, Node))
    if (const StepPart Own = partOfOperator(Name); Own != StepPart::Other)
      Part = Own;
  return Part;
}

/// Shapes of a node's inputs as an operator's call has them; nothing where one is unknown or is a
/// symbol.
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

/// The operator that a program calls for one that it is decomposed into.
std::string outermostOf(const std::string &Operator) {
  if (Operator == "aten::addmm" || Operator == "aten::mm")
    return "aten::linear";
  if (partOfOperator(Operator) == StepPart::Attention)
    return "aten::scaled_dot_product_attention";
  return Operator == "aten::_softmax" ? "aten::softmax" : Operator;
}

/// What torch's scope of a graph's calls is named.
std::string regionOf(const std::string &Graph) {
  return fmt::format("{}: {}", CompiledRegionName, Graph);
}

/// Whether dynamo captured a call of NumPy, which it replaces by operators of torch.
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

/// Of one graph.
class Planner {
public:
  Planner(const TorchRun &Run, uint32_t Number,
          const std::map<uint32_t, std::vector<SiteId>> &SitesOfUse)
      : Graphs(Run.Graphs), Graph(Graphs.log().Graphs[Number]), Uses(Graphs.usesIn(Number)),
        FirstUse(static_cast<uint32_t>(Uses.data() - Run.Graphs.uses().data())),
        SitesOfUse(SitesOfUse) {}

  PlannedGraph run() {
    PlannedGraph Plan;
    const bool Backward = Graph.Code.Direction == GraphDirection::Backward;
    Plan.Region = Backward ? std::string(CompiledBackward) : regionOf(Graph.Id);
    findBranches();
    findWork();
    findComputed();
    Plan.Branches.resize(Branches.size());
    const KernelTraffic Traffic(Graph.PostGrad, Work);
    for (size_t I = 0; I < Uses.size(); ++I) {
      Plan.Calls.push_back(planCall(I));
      Plan.Calls.back().Bytes = Traffic.bytesOf(I);
      Plan.Calls.back().Shared = sharesNodes(I);
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
        if (const auto Known = Branches.find(Captured.Apart); Known != Branches.end())
          addToBranch(Plan, Plan.Branches[Known->second], Node, Owners[Node]);
        continue; // else it is not known whether and how often it runs
      }
      for (std::string &Name : eagerOps(*Graph.PreGrad, Node)) {
        if (const auto Found = Inside.find(Node); Found != Inside.end())
          Plan.Inside[static_cast<uint32_t>(Plan.Eager.size())] = Found->second;
        for (const uint32_t Other : othersOf(Node, Owners[Node]))
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
  /// Numbers the nested graphs that higher-order operators run and of which calls are known.
  void findBranches() {
    if (!Graph.PreGrad)
      return;
    for (const auto &[Captured, Compiled] : branchesOf(*Graph.PreGrad, Graph.PostGrad))
      if (std::ranges::find(Graph.Code.Calls, Compiled, &CodeCall::Within) !=
          Graph.Code.Calls.end()) {
        BranchOfCode.emplace(Compiled, static_cast<uint32_t>(Branches.size()));
        Branches.emplace(Captured, static_cast<uint32_t>(Branches.size()));
      }
  }

  std::vector<uint32_t> branchesRunBy(const FxNode &Captured) const {
    std::vector<uint32_t> Ran;
    for (const std::string &Name : Graph.PreGrad->graphsOf(Captured))
      if (const auto Known = Branches.find(Name); Known != Branches.end())
        Ran.push_back(Known->second);
    return Ran;
  }

  void runBranches(PlannedGraph &Plan, const FxNode &Call, const std::vector<uint32_t> &Ran) const {
    const auto Outer = Branches.find(Call.Apart);
    if (Call.Apart.empty())
      Plan.Runs[static_cast<uint32_t>(Plan.Eager.size())] = Ran;
    else if (Outer != Branches.end()) {
      PlannedBranch &Of = Plan.Branches[Outer->second];
      Of.Runs[static_cast<uint32_t>(Of.Eager.size())] = Ran;
    }
  }

  void addToBranch(PlannedGraph &Plan, PlannedBranch &To, uint32_t Node, int64_t Owner) const {
    const std::vector<std::string> Ops = eagerOps(*Graph.PreGrad, Node);
    if (!Ops.empty())
      for (const uint32_t Other : othersOf(Node, Owner))
        Plan.Shared.push_back({static_cast<uint32_t>(Owner), Other, std::nullopt});
    for (const std::string &Name : Ops) {
      To.Eager.push_back({Name, shapesOf(*Graph.PreGrad, Graph.PreGrad->Nodes[Node]), Owner});
      To.EagerNodes.push_back(Node);
    }
  }

  void findWork() {
    std::set<uint32_t> Elsewhere;
    for (const KernelUse &Use : Uses)
      if (const bool Extern = isExtern(Use); Extern || !templateOf(sourceOf(Use)).empty())
        for (const uint32_t Post : Extern ? workOfExtern(Use) : Use.PostNodes)
          if (Extern || partOfNode(Graph.PostGrad, Post) != StepPart::Other)
            Elsewhere.insert(Post);
    for (const KernelUse &Use : Uses)
      Work.push_back(isExtern(Use) ? workOfExtern(Use) : workOfGenerated(Use, Elsewhere));
    // Calls of a branch also name the operator that runs it, and what decides about it.
    for (size_t I = 0; I < Uses.size(); ++I)
      if (const std::string &Within = Graph.Code.Calls[Uses[I].Call].Within;
          BranchOfCode.contains(Within))
        std::erase_if(Work[I],
                      [&](uint32_t Post) { return Graph.PostGrad.Nodes[Post].Apart != Within; });
  }

  bool isExtern(const KernelUse &Use) const { return Graph.Code.Calls[Use.Call].Extern; }

  std::string_view sourceOf(const KernelUse &Use) const {
    const KernelSource *Source = Graphs.sourceOf(Use);
    return Source ? Graph.Code.sourceOf(*Source) : std::string_view();
  }

  /// The nodes of PostGrad that a library's call computes: Inductor names those of its inputs, too.
  std::vector<uint32_t> workOfExtern(const KernelUse &Use) const {
    const std::string &Kernel = Graph.Code.Calls[Use.Call].Kernel;
    std::vector<uint32_t> Own, Products;
    for (const uint32_t Post : Use.PostNodes) {
      if (std::ranges::any_of(eagerOps(Graph.PostGrad, Post), [&](const std::string &Operator) {
            return runsOperator(Kernel, Operator);
          }))
        Own.push_back(Post);
      // A product with a bias may be made by one without and a kernel that adds it.
      if (partOfNode(Graph.PostGrad, Post) != StepPart::Other)
        Products.push_back(Post);
    }
    return !Own.empty() ? Own : !Products.empty() ? Products : Use.PostNodes;
  }

  /// Those that a generated kernel computes. One that prepares or completes what a library's call
  /// or a template makes bears the node of that, too; where it does nothing else it keeps it.
  std::vector<uint32_t> workOfGenerated(const KernelUse &Use,
                                        const std::set<uint32_t> &Elsewhere) const {
    if (!templateOf(sourceOf(Use)).empty())
      return Use.PostNodes;
    std::vector<uint32_t> Own;
    for (const uint32_t Post : Use.PostNodes)
      if (!Elsewhere.contains(Post))
        Own.push_back(Post);
    const bool Computes = std::ranges::any_of(Own, [&](uint32_t Post) {
      return Graph.PostGrad.Nodes[Post].Kind != FxNodeKind::Placeholder &&
             !isViewNode(Graph.PostGrad, Post);
    });
    return Computes ? Own : Use.PostNodes;
  }

  /// The captured nodes for which a node of PostGrad is computed. torch's map also has those that
  /// change its result in place.
  std::vector<uint32_t> capturedFor(uint32_t Post) const {
    std::vector<uint32_t> Nodes = nodesFor(Graph, Post), Same;
    if (Nodes.size() < 2 || Graph.Code.Direction == GraphDirection::Backward)
      return Nodes;
    const std::vector<std::string> Ops = eagerOps(Graph.PostGrad, Post);
    std::ranges::copy_if(Nodes, std::back_inserter(Same),
                         [&](uint32_t Node) { return eagerOps(*Graph.PreGrad, Node) == Ops; });
    return Same.empty() ? Nodes : Same;
  }

  void findComputed() {
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

  /// Whether a node that several generated kernels name is computed in each of them.
  bool isComputedAnew(uint32_t Post) const {
    constexpr auto Cheap = std::to_array<std::string_view>(
        {"aten::full", "aten::arange", "aten::_to_copy", "prims::convert_element_type",
         "prims::iota", "aten::scalar_tensor"});
    return isPointwise(Graph.PostGrad.Nodes[Post]) ||
           std::ranges::any_of(eagerOps(Graph.PostGrad, Post), [&](const std::string &Name) {
             return std::ranges::find(Cheap, Name) != Cheap.end();
           });
  }

  /// The calls that do a part of a captured node that its owner does not do by itself.
  std::vector<uint32_t> othersOf(uint32_t Node, int64_t Owner) const {
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

  /// Finds the calls that compute one node of PostGrad together, as a reduction in two kernels.
  void planShared(PlannedGraph &Plan) const {
    const std::map<uint32_t, int64_t> Owners = ownersOfPost();
    for (uint32_t I = 0; I < Work.size(); ++I)
      for (const uint32_t Post : Work[I])
        if (const auto Owner = static_cast<uint32_t>(Owners.at(Post));
            Owner != I && !isViewNode(Graph.PostGrad, Post) && !isComputedAnew(Post) &&
            Graph.PostGrad.Nodes[Post].Kind != FxNodeKind::Placeholder)
          Plan.Shared.push_back({Owner, I, std::nullopt});
  }

  /// Whether other calls do a part of what a call does.
  bool sharesNodes(size_t Number) const {
    return std::ranges::any_of(Computed[Number],
                               [&](const auto &Each) { return Sharers.at(Each.first) > 1; });
  }

  PlannedCall planCall(size_t Number) const {
    const KernelUse &Use = Uses[Number];
    const CodeCall &Call = Graph.Code.Calls[Use.Call];
    PlannedCall Plan;
    Plan.Generated = !Call.Extern;
    if (const auto Branch = BranchOfCode.find(Call.Within); Branch != BranchOfCode.end())
      Plan.Branch = Branch->second;
    if (Call.Extern)
      Plan.Operator = operatorOfExtern(Call.Kernel);
    else if (const auto Sites = SitesOfUse.find(FirstUse + static_cast<uint32_t>(Number));
             Sites != SitesOfUse.end())
      Plan.Sites = Sites->second;
    Plan.Part = Call.Extern ? partOfExtern(Number, Plan.Operator) : partOfGenerated(Use);
    if (Plan.Generated && Plan.Part == StepPart::Fused)
      Plan.LayoutFor = layoutFor(Number);
    if (!Plan.LayoutFor.empty() && partOfOperator(Plan.LayoutFor) != StepPart::Other)
      Plan.Part = partOfOperator(Plan.LayoutFor);
    // Attention that was taken apart into products and a softmax is still attention.
    if (Call.Extern ? hasAttention(Number) : doesAttention(Number))
      Plan.Part = StepPart::Attention;
    return Plan;
  }

  /// The operator of a library that wants inputs in the order in which a generated kernel writes
  /// them; empty where that is not most of what the kernel moves. Inductor names the graph's inputs
  /// among what a kernel computes only where it copies them.
  std::string layoutFor(size_t Number) const {
    std::string For;
    int64_t Copied = 0, Computed = 0;
    for (const uint32_t Post : Uses[Number].PostNodes) {
      const FxNode &Node = Graph.PostGrad.Nodes[Post];
      const bool Copies = Node.Kind == FxNodeKind::Placeholder;
      if (!Copies && isViewNode(Graph.PostGrad, Post))
        continue;
      const std::optional<int64_t> Bytes = bytesOfType(Node.Type);
      if (!Bytes ||
          __builtin_add_overflow(Copies ? Copied : Computed, *Bytes, Copies ? &Copied : &Computed))
        return {};
      if (Copies && For.empty())
        For = libraryThatReads(Post);
    }
    return Copied > Computed ? For : std::string();
  }

  /// The operator of a library's call that uses a node, directly or through views.
  std::string libraryThatReads(uint32_t Post) const {
    const std::vector<FxNode> &Nodes = Graph.PostGrad.Nodes;
    std::set<uint32_t> Values = {Post};
    for (uint32_t User = Post + 1; User < Nodes.size(); ++User) {
      if (std::ranges::none_of(Nodes[User].Inputs,
                               [&](uint32_t Input) { return Values.contains(Input); }))
        continue;
      if (isViewNode(Graph.PostGrad, User))
        Values.insert(User);
      else
        for (size_t I = 0; I < Uses.size(); ++I)
          if (isExtern(Uses[I]) && std::ranges::find(Work[I], User) != Work[I].end())
            return operatorOfExtern(Graph.Code.Calls[Uses[I].Call].Kernel);
    }
    return {};
  }

  bool isAttention(uint32_t Node) const {
    return partOfNode(*Graph.PreGrad, Node) == StepPart::Attention;
  }

  bool hasAttention(size_t Number) const {
    return std::ranges::any_of(Computed[Number],
                               [&](const auto &Each) { return isAttention(Each.first); });
  }

  /// Whether a generated kernel is attention's: not one that, beside other work, prepares what a
  /// library's call takes, as a mask or a repeated head.
  bool doesAttention(size_t Number) const {
    bool Prepares = false, Other = false;
    for (const auto &[Node, Posts] : Computed[Number])
      if (!isAttention(Node))
        Other = true;
      else if (madeByLibrary(Node))
        Prepares = true;
      else
        return true;
    return Prepares && !Other;
  }

  /// Whether a library's call computes attention as a whole, by an operator of its own.
  bool madeByLibrary(uint32_t Node) const {
    for (size_t I = 0; I < Uses.size(); ++I)
      if (isExtern(Uses[I]) && Computed[I].contains(Node) &&
          partOfOperator(operatorOfExtern(Graph.Code.Calls[Uses[I].Call].Kernel)) ==
              StepPart::Attention)
        return true;
    return false;
  }

  StepPart partOfExtern(size_t Number, std::string_view Operator) const {
    StepPart Part = partOfOperator(Operator);
    for (const uint32_t Post : Work[Number])
      if (const StepPart Own = partOfNode(Graph.PostGrad, Post); Own != StepPart::Other)
        Part = Own;
    return Part;
  }

  /// By what was generated: names and nodes are also those of products that another call makes.
  StepPart partOfGenerated(const KernelUse &Use) const {
    const std::string_view Made = templateOf(sourceOf(Use));
    return Made == "gemm"        ? StepPart::MatMul
           : Made == "attention" ? StepPart::Attention
                                 : StepPart::Fused;
  }

  /// By node of PostGrad the call that computes it: a library's, else the first one.
  std::map<uint32_t, int64_t> ownersOfPost() const {
    std::map<uint32_t, int64_t> Owners;
    for (size_t I = 0; I < Uses.size(); ++I)
      for (const uint32_t Post : Work[I]) {
        const auto [Known, New] = Owners.try_emplace(Post, static_cast<int64_t>(I));
        if (!New && !isExtern(Uses[Known->second]) && isExtern(Uses[I]))
          Known->second = static_cast<int64_t>(I);
      }
    return Owners;
  }

  /// By node of the captured graph what the calls compute for it, in the order of PostGrad.
  std::map<uint32_t, std::vector<ShapedOp>> opsByNode() const {
    std::map<uint32_t, std::vector<ShapedOp>> Ops;
    for (const auto &[Post, Owner] : ownersOfPost()) {
      if (isViewNode(Graph.PostGrad, Post))
        continue;
      for (const uint32_t Node : nodesFor(Graph, Post))
        for (std::string &Op : eagerOps(Graph.PostGrad, Post))
          Ops[Node].push_back(
              {std::move(Op), shapesOf(Graph.PostGrad, Graph.PostGrad.Nodes[Post]), Owner});
    }
    return Ops;
  }

  /// The operators inside of nodes that several calls compute, as they are called where nothing is
  /// compiled, by node.
  std::map<uint32_t, std::vector<ShapedOp>> opsInside() const {
    std::map<uint32_t, std::vector<ShapedOp>> Inside = opsByNode();
    std::erase_if(Inside, [&](const auto &Each) {
      const auto Calls = Sharers.find(Each.first);
      return Calls == Sharers.end() || Calls->second < 2;
    });
    for (auto &[Node, Ops] : Inside)
      for (ShapedOp &Op : Ops)
        Op.Name = outermostOf(Op.Name);
    return Inside;
  }

  /// What the calls compute where the captured graph asks autograd for gradients.
  void planOwnGradients(PlannedGraph &Plan) const {
    for (const auto &[Post, Owner] : ownersOfPost())
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
      const auto Last = Computed[I].find(Node);
      const std::pair<int, uint32_t> Rank =
          Last == Computed[I].end() ? std::pair<int, uint32_t>(0, 0)
                                    : std::pair<int, uint32_t>(Weight, Last->second.back());
      if (Best < 0 || Rank > BestRank) {
        Best = static_cast<int64_t>(I);
        BestRank = Rank;
      }
    }
    return Best;
  }

  /// Nodes that no call is known to work on (Inductor's patterns put others in their place) belong
  /// to the call that alone uses their values.
  void ownUnknown(std::vector<int64_t> &Owners) const {
    constexpr int64_t None = -1, Several = -2;
    std::vector<int64_t> Users(Owners.size(), None);
    for (uint32_t Node = static_cast<uint32_t>(Owners.size()); Node-- > 0;) {
      if (Owners[Node] < 0 && Users[Node] >= 0 && !Computed[Users[Node]].empty())
        Owners[Node] = Users[Node];
      const int64_t Owner = Owners[Node];
      for (const uint32_t Input : Graph.PreGrad->Nodes[Node].Inputs)
        Users[Input] =
            Users[Input] == None || Users[Input] == Owner ? (Owner < 0 ? Several : Owner) : Several;
    }
  }

  /// A kernel that completes nothing itself, as one that only brings a convolution's input into
  /// another order, counts with the part whose work it does.
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

  const CompiledGraphs &Graphs;
  const CompiledGraph &Graph;
  const std::span<const KernelUse> Uses;
  const uint32_t FirstUse;
  const std::map<uint32_t, std::vector<SiteId>> &SitesOfUse;
  std::vector<std::vector<uint32_t>> Work; ///< by call, the nodes of PostGrad that it computes
  /// By call, the nodes of the captured graph that it computes more of than a view, each with the
  /// nodes of PostGrad that it computes of it, rising.
  std::vector<std::map<uint32_t, std::vector<uint32_t>>> Computed;
  std::map<std::string, uint32_t> Branches;     ///< by captured graph, of PlannedGraph::Branches
  std::map<std::string, uint32_t> BranchOfCode; ///< the same by function of the output code
  std::map<uint32_t, unsigned> Sharers;         ///< calls that compute a node of the captured graph
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
