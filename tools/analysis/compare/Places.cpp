//===- Places.cpp - a trace as the places of its source -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Places.h"

#include "analysis/core/LoopTree.h"
#include "analysis/core/TeamWaits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace seamscope::tools {
namespace {

bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// "g" of "g [loop f.c:41]".
std::string_view functionIn(std::string_view Name) {
  const size_t Open = Name.rfind(" [");
  return Name.ends_with(']') && Open != Name.npos ? Name.substr(0, Open) : Name;
}

/// The numbers after the last two colons of "k at f.c:10:2".
std::pair<uint32_t, uint32_t> positionIn(std::string_view Call) {
  uint32_t Numbers[2] = {0, 0};
  for (int I = 1; I >= 0; --I) {
    const size_t Colon = Call.rfind(':');
    if (Colon == Call.npos)
      return {0, 0};
    std::from_chars(Call.data() + Colon + 1, Call.data() + Call.size(), Numbers[I]);
    Call = Call.substr(0, Colon);
  }
  return {Numbers[0], Numbers[1]};
}

class Builder {
public:
  Builder(const Trace &Input, bool SplitOff)
      : Input(Input), SplitOff(SplitOff), Tree(loopTree(Input, /*AllKernels=*/true)),
        Teams(teamWaits(Input)) {}

  std::vector<CodePlace> run(bool WithLoops) {
    for (const LoopNode &Node : Tree.Nodes)
      addNode(Node);
    if (!WithLoops)
      dissolveLoops();
    for (uint32_t I = 0; I < Tree.Nodes.size() && SplitOff; ++I)
      if (!Dissolved || Found[I].Kind != PlaceKind::Loop) {
        addOff(PlaceKind::Blocked, I, OwnOff[I].BlockedNs);
        addOff(PlaceKind::Preempted, I, OwnOff[I].PreemptedNs);
      }
    for (uint32_t I = 0; I < Tree.Nodes.size(); ++I)
      if (const auto Team = Teams.find(Tree.Nodes[I].Site);
          Found[I].Kind == PlaceKind::Region && Team != Teams.end())
        addTeam(I, Team->second);
    return inOrder();
  }

private:
  CodePlace &add(PlaceKind Kind, SiteId Id, uint32_t Parent) {
    const Site &What = Input.Sites[Id];
    CodePlace &Made = Found.emplace_back();
    Made.Kind = Kind;
    Made.Parent = Parent;
    Made.Name = Input.text(What.Name);
    Made.Function = withoutNumbers(functionIn(Made.Name));
    Made.Times.File = Input.text(What.File);
    Made.Times.Line = What.Line;
    Made.Times.Column = What.Column;
    Made.Position = {{What.Line, What.Column}};
    return Made;
  }

  void addNode(const LoopNode &Node) {
    const Site &What = Input.Sites[Node.Site];
    const bool IsLoop = What.Kind == SiteKind::Loop;
    CodePlace &Made = add(IsLoop                          ? PlaceKind::Loop
                          : What.Kind == SiteKind::Region ? PlaceKind::Region
                                                          : PlaceKind::Kernel,
                          Node.Site, Node.Parent);
    Made.Times.Calls = Node.Calls;
    Made.Times.Ns = Node.TotalNs;
    Made.Times.SelfNs = Node.SelfNs;
    Made.Times.WaitNs = Node.WaitNs - Node.BlockedNs;
    OwnOff.push_back({Node.OwnBlockedNs, Node.OwnPreemptedNs, 0});
    if (SplitOff)
      Made.Times.Ns -= Node.BlockedNs + Node.PreemptedNs;
    else if (Made.Times.SelfNs)
      *Made.Times.SelfNs += Node.OwnBlockedNs + Node.OwnPreemptedNs;
    Made.Times.Threads = Node.Threads.size();
    Made.Times.Imbalance = Node.Imbalance;
    Made.Times.IsEstimate = Node.Untimed.Calls;
    if (!IsLoop)
      return;
    const auto Calls = inlinedFrom(Input, What);
    if (!Calls.empty())
      Made.Name += fmt::format(" in {}", Calls.front());
    for (const std::string_view Call : Calls) {
      Made.Function += "\n" + withoutNumbers(Call.substr(0, Call.rfind(" at ")));
      Made.Position.insert(Made.Position.begin(), positionIn(Call));
    }
  }

  void dissolveLoops() {
    for (size_t I = Found.size(); I-- > 0;)
      if (const std::optional<int64_t> Ns = Found[I].Times.SelfNs;
          Found[I].Kind == PlaceKind::Loop && Ns) {
        *Found[Found[I].Parent].Times.SelfNs += *Ns;
        OwnOff[Found[I].Parent] += OwnOff[I];
      }
    Dissolved = true;
  }

  void addOff(PlaceKind Kind, uint32_t Around, int64_t Ns) {
    if (Ns <= 0)
      return;
    CodePlace &Made = add(Kind, Tree.Nodes[Around].Site, Around);
    Made.Name = placeKindName(Kind);
    Made.Position = {{UINT32_MAX, 0}};
    Made.Times.Calls = Tree.Nodes[Around].Calls;
    Made.Times.Ns = Ns;
    Made.Times.SelfNs = Ns;
    Made.Times.WaitNs = Kind == PlaceKind::Blocked ? Ns : 0;
  }

