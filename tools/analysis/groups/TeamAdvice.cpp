//===- TeamAdvice.cpp - threads of parallel regions that wait for each other ==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/TeamAdvice.h"

#include "analysis/core/Share.h"
#include "analysis/groups/TeamRounds.h"
#include "kernels/InductorNames.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

class TeamAdviser {
public:
  TeamAdviser(const Statistics &Numbers, const Trace &Source, const LoopTree *Tree,
              unsigned Processors)
      : Numbers(Numbers), Source(Source), Tree(Tree), Processors(Processors), Rounds(Source),
        Disturbed(Source.Health.find(HealthCheck::BusyMachine)) {}

  std::vector<TeamFinding> run() const {
    std::vector<TeamFinding> All;
    const std::map<SiteId, std::vector<uint32_t>> Loops = loopsOfRegions();
    for (const KernelRow &Kernel : Numbers.Kernels)
      for (const RegionRow &Region : Kernel.Regions) {
        // Threads that share a processor alternate: their time is not their work alone.
        if (Region.Threads.size() < 2 || (Processors && Region.Threads.size() > Processors))
          continue;
        const auto Found = Loops.find(Region.Site);
        if (auto Finding =
                adviseOn(Kernel, Region, Found == Loops.end() ? nullptr : &Found->second))
          All.push_back(std::move(*Finding));
        for (const PlaceRow &Wait : Region.Waits)
          if (auto Finding = contentionAt(Region, Wait))
            All.push_back(std::move(*Finding));
      }
    return All;
  }

private:
  std::optional<TeamFinding> adviseOn(const KernelRow &Kernel, const RegionRow &Region,
                                      const std::vector<uint32_t> *Loops) const {
    constexpr double Ordinary = 1.1; // caused by schedulers and other programs
    const auto Threads = static_cast<int64_t>(Region.Threads.size());
    // A thread that comes late leaves its share to others. That is due to the work only if nothing
    // delayed the thread.
    if (isShared(Region) && (Disturbed || !Processors))
      return std::nullopt;
    const std::vector<TeamRound> Calls = Rounds.ofRegion(Region.Site);
    const BusiestThread Whole = busiestOf(Calls, Disturbed);
    const bool IsUneven = Whole.isSystematic(Region.Threads.size());
    int64_t Saving = IsUneven ? Whole.LostNs : 0;
    // A loop is to blame if it has most of the region's unevenness. In a region that is even
    // overall, one loop can compensate for another, but threads still wait between them.
    const UnevenLoop Loop = Loops ? mostUneven(*Loops, Threads) : UnevenLoop();
    const int64_t LoopExcess = Loop.LongestNs - Loop.SumNs / Threads;
    BusiestThread InLoop;
    if (Loop.Node && shareOf(Loop.LongestNs * Threads, Loop.SumNs) >= Ordinary &&
        2 * LoopExcess >= Saving)
      InLoop = busiestOf(Rounds.ofLoop(Region.Site, Loop.Node->Site), Disturbed);
    const LoopNode *Node =
        InLoop.Thread == Loop.Thread && InLoop.isSystematic(Region.Threads.size()) ? Loop.Node
                                                                                   : nullptr;
    if (Node)
      Saving = std::max(
          Saving, std::min({InLoop.LostNs, LoopExcess, othersWait(Calls, Loop.Thread) / Threads}));
    if (Saving <= 0)
      return std::nullopt;
    const BusiestThread &Busiest = Node ? InLoop : Whole;
    std::string Evidence = fmt::format(
        "{}: {} works {:.2f} times as long as the mean of {} threads{}, and longest in {} "
        "of {} {}",
        Source.text(Source.Sites[Region.Site].Name), nameOf(Busiest.Thread),
        Node ? shareOf(Loop.LongestNs * Threads, Loop.SumNs) : Region.Imbalance.value_or(1),
        Threads, Node ? fmt::format(" in {}", Source.text(Source.Sites[Node->Site].Name)) : "",
        Busiest.Won, Busiest.Rounds, Node ? "turns" : "calls");
    const PlaceRow *Wait = Node ? waitOf(Region, *Node) : longestWait(Region);
    const int64_t WholeNs = wholeNs(Region);
    if (Wait && WholeNs > 0)
      Evidence += fmt::format("; the threads spend {:.0f} % of their time waiting at {}",
                              100 * shareOf(Wait->TotalNs, WholeNs),
                              Wait == &Region.Join ? "the end of the region"
                                                   : Source.text(Source.Sites[Wait->Site].Name));
    // Nobody writes Inductor's pragmas by hand.
    const bool IsGenerated = holdsInductorName(Source.text(Source.Sites[Kernel.Site].Name));
    return TeamFinding{"imbalance", std::move(Evidence),
                       IsGenerated ? "torch.set_num_threads() with a number that divides the "
                                     "outermost loop: Inductor gives each thread one part of it"
                                   : againstWaiting(Wait),
                       Saving};
  }

