//===- LoopTree.cpp - the nested loops of each kernel ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/LoopTree.h"

#include "analysis/core/CallerTimes.h"
#include "analysis/core/KernelRows.h"
#include "analysis/core/Order.h"
#include "analysis/core/Teams.h"
#include "analysis/samples/ThreadTimes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace seamscope::tools {
namespace {

bool isNode(const Site &What) {
  return What.Kind == SiteKind::Region || What.Kind == SiteKind::Loop ||
         (What.Kind == SiteKind::Kernel && What.Device < 0);
}

/// Whether the threads pass such a place one after the other, and not all at once.
bool takesTurns(std::string_view Construct) {
  return Construct == "critical" || Construct == "lock" || Construct == "ordered" ||
         Construct == "depend" || Construct == "reduction";
}

bool isPass(const Site &What) {
  return What.Kind == SiteKind::TeamWait || What.Kind == SiteKind::Task;
}

class Walk {
public:
  Walk(const Trace &Input, bool AllKernels)
      : Input(Input), AllKernels(AllKernels), Rows(kernelRows(Input)), Owners(Input, Rows),
        Throttles(Input),
        Callers(Input,
                [&](SiteId Id) { return isNode(Input.Sites[Id]) || isPass(Input.Sites[Id]); }),
        Links(Input), Samples(Input.Throttled.size()) {}

  LoopTree run() {
    std::vector<bool> Matters, Sums;
    for (const Site &What : Input.Sites) {
      Sums.push_back(isNode(What));
      Matters.push_back(isNode(What) || isPass(What));
    }
    NodeOfEvent.assign(Input.Events.size(), LoopNode::None);
    OffTimes = ownOffTimes(Input, ThreadTimes(Input), Matters);
    const std::vector<uint32_t> Order = orderedByTrack(
        Input, eventsWhere(Input, [&](uint32_t I) { return Matters[Input.Events.Site[I]]; }));
    for (const uint32_t Event : Order)
      addCall(Event);
    for (const OpenCall &Call : Input.Open)
      if (const uint32_t Node = NodeOfEvent[Call.Event]; Node != LoopNode::None)
        ++Nodes[Node].Open;
    bool Waited = false;
    for (const ProfileRow &Row : Input.Profile) {
      if (Sums[Row.Site])
        addSums(Row);
      Waited |= Input.Sites[Row.Site].Kind == SiteKind::TeamWait;
    }
    WaitsInSums = HasSums && Waited;
    addUntimed();
    addUntimedWaits();
    return inOrder();
  }

private:
  struct Open {
    uint32_t Event;
    uint32_t Node;   ///< of a wait or task, the node around it; None: none
    TeamThread Team; ///< in the region around it; without a number: no region
    bool IsWait = false;
    bool IsOutermost = false; ///< a call of the node, in no other one of it
    TaskTime *Task = nullptr; ///< null: not a task in a node
    /// In it, the last one after which nothing has been timed yet.
    uint32_t LastLoop = LoopNode::None;
  };

  /// Calls that stand for others, in one node of one thread.
  struct Sample {
    uint32_t Around = LoopNode::None;
    TeamThread Team;
    DurationSample Ns;   ///< without the time that the stamps take
    uint64_t Direct = 0; ///< of these, those that are not inside others
  };

  /// Calls of a wait that stand for others, in one node of one thread, and all that was open around
  /// the first.
  struct WaitSample {
    DurationSample Ns;
    std::vector<std::pair<uint32_t, TeamThread>> Around; ///< node and team, innermost last
  };

  /// What is open, each node once.
  std::vector<std::pair<uint32_t, TeamThread>> openNodes() const {
    std::vector<std::pair<uint32_t, TeamThread>> Nodes;
    for (const Open &Each : Stack)
      if (Each.IsOutermost)
        Nodes.emplace_back(Each.Node, Each.Team);
    return Nodes;
  }

