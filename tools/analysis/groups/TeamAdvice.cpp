//===- TeamAdvice.cpp - threads of parallel regions that wait for each other ==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/TeamAdvice.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

class TeamAdviser {
public:
  TeamAdviser(const Statistics &Numbers, const Trace &Source, const LoopTree *Tree)
      : Numbers(Numbers), Source(Source), Tree(Tree) {}

  std::vector<TeamFinding> run() const {
    std::vector<TeamFinding> All;
    const std::map<SiteId, std::vector<uint32_t>> Loops = loopsOfRegions();
    for (const KernelRow &Kernel : Numbers.Kernels)
      for (const RegionRow &Region : Kernel.Regions) {
        int64_t Longest = 0, Sum = 0;
        for (const ThreadShare &Share : Region.Threads) {
          Longest = std::max(Longest, Share.BusyNs);
          Sum += Share.BusyNs;
        }
        const auto Threads = static_cast<int64_t>(Region.Threads.size());
        constexpr double Ordinary = 1.1; // what schedulers and other programs bring about
        if (Threads < 2)
          continue;
        const bool IsUneven = Region.Imbalance.value_or(1) >= Ordinary;
        int64_t Saving = IsUneven ? Longest - Sum / Threads : 0;
        UnevenLoop Loop;
        if (const auto Found = Loops.find(Region.Site); Found != Loops.end())
          Loop = mostUneven(Found->second, Threads);
        const double LoopRatio = Loop.SumNs ? ratio(Loop.LongestNs * Threads, Loop.SumNs) : 1;
        const int64_t LoopExcess = Loop.LongestNs - Loop.SumNs / Threads;
        // A loop is to blame if it has most of the region's unevenness. In a region that is even as
        // a whole, one loop can make up for another; between them threads wait all the same.
        if (LoopRatio < Ordinary || 2 * LoopExcess < Saving)
          Loop.Node = nullptr;
        else
          Saving = std::max(Saving, std::min(LoopExcess, waitOf(Region) / Threads));
        if (!IsUneven && !Loop.Node)
          continue;
        const std::string_view Name = Source.text(Source.Sites[Region.Site].Name);
        std::string Evidence =
            Loop.Node ? fmt::format("{}: thread {} has {:.2f} times the mean of {} threads in {}",
                                    Name, Loop.Thread, LoopRatio, Threads,
                                    Source.text(Source.Sites[Loop.Node->Site].Name))
                      : fmt::format("{}: the busiest of {} threads has {:.2f} times the mean", Name,
                                    Threads, Region.Imbalance.value_or(1));
        const PlaceRow *Wait = Loop.Node ? waitOf(Region, *Loop.Node) : longestWait(Region);
        const int64_t WholeNs = Region.TotalNs + Region.Fork.TotalNs + Region.Join.TotalNs;
        if (Wait && WholeNs > 0)
          Evidence += fmt::format(
              "; {:.0f} % of all their time is waiting at {}", 100 * ratio(Wait->TotalNs, WholeNs),
              Wait == &Region.Join ? "the end of the region"
                                   : Source.text(Source.Sites[Wait->Site].Name));
        All.push_back({std::move(Evidence), againstWaiting(Wait), Saving});
      }
    return All;
  }

private:
  /// A loop of a region in which one thread has more work than the others.
  struct UnevenLoop {
    const LoopNode *Node = nullptr; ///< null: there is none
    int32_t Thread = 0;             ///< the busiest
    int64_t LongestNs = 0, SumNs = 0;
  };

  static double ratio(int64_t Part, int64_t Whole) {
    return static_cast<double>(Part) / static_cast<double>(Whole);
  }

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

  /// The loop in which the busiest thread is furthest above the mean of the team, of which threads
  /// that do not enter the loop are, too. Of nested loops the inner one that has nearly all of it.
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
          Loop.Thread = *Share.Thread;
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

  static int64_t waitOf(const RegionRow &Region) { return Region.WaitNs + Region.Join.TotalNs; }

  static const PlaceRow *longestWait(const RegionRow &Region) {
    const PlaceRow *Found = Region.Waits.empty() ? nullptr : &Region.Waits.front();
    if (Region.Join.Calls && (!Found || Region.Join.TotalNs > Found->TotalNs))
      Found = &Region.Join;
    return Found;
  }

  /// Where the threads wait that have left the loop, or in it. Of threads that did not enter it
  /// nothing is known, nor is where its end is that of the region.
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

  /// By what the program has written where its threads wait longest.
  const char *againstWaiting(const PlaceRow *Wait) const {
    constexpr const char *Unknown =
        "schedule(dynamic), smaller chunks, or threads that are not disturbed";
    if (!Wait)
      return Unknown;
    std::string_view Construct = Source.text(Source.Sites[Wait->Site].Ops);
    if (Construct.starts_with("parallel "))
      Construct.remove_prefix(9);
    if (Construct == "for schedule(static)")
      return "schedule(dynamic) or schedule(static, chunk) for that loop";
    if (Construct.starts_with("for schedule("))
      return "smaller chunks for that loop: one of the last takes long";
    if (Construct == "sections")
      return "sections of like size, or tasks";
    if (Construct == "single")
      return "nowait, tasks, or the work of the single shared among the threads";
    if (Construct == "critical" || Construct == "ordered" || Construct == "lock")
      return "less inside of it: reduction, atomic, or parts of their own for the threads";
    if (Construct.starts_with("task"))
      return "more and smaller tasks";
    return Unknown;
  }

  const Statistics &Numbers;
  const Trace &Source;
  const LoopTree *const Tree;
};

} // namespace

std::vector<TeamFinding> teamFindings(const Statistics &Numbers, const Trace &Source,
                                      const LoopTree *Tree) {
  return TeamAdviser(Numbers, Source, Tree).run();
}

} // namespace seamscope::tools