  static std::string nameOf(const TeamThread &Thread) {
    return Thread.Team == TeamThread::OneTeam
               ? fmt::format("thread {}", Thread.Number)
               : fmt::format("thread {} of team {}", Thread.Number, Thread.Team);
  }

  /// Of all threads, from fork to join.
  static int64_t wholeNs(const RegionRow &Region) {
    return Region.TotalNs + Region.Fork.TotalNs + Region.Join.TotalNs;
  }

  /// Threads that take turns, which may wait evenly.
  std::optional<TeamFinding> contentionAt(const RegionRow &Region, const PlaceRow &Wait) const {
    constexpr double Least = 0.1;
    const double Share = shareOf(Wait.TotalNs, wholeNs(Region));
    if (!isExclusive(constructAt(Wait)) || Share < Least)
      return std::nullopt;
    const size_t Threads = Region.Threads.size();
    return TeamFinding{"contention",
                       fmt::format("{}: its {} threads spend {}{:.0f} % of their time waiting for "
                                   "each other at {}",
                                   Source.text(Source.Sites[Region.Site].Name), Threads,
                                   Wait.Untimed.Calls ? "about " : "", 100 * Share,
                                   Source.text(Source.Sites[Wait.Site].Name)),
                       againstWaiting(&Wait), Wait.TotalNs / static_cast<int64_t>(Threads)};
  }

  static bool isExclusive(std::string_view Construct) {
    return Construct == "critical" || Construct == "ordered" || Construct == "lock";
  }

  static int64_t othersWait(const std::vector<TeamRound> &Calls, const TeamThread &Thread) {
    int64_t Ns = 0;
    for (const TeamRound &Call : Calls)
      for (const TeamRound::Share &Share : Call.Threads)
        Ns += Share.Thread == Thread ? 0 : Share.WaitNs;
    return Ns;
  }

  /// A loop of a region in which one thread has more work than the others.
  struct UnevenLoop {
    const LoopNode *Node = nullptr; ///< null: no such loop
    TeamThread Thread{};            ///< the busiest
    int64_t LongestNs = 0, SumNs = 0;
  };

  /// Nodes of the loop tree, outer ones first.
  std::map<SiteId, std::vector<uint32_t>> loopsOfRegions() const {
    std::map<SiteId, std::vector<uint32_t>> Loops;
    if (!Tree)
      return Loops;
    const std::vector<LoopNode> &Nodes = Tree->Nodes;
    std::vector<uint32_t> RegionOf(Nodes.size(), LoopNode::None);
    for (uint32_t I = 0; I < Nodes.size(); ++I) {
      const SiteKind Kind = Source.Sites[Nodes[I].Site].Kind;
      if (Kind == SiteKind::Region)
        RegionOf[I] = I;
      else if (Kind == SiteKind::Loop)
        RegionOf[I] = RegionOf[Nodes[I].Parent];
      if (Kind == SiteKind::Loop && RegionOf[I] != LoopNode::None)
        Loops[Nodes[RegionOf[I]].Site].push_back(I);
    }
    return Loops;
  }

  /// The loop in which the busiest thread is furthest above the mean of the team, including threads
  /// that do not enter the loop. Of nested loops, the innermost one that has nearly all of it.
  UnevenLoop mostUneven(const std::vector<uint32_t> &Loops, int64_t Threads) const {
    UnevenLoop Most;
    uint32_t MostIndex = LoopNode::None;
    int64_t MostExcess = 0;
    for (const uint32_t I : Loops) {
      UnevenLoop Loop{&Tree->Nodes[I]};
      for (const ThreadShare &Share : Loop.Node->Threads) {
        Loop.SumNs += Share.BusyNs;
        if (Share.Thread && Share.BusyNs > Loop.LongestNs) {
          Loop.LongestNs = Share.BusyNs;
          Loop.Thread = Share.of();
        }
      }
      const int64_t Excess = Loop.LongestNs - Loop.SumNs / Threads;
      constexpr int64_t NearlyAll = 80; // percent
      const bool IsPart =
          Excess > 0 && 100 * Excess >= NearlyAll * MostExcess && isIn(I, MostIndex);
      if (Excess <= MostExcess && !IsPart)
        continue;
      Most = Loop;
      MostIndex = I;
      MostExcess = std::max(MostExcess, Excess);
    }
    return Most;
  }

