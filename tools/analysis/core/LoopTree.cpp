//===- LoopTree.cpp - the loops of each kernel, and what is inside of which ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/LoopTree.h"

#include "analysis/core/KernelRows.h"
#include "analysis/core/Order.h"

#include <algorithm>
#include <map>
#include <utility>

namespace seamscope::tools {
namespace {

bool isInTree(const Site &What) {
  return What.Kind == SiteKind::Region || What.Kind == SiteKind::Loop ||
         (What.Kind == SiteKind::Kernel && What.Device < 0);
}

class Walk {
public:
  explicit Walk(const Trace &Input) : Input(Input), Rows(kernelRows(Input)), Owners(Input, Rows) {}

  LoopTree run() {
    std::vector<bool> Matters;
    for (const Site &What : Input.Sites)
      Matters.push_back(isInTree(What));
    NodeOfEvent.assign(Input.Events.size(), LoopNode::None);
    const std::vector<uint32_t> Order = orderedByTrack(
        Input, eventsWhere(Input, [&](uint32_t I) { return Matters[Input.Events.Site[I]]; }));
    for (const uint32_t Event : Order)
      addCall(Event);
    for (const OpenCall &Call : Input.Open)
      if (const uint32_t Node = NodeOfEvent[Call.Event]; Node != LoopNode::None)
        ++Nodes[Node].Open;
    for (const ProfileRow &Row : Input.Profile)
      if (Matters[Row.Site])
        addSums(Row);
    return inOrder();
  }

private:
  struct Open {
    uint32_t Event;
    uint32_t Node;
    int32_t Team; ///< of the region around it; -1: none
  };

  void addCall(uint32_t Event) {
    const EventColumns &Events = Input.Events;
    if (!Stack.empty() && Events.Track[Stack.back().Event] != Events.Track[Event])
      Stack.clear();
    // What overlaps without being nested stands beside.
    while (!Stack.empty() && Events.endNs(Stack.back().Event) < Events.endNs(Event))
      Stack.pop_back();
    while (!Stack.empty() && Events.endNs(Stack.back().Event) <= Events.BeginNs[Event] &&
           Events.DurationNs[Event] > 0)
      Stack.pop_back();
    const SiteId Id = Events.Site[Event];
    const bool IsRegion = Input.Sites[Id].Kind == SiteKind::Region;
    const bool IsLoop = Input.Sites[Id].Kind == SiteKind::Loop;
    const uint32_t Node = nodeOf(Id, IsLoop && !Stack.empty() ? Stack.back().Node : LoopNode::None);
    const int64_t Ns = Events.DurationNs[Event];
    const int32_t Team = IsRegion                   ? Events.teamThread(Event)
                         : IsLoop && !Stack.empty() ? Stack.back().Team
                                                    : -1;
    add(Node, 1, Ns, Team);
    SelfNs[Node] += Ns;
    if (!Stack.empty())
      SelfNs[Stack.back().Node] -= Ns;
    First[Node] = std::min(First[Node], Events.BeginNs[Event]);
    NodeOfEvent[Event] = Node;
    Stack.push_back({Event, Node, Team});
  }

  void addSums(const ProfileRow &Row) {
    const uint32_t Node = nodeOf(Row.Site, LoopNode::None);
    add(Node, Row.Calls, Row.TotalNs,
        Input.Sites[Row.Site].Kind == SiteKind::Region ? Row.TeamThread : -1);
    First[Node] = std::min(First[Node], Row.FirstNs);
    HasSums = true;
  }

  void add(uint32_t Node, uint64_t Calls, int64_t Ns, int32_t Team) {
    Nodes[Node].Calls += Calls;
    Nodes[Node].TotalNs += Ns;
    if (Team < 0)
      return;
    ThreadShare &Share = Shares[{Node, Team}];
    Share.Thread = Team;
    Share.Calls += Calls;
    Share.BusyNs += Ns;
  }

