//===- RunTotals.cpp - totals of runs, and their matching -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/RunTotals.h"

#include "analysis/compare/MembersByKey.h"
#include "analysis/core/HostNesting.h"
#include "analysis/core/MoveUntimed.h"
#include "analysis/core/PathTree.h"
#include "analysis/core/SelfTime.h"
#include "analysis/devices/Devices.h"
#include "analysis/torch/Compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

/// The part of a site's inputs that two machines share: dimensions and types, not strides and
/// values.
std::string shapeOf(const Trace &Input, const Site &What) {
  const std::string_view Dims = Input.text(What.InputDims), Types = Input.text(What.InputTypes);
  return fmt::format("{}{}{}", Dims, Types.empty() ? "" : " ", Types);
}

/// The annotations around the host's calls, without steps and compiled graphs, whose names are
/// numbers and hashes.
class AnnotationPaths {
public:
  explicit AnnotationPaths(const Trace &Input) : Of(Input.Events.size()) {
    const auto Counts = [&](const Site &What) {
      const std::string_view Name = Input.text(What.Name);
      return (What.Kind == SiteKind::Span || What.Kind == SiteKind::Annotation) &&
             !isStepName(Name) && !Name.starts_with(CompiledGraphName);
    };
    if (std::ranges::none_of(Input.Sites, Counts))
      return;
    const HostNesting Nesting = nestHost(Input);
    for (const uint32_t Event : Nesting.Order) {
      const Site &What = Input.Sites[Input.Events.Site[Event]];
      const PathId Outer = Nesting.Parent[Event] == NoEvent ? 0 : Of[Nesting.Parent[Event]];
      Of[Event] = Counts(What) ? Tree.push(Outer, Input.text(What.Name)) : Outer;
    }
  }

  PathId of(uint32_t Event) const { return Event == NoEvent ? 0 : Of[Event]; }
  std::string text(PathId Path) const {
    constexpr size_t Most = 32;
    return fmt::format("{}", fmt::join(Tree.names(Path, Most), " > "));
  }

private:
  PathTree Tree;
  std::vector<PathId> Of; ///< by event
};

/// Matches the groups of two sides, the strictest way first.
class Matching {
public:
  Matching(std::vector<RunTotals> First, std::vector<RunTotals> Second)
      : Runs{First.size(), Second.size()} {
    takeIn(0, std::move(First));
    takeIn(1, std::move(Second));
  }

  std::vector<MatchedRow> run() {
    const auto Kernel = [](const CallGroup &G) { return G.Kernel; };
    step(DiffMatch::Kernel, Kernel);
    step(DiffMatch::OperatorShape, [](const CallGroup &G) {
      return G.Operator.empty() || G.Inputs.empty() ? std::string() : G.Operator + " " + G.Inputs;
    });
    step(DiffMatch::Operator, [](const CallGroup &G) { return G.Operator; });
    step(DiffMatch::Path, [](const CallGroup &G) { return G.Path; });
    for (unsigned S = 0; S < 2; ++S)
      for (const Member &M : Sides[S])
        add(DiffMatch::None, S, M, M.Group.Kernel);
    std::vector<MatchedRow> Result;
    for (auto &[Key, Row] : Rows)
      Result.push_back(std::move(Row));
    Result.push_back(std::move(Unattributed));
    return Result;
  }

private:
  /// A group of one of the runs of a side.
  struct Member {
    CallGroup Group;
    size_t Run = 0;
  };

  MatchedRow emptyRow(DiffMatch Match, const std::string &Key) const {
    MatchedRow Row = {Key, Match, {}, {}, {}, {}};
    Row.FirstNs.resize(Runs[0]);
    Row.FirstCalls.resize(Runs[0]);
    Row.SecondNs.resize(Runs[1]);
    Row.SecondCalls.resize(Runs[1]);
    return Row;
  }

  void takeIn(unsigned Side, std::vector<RunTotals> Of) {
    if (!Side)
      Unattributed = emptyRow(DiffMatch::Unattributed, "[unattributed]");
    for (size_t Run = 0; Run < Of.size(); ++Run) {
      (Side ? Unattributed.SecondNs : Unattributed.FirstNs)[Run] = Of[Run].UnattributedNs;
      for (CallGroup &Group : Of[Run].Groups)
        Sides[Side].push_back({std::move(Group), Run});
    }
  }

  void add(DiffMatch Match, unsigned Side, const Member &M, const std::string &Key) {
    const auto [Entry, New] = Rows.try_emplace({Match, Key});
    MatchedRow &Row = Entry->second;
    if (New)
      Row = emptyRow(Match, Key);
    (Side ? Row.SecondNs : Row.FirstNs)[M.Run] += M.Group.Ns;
    (Side ? Row.SecondCalls : Row.FirstCalls)[M.Run] += M.Group.Calls;
  }