  /// Adds \p Ns, which may be negative, to the waiting of \p Around.
  void addWaitTo(const std::vector<std::pair<uint32_t, TeamThread>> &Around, int64_t Ns) {
    for (const auto &[Node, Team] : Around) {
      Nodes[Node].WaitNs += Ns;
      if (Team.Number >= 0) {
        ThreadShare &Share = shareOf(Node, Team);
        Share.WaitNs += Ns;
        Share.BusyNs -= Ns;
      }
    }
  }

  /// Adds \p Ns, which may be negative, to what is in \p Of and in nothing inside it.
  void addSelf(const Open &Of, int64_t Ns) {
    SelfNs[Of.Node] += Ns;
    if (Of.Team.Number >= 0)
      shareOf(Of.Node, Of.Team).SelfNs += Ns;
  }

  /// Adds \p Ns, which may be negative, of the wait \p Event to all that is open.
  void addWait(uint32_t Event, int64_t Ns) {
    // Time outside of all calls belongs to nothing.
    if (Stack.empty() || Stack.back().Node == LoopNode::None)
      return;
    Waits[{Input.Events.Site[Event], Stack.back().Node}].Ns += Ns;
    addWaitTo(openNodes(), Ns);
    addSelf(Stack.back(), -Ns);
  }

  /// Adds the time in which the thread did not run in the call that was opened last. That of a wait
  /// for the team is part of the wait.
  void addOff(uint32_t Event) {
    if (OffTimes.empty())
      return;
    const OffTime &Off = OffTimes[Event];
    if (!Off.offNs() || Stack.back().IsWait || Stack.back().Node == LoopNode::None)
      return;
    const auto Around = openNodes();
    addWaitTo(Around, Off.BlockedNs);
    for (const auto &[Node, Team] : Around) {
      Nodes[Node].BlockedNs += Off.BlockedNs;
      Nodes[Node].PreemptedNs += Off.PreemptedNs;
      if (Team.Number < 0)
        continue;
      ThreadShare &Share = shareOf(Node, Team);
      Share.BlockedNs += Off.BlockedNs;
      Share.PreemptedNs += Off.PreemptedNs;
      Share.BusyNs -= Off.PreemptedNs;
    }
    addSelf(Stack.back(), -Off.offNs());
    Nodes[Stack.back().Node].OwnBlockedNs += Off.BlockedNs;
    Nodes[Stack.back().Node].OwnPreemptedNs += Off.PreemptedNs;
  }

  /// A wait belongs to the loop that it is in or that ended just before it. After a loop, threads
  /// may take turns (in a critical section, in a reduction) before they wait for all.
  void addToLoop(SiteId Wait, int64_t Ns) {
    if (Stack.empty())
      return;
    const uint32_t Around = Stack.back().Node;
    const uint32_t Behind = Stack.back().LastLoop;
    if (Behind != LoopNode::None) {
      Nodes[Behind].WaitsNs[Wait] += Ns;
      if (takesTurns(Input.text(Input.Sites[Wait].Construct)))
        return;
      Nodes[Behind].EndsInWait = true;
      Stack.back().LastLoop = LoopNode::None;
    } else if (Around != LoopNode::None && Input.Sites[Nodes[Around].Site].Kind == SiteKind::Loop) {
      Nodes[Around].WaitsNs[Wait] += Ns;
    }
  }

  const Site &siteOf(uint32_t Event) const { return Input.Sites[Input.Events.Site[Event]]; }

  /// The node around a loop: of its own kernel, if a call of that kernel may be untimed.
  uint32_t aroundLoop(const Site &Loop) {
    const uint32_t Around = Stack.empty() ? LoopNode::None : Stack.back().Node;
    if (Input.Throttled.empty() || Around == LoopNode::None ||
        Input.Sites[Nodes[Around].Site].Kernel == Loop.Kernel)
      return Around;
    return LoopNode::None;
  }

  void leave() {
    if (Stack.back().IsOutermost)
      IsOpen[Stack.back().Node] = false;
    Stack.pop_back();
  }

