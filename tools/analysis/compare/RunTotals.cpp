//===- RunTotals.cpp - totals of runs, and their matching -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/RunTotals.h"

#include "analysis/compare/MembersByKey.h"
#include "analysis/core/Cut.h"
#include "analysis/core/HostNesting.h"
#include "analysis/core/PathTree.h"
#include "analysis/core/SelfTime.h"
#include "analysis/core/TeamParts.h"
#include "analysis/devices/Devices.h"
#include "analysis/samples/SplitWindow.h"
#include "analysis/samples/ThreadTimes.h"
#include "analysis/torch/Compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
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

/// The groups of each row of a report's kernel table. Its untimed calls count in the row.
class KernelGroups {
public:
  explicit KernelGroups(size_t Rows) : Of(Rows) {}

  void add(uint32_t Row, uint32_t Group) {
    if (Row != KernelRows::None)
      Of[Row].push_back(Group);
  }
  std::optional<uint32_t> firstOf(uint32_t Row) const {
    return Row == KernelRows::None || Of[Row].empty() ? std::nullopt : std::optional(Of[Row][0]);
  }

  std::vector<int64_t> sums(const std::vector<int64_t> &GroupNs) const {
    std::vector<int64_t> Sums;
    for (const std::vector<uint32_t> &Groups : Of) {
      Sums.push_back(0);
      for (const uint32_t Group : Groups)
        Sums.back() += GroupNs[Group];
    }
    return Sums;
  }

  /// What a row got is in its first group, and what it lost is taken from the groups in order: it
  /// is not known of which the untimed calls are.
  void giveTo(std::vector<CallGroup> &Groups, const std::vector<int64_t> &RowNs) const {
    for (size_t Row = 0; Row < Of.size(); ++Row) {
      int64_t LeftNs = RowNs[Row];
      for (const uint32_t Group : Of[Row]) {
        Groups[Group].Ns = std::min(Groups[Group].Ns, LeftNs);
        LeftNs -= Groups[Group].Ns;
      }
      if (LeftNs && !Of[Row].empty())
        Groups[Of[Row][0]].Ns += LeftNs;
    }
  }

private:
  std::vector<std::vector<uint32_t>> Of; ///< by row
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
    for (MatchedRow &Row : Outside)
      if (Row.Match == DiffMatch::Unattributed || Row.hasTime())
        Result.push_back(std::move(Row));
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
    for (size_t Run = 0; Run < Of.size(); ++Run) {
      const int64_t Times[] = {Of[Run].BlockedNs, Of[Run].PreemptedNs, Of[Run].SpinningNs,
                               Of[Run].RecordingNs, Of[Run].UnattributedNs};
      for (size_t I = 0; I < std::size(Times); ++I)
        (Side ? Outside[I].SecondNs : Outside[I].FirstNs)[Run] = Times[I];
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
  /// Time of no kernel.
  MatchedRow Outside[5] = {
      emptyRow(DiffMatch::Blocked, "[blocked]"), emptyRow(DiffMatch::Preempted, "[preempted]"),
      emptyRow(DiffMatch::Spinning, "[spinning]"), emptyRow(DiffMatch::Recording, "[recording]"),
      emptyRow(DiffMatch::Unattributed, "[unattributed]")};
  std::map<std::pair<DiffMatch, std::string>, MatchedRow> Rows;
};

} // namespace

bool MatchedRow::hasTime() const {
  const auto Any = [](const std::vector<int64_t> &Ns) {
    return std::ranges::any_of(Ns, [](int64_t Each) { return Each != 0; });
  };
  return Any(FirstNs) || Any(SecondNs);
}

void Comparable::restrictTo(const Trace &Input) {
  OfHost = OfHost && std::ranges::none_of(Input.Events.Site, [&](SiteId Id) {
             return Input.Sites[Id].Kind == SiteKind::Kernel && Input.Sites[Id].Device >= 0;
           });
  HasSwitches = HasSwitches && ThreadTimes(Input).any();
}

RunTotals runTotals(const Trace &Input, const Comparable &How, const CodeNames *Names) {
  const EventColumns &Events = Input.Events;
  RunTotals Result;
  const std::optional<TimeRange> Whole = extentOf(Input);
  if (!Whole)
    return Result;
  Result.WindowNs = Whole->EndNs - Whole->BeginNs;
  const bool AnyKernel = std::ranges::any_of(
      Events.Site, [&](SiteId Id) { return Input.Sites[Id].Kind == SiteKind::Kernel; });

  const std::vector<Origin> Links = linkWork(Input);
  const AnnotationPaths Paths(Input);
  const KernelRows Rows = kernelRows(Input);
  std::map<std::tuple<uint32_t, StringId, StringId, std::array<StringId, 4>, PathId>, uint32_t>
      GroupOf;
  KernelGroups Kernels(Rows.Sites.size());
  std::vector<Interval> Calls;
  for (uint32_t I = 0; I < Events.size(); ++I) {
    const Site &What = Input.Sites[Events.Site[I]];
    const bool Kernel = What.Kind == SiteKind::Kernel;
    const bool Wanted = How.OfHost  ? Kernel || What.Kind == SiteKind::Operator
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
        GroupOf.try_emplace({Rows.OfSite[Events.Site[I]], What.Name, Operator ? Operator->Name : 0,
                             Operator ? Operator->inputs() : std::array<StringId, 4>(), Path},
                            static_cast<uint32_t>(Result.Groups.size()));
    if (New) {
      Kernels.add(Rows.OfSite[Events.Site[I]], Entry->second);
      Result.Groups.push_back(
          {std::string(Input.text(What.Name)),
           std::string(Operator ? Input.text(Operator->Name) : std::string_view()),
           Operator ? shapeOf(Input, *Operator) : std::string(), Paths.text(Path)});
    }
    ++Result.Groups[Entry->second].Calls;
    Calls.push_back({Events.BeginNs[I], Events.endNs(I), Entry->second, Events.Track[I]});
  }
  // It is not known which of a row's groups started a team.
  if (How.HasSwitches) {
    std::vector<Interval> Parts;
    addTeamParts(Input, Rows, Parts);
    for (Interval &Part : Parts)
      if (const auto First = Kernels.firstOf(Part.Row)) {
        Part.Row = *First;
        Calls.push_back(Part);
      }
  }
  const std::vector<RunChange> Changes =
      How.HasSwitches ? ThreadTimes(Input).changes() : std::vector<RunChange>();
  SelfTimes Self =
      selfTimes(std::move(Calls), Result.Groups.size(), Whole->BeginNs, Whole->EndNs, Changes);
  for (size_t Group = 0; Group < Result.Groups.size(); ++Group)
    Result.Groups[Group].Ns = Self.RowNs[Group];
  if (!How.HasSwitches)
    Names = nullptr;
  if (Names || !Input.Throttled.empty()) {
    Self.RowNs = Kernels.sums(Self.RowNs);
    SplitWindow Window = placeUntimed(Input, Rows, Names, std::move(Self));
    Result.SpinningNs = Window.SpinningNs.value_or(0);
    Result.RecordingNs = Window.RecordingNs.value_or(0);
    Self = std::move(Window.Self);
    Kernels.giveTo(Result.Groups, Self.RowNs);
    for (const ThrottledCalls &Calls : Input.Throttled)
      if (const auto First = Kernels.firstOf(Rows.OfSite[Calls.Site]))
        Result.Groups[*First].Calls += Calls.Untimed;
  }
  Result.UnattributedNs = Self.UnattributedNs;
  Result.BlockedNs = Self.BlockedNs;
  Result.PreemptedNs = Self.PreemptedNs;
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
