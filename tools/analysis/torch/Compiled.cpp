//===- Compiled.cpp - compiled and eager parts of steps -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Compiled.h"

#include "analysis/core/Order.h"
#include "analysis/torch/Steps.h"

#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

namespace seamscope::tools {
namespace {

bool isRegion(std::string_view Name) { return Name.starts_with(CompiledRegionName); }
bool isGraph(std::string_view Name) { return Name.starts_with(CompiledGraphName); }

/// "Torch-Compiled Region: 3/1" is frame 3, compiled a second time; with compiled autograd
/// "!0/3/1".
void readNumbers(std::string_view Name, CompiledRow &Row) {
  const size_t Slash = Name.rfind('/');
  if (Slash == Name.npos)
    return;
  size_t First = Slash;
  while (First && Name[First - 1] >= '0' && Name[First - 1] <= '9')
    --First;
  int64_t Frame = 0, Recompile = 0;
  const auto [End, Failed] = std::from_chars(&Name[First], &Name[Slash], Frame);
  if (Failed != std::errc() || End != &Name[Slash])
    return;
  const char *const Last = Name.data() + Name.size();
  if (std::from_chars(&Name[Slash] + 1, Last, Recompile).ec != std::errc())
    return;
  Row.Frame = Frame;
  Row.Recompile = Recompile;
}

class View {
public:
  View(const Trace &Input, const std::vector<Origin> &Links)
      : Input(Input), Events(Input.Events), Links(Links), What(Input.Sites.size()),
        Compilation(Input) {
    for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
      const Site &S = Input.Sites[Id];
      const std::string_view Name = Input.text(S.Name);
      const bool OnHost = S.Kind == SiteKind::Operator || S.Kind == SiteKind::Span ||
                          S.Kind == SiteKind::Annotation ||
                          (S.Kind == SiteKind::Kernel && S.Device < 0);
      if (!OnHost)
        continue;
      What[Id] = isRegion(Name)                 ? Role::Region
                 : isGraph(Name)                ? Role::Graph
                 : isStepName(Name)             ? Role::Step
                 : S.Kind == SiteKind::Operator ? Role::Operator
                                                : Role::None;
      Any |= What[Id] == Role::Region || What[Id] == Role::Graph;
    }
  }

  CompiledView run() {
    if (!Any)
      return {};
    rows();
    steps();
    return std::move(Result);
  }

private:
  enum class Role : uint8_t { None, Region, Graph, Step, Operator };

  Role roleOf(uint32_t Event) const { return What[Events.Site[Event]]; }

  void rows() {
    std::unordered_map<StringId, size_t> RowOf;
    const auto Row = [&](uint32_t Event) -> CompiledRow & {
      const StringId Name = Input.Sites[Events.Site[Event]].Name;
      const auto [Entry, New] = RowOf.try_emplace(Name, Result.Rows.size());
      if (New) {
        CompiledRow &Added = Result.Rows.emplace_back();
        Added.Name = Name;
        Added.IsGraph = roleOf(Event) == Role::Graph;
        if (!Added.IsGraph)
          readNumbers(Input.text(Name), Added);
      }
      return Result.Rows[Entry->second];
    };
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (roleOf(I) == Role::Region || roleOf(I) == Role::Graph) {
        ++Row(I).Calls;
        // Also without the compilation in its first call, which the window leaves out.
        Row(I).TotalNs += Events.DurationNs[I] - Compilation.in(Events.BeginNs[I], Events.endNs(I));
      }
    // A region contains its graph: each has the work of both.
    for (const Role Wanted : {Role::Region, Role::Graph}) {
      std::vector<bool> Holds(Input.Sites.size());
      for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
        Holds[Id] = What[Id] == Wanted;
      std::vector<uint32_t> Launches;
      for (const Origin &Link : Links)
        if (Link.Launch != NoEvent)
          Launches.push_back(Link.Launch);
      const std::vector<uint32_t> Around = innermostAround(Input, Launches, Holds, Within::Begin);
      for (const Origin &Link : Links)
        if (Link.Launch != NoEvent && Around[Link.Launch] != NoEvent)
          Row(Around[Link.Launch]).DeviceNs += Events.DurationNs[Link.Work];
    }
    for (const CompiledRow &R : Result.Rows)
      Result.Recompiled += R.Recompile > 0;
    std::ranges::stable_sort(Result.Rows, std::greater<>(), &CompiledRow::TotalNs);
  }