  /// A call of a node, of which recursion counts once.
  void enter(uint32_t Event, uint32_t Node, uint64_t Calls, const TeamThread &Team) {
    const int64_t Ns = Input.Events.DurationNs[Event];
    const bool IsOutermost = !IsOpen[Node];
    add(Node, Calls, IsOutermost ? Ns : 0, Team);
    Nodes[Node].Recurses |= !IsOutermost;
    if (!Stack.empty() && Stack.back().Node != LoopNode::None)
      addSelf(Stack.back(), -Ns);
    IsOpen[Node] = true;
    Stack.push_back({.Event = Event, .Node = Node, .Team = Team, .IsOutermost = IsOutermost});
    addSelf(Stack.back(), Ns);
  }

  void addCall(uint32_t Event) {
    const EventColumns &Events = Input.Events;
    if (Events.Track[Event] != Track) {
      Track = Events.Track[Event];
      while (!Stack.empty())
        leave();
    }
    // Calls that overlap without nesting are next to each other.
    while (!Stack.empty() && Events.endNs(Stack.back().Event) < Events.endNs(Event))
      leave();
    while (!Stack.empty() && Events.endNs(Stack.back().Event) <= Events.BeginNs[Event] &&
           Events.DurationNs[Event] > 0)
      leave();
    Callers.enter(Event, Stack.size(), Stack.empty() ? LoopNode::None : Stack.back().Node);
    const SiteId Id = Events.Site[Event];
    const int64_t Ns = Events.DurationNs[Event];
    if (!Stack.empty() && Stack.back().Task)
      Stack.back().Task->Ns -= Ns;
    // What runs inside a wait is not waiting.
    if (!Stack.empty() && Stack.back().IsWait)
      addWait(Stack.back().Event, -Ns);
    // A thread that runs a task after its part of a region goes on with the region.
    if (const uint32_t Part = Links.endedPart(Event); Part != NoEvent)
      enter(Event, NodeOfEvent[Part], 0, Links.thread(Part));
    if (isPass(Input.Sites[Id])) {
      const bool IsWait = Input.Sites[Id].Kind == SiteKind::TeamWait;
      if (IsWait) {
        addWait(Event, Ns);
        addToLoop(Id, Ns);
        if (const auto Entry = Throttles.of(Event)) {
          const uint32_t Around = Stack.empty() ? LoopNode::None : Stack.back().Node;
          WaitSample &Its = WaitSamples[{*Entry, Around}];
          if (!Its.Ns.Count && Around != LoopNode::None)
            Its.Around = openNodes();
          Throttles.addTo(Its.Ns, *Entry, Event);
        }
        if (!Stack.empty() && Stack.back().Node != LoopNode::None)
          ++Waits[{Id, Stack.back().Node}].Calls;
      }
      const uint32_t Around = Stack.empty() ? LoopNode::None : Stack.back().Node;
      const TeamThread Team = Stack.empty() ? TeamThread() : Stack.back().Team;
      TaskTime *const Task = IsWait || Around == LoopNode::None ? nullptr : &Tasks[{Id, Around}];
      if (Task) {
        ++Task->Calls;
        Task->Ns += Ns;
      }
      Stack.push_back(
          {.Event = Event, .Node = Around, .Team = Team, .IsWait = IsWait, .Task = Task});
      addOff(Event);
      return;
    }
    const bool IsRegion = Input.Sites[Id].Kind == SiteKind::Region;
    const bool IsLoop = Input.Sites[Id].Kind == SiteKind::Loop;
    const uint32_t Node = nodeOf(Id, IsLoop ? aroundLoop(Input.Sites[Id]) : LoopNode::None);
    const TeamThread Team = IsRegion                   ? Links.thread(Event)
                            : IsLoop && !Stack.empty() ? Stack.back().Team
                                                       : TeamThread();
    const uint32_t Around = Stack.empty() ? LoopNode::None : Stack.back().Node;
    if (Around != LoopNode::None && Input.Sites[Id].Kind == SiteKind::Kernel && !IsOpen[Node]) {
      InnerCalls &Calls = Inner[{Node, Around}];
      ++Calls.Calls;
      Calls.Ns += Ns;
    }
    if (!Stack.empty())
      Stack.back().LastLoop = IsLoop ? Node : LoopNode::None;
    if (const auto Entry = Throttles.of(Event)) {
      Sample &Its = Samples[*Entry][Node];
      if (!IsOpen[Node]) {
        Its.Around = IsLoop ? Nodes[Node].Parent : Around;
        ++Its.Direct;
      }
      Its.Team = Team;
      Throttles.addTo(Its.Ns, *Entry, Event);
    }
    First[Node] = std::min(First[Node], Events.BeginNs[Event]);
    NodeOfEvent[Event] = Node;
    enter(Event, Node, 1, Team);
    addOff(Event);
  }

