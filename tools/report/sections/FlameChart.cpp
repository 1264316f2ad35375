//===- FlameChart.cpp - flame graph, for the page -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/NestedTimes.h"
#include "analysis/torch/Steps.h"
#include "report/sections/Page.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Deeper stacks are recursion, which nobody reads to the end.
constexpr size_t MostDepth = 200;
/// Limit for a page that still opens: smaller nodes are merged into one.
constexpr size_t MostNodes = 50'000;

class Tree {
public:
  explicit Tree(std::string Title) { Made.Title = std::move(Title); }

  static constexpr uint32_t Root = UINT32_MAX;
  static constexpr uint32_t Left = UINT32_MAX - 1; ///< stands for what was left out

  uint32_t below(uint32_t Parent, std::string_view Name) {
    const auto [Id, NewName] =
        Names.try_emplace(std::string(Name), static_cast<uint32_t>(Made.Names.size()));
    if (NewName)
      Made.Names.emplace_back(Name);
    const auto [Known, New] =
        Nodes.try_emplace({Parent, Id->second}, static_cast<uint32_t>(All.size()));
    if (New) {
      All.push_back({Parent == Root ? -1 : static_cast<int32_t>(Parent), Id->second, 0, 0});
      Depths.push_back(depth(Parent) + 1);
    }
    return Known->second;
  }
  size_t depth(uint32_t Node) const { return Node == Root ? 0 : Depths[Node]; }
  void add(uint32_t Node, int64_t Ns, bool IsCall) {
    All[Node].SelfNs += Ns;
    All[Node].Calls += IsCall;
  }

  /// In preorder, larger ones first.
  Flame::View view() {
    std::vector<int64_t> Whole(All.size());
    std::vector<uint64_t> Calls(All.size());
    for (size_t I = All.size(); I-- > 0;) {
      Whole[I] += All[I].SelfNs;
      Calls[I] += All[I].Calls;
      if (All[I].Parent >= 0) {
        Whole[static_cast<size_t>(All[I].Parent)] += Whole[I];
        Calls[static_cast<size_t>(All[I].Parent)] += Calls[I];
      }
    }
    std::map<int32_t, std::vector<uint32_t>> Below;
    for (const uint32_t I : largest(Whole, Calls))
      Below[All[I].Parent].push_back(I);
    std::vector<std::pair<uint32_t, int32_t>> Open;
    const auto Push = [&](int32_t Old, int32_t New) {
      if (const auto Found = Below.find(Old); Found != Below.end())
        for (const uint32_t Each : std::ranges::reverse_view(Found->second))
          Open.emplace_back(Each, New);
    };
    Push(-1, -1);
    while (!Open.empty()) {
      const auto [Each, Parent] = Open.back();
      Open.pop_back();
      const auto Number = static_cast<int32_t>(Made.Nodes.size());
      Flame::Node Node = All[Each];
      Node.Parent = Parent;
      Made.Nodes.push_back(Node);
      Push(static_cast<int32_t>(Each), Number);
    }
    keepUsedNames();
    return std::move(Made);
  }

private:
  /// Most names may be of nodes that were merged.
  void keepUsedNames() {
    std::vector<std::string> Used;
    std::vector<uint32_t> NewOf(Made.Names.size(), UINT32_MAX);
    for (Flame::Node &Node : Made.Nodes) {
      uint32_t &New = NewOf[Node.Name];
      if (New == UINT32_MAX) {
        New = static_cast<uint32_t>(Used.size());
        Used.push_back(std::move(Made.Names[Node.Name]));
      }
      Node.Name = New;
    }
    Made.Names = std::move(Used);
  }