  /// Thread by thread: the steps, the outermost regions inside them, and the operators outside of
  /// those.
  void steps() {
    std::vector<uint32_t> Selected;
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (roleOf(I) != Role::None)
        Selected.push_back(I);
    TrackId Where = 0;
    bool First = true;
    int64_t CoveredTo = 0; // covered by the outermost region or operator
    for (const uint32_t I : orderedByTrack(Input, std::move(Selected))) {
      const int64_t Begin = Events.BeginNs[I], End = Events.endNs(I);
      if (First || Events.Track[I] != Where || (StepEnd && Begin >= *StepEnd))
        close();
      if (First || Events.Track[I] != Where) {
        First = false;
        Where = Events.Track[I];
        CoveredTo = Begin;
      }
      if (roleOf(I) == Role::Step) {
        close();
        Current.Name = Input.Sites[Events.Site[I]].Name;
        Current.WallNs = Events.DurationNs[I];
        StepEnd = End;
        continue;
      }
      if (!StepEnd) {
        LooseBegin = LooseBegin.value_or(Begin);
        LooseEnd = std::max(LooseEnd, End);
      }
      if (Begin < CoveredTo)
        continue; // inside a counted one
      if (roleOf(I) == Role::Operator) {
        ++Current.EagerOps;
        Current.EagerNs += End - Begin;
        if (Current.Regions)
          Pending[Input.Sites[Events.Site[I]].Name] += End - Begin;
        CoveredTo = End;
        continue;
      }
      ++Current.Regions;
      if (!Entered.insert(Input.Sites[Events.Site[I]].Name).second)
        Entered = {Input.Sites[Events.Site[I]].Name};
      else if (StepEnd && Entered.size() > 1) {
        ++Current.GraphBreaks;
        Current.BreaksNs += Begin - RegionEnd;
      }
      RegionEnd = End;
      Current.CompiledNs += std::min(End, StepEnd.value_or(End)) - Begin;
      if (!StepEnd)
        Current.CompiledNs -= Compilation.in(Begin, End);
      for (const auto &[Name, Ns] : Pending)
        Between[Name] += Ns;
      Pending.clear();
      CoveredTo = End;
    }
    close();
  }

  void close() {
    if (Current.Regions) {
      if (!StepEnd)
        Current.WallNs = LooseEnd - *LooseBegin - Compilation.in(*LooseBegin, LooseEnd);
      Current.OutsideNs = Current.WallNs - Current.CompiledNs;
      std::vector<std::pair<StringId, int64_t>> Ops(Between.begin(), Between.end());
      std::ranges::stable_sort(Ops, std::greater<>(), &std::pair<StringId, int64_t>::second);
      constexpr size_t Most = 8;
      for (size_t I = 0; I < std::min(Most, Ops.size()); ++I)
        Current.Between.push_back(Ops[I].first);
      Result.Steps.push_back(Current);
    }
    Current = {};
    Pending.clear();
    Between.clear();
    Entered.clear();
    StepEnd.reset();
    LooseBegin.reset();
    LooseEnd = INT64_MIN;
  }

  const Trace &Input;
  const EventColumns &Events;
  const std::vector<Origin> &Links;
  std::vector<Role> What; ///< by site
  bool Any = false;
  CompiledView Result;

  const CompilationTime Compilation; ///< not part of the time outside of steps
  CompiledStep Current;
  std::set<StringId> Entered;        ///< regions entered in the program's current call
  int64_t RegionEnd = 0;             ///< of the last
  std::optional<int64_t> StepEnd;    ///< of the open step; nothing outside of steps
  std::optional<int64_t> LooseBegin; ///< outside of steps: the begin of the first event
  int64_t LooseEnd = INT64_MIN;
  std::map<StringId, int64_t> Pending; ///< operators since the last region
  std::map<StringId, int64_t> Between; ///< operators between regions
};

} // namespace

std::vector<bool> compiledSites(const Trace &Input) {
  std::vector<bool> Regions(Input.Sites.size()), Graphs(Input.Sites.size());
  bool AnyRegion = false;
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    if (What.Device >= 0 || What.Kind == SiteKind::Other)
      continue;
    Regions[Id] = isRegion(Input.text(What.Name));
    Graphs[Id] = isGraph(Input.text(What.Name));
    AnyRegion |= Regions[Id];
  }
  return AnyRegion ? Regions : Graphs;
}

CompiledView compiledView(const Trace &Input, const std::vector<Origin> &Links) {
  return View(Input, Links).run();
}

} // namespace seamscope::tools
