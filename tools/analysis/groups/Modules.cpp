//===- Modules.cpp - the time of a trace by nn.Module ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Modules.h"

#include "analysis/core/SelfTime.h"
#include "analysis/samples/ThreadTimes.h"
#include "analysis/torch/Steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

constexpr std::string_view Prefix = "nn.Module: ";

bool isModuleSite(const Trace &Input, const Site &What) {
  return What.Kind == SiteKind::Python && Input.text(What.Name).starts_with(Prefix);
}

/// "Linear" of "Linear_4".
std::string_view className(std::string_view Name) {
  const size_t Last = Name.find_last_not_of("0123456789");
  const bool Numbered =
      Last != Name.npos && Last > 0 && Last + 1 < Name.size() && Name[Last] == '_';
  return Numbered ? Name.substr(0, Last) : Name;
}

/// The names of "a.b.c".
std::vector<std::string_view> attributesOf(std::string_view Path) {
  std::vector<std::string_view> Names;
  while (!Path.empty()) {
    const size_t Dot = std::min(Path.find('.'), Path.size());
    if (Dot)
      Names.push_back(Path.substr(0, Dot));
    Path.remove_prefix(std::min(Dot + 1, Path.size()));
  }
  return Names;
}

} // namespace

void ModuleTime::add(const ModuleTime &Other) {
  HostNs += Other.HostNs;
  HostOffNs += Other.HostOffNs;
  BackwardHostNs += Other.BackwardHostNs;
  DeviceNs += Other.DeviceNs;
  BackwardDeviceNs += Other.BackwardDeviceNs;
  Kernels += Other.Kernels;
}

ModulePaths::ModulePaths(const Trace &Input, const Directions &Parts, ModuleNames Named,
                         const KernelModules &OfKernel)
    : Input(Input), Named(Named), OfKernel(OfKernel), Of(Input.Events.size()) {
  if (OfKernel ||
      std::ranges::any_of(Input.Sites, [&](const Site &What) { return isModuleSite(Input, What); }))
    placeHost(Parts);
  if (!OfKernel)
    return;
  Work.resize(Input.Events.size());
  for (const Origin &Link : linkWork(Input))
    Work[Link.Work] = pushKernel(of(Link.Launch), Link.Work);
}

void ModulePaths::placeHost(const Directions &Parts) {
  const EventColumns &Events = Input.Events;
  const HostNesting &Nesting = Parts.nesting();
  // Outer and earlier events come first, so also a node's forward operator.
  std::vector<uint32_t> Order = Nesting.Order;
  std::ranges::stable_sort(Order, {}, [&](uint32_t Event) { return Events.BeginNs[Event]; });
  for (const uint32_t Event : Order) {
    const uint32_t Outer = Nesting.Parent[Event];
    const uint32_t Forward = Parts.forwardOf(Event);
    Of[Event] = of(Outer);
    if (Forward != NoEvent && Forward != Parts.forwardOf(Outer))
      Of[Event] = Of[Forward];
    const Site &What = Input.Sites[Events.Site[Event]];
    if (isModuleSite(Input, What)) {
      const std::string_view Name = Input.text(What.Name).substr(Prefix.size());
      Of[Event] = pushCall(Of[Event], Named == ModuleNames::Classes ? className(Name) : Name,
                           /*InBackward=*/Forward != NoEvent);
    } else if (OfKernel && ((What.Kind == SiteKind::Kernel && What.Device < 0) ||
                            What.Kind == SiteKind::Operator)) {
      Of[Event] = pushKernel(Of[Event], Event);
    }
  }
}

PathId ModulePaths::push(PathId Outer, std::string_view Name) {
  const PathId Path = Tree.push(Outer, Name);
  Inside.emplace(std::pair(Outer, std::string(Name)), Path);
  return Path;
}