  bool isIn(uint32_t Loop, uint32_t Outer) const {
    while (Loop != LoopNode::None && Loop != Outer)
      Loop = Tree->Nodes[Loop].Parent;
    return Loop != LoopNode::None;
  }

  static const PlaceRow *longestWait(const RegionRow &Region) {
    const PlaceRow *Found = Region.Waits.empty() ? nullptr : &Region.Waits.front();
    if (Region.Join.Calls && (!Found || Region.Join.TotalNs > Found->TotalNs))
      Found = &Region.Join;
    return Found;
  }

  /// Where the threads wait that have left the loop, or inside it. It is not known for threads that
  /// did not enter the loop, nor if the loop's end is the end of the region.
  static const PlaceRow *waitOf(const RegionRow &Region, const LoopNode &Loop) {
    const PlaceRow *Found = nullptr;
    int64_t Longest = 0;
    for (const PlaceRow &Row : Region.Waits)
      if (const auto Its = Loop.WaitsNs.find(Row.Site);
          Its != Loop.WaitsNs.end() && Its->second > Longest) {
        Found = &Row;
        Longest = Its->second;
      }
    if (!Found || (!Loop.EndsInWait && Region.Join.TotalNs > Longest))
      return longestWait(Region);
    return Found;
  }

  /// The construct that ends at \p Place.
  std::string_view constructAt(const PlaceRow &Place) const {
    std::string_view Construct = Source.text(Source.Sites[Place.Site].Construct);
    if (Construct.starts_with("parallel "))
      Construct.remove_prefix(9);
    return Construct;
  }

  /// Whether threads take work as it comes: chunks of a loop, tasks.
  bool isShared(const RegionRow &Region) const {
    const auto TakesChunks = [&](const PlaceRow &Place) {
      const std::string_view Construct = constructAt(Place);
      return Construct.starts_with("for schedule(") &&
             !Construct.starts_with("for schedule(static");
    };
    return !Region.Tasks.empty() || (Region.Join.Calls && TakesChunks(Region.Join)) ||
           std::ranges::any_of(Region.Waits, TakesChunks);
  }

  /// Depends on the construct at which the program's threads wait longest.
  const char *againstWaiting(const PlaceRow *Wait) const {
    constexpr const char *Unknown = "try schedule(dynamic), smaller chunks, or undisturbed threads";
    if (!Wait)
      return Unknown;
    const std::string_view Construct = constructAt(*Wait);
    if (Construct == "for schedule(static)")
      return "schedule(dynamic) or schedule(static, chunk) for that loop";
    if (Construct.starts_with("for schedule("))
      return "smaller chunks for that loop: one of the last chunks takes long";
    if (Construct == "sections")
      return "sections of similar size, or tasks";
    if (Construct == "single")
      return "use nowait or tasks, or share the work of the single among the threads";
    if (Construct == "master" || Construct == "masked")
      return "share the work of the master thread among the threads, or make tasks of it";
    if (Construct == "barrier")
      return "give the threads equal work before that barrier";
    if (Construct == "ordered")
      return "shorten the ordered part, or take it out of the loop: each turn waits for the one "
             "before";
    if (isExclusive(Construct))
      return "shorten it: reduction, atomic, or separate data for each thread";
    if (Construct.starts_with("task"))
      return "more and smaller tasks";
    return Unknown;
  }

  const Statistics &Numbers;
  const Trace &Source;
  const LoopTree *const Tree;
  const unsigned Processors;
  const TeamRounds Rounds;
  const bool Disturbed;
};

} // namespace

std::vector<TeamFinding> teamFindings(const Statistics &Numbers, const Trace &Source,
                                      const LoopTree *Tree, unsigned Processors) {
  return TeamAdviser(Numbers, Source, Tree, Processors).run();
}

} // namespace seamscope::tools