  /// Makes rows of the groups whose key both sides have, and removes these groups.
  template <typename KeyFn> void step(DiffMatch Match, KeyFn KeyOf) {
    MembersByKey ByKey[2];
    for (unsigned S = 0; S < 2; ++S)
      for (size_t I = 0; I < Sides[S].size(); ++I)
        ByKey[S].add(KeyOf(Sides[S][I].Group), I);
    for (unsigned S = 0; S < 2; ++S)
      std::erase_if(Sides[S], [&](const Member &M) {
        const std::string Key = KeyOf(M.Group);
        if (ByKey[1 - S].of(Key).empty())
          return false;
        add(Match, S, M, Key);
        return true;
      });
  }

  const size_t Runs[2];
  std::vector<Member> Sides[2];
  MatchedRow Unattributed;
  std::map<std::pair<DiffMatch, std::string>, MatchedRow> Rows;
};

} // namespace

bool hasDeviceKernels(const Trace &Input) {
  return std::ranges::any_of(Input.Events.Site, [&](SiteId Id) {
    return Input.Sites[Id].Kind == SiteKind::Kernel && Input.Sites[Id].Device >= 0;
  });
}

RunTotals runTotals(const Trace &Input, bool OfHost) {
  const EventColumns &Events = Input.Events;
  RunTotals Result;
  int64_t Begin = std::numeric_limits<int64_t>::max(), End = std::numeric_limits<int64_t>::min();
  bool AnyKernel = false;
  for (size_t I = 0; I < Events.size(); ++I) {
    Begin = std::min(Begin, Events.BeginNs[I]);
    End = std::max(End, Events.endNs(I));
    AnyKernel |= Input.Sites[Events.Site[I]].Kind == SiteKind::Kernel;
  }
  if (Begin > End)
    return Result;
  Result.WindowNs = End - Begin;

  const std::vector<Origin> Links = linkWork(Input);
  const AnnotationPaths Paths(Input);
  std::map<std::tuple<StringId, StringId, std::array<StringId, 4>, PathId>, uint32_t> GroupOf;
  std::vector<Interval> Calls;
  for (uint32_t I = 0; I < Events.size(); ++I) {
    const Site &What = Input.Sites[Events.Site[I]];
    const bool Kernel = What.Kind == SiteKind::Kernel;
    const bool Wanted = OfHost      ? Kernel || What.Kind == SiteKind::Operator
                        : AnyKernel ? Kernel || What.Kind == SiteKind::Copy
                                    : What.Kind == SiteKind::Operator;
    if (!Wanted)
      continue;
    // A host call is its own launch.
    Origin From = {I, I, What.Kind == SiteKind::Operator ? I : NoEvent};
    if (const auto Link = std::ranges::lower_bound(Links, I, {}, &Origin::Work);
        Link != Links.end() && Link->Work == I)
      From = *Link;
    const Site *Operator =
        From.Operator == NoEvent ? nullptr : &Input.Sites[Events.Site[From.Operator]];
    const PathId Path = Paths.of(From.Launch);
    const auto [Entry, New] =
        GroupOf.try_emplace({What.Name, Operator ? Operator->Name : 0,
                             Operator ? Operator->inputs() : std::array<StringId, 4>(), Path},
                            static_cast<uint32_t>(Result.Groups.size()));
    if (New)
      Result.Groups.push_back(
          {std::string(Input.text(What.Name)),
           std::string(Operator ? Input.text(Operator->Name) : std::string_view()),
           Operator ? shapeOf(Input, *Operator) : std::string(), Paths.text(Path)});
    ++Result.Groups[Entry->second].Calls;
    Calls.push_back({Events.BeginNs[I], Events.endNs(I), Entry->second, Events.Track[I]});
  }
  SelfTimes Self = selfTimes(std::move(Calls), Result.Groups.size(), Begin, End);
  // Untimed calls belong to the first group of their name.
  std::vector<uint32_t> GroupOfSite(Input.Sites.size(), UINT32_MAX);
  for (SiteId Id = 0; Id < Input.Sites.size() && !Input.Throttled.empty(); ++Id)
    if (const auto Found = GroupOf.lower_bound({Input.Sites[Id].Name, 0, {}, 0});
        Found != GroupOf.end() && std::get<0>(Found->first) == Input.Sites[Id].Name)
      GroupOfSite[Id] = Found->second;
  moveUntimed(Input, GroupOfSite, Self.RowNs, Self.UnattributedNs);
  for (const ThrottledCalls &Calls : Input.Throttled)
    if (GroupOfSite[Calls.Site] != UINT32_MAX)
      Result.Groups[GroupOfSite[Calls.Site]].Calls += Calls.Untimed;
  for (size_t Row = 0; Row < Result.Groups.size(); ++Row)
    Result.Groups[Row].Ns = Self.RowNs[Row];
  Result.UnattributedNs = Self.UnattributedNs;
  return Result;
}

void nameGroups(RunTotals &Of, const std::map<std::string, std::string> &Names) {
  for (CallGroup &Group : Of.Groups)
    if (const auto Known = Names.find(Group.Kernel); Known != Names.end())
      Group.Kernel = Known->second;
}

std::vector<MatchedRow> matchRuns(std::vector<RunTotals> First, std::vector<RunTotals> Second) {
  return Matching(std::move(First), std::move(Second)).run();
}

} // namespace seamscope::tools