  static void addTimes(PlaceTimes &To, const TeamTimes &Of) {
    To.Threads = Of.size();
    for (const auto &[Thread, Time] : Of) {
      To.Calls += Time.Calls + Time.Untimed.Calls;
      To.Ns += Time.Ns + Time.Untimed.Ns;
      To.IsEstimate |= Time.Untimed.Calls > 0;
    }
  }

  void addTeam(uint32_t Region, const RegionTimes &Of) {
    for (const auto &[Id, Times] : Of.Waits) {
      CodePlace &Wait = add(PlaceKind::Wait, Id, Region);
      const std::string_view Text = Input.text(Input.Sites[Id].Construct);
      const size_t Schedule = Text.find(" schedule(");
      Wait.Construct = Text.substr(0, Schedule);
      Wait.Schedule = Schedule == Text.npos ? std::string_view() : Text.substr(Schedule);
      addTimes(Wait.Times, Times);
      Wait.Times.SelfNs = Wait.Times.WaitNs = Wait.Times.Ns;
    }
    for (const auto &[Id, Times] : Of.Tasks)
      addTimes(add(PlaceKind::Task, Id, Region).Times, Times);
    const auto AddEnd = [&](PlaceKind Kind, const TeamTimes &Of, uint32_t Line) {
      if (Of.empty())
        return;
      CodePlace &End = add(Kind, Tree.Nodes[Region].Site, Region);
      End.Name = placeKindName(Kind);
      End.Position = {{Line, 0}};
      addTimes(End.Times, Of);
      End.Times.WaitNs = End.Times.Ns;
      // Other threads are outside of the kernel then.
      End.Times.SelfNs = 0;
      for (const auto &[Thread, Time] : Of)
        *End.Times.SelfNs += Time.CallerNs;
    };
    AddEnd(PlaceKind::Fork, Of.Fork, 0);
    AddEnd(PlaceKind::Join, Of.Join, UINT32_MAX);
  }

  std::vector<CodePlace> inOrder() {
    std::map<uint32_t, std::vector<uint32_t>> Below;
    for (uint32_t I = 0; I < Found.size(); ++I)
      if (!Dissolved || Found[I].Kind != PlaceKind::Loop)
        Below[Found[I].Parent].push_back(I);
    std::vector<CodePlace> Ordered;
    std::vector<std::pair<uint32_t, uint32_t>> Todo; // place, and its parent in the ordered list
    const auto Push = [&](uint32_t Around, uint32_t Parent) {
      std::vector<uint32_t> &Some = Below[Around];
      std::ranges::stable_sort(Some, [&](uint32_t A, uint32_t B) {
        const CodePlace &X = Found[A], &Y = Found[B];
        // $_2 before $_10.
        const size_t LengthX = X.Name.size(), LengthY = Y.Name.size();
        return std::tie(X.Position, X.Kind, X.Construct, LengthX, X.Name) <
               std::tie(Y.Position, Y.Kind, Y.Construct, LengthY, Y.Name);
      });
      for (auto It = Some.rbegin(); It != Some.rend(); ++It)
        Todo.emplace_back(*It, Parent);
    };
    Push(CodePlace::None, CodePlace::None);
    while (!Todo.empty()) {
      const auto [Old, Parent] = Todo.back();
      Todo.pop_back();
      CodePlace &Made = Ordered.emplace_back(std::move(Found[Old]));
      Made.Parent = Parent;
      Made.Depth = Parent == CodePlace::None ? 0 : Ordered[Parent].Depth + 1;
      Push(Old, static_cast<uint32_t>(Ordered.size() - 1));
    }
    return Ordered;
  }

  const Trace &Input;
  const bool SplitOff;
  const LoopTree Tree;
  const std::map<SiteId, RegionTimes> Teams;
  bool Dissolved = false;       ///< loops
  std::vector<OffTime> OwnOff;  ///< by node
  std::vector<CodePlace> Found; ///< those of the loop tree first, by node
};

} // namespace

std::string_view placeKindName(PlaceKind Kind) {
  static constexpr std::string_view Names[] = {"kernel", "region", "loop",    "wait",     "task",
                                               "fork",   "join",   "blocked", "preempted"};
  return Names[static_cast<size_t>(Kind)];
}

std::vector<CodePlace> placesOf(const Trace &Input, bool WithLoops, bool SplitOff) {
  return Builder(Input, SplitOff).run(WithLoops);
}

std::string withoutNumbers(std::string_view Name) {
  std::string Text;
  const bool IsOutlined = Name.starts_with("__omp_offloading");
  for (size_t I = 0; I < Name.size(); ++I) {
    const std::string_view Before(Text);
    const bool Changes = Before.ends_with("$_") || Before.ends_with("lambda") ||
                         Before.ends_with("lambda#") ||
                         (Before.ends_with(':') && !Before.ends_with("::")) ||
                         (IsOutlined && Before.ends_with("_l"));
    while (Changes && I < Name.size() && isDigit(Name[I]))
      ++I;
    if (I < Name.size())
      Text += Name[I];
  }
  return Text;
}

} // namespace seamscope::tools