  /// Longer calls first: the time that they get is then available for calls inside them.
  void addUntimed() {
    struct Group {
      const Sample *Its;
      uint32_t Node;
      /// Each untimed call is in this node or inside another one, where it takes no time of this
      /// node: the number of untimed calls in each is an estimate too.
      UntimedCalls Untimed;
    };
    struct Inside {
      double Calls = 0, Ns = 0;
      std::optional<Room> Left;
    };
    std::vector<Group> Groups;
    std::map<uint32_t, Inside> In; // by the node around
    for (size_t Entry = 0; Entry < Samples.size(); ++Entry) {
      uint64_t Count = 0;
      for (const auto &[Node, Its] : Samples[Entry])
        Count += Its.Ns.Count;
      const ThrottledCalls &Calls = Input.Throttled[Entry];
      Division Untimed(Calls.Untimed, Count);
      for (const auto &[Node, Its] : Samples[Entry]) {
        DurationSample OfEntry = Its.Ns;
        OfEntry.Count = Count;
        Groups.push_back(
            {&Its, Node,
             estimateUntimed(Input, Calls, Untimed.next(Its.Ns.Count), Its.Ns, OfEntry)});
        Inside &Here = In[Its.Around];
        Here.Calls += static_cast<double>(Groups.back().Untimed.Calls) *
                      static_cast<double>(Its.Direct) / static_cast<double>(Its.Ns.Count);
        Here.Ns += static_cast<double>(Groups.back().Untimed.Ns);
      }
    }
    std::ranges::stable_sort(Groups, std::greater(),
                             [](const Group &Of) { return Of.Its->Ns.mean(); });
    for (auto &[Its, Node, Untimed] : Groups) {
      if (const uint32_t Around = Its->Around; Around != LoopNode::None && !HasSums) {
        Inside &Here = In[Around];
        if (!Here.Left)
          Here.Left =
              Callers.room(Around, static_cast<double>(SelfNs[Around]), Here.Ns, Here.Calls);
        Untimed.limit(*Here.Left, Input.Info.StampBiasNs);
        Untimed.Ns = std::min(Untimed.Ns, std::max<int64_t>(0, SelfNs[Around]));
        SelfNs[Around] -= Untimed.Ns;
      }
      add(Node, Untimed.Calls, Untimed.Ns, Its->Team);
      SelfNs[Node] += Untimed.Ns;
      Nodes[Node].Untimed.add(Untimed);
    }
  }

  /// Untimed waits are where timed ones are, and take no more time than there is.
  void addUntimedWaits() {
    for (auto It = WaitSamples.begin(); It != WaitSamples.end();) {
      const uint32_t Entry = It->first.first;
      const ThrottledCalls &Calls = Input.Throttled[Entry];
      uint64_t Count = 0;
      auto End = It;
      for (; End != WaitSamples.end() && End->first.first == Entry; ++End)
        Count += End->second.Ns.Count;
      Division Untimed(Calls.Untimed, Count);
      for (; It != End; ++It) {
        const WaitSample &Its = It->second;
        const uint64_t Here = Untimed.next(Its.Ns.Count);
        const uint32_t Around = It->first.second;
        if (Around == LoopNode::None)
          continue;
        auto Wanted =
            static_cast<int64_t>(std::min(Its.Ns.mean() * static_cast<double>(Here), 0x1p62));
        // A thread that was blocked in one of them has waited already.
        int64_t &Blocked = Nodes[Around].OwnBlockedNs;
        Wanted -= std::min(Wanted, std::exchange(Blocked, std::max<int64_t>(0, Blocked - Wanted)));
        const int64_t Ns =
            HasSums ? Wanted : std::min(Wanted, std::max<int64_t>(0, SelfNs[Around]));
        SelfNs[Around] -= Ns;
        addWaitTo(Its.Around, Ns);
        WaitTime &Time = Waits[{Calls.Site, Around}];
        Time.Ns += Ns;
        Time.Calls += Here;
      }
    }
  }