/// A module called in a backward pass, as checkpoints do, repeats earlier work: it is the nearest
/// one of that name around the forward operator or next to it.
PathId ModulePaths::pushCall(PathId Outer, std::string_view Name, bool InBackward) {
  for (PathId Near = Outer; InBackward; Near = Tree.outer(Near)) {
    if (const auto Known = Inside.find(std::pair(Near, std::string(Name))); Known != Inside.end())
      return Known->second;
    if (!Near)
      break;
  }
  return push(Outer, Name);
}

/// The deepest module below \p Outer that contains all modules that the kernel names.
PathId ModulePaths::pushKernel(PathId Outer, uint32_t Event) {
  const std::vector<std::string> Paths = OfKernel(Event);
  if (Paths.empty())
    return Outer;
  std::vector<std::string_view> Common = attributesOf(Paths[0]);
  for (const std::string &Path : Paths) {
    const std::vector<std::string_view> Names = attributesOf(Path);
    const auto Differ = std::ranges::mismatch(Common, Names);
    Common.erase(Differ.in1, Common.end());
  }
  for (const std::string_view Name : Common)
    Outer = push(Outer, Name);
  return Outer;
}

PathId ModulePaths::ofWork(const Origin &Link) const {
  // A kernel of the host is its own launch.
  const PathId Named = Work.empty() ? 0 : Work[Link.Work];
  return Named ? Named : of(Link.Launch);
}

std::string ModulePaths::text(PathId Path) const {
  const std::vector<std::string_view> Names = Tree.names(Path, 100);
  return fmt::format("{}{}", Path ? "... > " : "", fmt::join(Names, " > "));
}

bool ModulePaths::isCall(uint32_t Event) const {
  return isModuleSite(Input, Input.Sites[Input.Events.Site[Event]]);
}

namespace {

class Summing {
public:
  Summing(const Trace &Input, const ModulePaths &Paths, const Directions &Parts)
      : Input(Input), Events(Input.Events), Paths(Paths), Parts(Parts), Nodes(Paths.tree().size()) {
  }

  ModuleTimes run(const std::vector<Origin> &Links) {
    addHost();
    for (const Origin &Link : Links)
      addWork(Link);
    rollUp();
    writeRows();
    return std::move(Result);
  }

private:
  bool isBackward(uint32_t Event, bool InOperator) const {
    return Parts.partOf(Event, InOperator) == TrainingPart::Backward;
  }

  /// On each thread a moment belongs to the innermost call. Blocked threads do not work.
  void addHost() {
    const std::vector<uint32_t> &Order = Parts.nesting().Order;
    constexpr uint32_t Unseen = UINT32_MAX;
    // By path, forward and backward; the last is compilation, which belongs to no module.
    std::vector<uint32_t> RowOf(2 * Nodes.size() + 1, Unseen);
    const auto Compiles = static_cast<uint32_t>(2 * Nodes.size());
    std::map<TrackId, std::vector<RunChange>> Changes;
    for (const RunChange &Change : ThreadTimes(Input).changes())
      Changes[Change.Track].push_back({Change.Ns, 0, Change.To});
    for (size_t First = 0, Last; First < Order.size(); First = Last) {
      std::vector<Interval> Calls;
      std::vector<uint32_t> Seen;
      int64_t End = Events.BeginNs[Order[First]];
      for (Last = First;
           Last < Order.size() && Events.Track[Order[Last]] == Events.Track[Order[First]]; ++Last) {
        const uint32_t Event = Order[Last];
        const PathId Path = Paths.of(Event);
        const bool IsApart = Input.text(Input.Sites[Events.Site[Event]].Name) == CompileScope;
        uint32_t &Row = RowOf[IsApart ? Compiles : 2 * Path + isBackward(Event, false)];
        if (Row == Unseen) {
          Row = static_cast<uint32_t>(Seen.size());
          Seen.push_back(static_cast<uint32_t>(&Row - RowOf.data()));
        }
        Calls.push_back({Events.BeginNs[Event], Events.endNs(Event), Row});
        End = std::max(End, Events.endNs(Event));
        if (Paths.isCall(Event)) {
          ++Nodes[Path].Calls;
          Nodes[Path].CallNs += Events.DurationNs[Event];
        }
      }
      const int64_t Begin = Events.BeginNs[Order[First]];
      const std::vector<RunChange> &Its = Changes[Events.Track[Order[First]]];
      std::optional<SelfTimes> All;
      if (!Its.empty())
        All = selfTimes(Calls, Seen.size(), Begin, End);
      const SelfTimes Times = selfTimes(std::move(Calls), Seen.size(), Begin, End, Its);
      for (size_t Row = 0; Row < Seen.size(); ++Row) {
        RowOf[Seen[Row]] = Unseen;
        if (Seen[Row] == Compiles)
          continue;
        ModuleTime &Of = Nodes[Seen[Row] / 2].Self;
        Of.HostNs += Times.RowNs[Row];
        Of.HostOffNs += All ? All->RowNs[Row] - Times.RowNs[Row] : 0;
        if (Seen[Row] % 2)
          Of.BackwardHostNs += Times.RowNs[Row];
      }
    }
  }

