//===- Direction.cpp - forward pass, backward pass, optimizer -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Direction.h"

#include "analysis/torch/Compiled.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

std::vector<HostMoment> momentsOf(const std::vector<FlowEnd> &Flows) {
  std::vector<HostMoment> Moments;
  for (const FlowEnd &End : Flows)
    Moments.push_back({End.Track, End.Ns});
  return Moments;
}

} // namespace

Directions::Directions(const Trace &Input)
    : Input(Input), Nesting(nestHost(Input, momentsOf(Input.Details.Flows))),
      IsTarget(Input.Events.size()), RunsBackward(Input.Tracks.size()) {
  Numbered = Nesting.innermost([&](uint32_t Event) { return sequenceAt(Event) ? Event : NoEvent; });
  Forward.assign(Input.Events.size(), NoEvent);
  followFlows();
  findNodes();
  matchNumbers();
}

const SequenceNumber *Directions::sequenceAt(uint32_t Operator) const {
  const auto &All = Input.Details.Sequences;
  const auto Found = std::ranges::lower_bound(All, Operator, {}, &SequenceNumber::Event);
  return Found != All.end() && Found->Event == Operator ? &*Found : nullptr;
}

/// Ties each target to the last source before it that has its number.
void Directions::followFlows() {
  const std::vector<FlowEnd> &Flows = Input.Details.Flows;
  if (Flows.empty())
    return;
  std::vector<uint32_t> Order(Flows.size());
  for (uint32_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
  std::ranges::sort(Order, {}, [&](uint32_t I) {
    return std::tuple(Flows[I].Id, Flows[I].Ns, Flows[I].IsTarget, I);
  });
  // The operator that a flow refers to has a number, if any has in the trace.
  const auto EventOf = [&](uint32_t End) {
    const uint32_t At = Nesting.AtMoments[End];
    return At != NoEvent && Numbered[At] != NoEvent ? Numbered[At] : At;
  };
  uint32_t Source = NoEvent;
  for (size_t I = 0; I < Order.size(); ++I) {
    const FlowEnd &End = Flows[Order[I]];
    if (I && Flows[Order[I - 1]].Id != End.Id)
      Source = NoEvent;
    const uint32_t Event = EventOf(Order[I]);
    if (!End.IsTarget) {
      Source = Event;
    } else if (Source != NoEvent && Event != NoEvent && Event != Source) {
      IsTarget[Event] = true;
      Forward[Event] = Source;
    }
  }
}

void Directions::findNodes() {
  const EventColumns &Events = Input.Events;
  std::vector<bool> Evaluates(Input.Sites.size()), Optimizes(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    const std::string_view Name = Input.text(What.Name);
    Evaluates[Id] = What.Kind == SiteKind::Operator &&
                    (Name.starts_with("autograd::engine::evaluate_function: ") ||
                     Name.starts_with("torch::autograd::AccumulateGrad"));
    // Before 2022 annotations were of the same category as operators.
    Optimizes[Id] = (What.Kind == SiteKind::Span || What.Kind == SiteKind::Operator) &&
                    Name.starts_with("Optimizer.");
  }
  const auto IsNode = [&](uint32_t Event) {
    const SequenceNumber *Number = sequenceAt(Event);
    return IsTarget[Event] || (Number && Number->ForwardThread > 0);
  };
  Node = Nesting.innermost([&](uint32_t Event) { return IsNode(Event) ? Event : NoEvent; });
  // An optimizer may run a backward pass; then the inner one decides.
  Backward = Nesting.innermost([&](uint32_t Event) {
    return IsNode(Event) || Evaluates[Events.Site[Event]] || Optimizes[Events.Site[Event]]
               ? Event
               : NoEvent;
  });
  Optimizer = Nesting.innermost(
      [&](uint32_t Event) { return Optimizes[Events.Site[Event]] ? Event : NoEvent; });

  // An autograd thread runs nodes, creates none outside of them, and runs no steps.
  std::vector<bool> IsUsers(Input.Tracks.size());
  for (const uint32_t Event : Nesting.Order) {
    const TrackId Track = Events.Track[Event];
    if (Node[Event] == Event)
      RunsBackward[Track] = true;
    else if ((sequenceAt(Event) && Backward[Event] == NoEvent) || Optimizes[Events.Site[Event]] ||
             isStepName(Input.text(siteOf(Event).Name)))
      IsUsers[Track] = true;
  }
  for (TrackId Track = 0; Track < IsUsers.size(); ++Track)
    if (IsUsers[Track])
      RunsBackward[Track] = false;
}

void Directions::matchNumbers() {
  const EventColumns &Events = Input.Events;
  /// A forward operator with a number.
  struct Maker {
    int64_t Number;
    TrackId Track;
    int64_t BeginNs;
    uint32_t Event;
  };
  const auto Key = [](const Maker &M) { return std::tuple(M.Number, M.Track, M.BeginNs, M.Event); };
  std::vector<Maker> Makers;
  for (const SequenceNumber &Of : Input.Details.Sequences)
    if (Of.ForwardThread <= 0 && !IsTarget[Of.Event])
      Makers.push_back({Of.Number, Events.Track[Of.Event], Events.BeginNs[Of.Event], Of.Event});
  std::ranges::sort(Makers, {}, Key);

  // From autograd's number of a thread, by process, to the thread; NoTrack: flows contradict each
  // other.
  constexpr TrackId NoTrack = UINT32_MAX;
  std::map<std::pair<StringId, int64_t>, TrackId> Threads;
  const auto ThreadKey = [&](const SequenceNumber &Of) {
    return std::pair(Input.Tracks[Events.Track[Of.Event]].Process, Of.ForwardThread);
  };
  for (const SequenceNumber &Of : Input.Details.Sequences)
    if (Of.ForwardThread > 0 && Forward[Of.Event] != NoEvent) {
      const TrackId Track = Events.Track[Forward[Of.Event]];
      const auto [Entry, New] = Threads.try_emplace(ThreadKey(Of), Track);
      if (!New && Entry->second != Track)
        Entry->second = NoTrack;
    }

  for (const SequenceNumber &Of : Input.Details.Sequences) {
    if (Of.ForwardThread <= 0 || Forward[Of.Event] != NoEvent)
      continue;
    const StringId Process = Input.Tracks[Events.Track[Of.Event]].Process;
    const auto Candidates = std::ranges::equal_range(Makers, Of.Number, {}, &Maker::Number);
    if (Candidates.empty())
      continue;
    TrackId Track = NoTrack;
    if (const auto Known = Threads.find(ThreadKey(Of)); Known != Threads.end()) {
      Track = Known->second;
    } else if (Candidates.front().Track == Candidates.back().Track) {
      Track = Candidates.front().Track;
    }
    if (Track == NoTrack || Input.Tracks[Track].Process != Process)
      continue;
    // The last one that had begun.
    const auto After =
        std::ranges::lower_bound(Candidates, std::tuple(Track, Events.BeginNs[Of.Event]), {},
                                 [](const Maker &M) { return std::tuple(M.Track, M.BeginNs); });
    if (After == Candidates.begin() || std::prev(After)->Track != Track)
      continue;
    Forward[Of.Event] = std::prev(After)->Event;
  }
}

TrainingPart Directions::partOf(uint32_t Event, bool InOperator) const {
  if (Event == NoEvent)
    return TrainingPart::Unknown;
  if (const uint32_t Tells = Backward[Event]; Tells != NoEvent)
    return Tells == Optimizer[Event] ? TrainingPart::Optimizer : TrainingPart::Backward;
  if (RunsBackward[Input.Events.Track[Event]])
    return TrainingPart::Backward;
  return InOperator ? TrainingPart::Forward : TrainingPart::Unknown;
}

uint32_t Directions::forwardOf(uint32_t Event) const {
  if (Event == NoEvent || Node[Event] == NoEvent)
    return NoEvent;
  return Forward[Node[Event]];
}

std::optional<int64_t> Directions::sequenceOf(uint32_t Event) const {
  if (Event == NoEvent || Numbered[Event] == NoEvent)
    return std::nullopt;
  return sequenceAt(Numbered[Event])->Number;
}

std::optional<int64_t> Directions::nodeSequenceOf(uint32_t Event) const {
  if (Event == NoEvent || Node[Event] == NoEvent)
    return std::nullopt;
  const SequenceNumber *Of = sequenceAt(Node[Event]);
  if (!Of || Of->Number == sequenceOf(Event))
    return std::nullopt;
  return Of->Number;
}

} // namespace seamscope::tools
