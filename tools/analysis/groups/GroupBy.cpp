//===- GroupBy.cpp - the time of a trace split by one property ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/GroupBy.h"

#include "analysis/compare/StepWork.h"
#include "analysis/core/KernelRows.h"
#include "analysis/core/Statistics.h"
#include "analysis/core/Throttled.h"
#include "analysis/devices/OpInputs.h"
#include "analysis/devices/OperatorTimes.h"
#include "analysis/samples/ThreadTimes.h"
#include "analysis/torch/Compiled.h"
#include "analysis/torch/Direction.h"
#include "analysis/torch/PythonStacks.h"
#include "analysis/torch/Steps.h"
#include "kernels/Category.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace seamscope::tools {
namespace {

constexpr std::string_view Unattributed = "[unattributed]";
constexpr std::string_view NoModule = "[no module]";
constexpr std::pair<std::string_view, GroupKey> Names[] = {{"kernel", GroupKey::Kernel},
                                                           {"op", GroupKey::Operator},
                                                           {"op+shape", GroupKey::OperatorShape},
                                                           {"category", GroupKey::Category},
                                                           {"device", GroupKey::Device},
                                                           {"stream", GroupKey::Stream},
                                                           {"step", GroupKey::Step},
                                                           {"annotation", GroupKey::Annotation},
                                                           {"region", GroupKey::Region},
                                                           {"line", GroupKey::Line},
                                                           {"stack", GroupKey::Stack},
                                                           {"module", GroupKey::Module}};

class Grouper {
public:
  Grouper(const Trace &Input, const std::vector<Origin> &Links, GroupKey Key,
          const KernelModules &OfKernel)
      : Input(Input), Events(Input.Events), Links(Links), Key(Key), OfKernel(OfKernel) {}

  Grouping run() {
    select();
    if (Key == GroupKey::Step || Key == GroupKey::Annotation || Key == GroupKey::Region)
      findSpans();
    if (Key == GroupKey::Line || Key == GroupKey::Stack) {
      Parts.emplace(Input);
      Stacks.emplace(Input, Parts->nesting());
    }
    if (Key == GroupKey::Module) {
      Parts.emplace(Input);
      Modules.emplace(Input, *Parts, ModuleNames::Instances, OfKernel);
    }
    OperatorNesting Nesting;
    if (Result.What == GroupedTime::Operators)
      Nesting = operatorNesting(Input);
    std::vector<bool> Recursive;
    if (Result.What == GroupedTime::Kernels || Result.What == GroupedTime::Compiled)
      Recursive = recursiveCalls(Input, kernelRows(Input));
    const std::vector<uint64_t> Weights = weightsOfEvents(Input);
    const std::vector<int64_t> UntimedNs = untimedBeside();
    const ThreadTimes Times(Input);
    Result.HasSwitches = Times.any();
    std::vector<OffTime> OwnOff;
    if (Result.What == GroupedTime::Operators)
      OwnOff = ownOffTimes(Input, Times, nestedWithOperators(Input));
    const auto OffOf = [&](uint32_t Event, int64_t Ns) {
      OffTime Off;
      if (!OwnOff.empty())
        Off = OwnOff[Event];
      else if (siteOf(Event).Device < 0 && Times.knows(Events.Track[Event]))
        Off = Times.between(Events.Track[Event], Events.BeginNs[Event], Events.endNs(Event));
      Off.BlockedNs = std::clamp<int64_t>(Off.BlockedNs, 0, std::max<int64_t>(Ns, 0));
      Off.PreemptedNs = std::min(Off.PreemptedNs, std::max<int64_t>(Ns, 0) - Off.BlockedNs);
      return Off;
    };
    for (const Origin &Unit : Units) {
      const int64_t Ns = Events.DurationNs[Unit.Work];
      const bool IsRecursive = !Recursive.empty() && Recursive[Unit.Work];
      const uint64_t Others = Weights.empty() ? 0 : Weights[Unit.Work] - 1;
      const int64_t OthersNs = UntimedNs.empty() ? 0 : UntimedNs[Unit.Work];
      const int64_t SelfNs = IsRecursive              ? 0
                             : Nesting.SelfNs.empty() ? Ns
                                                      : Nesting.SelfNs[Unit.Work];
      GroupRow &Row = rowOf(Unit);
      const OffTime Off = OffOf(Unit.Work, SelfNs);
      Row.SelfNs += SelfNs + OthersNs - Off.offNs();
      Row.WaitNs += Off.BlockedNs;
      Row.PreemptedNs += Off.PreemptedNs;
      Result.SelfNs += SelfNs + OthersNs - Off.offNs();
      if (!Nesting.IsRepeat.empty() && Nesting.IsRepeat[Unit.Work])
        continue;
      Row.MinNs = Row.Calls ? std::min(Row.MinNs, Ns) : Ns;
      Row.MaxNs = Row.Calls ? std::max(Row.MaxNs, Ns) : Ns;
      Row.Calls += 1 + Others;
      Row.SumNs += Ns + OthersNs;
      Row.TotalNs += IsRecursive ? 0 : Ns + OthersNs;
      Result.Calls += 1 + Others;
    }
    // Steps without work count too.
    if (Key == GroupKey::Step)
      for (const uint32_t Event : markedSteps(Input))
        rowNamed(std::string(Input.text(siteOf(Event).Name)));
    std::ranges::stable_sort(
        Result.Rows, [](const GroupRow &A, const GroupRow &B) { return A.SelfNs > B.SelfNs; });
    return std::move(Result);
  }

private:
  const Site &siteOf(uint32_t Event) const { return Input.Sites[Events.Site[Event]]; }