  void addSums(const ProfileRow &Row) {
    const uint32_t Node = nodeOf(Row.Site, LoopNode::None);
    add(Node, Row.Calls, Row.TotalNs,
        {.Number = Input.Sites[Row.Site].Kind == SiteKind::Region ? Row.TeamThread : -1});
    if (const auto Entry = Throttles.of(Row); Entry && !Throttles.isRecursive(*Entry))
      if (const DurationSample Timed = sampleOf(Input, Row, Input.Throttled[*Entry]); Timed.Count)
        Samples[*Entry][Node].Ns.add(Timed);
    First[Node] = std::min(First[Node], Row.FirstNs);
    HasSums = true;
  }

  ThreadShare &shareOf(uint32_t Node, const TeamThread &Team) {
    return Shares.try_emplace({Node, Team}, ThreadShare::none(Team)).first->second;
  }

  void add(uint32_t Node, uint64_t Calls, int64_t Ns, const TeamThread &Team) {
    Nodes[Node].Calls += Calls;
    Nodes[Node].TotalNs += Ns;
    if (Team.Number < 0)
      return;
    ThreadShare &Share = shareOf(Node, Team);
    Share.Calls += Calls;
    Share.BusyNs += Ns;
  }

  /// \p Around: the node that a loop is in, if known.
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
      IsOpen.push_back(false);
      First.push_back(INT64_MAX);
    }
    return Known->second;
  }

  /// Kernels with loops, each before its contents.
  LoopTree inOrder() {
    for (const auto &[Key, Share] : Shares)
      Nodes[Key.first].Threads.push_back(Share);
    std::vector<std::vector<uint32_t>> Below(Nodes.size());
    std::vector<uint32_t> Roots;
    std::vector<bool> HasLoops(Nodes.size());
    for (uint32_t I = 0; I < Nodes.size(); ++I) {
      (Nodes[I].Parent == LoopNode::None ? Roots : Below[Nodes[I].Parent]).push_back(I);
      if (AllKernels || Input.Sites[Nodes[I].Site].Kind == SiteKind::Loop)
        for (uint32_t Up = I; Up != LoopNode::None && !HasLoops[Up]; Up = Nodes[Up].Parent)
          HasLoops[Up] = true;
    }
    // So do the callers of these kernels.
    for (bool More = true; std::exchange(More, false);)
      for (const auto &[Key, Calls] : Inner)
        if (HasLoops[Key.first])
          for (uint32_t Up = Key.second; Up != LoopNode::None && !HasLoops[Up];
               Up = Nodes[Up].Parent)
            HasLoops[Up] = More = true;
    LoopTree Tree;
    std::vector<std::pair<uint32_t, uint32_t>> Todo; // node, its parent in the tree
    const auto Push = [&](std::vector<uint32_t> &Some, uint32_t Parent) {
      std::ranges::stable_sort(Some, {}, [&](uint32_t I) { return First[I]; });
      for (auto It = Some.rbegin(); It != Some.rend(); ++It)
        if (HasLoops[*It])
          Todo.emplace_back(*It, Parent);
    };
    Push(Roots, LoopNode::None);
    std::vector<uint32_t> New(Nodes.size(), LoopNode::None);
    while (!Todo.empty()) {
      const auto [Old, Parent] = Todo.back();
      Todo.pop_back();
      New[Old] = static_cast<uint32_t>(Tree.Nodes.size());
      LoopNode &Node = Tree.Nodes.emplace_back(std::move(Nodes[Old]));
      Node.Parent = Parent;
      Node.Depth = Parent == LoopNode::None ? 0 : Tree.Nodes[Parent].Depth + 1;
      if (!HasSums)
        Node.SelfNs = SelfNs[Old];
      if (Node.Threads.size() > 1 && !WaitsInSums)
        Node.Imbalance = imbalanceOf(Node.Threads);
      if (!Node.Depth)
        Tree.Kernels.emplace(Node.Site, static_cast<uint32_t>(Tree.Nodes.size() - 1));
      Push(Below[Old], static_cast<uint32_t>(Tree.Nodes.size() - 1));
    }
    const auto Renumber = [&New](const auto &From, auto &To) {
      for (const auto &[Key, Time] : From)
        if (New[Key.second] != LoopNode::None)
          To.emplace(std::pair(Key.first, New[Key.second]), Time);
    };
    Renumber(Waits, Tree.Waits);
    Renumber(Tasks, Tree.Tasks);
    for (const auto &[Key, Calls] : Inner)
      if (New[Key.first] != LoopNode::None && New[Key.second] != LoopNode::None)
        Tree.Inner.emplace(std::pair(New[Key.first], New[Key.second]), Calls);
    return Tree;
  }

  const Trace &Input;
  const bool AllKernels;
  const KernelRows Rows;
  const KernelsByName Owners;
  const ThrottledEntries Throttles;
  CallerTimes Callers;
  const Teams Links;
  std::vector<std::map<uint32_t, Sample>> Samples;                 ///< by entry and node
  std::map<std::pair<uint32_t, uint32_t>, WaitSample> WaitSamples; ///< by entry and the node around
  std::vector<LoopNode> Nodes;
  std::vector<int64_t> SelfNs, First;                    ///< by node
  std::vector<bool> IsOpen;                              ///< by node, on the thread
  std::map<std::pair<SiteId, uint32_t>, WaitTime> Waits; ///< by place and the node around it
  std::map<std::pair<SiteId, uint32_t>, TaskTime> Tasks; ///< by body and node
  std::map<std::pair<uint32_t, uint32_t>, InnerCalls>
      Inner; ///< by the kernel's node and that around
  std::map<std::pair<uint32_t, SiteId>, uint32_t> Numbers;
  std::map<std::pair<uint32_t, TeamThread>, ThreadShare> Shares;
  std::vector<uint32_t> NodeOfEvent;
  std::vector<OffTime> OffTimes; ///< by event, its own; empty: not known
  std::vector<Open> Stack;       ///< of the thread
  TrackId Track = UINT32_MAX;
  bool HasSums = false, WaitsInSums = false;
};

} // namespace