  void addWork(const Origin &Link) {
    ModuleTime &Of = Nodes[Paths.ofWork(Link)].Self;
    const int64_t Ns = Events.DurationNs[Link.Work];
    Of.DeviceNs += Ns;
    Of.Kernels += Input.Sites[Events.Site[Link.Work]].Kind == SiteKind::Kernel;
    if (Link.Launch == NoEvent)
      Result.UnlaunchedDeviceNs += Ns;
    else if (isBackward(Link.Launch, Link.Operator != NoEvent))
      Of.BackwardDeviceNs += Ns;
  }

  /// Paths have higher numbers than the paths around them.
  void rollUp() {
    for (ModuleRow &Node : Nodes)
      Node.Total = Node.Self;
    for (PathId Path = static_cast<PathId>(Nodes.size()); Path-- > 1;)
      if (const PathId Outer = Paths.tree().outer(Path))
        Nodes[Outer].Total.add(Nodes[Path].Total);
    for (PathId Path = 0; Path < Nodes.size(); ++Path) {
      Nodes[Path].Path = Path;
      Nodes[Path].Depth = Path ? Nodes[Paths.tree().outer(Path)].Depth + 1 : 0;
      Result.Sum.add(Nodes[Path].Self);
    }
  }

  void writeRows() {
    std::vector<std::vector<PathId>> Inside(Nodes.size());
    for (PathId Path = 1; Path < Nodes.size(); ++Path)
      Inside[Paths.tree().outer(Path)].push_back(Path);
    const bool OnDevice = Result.Sum.DeviceNs > 0;
    const auto Longest = [&](PathId Path) {
      const ModuleTime &Of = Nodes[Path].Total;
      return OnDevice ? std::pair(-Of.DeviceNs, -Of.HostNs) : std::pair(-Of.HostNs, int64_t{0});
    };
    std::vector<PathId> Next{0};
    while (!Next.empty()) {
      const PathId Path = Next.back();
      Next.pop_back();
      if (Path)
        Result.Rows.push_back(Nodes[Path]);
      std::ranges::stable_sort(Inside[Path], {}, Longest);
      Next.insert(Next.end(), Inside[Path].rbegin(), Inside[Path].rend());
    }
    Result.Rows.push_back(Nodes[0]);
  }

  const Trace &Input;
  const EventColumns &Events;
  const ModulePaths &Paths;
  const Directions &Parts;
  std::vector<ModuleRow> Nodes; ///< by path
  ModuleTimes Result;
};

} // namespace

ModuleTimes moduleTimes(const Trace &Input, const std::vector<Origin> &Links,
                        const ModulePaths &Paths, const Directions &Parts) {
  return Summing(Input, Paths, Parts).run(Links);
}

std::vector<ModuleRow> modulesAtDepth(const ModuleTimes &Times, uint32_t Depth) {
  std::vector<ModuleRow> Rows;
  for (const ModuleRow &Row : Times.Rows)
    if (Row.Depth <= Depth) {
      Rows.push_back(Row);
      if (Row.Depth < Depth)
        Rows.back().Total = Row.Self;
    }
  return Rows;
}

} // namespace seamscope::tools