  /// By event, the time of the untimed calls that it stands for, in proportion to its own. Empty if
  /// all were timed.
  std::vector<int64_t> untimedBeside() const {
    std::vector<int64_t> Result;
    if (Input.Throttled.empty())
      return Result;
    const ThrottledEntries All(Input);
    std::vector<uint64_t> TimedNs(Input.Throttled.size());
    const auto NsOf = [&](uint32_t Entry, size_t I) {
      return static_cast<uint64_t>(std::max(0.0, All.sampleNs(Entry, I)));
    };
    for (size_t I = 0; I < Events.size(); ++I)
      if (const auto Entry = All.of(I))
        TimedNs[*Entry] += NsOf(*Entry, I);
    std::map<std::pair<SiteId, TrackId>, uint64_t> Untimed;
    for (const UntimedShare &Of : untimedShares(Input, computeStatistics(Input)))
      Untimed[{Of.Site, Of.Track}] = static_cast<uint64_t>(Of.Ns);
    std::vector<Division> Left;
    for (size_t I = 0; I < TimedNs.size(); ++I)
      Left.emplace_back(Untimed[{Input.Throttled[I].Site, Input.Throttled[I].Track}],
                        std::max<uint64_t>(TimedNs[I], 1));
    Result.resize(Events.size());
    for (size_t I = 0; I < Events.size(); ++I)
      if (const auto Entry = All.of(I))
        Result[I] = static_cast<int64_t>(Left[*Entry].next(NsOf(*Entry, I)));
    return Result;
  }

  /// On the host a call is its own launch.
  void select() {
    Units = Links;
    if (!Units.empty())
      return;
    const bool AnyKernel = std::ranges::any_of(
        Input.Sites, [](const Site &What) { return What.Kind == SiteKind::Kernel; });
    Result.What = AnyKernel ? GroupedTime::Kernels : GroupedTime::Operators;
    const SiteKind Wanted = AnyKernel ? SiteKind::Kernel : SiteKind::Operator;
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (siteOf(I).Kind == Wanted)
        Units.push_back({I, I, I});
    if (AnyKernel && Key == GroupKey::Module && OfKernel)
      addLibraries();
  }

  /// Operators that compiled code calls: their modules are known like those of kernels.
  void addLibraries() {
    Result.What = GroupedTime::Compiled;
    const StepWork Work(Input, TimeOf::Host);
    std::vector<bool> IsCall(Events.size());
    std::vector<Origin> Operators;
    for (TrackId Track = 0; Track < Input.Tracks.size(); ++Track)
      for (const WorkItem &Item : Work.onTrack(Track))
        if (Item.Kind == WorkKind::Operator && Item.Region != NoEvent) {
          Operators.push_back({Item.Event, Item.Event, Item.Event});
          IsCall[Item.Event] = true;
        }
    // A kernel within such an operator is a part of its time.
    std::erase_if(Units, [&](const Origin &Kernel) {
      const uint32_t Item = Work.itemOf(Kernel.Work);
      return Item != NoEvent && IsCall[Item];
    });
    Units.insert(Units.end(), Operators.begin(), Operators.end());
  }