  /// \p Around: the node that a loop is in, if it is known.
  uint32_t nodeOf(SiteId Id, uint32_t Around) {
    const Site &What = Input.Sites[Id];
    uint32_t Parent = LoopNode::None;
    if (What.Kind == SiteKind::Kernel)
      Id = Rows.Sites[Rows.OfSite[Id]];
    else if (Around != LoopNode::None)
      Parent = Around;
    else
      Parent = nodeOf(Rows.Sites[Owners.rowOf(What)], LoopNode::None);
    const auto [Known, New] =
        Numbers.try_emplace({Parent, Id}, static_cast<uint32_t>(Nodes.size()));
    if (New) {
      LoopNode &Node = Nodes.emplace_back();
      Node.Site = Id;
      Node.Parent = Parent;
      SelfNs.push_back(0);
      First.push_back(INT64_MAX);
    }
    return Known->second;
  }

  /// Kernels with loops, each before what is in it.
  LoopTree inOrder() {
    for (const auto &[Key, Share] : Shares)
      Nodes[Key.first].Threads.push_back(Share);
    std::vector<std::vector<uint32_t>> Below(Nodes.size());
    std::vector<uint32_t> Roots;
    std::vector<bool> HasLoops(Nodes.size());
    for (uint32_t I = 0; I < Nodes.size(); ++I) {
      (Nodes[I].Parent == LoopNode::None ? Roots : Below[Nodes[I].Parent]).push_back(I);
      if (Input.Sites[Nodes[I].Site].Kind == SiteKind::Loop)
        for (uint32_t Up = I; Up != LoopNode::None && !HasLoops[Up]; Up = Nodes[Up].Parent)
          HasLoops[Up] = true;
    }
    LoopTree Tree;
    std::vector<std::pair<uint32_t, uint32_t>> Todo; // node, its parent in the tree
    const auto Push = [&](std::vector<uint32_t> &Some, uint32_t Parent) {
      std::ranges::stable_sort(Some, {}, [&](uint32_t I) { return First[I]; });
      for (auto It = Some.rbegin(); It != Some.rend(); ++It)
        if (HasLoops[*It])
          Todo.emplace_back(*It, Parent);
    };
    Push(Roots, LoopNode::None);
    while (!Todo.empty()) {
      const auto [Old, Parent] = Todo.back();
      Todo.pop_back();
      LoopNode &Node = Tree.Nodes.emplace_back(std::move(Nodes[Old]));
      Node.Parent = Parent;
      Node.Depth = Parent == LoopNode::None ? 0 : Tree.Nodes[Parent].Depth + 1;
      if (!HasSums)
        Node.SelfNs = SelfNs[Old];
      if (Node.Threads.size() > 1)
        Node.Imbalance = imbalanceOf(Node.Threads);
      if (!Node.Depth)
        Tree.Kernels.emplace(Node.Site, static_cast<uint32_t>(Tree.Nodes.size() - 1));
      Push(Below[Old], static_cast<uint32_t>(Tree.Nodes.size() - 1));
    }
    return Tree;
  }

  const Trace &Input;
  const KernelRows Rows;
  const KernelsByName Owners;
  std::vector<LoopNode> Nodes;
  std::vector<int64_t> SelfNs, First; ///< by node
  std::map<std::pair<uint32_t, SiteId>, uint32_t> Numbers;
  std::map<std::pair<uint32_t, int32_t>, ThreadShare> Shares;
  std::vector<uint32_t> NodeOfEvent;
  std::vector<Open> Stack; ///< of the thread
  bool HasSums = false;
};

} // namespace

uint32_t LoopTree::endOf(uint32_t Kernel) const {
  uint32_t End = Kernel + 1;
  while (End < Nodes.size() && Nodes[End].Depth > 0)
    ++End;
  return End;
}

LoopTree loopTree(const Trace &Input) {
  const auto IsLoop = [](const Site &What) { return What.Kind == SiteKind::Loop; };
  return std::ranges::any_of(Input.Sites, IsLoop) ? Walk(Input).run() : LoopTree();
}

} // namespace seamscope::tools
