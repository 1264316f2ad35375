//===- Diff.cpp - two traces, row by row ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Diff.h"

#include "analysis/core/HostNesting.h"
#include "analysis/core/PathTree.h"
#include "analysis/core/SelfTime.h"
#include "analysis/core/Throttled.h"
#include "analysis/devices/Devices.h"
#include "analysis/torch/Compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace seamscope::tools {
namespace {

/// Calls that agree in all by which rows can be matched.
struct Group {
  std::string_view Kernel;   ///< its name; of a trace of operators, the operator's
  std::string_view Operator; ///< that launched it; empty: not known
  std::string Inputs;        ///< of the operator: dimensions and types
  std::string Path;          ///< of the annotations around the launch: "forward > encoder"
  uint64_t Calls = 0;
  int64_t Ns = 0; ///< of the window
};

struct Side {
  std::vector<Group> Groups;
  int64_t WindowNs = 0;
  int64_t UnattributedNs = 0;
};

/// What of a site's inputs two machines have in common: dimensions and types, not strides and
/// values.
std::string shapeOf(const Trace &Input, const Site &What) {
  const std::string_view Text = Input.text(What.Inputs);
  const size_t Dims = Text.find("{\"dims\":"), Types = Text.find(",\"types\":"),
               Strides = Text.find(",\"strides\":");
  if (Dims == Text.npos || Types == Text.npos || Strides == Text.npos || Strides < Types)
    return "";
  return fmt::format("{} {}", Text.substr(Dims + 8, Types - Dims - 8),
                     Text.substr(Types + 9, Strides - Types - 9));
}

/// The annotations around the calls of the host, but for steps and compiled graphs, whose names are
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

bool hasDeviceWork(const Trace &Input) {
  return std::ranges::any_of(Input.Events.Site, [&](SiteId Id) {
    return Input.Sites[Id].Kind == SiteKind::Kernel && Input.Sites[Id].Device >= 0;
  });
}

/// \p OfHost: neither trace has kernels of devices.
Side sideOf(const Trace &Input, bool OfHost) {
  const EventColumns &Events = Input.Events;
  Side Result;
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
  std::map<std::tuple<StringId, StringId, StringId, PathId>, uint32_t> GroupOf;
  std::vector<Interval> Calls;
  for (uint32_t I = 0; I < Events.size(); ++I) {
    const Site &What = Input.Sites[Events.Site[I]];
    const bool Kernel = What.Kind == SiteKind::Kernel;
    const bool Wanted = OfHost      ? Kernel || What.Kind == SiteKind::Operator
                        : AnyKernel ? Kernel || What.Kind == SiteKind::Copy
                                    : What.Kind == SiteKind::Operator;
    if (!Wanted)
      continue;
    // A call of the host is its own launch.
    Origin From = {I, I, What.Kind == SiteKind::Operator ? I : NoEvent};
    if (const auto Link = std::ranges::lower_bound(Links, I, {}, &Origin::Work);
        Link != Links.end() && Link->Work == I)
      From = *Link;
    const Site *Operator =
        From.Operator == NoEvent ? nullptr : &Input.Sites[Events.Site[From.Operator]];
    const PathId Path = Paths.of(From.Launch);
    const auto [Entry, New] = GroupOf.try_emplace(
        {What.Name, Operator ? Operator->Name : 0, Operator ? Operator->Inputs : 0, Path},
        static_cast<uint32_t>(Result.Groups.size()));
    if (New)
      Result.Groups.push_back(
          {Input.text(What.Name), Operator ? Input.text(Operator->Name) : std::string_view(),
           Operator ? shapeOf(Input, *Operator) : std::string(), Paths.text(Path)});
    ++Result.Groups[Entry->second].Calls;
    Calls.push_back({Events.BeginNs[I], Events.endNs(I), Entry->second, Events.Track[I]});
  }
  SelfTimes Self = selfTimes(std::move(Calls), Result.Groups.size(), Begin, End);
  // Calls that were not timed are of the first group of their name.
  std::vector<uint32_t> GroupOfSite(Input.Sites.size(), UINT32_MAX);
  for (SiteId Id = 0; Id < Input.Sites.size() && !Input.Throttled.empty(); ++Id)
    if (const auto Found = GroupOf.lower_bound({Input.Sites[Id].Name, 0, 0, 0});
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

/// Matches the groups of two sides, the strictest way first.
class Matching {
public:
  Matching(Side First, Side Second) : Sides{std::move(First), std::move(Second)} {}

  Difference run() {
    const auto Kernel = [](const Group &G) { return std::string(G.Kernel); };
    step(DiffMatch::Kernel, Kernel);
    step(DiffMatch::OperatorShape, [](const Group &G) {
      return G.Operator.empty() || G.Inputs.empty() ? std::string()
                                                    : std::string(G.Operator) + " " + G.Inputs;
    });
    step(DiffMatch::Operator, [](const Group &G) { return std::string(G.Operator); });
    step(DiffMatch::Path, [](const Group &G) { return G.Path; });
    for (unsigned S = 0; S < 2; ++S)
      for (const Group &G : Sides[S].Groups)
        add(DiffMatch::None, S, G, Kernel(G));
    Difference Result;
    Result.FirstWindowNs = Sides[0].WindowNs;
    Result.SecondWindowNs = Sides[1].WindowNs;
    for (auto &[Key, Row] : Rows)
      Result.Rows.push_back(std::move(Row));
    DiffRow Unattributed{"[unattributed]", DiffMatch::Unattributed};
    Unattributed.FirstNs = Sides[0].UnattributedNs;
    Unattributed.SecondNs = Sides[1].UnattributedNs;
    Result.Rows.push_back(Unattributed);
    std::ranges::stable_sort(Result.Rows, [](const DiffRow &A, const DiffRow &B) {
      return std::abs(A.deltaNs()) > std::abs(B.deltaNs());
    });
    return Result;
  }

private:
  void add(DiffMatch Match, unsigned Side, const Group &G, const std::string &Key) {
    DiffRow &Row = Rows[{Match, Key}];
    Row.Key = Key;
    Row.Match = Match;
    (Side ? Row.SecondNs : Row.FirstNs) += G.Ns;
    (Side ? Row.SecondCalls : Row.FirstCalls) += G.Calls;
  }

  /// Makes rows of the groups whose key both sides have, and takes these out.
  template <typename KeyFn> void step(DiffMatch Match, KeyFn KeyOf) {
    std::set<std::string> Keys[2];
    for (unsigned S = 0; S < 2; ++S)
      for (const Group &G : Sides[S].Groups)
        Keys[S].insert(KeyOf(G));
    for (unsigned S = 0; S < 2; ++S)
      std::erase_if(Sides[S].Groups, [&](const Group &G) {
        const std::string Key = KeyOf(G);
        if (Key.empty() || !Keys[1 - S].contains(Key))
          return false;
        add(Match, S, G, Key);
        return true;
      });
  }

  Side Sides[2];
  std::map<std::pair<DiffMatch, std::string>, DiffRow> Rows;
};

} // namespace

std::string_view diffMatchName(DiffMatch Match) {
  static constexpr std::string_view Names[] = {"kernel", "op+shape", "op",
                                               "path",   "none",     "unattributed"};
  return Names[static_cast<size_t>(Match)];
}

Difference difference(const Trace &First, const Trace &Second) {
  const bool OfHost = !hasDeviceWork(First) && !hasDeviceWork(Second);
  return Matching(sideOf(First, OfHost), sideOf(Second, OfHost)).run();
}

} // namespace seamscope::tools