  /// Innermost step or annotation around each launch.
  void findSpans() {
    std::vector<uint32_t> Calls;
    for (const Origin &Unit : Units)
      if (Unit.Launch != NoEvent)
        Calls.push_back(Unit.Launch);
    std::vector<bool> Holds(Input.Sites.size());
    if (Key == GroupKey::Region)
      Holds = compiledSites(Input);
    for (SiteId Id = 0; Id < Input.Sites.size() && Key != GroupKey::Region; ++Id) {
      const Site &What = Input.Sites[Id];
      Holds[Id] = (What.Kind == SiteKind::Span || What.Kind == SiteKind::Annotation) &&
                  isStepName(Input.text(What.Name)) == (Key == GroupKey::Step);
    }
    SpanOf = innermostAround(Input, Calls, Holds, Within::Begin);
  }

  GroupRow &rowOf(const Origin &Unit) {
    // What distinguishes rows, as numbers.
    const Site &What = siteOf(Unit.Work);
    std::pair<uint64_t, uint64_t> Id = {0, 0};
    switch (Key) {
    case GroupKey::Kernel:
      Id = {What.Name, 0};
      break;
    case GroupKey::Operator:
      if (Unit.Operator != NoEvent)
        Id = {1 + siteOf(Unit.Operator).Name, 0};
      break;
    case GroupKey::OperatorShape:
      if (Unit.Operator != NoEvent)
        Id = {1 + siteOf(Unit.Operator).Name, siteOf(Unit.Operator).InputDims};
      break;
    case GroupKey::Category:
      Id = {Events.Site[Unit.Work], 0};
      break;
    case GroupKey::Device:
      Id = {static_cast<uint64_t>(What.Device) + 1, 0};
      break;
    case GroupKey::Stream:
      Id = {Events.Track[Unit.Work], static_cast<uint64_t>(What.Device) + 1};
      break;
    case GroupKey::Step:
    case GroupKey::Region:
    case GroupKey::Annotation:
      if (const uint32_t Span = spanAround(Unit); Span != NoEvent)
        Id = {1 + siteOf(Span).Name, 0};
      break;
    case GroupKey::Line:
      if (What.File)
        Id = {1 + uint64_t{What.File}, What.Line};
      else
        Id = {0, Stacks->lineStack(stackOf(Unit))};
      break;
    case GroupKey::Stack:
      Id = {Stacks->lineStack(stackOf(Unit)), 0};
      break;
    case GroupKey::Module:
      Id = {Modules->ofWork(Unit), Unit.Launch == NoEvent};
      break;
    }
    const auto [Entry, New] = RowOfId.try_emplace(Id, 0);
    if (New)
      Entry->second = rowNamed(nameOf(Unit));
    return Result.Rows[Entry->second];
  }

  /// The span that launched the work; NoEvent: none is known.
  uint32_t spanAround(const Origin &Unit) const {
    return Unit.Launch == NoEvent ? NoEvent : SpanOf[Unit.Launch];
  }

  size_t rowNamed(const std::string &Name) {
    const auto [Entry, New] = RowOfName.try_emplace(Name, Result.Rows.size());
    if (New)
      Result.Rows.emplace_back().Key = Name;
    return Entry->second;
  }