std::vector<std::string_view> inlinedFrom(const Trace &Input, const Site &Loop) {
  std::vector<std::string_view> Calls;
  for (std::string_view Rest = Input.text(Loop.InlinedFrom); !Rest.empty();) {
    const size_t End = std::min(Rest.find('\n'), Rest.size());
    Calls.push_back(Rest.substr(0, End));
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return Calls;
}

uint32_t LoopTree::callerOf(uint32_t Kernel) const {
  const auto First = Inner.lower_bound({Kernel, 0});
  if (First == Inner.end() || First->first.first != Kernel)
    return LoopNode::None;
  const bool All = First->second.Calls == Nodes[Kernel].Calls;
  return All ? First->first.second : LoopNode::None;
}

uint32_t LoopTree::endOf(uint32_t Kernel) const {
  uint32_t End = Kernel + 1;
  while (End < Nodes.size() && Nodes[End].Depth > 0)
    ++End;
  return End;
}

std::span<const LoopNode> LoopTree::of(SiteId Kernel) const {
  const auto Found = Kernels.find(Kernel);
  if (Found == Kernels.end())
    return {};
  return std::span(Nodes).subspan(Found->second, endOf(Found->second) - Found->second);
}

LoopTree loopTree(const Trace &Input, bool AllKernels) {
  const auto IsLoop = [](const Site &What) { return What.Kind == SiteKind::Loop; };
  return AllKernels || std::ranges::any_of(Input.Sites, IsLoop) ? Walk(Input, AllKernels).run()
                                                                : LoopTree();
}

} // namespace seamscope::tools