  /// Nodes by the time in them. If there are many, the smallest are merged into their parent, so
  /// the sums stay the same.
  std::vector<uint32_t> largest(std::vector<int64_t> &Whole, const std::vector<uint64_t> &Calls) {
    std::vector<uint32_t> Order(All.size());
    std::iota(Order.begin(), Order.end(), 0);
    // No node has more time than its parent, nor a smaller number.
    std::ranges::stable_sort(Order, std::greater(), [&](uint32_t I) { return Whole[I]; });
    if (Order.size() <= MostNodes)
      return Order;
    std::vector<bool> IsSmall(All.size());
    for (size_t I = MostNodes; I < Order.size(); ++I)
      IsSmall[Order[I]] = true;
    std::map<int32_t, Flame::Node> Rest;
    for (size_t I = MostNodes; I < Order.size(); ++I) {
      const uint32_t Small = Order[I];
      const int32_t Parent = All[Small].Parent;
      if (Parent >= 0 && IsSmall[static_cast<size_t>(Parent)])
        continue;
      Flame::Node &Sum =
          Rest.try_emplace(Parent, Parent, static_cast<uint32_t>(Made.Names.size()), 0, 0)
              .first->second;
      Sum.SelfNs += Whole[Small];
      Sum.Calls += Calls[Small];
    }
    Made.Names.emplace_back("[smaller ones]");
    Order.resize(MostNodes);
    for (const auto &[Parent, Sum] : Rest) {
      Order.push_back(static_cast<uint32_t>(All.size()));
      All.push_back(Sum);
      Whole.push_back(Sum.SelfNs);
    }
    return Order;
  }

  Flame::View Made;
  std::vector<Flame::Node> All;
  std::vector<size_t> Depths; ///< of nodes; 1 at the root
  std::map<std::string, uint32_t, std::less<>> Names;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Nodes;
};

/// The parent of each call; \p Wanted: by site, whether its calls count.
Flame::View viewOf(const Trace &Source, const std::vector<bool> &Wanted, std::string Title) {
  const NestedTimes Calls = nestedTimes(Source, Wanted);
  Tree Made(std::move(Title));
  std::vector<uint32_t> Nodes(Source.Events.size(), Tree::Root);
  for (const uint32_t Event : Calls.Order) {
    const uint32_t Outer = Calls.Parent[Event];
    const uint32_t Around = Outer == NoEvent ? Tree::Root : Nodes[Outer];
    const std::string_view Name = Source.text(Source.Sites[Source.Events.Site[Event]].Name);
    // Compilation, and what runs in it, is not part of the window.
    if (Around == Tree::Left || Name == CompileScope) {
      Nodes[Event] = Tree::Left;
      continue;
    }
    const bool IsTooDeep = Made.depth(Around) >= MostDepth;
    Nodes[Event] = IsTooDeep ? Around : Made.below(Around, Name);
    Made.add(Nodes[Event], Calls.OwnNs[Event], !IsTooDeep);
    if (Calls.Off.empty())
      continue;
    for (const auto &[State, Ns] : {std::pair("[blocked]", Calls.Off[Event].BlockedNs),
                                    {"[preempted]", Calls.Off[Event].PreemptedNs}})
      if (Ns)
        Made.add(Made.below(Nodes[Event], State), Ns, false);
  }
  return Made.view();
}

} // namespace

void addFlame(Section &To, const Context &In) {
  if (!In->Input.Page)
    return;
  const Trace &Source = In->Source;
  const std::vector<bool> AreCalls = sitesOfCalls(Source);
  std::vector<bool> OfCalls = AreCalls;
  bool HasPython = false;
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
    const SiteKind Kind = Source.Sites[Id].Kind;
    OfCalls[Id] = AreCalls[Id] && Kind != SiteKind::Python && Kind != SiteKind::Other;
    HasPython |= Kind == SiteKind::Python;
  }
  Flame Made;
  const auto Add = [&](const char *Title, const std::vector<bool> &Wanted) {
    Flame::View Each = viewOf(Source, Wanted, Title);
    if (!Each.Nodes.empty())
      Made.Views.push_back(std::move(Each));
  };
  Add("By call: scope, operator, kernel, region, loop", OfCalls);
  if (HasPython)
    Add("By Python stack", AreCalls);
  if (!Made.Views.empty())
    To.add(Chart{"flame", "Time by what is around it", std::move(Made)});
}

} // namespace seamscope::tools
