//===- StepWork.cpp - what ran on a step's thread, one after the other ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepWork.h"
#include "analysis/core/HostNesting.h"
#include "analysis/core/Order.h"
#include "analysis/devices/Devices.h"
#include "analysis/torch/Compiled.h"

#include <algorithm>
#include <unordered_map>

namespace seamscope::tools {
namespace {

enum class Role : uint8_t { None, Container, Region, Guard, Backward, Kernel, Operator };

Role roleOf(const Trace &Input, const Site &What) {
  const std::string_view Name = Input.text(What.Name);
  if (What.Device >= 0)
    return Role::None;
  if (What.Kind == SiteKind::Kernel)
    return Role::Kernel;
  if (What.Kind != SiteKind::Operator && What.Kind != SiteKind::Annotation &&
      What.Kind != SiteKind::Span)
    return Role::None;
  if (Name.starts_with(CompiledRegionName) || Name == CompiledBackward)
    return Role::Region;
  if (Name == "TorchDynamo Cache Lookup")
    return Role::Guard;
  if (Name.starts_with("autograd::engine::evaluate_function"))
    return Role::Backward;
  // Functions of autograd, scopes and the like contain operators; only these names are of a
  // library.
  return What.Kind == SiteKind::Operator && Name.find("::") != Name.npos ? Role::Operator
                                                                         : Role::Container;
}

} // namespace

TimeOf timeToCount(const Trace &Input) {
  const bool Any = std::ranges::any_of(linkWork(Input),
                                       [](const Origin &Link) { return Link.Launch != NoEvent; });
  return Any ? TimeOf::Device : TimeOf::Host;
}

StepWork::StepWork(const Trace &Input, TimeOf Whose)
    : Input(Input), Whose(Whose), ByTrack(Input.Tracks.size()), Guards(Input.Tracks.size()),
      Backward(Input.Tracks.size()), Waits(Input.Tracks.size()),
      InnermostRegions(Input.Tracks.size()), Compiled(Input.Tracks.size()),
      Item(Input.Events.size(), NoEvent) {
  const HostNesting Nesting = nestHost(Input);
  std::vector<Role> Roles;
  for (const Site &What : Input.Sites)
    Roles.push_back(roleOf(Input, What));
  std::vector<bool> InBackward(Input.Events.size()), InCompiled(Input.Events.size());
  std::vector<bool> IsCall;
  for (const Site &What : Input.Sites)
    IsCall.push_back(Input.text(What.Name).starts_with(CompiledCallPrefix));
  std::vector<uint32_t> Region(Input.Events.size(), NoEvent);
  std::vector<uint32_t> AllRegions;
  std::vector<bool> HoldsRegion(Input.Events.size());
  for (const uint32_t I : Nesting.Order) {
    const Role What = Roles[Input.Events.Site[I]];
    const TrackId Track = Input.Events.Track[I];
    const bool IsWork = What >= Role::Kernel;
    if (const uint32_t Parent = Nesting.Parent[I]; Parent != NoEvent) {
      Item[I] = Item[Parent];
      Region[I] = Region[Parent];
      InBackward[I] = InBackward[Parent];
      InCompiled[I] = InCompiled[Parent];
    }
    if (!InCompiled[I] && (What == Role::Region || IsCall[Input.Events.Site[I]])) {
      Compiled[Track].push_back(I);
      InCompiled[I] = true;
    }
    if (What == Role::Region) {
      if (Region[I] != NoEvent)
        HoldsRegion[Region[I]] = true;
      Region[I] = I;
      AllRegions.push_back(I);
      Regions = Regions || !InBackward[I];
    }
    if (What == Role::Guard)
      Guards[Track].push_back(I);
    if (What == Role::Backward && !InBackward[I]) {
      Backward[Track].push_back(I);
      InBackward[I] = true;
    }
    if (IsWork && Item[I] == NoEvent) {
      ByTrack[Track].push_back({Input.Events.BeginNs[I], I, Region[I],
                                What == Role::Kernel ? WorkKind::Kernel : WorkKind::Operator,
                                InBackward[I]});
      Item[I] = I;
    }
  }
  for (const uint32_t I : AllRegions)
    if (!HoldsRegion[I])
      InnermostRegions[Input.Events.Track[I]].push_back(I);
  const auto Waited = eventsWhere(
      Input, [&](uint32_t I) { return Input.Sites[Input.Events.Site[I]].Kind == SiteKind::Wait; });
  for (const uint32_t I : orderedByTrack(Input, Waited))
    Waits[Input.Events.Track[I]].push_back(I);
  if (Whose == TimeOf::Device)
    addLaunched(Region, InBackward);
}

void StepWork::addLaunched(const std::vector<uint32_t> &Region,
                           const std::vector<bool> &InBackward) {
  const EventColumns &Events = Input.Events;
  for (const Origin &Link : linkWork(Input)) {
    if (Link.Launch == NoEvent)
      continue; // its step is not known
    const uint32_t Launch = Link.Launch;
    if (Item[Launch] == NoEvent) { // a kernel without an operator, such as Triton's
      Item[Link.Work] = Link.Work;
      ByTrack[Events.Track[Launch]].push_back({Events.BeginNs[Launch], Link.Work, Region[Launch],
                                               WorkKind::Kernel, InBackward[Launch]});
    } else {
      Item[Link.Work] = Item[Launch];
    }
    AllLaunched.push_back(
        {Events.BeginNs[Launch], Events.endNs(Launch), Link.Work, Item[Link.Work]});
  }
  // One launch of a CUDA graph has many kernels, in the order in which they ran.
  for (std::vector<Place> &Track : ByTrack)
    std::ranges::stable_sort(
        Track, {}, [&](const Place &P) { return std::pair(P.Ns, Events.BeginNs[P.Event]); });
  std::ranges::stable_sort(
      AllLaunched, {}, [&](const Launched &L) { return std::pair(L.Ns, Events.BeginNs[L.Work]); });
  int64_t Done = INT64_MIN;
  for (const Launched &Each : AllLaunched) {
    Done = std::max(Done, Events.endNs(Each.Work));
    DoneNs.push_back(Done);
  }
}

std::vector<WorkItem> StepWork::launchedFor(const Step &Of) const {
  const EventColumns &Events = Input.Events;
  std::vector<std::pair<int64_t, WorkItem>> Found;
  for (TrackId Track = 0; Track < Input.Tracks.size(); ++Track) {
    if (Input.Tracks[Track].Process != Input.Tracks[Of.Track].Process)
      continue;
    const std::vector<Place> &All = ByTrack[Track];
    for (auto At = std::ranges::lower_bound(All, Of.BeginNs, {}, &Place::Ns);
         At != All.end() && At->Ns < Of.EndNs; ++At)
      if (Track == Of.Track || At->Backward)
        Found.push_back(
            {At->Ns,
             {At->Event, At->Region, Events.Site[At->Event], At->Kind, At->Backward, At->Ns, 0}});
  }
  std::ranges::stable_sort(Found, {}, [](const auto &Each) { return Each.first; });
  std::vector<WorkItem> Items;
  for (const auto &[Ns, Each] : Found)
    Items.push_back(Each);
  return Items;
}

std::vector<WorkItem> StepWork::onTrack(TrackId Track) const {
  Step Whole;
  Whole.Track = Track;
  Whole.BeginNs = INT64_MIN / 2;
  Whole.EndNs = INT64_MAX / 2;
  return in(Whole);
}

DeviceStep StepWork::onDevice(const Step &Of) const {
  const EventColumns &Events = Input.Events;
  DeviceStep Result;
  Result.Items = launchedFor(Of);
  std::unordered_map<uint32_t, size_t> Index;
  for (size_t I = 0; I < Result.Items.size(); ++I)
    Index.emplace(Result.Items[I].Event, I);
  const size_t First =
      std::ranges::lower_bound(AllLaunched, Of.BeginNs, {}, &Launched::Ns) - AllLaunched.begin();
  Result.BeginNs = First ? std::max(Of.BeginNs, DoneNs[First - 1]) : Of.BeginNs;
  std::vector<const Launched *> Own;
  for (size_t I = First; I < AllLaunched.size() && AllLaunched[I].Ns < Of.EndNs; ++I)
    if (Index.contains(AllLaunched[I].Item))
      Own.push_back(&AllLaunched[I]);
  std::ranges::stable_sort(Own, {}, [&](const Launched *L) { return Events.BeginNs[L->Work]; });
  int64_t At = Result.BeginNs;
  for (const Launched *Each : Own) {
    const int64_t Begin = std::max(Events.BeginNs[Each->Work], At);
    const int64_t End = std::max(Events.endNs(Each->Work), Begin);
    const int64_t Waited = std::clamp(Each->EndNs, At, Begin) - At;
    Result.OverheadNs += Waited;
    Result.IdleNs += Begin - At - Waited;
    Result.Items[Index.at(Each->Item)].Ns += End - Begin;
    At = End;
  }
  Result.EndNs = std::max(At, Of.EndNs);
  Result.OverheadNs += Result.EndNs - At;
  return Result;
}

std::vector<WorkItem> StepWork::in(const Step &Of) const {
  if (Whose == TimeOf::Device)
    return onDevice(Of).Items;
  const EventColumns &Events = Input.Events;
  const std::vector<Place> &All = ByTrack[Of.Track];
  std::vector<WorkItem> Items;
  int64_t CoveredTo = Of.BeginNs;
  for (auto At = std::ranges::lower_bound(All, Of.BeginNs, {},
                                          [&](const Place &P) { return Events.BeginNs[P.Event]; });
       At != All.end() && Events.BeginNs[At->Event] < Of.EndNs; ++At) {
    const int64_t Begin = std::max(Events.BeginNs[At->Event], CoveredTo);
    const int64_t End = std::max(Begin, std::min(Events.endNs(At->Event), Of.EndNs));
    Items.push_back({At->Event, At->Region, Events.Site[At->Event], At->Kind, At->Backward, Begin,
                     End - Begin});
    CoveredTo = End;
  }
  return Items;
}

int64_t StepWork::idleNs(const Step &Of, const std::vector<TimeSpan> &Known) const {
  const EventColumns &Events = Input.Events;
  const std::vector<uint32_t> &All = Waits[Of.Track];
  auto Wait =
      std::ranges::lower_bound(All, Of.BeginNs, {}, [&](uint32_t I) { return Events.BeginNs[I]; });
  if (Wait != All.begin())
    --Wait; // it may reach into the step
  auto Next = Known.begin();
  int64_t Sum = 0, At = Of.BeginNs;
  for (; Wait != All.end() && Events.BeginNs[*Wait] < Of.EndNs; ++Wait) {
    At = std::max(At, Events.BeginNs[*Wait]);
    const int64_t End = std::min(Events.endNs(*Wait), Of.EndNs);
    while (At < End) {
      while (Next != Known.end() && Next->EndNs <= At)
        ++Next;
      const int64_t Free = Next == Known.end() ? End : Next->BeginNs;
      Sum += std::max<int64_t>(std::min(Free, End) - At, 0);
      At = Free >= End ? End : std::min(End, Next->EndNs);
    }
  }
  return Sum;
}

template <typename Fn>
void StepWork::forEachIn(const Scopes &Of, const Step &During, Fn Visit) const {
  const EventColumns &Events = Input.Events;
  const std::vector<uint32_t> &All = Of[During.Track];
  for (auto At = std::ranges::lower_bound(All, During.BeginNs, {},
                                          [&](uint32_t I) { return Events.BeginNs[I]; });
       At != All.end() && Events.BeginNs[*At] < During.EndNs; ++At)
    Visit(*At, TimeSpan{Events.BeginNs[*At], std::min(Events.endNs(*At), During.EndNs)});
}

std::vector<uint32_t> StepWork::regionsIn(const Step &Of) const {
  std::vector<uint32_t> Found;
  forEachIn(InnermostRegions, Of,
            [&](uint32_t Event, const TimeSpan &) { Found.push_back(Event); });
  return Found;
}

std::vector<TimeSpan> StepWork::compiledIn(const Step &Of) const {
  std::vector<TimeSpan> Found;
  forEachIn(Compiled, Of, [&](uint32_t, const TimeSpan &Span) { Found.push_back(Span); });
  return Found;
}

int64_t StepWork::timeIn(const Scopes &Of, const Step &During) const {
  int64_t Sum = 0;
  forEachIn(Of, During, [&](uint32_t, const TimeSpan &Span) { Sum += Span.EndNs - Span.BeginNs; });
  return Sum;
}

StepsBy stepsBy(const Trace &Input, const StepWork &Work) {
  if (marksSteps(Input))
    return StepsBy::Mark;
  const auto Backward = [&](StepsBy By) {
    int64_t Sum = 0;
    for (const Step &Each : stepsOf(Input, By))
      Sum += Work.backwardNs(Each);
    return Sum;
  };
  return Backward(StepsBy::Turn) > Backward(StepsBy::Call) ? StepsBy::Turn : StepsBy::Call;
}

} // namespace seamscope::tools