  std::string nameOf(const Origin &Unit) const {
    const Site &What = siteOf(Unit.Work);
    switch (Key) {
    case GroupKey::Kernel:
      return std::string(Input.text(What.Name));
    case GroupKey::Operator:
    case GroupKey::OperatorShape: {
      if (Unit.Operator == NoEvent)
        break;
      const Site &Operator = siteOf(Unit.Operator);
      std::string Name(Input.text(Operator.Name));
      if (Key == GroupKey::OperatorShape) {
        const std::string_view Dimensions = Input.text(Operator.InputDims);
        Name.append(" ").append(Dimensions.empty() ? "[no shapes]" : Dimensions);
      }
      return Name;
    }
    case GroupKey::Category:
      return std::string(categoryName(
          What.Kind == SiteKind::Copy ? KernelCategory::Copy : categorize(Input.text(What.Name))));
    case GroupKey::Device:
      return What.Device < 0 ? "host" : fmt::format("device {}", What.Device);
    case GroupKey::Stream: {
      const Track &Where = Input.Tracks[Events.Track[Unit.Work]];
      const std::string_view Thread = Input.text(Where.Thread);
      if (What.Device < 0)
        return fmt::format("thread {} of process {}", Thread, Input.text(Where.Process));
      return fmt::format("device {} {}{}", What.Device,
                         Thread.starts_with("stream") ? "" : "stream ", Thread);
    }
    case GroupKey::Step:
    case GroupKey::Region:
    case GroupKey::Annotation:
      if (const uint32_t Span = spanAround(Unit); Span != NoEvent)
        return std::string(Input.text(siteOf(Span).Name));
      break;
    case GroupKey::Line:
      if (What.File)
        return fmt::format("{}:{}", Input.text(What.File), What.Line);
      if (std::string Line = Stacks->line(stackOf(Unit)); !Line.empty())
        return Line;
      break;
    case GroupKey::Stack:
      if (std::string Frame = Stacks->frame(stackOf(Unit)); !Frame.empty())
        return Frame;
      break;
    case GroupKey::Module:
      if (const PathId Path = Modules->ofWork(Unit))
        return Modules->text(Path);
      if (Modules->any() && Unit.Launch != NoEvent)
        return std::string(NoModule);
      break;
    }
    return std::string(Unattributed);
  }

  /// For work of a backward pass, that of the forward operator: autograd's threads run no Python.
  PathId stackOf(const Origin &Unit) const {
    const uint32_t Forward = Parts->forwardOf(Unit.Launch);
    const PathId Stack = Stacks->of(Forward);
    return Stack ? Stack : Stacks->of(Unit.Launch);
  }

  const Trace &Input;
  const EventColumns &Events;
  const std::vector<Origin> &Links;
  GroupKey Key;
  const KernelModules &OfKernel;
  std::vector<Origin> Units;
  std::vector<uint32_t> SpanOf; ///< by launch
  std::optional<Directions> Parts;
  std::optional<PythonStacks> Stacks;
  std::optional<ModulePaths> Modules;
  std::map<std::pair<uint64_t, uint64_t>, size_t> RowOfId;
  std::map<std::string, size_t> RowOfName;
  Grouping Result;
};

} // namespace

std::optional<GroupKey> groupKeyOf(std::string_view Name) {
  for (const auto &[Known, Key] : Names)
    if (Known == Name)
      return Key;
  return std::nullopt;
}

std::vector<std::string> groupKeyNames() {
  std::vector<std::string> All;
  for (const auto &[Known, Key] : Names)
    All.emplace_back(Known);
  return All;
}

ReadOptions detailsFor(GroupKey Key) {
  const bool Needs = Key == GroupKey::Line || Key == GroupKey::Stack;
  return {.Autograd = Needs || Key == GroupKey::Module, .Stacks = Needs};
}

Grouping groupBy(const Trace &Input, const std::vector<Origin> &Links, GroupKey Key,
                 const KernelModules &OfKernel) {
  return Grouper(Input, Links, Key, OfKernel).run();
}

bool sortGroups(std::vector<GroupRow> &Rows, SortKey Key) {
  const auto Largest = [&](auto Get) {
    std::ranges::stable_sort(Rows, std::ranges::greater(), Get);
    return true;
  };
  switch (Key) {
  case SortKey::Self:
    return Largest(&GroupRow::SelfNs);
  case SortKey::Total:
    return Largest(&GroupRow::TotalNs);
  case SortKey::Calls:
    return Largest(&GroupRow::Calls);
  case SortKey::Mean:
    return Largest([](const GroupRow &R) { return R.Calls ? roundedMean(R.SumNs, R.Calls) : 0; });
  case SortKey::Max:
    return Largest(&GroupRow::MaxNs);
  case SortKey::Name:
    std::ranges::stable_sort(Rows, {}, &GroupRow::Key);
    return true;
  case SortKey::Median:
  case SortKey::P99:
    break;
  }
  return false;
}

} // namespace seamscope::tools
