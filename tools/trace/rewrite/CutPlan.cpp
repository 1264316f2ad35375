//===- CutPlan.cpp - the events of a trace's text that a part of it has ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CutPlan.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>

namespace seamscope::tools {
namespace {

using Times = KeptEvent::Times;

bool isOneOf(char Phase, std::string_view Phases) {
  return Phase && Phases.find(Phase) != Phases.npos;
}
bool isFlow(const OtherEvent &Of) { return isOneOf(Of.Phase, "stf"); }
bool beginsSpan(const OtherEvent &Of) { return isOneOf(Of.Phase, "bS"); }
bool endsSpan(const OtherEvent &Of) { return isOneOf(Of.Phase, "eF"); }

} // namespace

CutPlan::CutPlan(Trace &Whole, int64_t BeginNs, int64_t EndNs)
    : BeginNs(BeginNs), EndNs(EndNs), Clipped(Whole.Details.Others.size()),
      Dropped(Whole.Details.Others.size()) {
  findLast(Whole);
  clipSpans(Whole.Details.Others);
}

bool CutPlan::isAtBorder(const Trace &Of, uint32_t Event) const {
  return Of.Events.BeginNs[Event] <= BeginNs || Of.Events.endNs(Event) >= EndNs;
}

void CutPlan::findLast(const Trace &Whole) {
  const EventColumns &Events = Whole.Events;
  // What has the stretch's first moment in the part.
  struct Half {
    TrackId Track;
    int64_t Ns;
    uint64_t Offset;
  };
  std::vector<Half> Halves;
  const auto Add = [&](uint32_t Event, std::optional<uint64_t> EndOffset) {
    const int64_t Begin = Events.BeginNs[Event], End = Events.endNs(Event);
    if (Begin > BeginNs || End < BeginNs || (Begin < BeginNs && End == BeginNs))
      return;
    Halves.push_back({Events.Track[Event], Begin, Events.Offset[Event]});
    if (EndOffset && End == BeginNs)
      Halves.push_back({Events.Track[Event], End, *EndOffset});
  };
  for (const CallEnd &End : Whole.Details.Ends)
    Add(End.Event, End.Offset);
  for (const OpenCall &Call : Whole.Open)
    if (Call.Guessed)
      Add(Call.Event, std::nullopt);
  std::ranges::sort(Halves, {},
                    [](const Half &It) { return std::tuple(It.Track, It.Ns, It.Offset); });
  for (auto First = Halves.begin(), End = First; First != Halves.end(); First = End) {
    End = std::ranges::find_if(First, Halves.end(),
                               [&](const Half &It) { return It.Track != First->Track; });
    if (!std::ranges::is_sorted(First, End, {}, &Half::Offset))
      std::ranges::transform(First, End, std::back_inserter(Last), &Half::Offset);
  }
}

/// A begin and an end of asynchronous events belong together as those of calls do, by their number
/// in the place of the thread.
void CutPlan::clipSpans(std::vector<OtherEvent> &Others) {
  std::vector<uint32_t> Order;
  for (uint32_t I = 0; I < Others.size(); ++I)
    if (Others[I].Ns != OtherEvent::NoTime && (beginsSpan(Others[I]) || endsSpan(Others[I])))
      Order.push_back(I);
  std::ranges::stable_sort(
      Order, {}, [&](uint32_t I) { return std::tuple(uint64_t{Others[I].Link}, Others[I].Ns); });
  const auto Place = [&](uint32_t I, int64_t Ns) {
    Clipped[I] = Clipped[I] || Ns != Others[I].Ns;
    Others[I].Ns = Ns;
  };
  std::vector<uint32_t> Open;
  const auto LeaveOpen = [&] {
    for (const uint32_t I : Open)
      if (Others[I].Ns < BeginNs)
        Place(I, BeginNs);
    Open.clear();
  };
  for (const uint32_t I : Order) {
    if (!Open.empty() && Others[Open.back()].Link != Others[I].Link)
      LeaveOpen();
    if (beginsSpan(Others[I])) {
      Open.push_back(I);
      continue;
    }
    if (Open.empty())
      continue;
    const uint32_t Begin = Open.back();
    Open.pop_back();
    const int64_t From = std::max(Others[Begin].Ns, BeginNs), To = std::min(Others[I].Ns, EndNs);
    const bool IsEmpty = Others[Begin].Ns == Others[I].Ns;
    if (IsEmpty ? !holds(From) || From != To : From >= To) {
      Dropped[Begin] = Dropped[I] = true;
      continue;
    }
    Place(Begin, From);
    Place(I, To);
  }
  LeaveOpen();
}

void CutPlan::addCalls(const Trace &Part, bool Moved, KeptEvents &To) const {
  for (const ClippedEvent &Of : Part.Details.Clipped)
    To.Ends.emplace(Of.Event, std::min(Of.EndNs, EndNs));
  const EventColumns &Events = Part.Events;
  auto End = Part.Details.Ends.begin();
  auto Open = Part.Open.begin();
  for (uint32_t I = 0; I < Events.size(); ++I) {
    const bool MayDiffer = Moved || isAtBorder(Part, I) || To.Ends.contains(I);
    const auto Add = [&](uint64_t Offset, Times Has) {
      To.All.push_back({Offset, I, MayDiffer ? Has : Times::AsWritten});
    };
    if (Open != Part.Open.end() && Open->Event == I) {
      Add(Events.Offset[I], Open++->Guessed ? Times::Begin : Times::Open);
    } else if (End == Part.Details.Ends.end() || End->Event != I) {
      Add(Events.Offset[I], Times::Call);
    } else {
      Add(Events.Offset[I], Times::Begin);
      Add(End++->Offset, Times::End);
    }
  }
}

void CutPlan::addOthers(const std::vector<OtherEvent> &Others, bool Moved,
                        std::vector<KeptEvent> &To) const {
  // A flow of which one end is outside leads nowhere. It ends with a call, also in the last moment.
  std::vector<uint64_t> Flows;
  const auto IsFlowHere = [&](const OtherEvent &Of) {
    return isFlow(Of) && BeginNs <= Of.Ns && Of.Ns <= EndNs;
  };
  for (const OtherEvent &Of : Others)
    if (IsFlowHere(Of))
      Flows.push_back(Of.Link);
  std::ranges::sort(Flows);
  for (uint32_t I = 0; I < Others.size(); ++I) {
    const OtherEvent &Of = Others[I];
    bool Stays;
    if (Of.Phase == 'M' || Of.Ns == OtherEvent::NoTime)
      Stays = true;
    else if (isFlow(Of))
      Stays = IsFlowHere(Of) && std::ranges::equal_range(Flows, uint64_t{Of.Link}).size() > 1;
    else if (endsSpan(Of))
      Stays = !Dropped[I] && BeginNs <= Of.Ns && Of.Ns <= EndNs;
    else
      Stays = !Dropped[I] && holds(Of.Ns);
    if (Stays)
      To.push_back({Of.Offset, I,
                    Clipped[I] || (Moved && Of.Ns != OtherEvent::NoTime) ? Times::Moment
                                                                         : Times::AsWritten});
  }
}

KeptEvents CutPlan::events(const Trace &Part, bool Moved) const {
  KeptEvents Kept{{}, Last, {}};
  addCalls(Part, Moved, Kept);
  addOthers(Part.Details.Others, Moved, Kept.All);
  if (!std::ranges::is_sorted(Kept.All, {}, &KeptEvent::Offset))
    std::ranges::sort(Kept.All, {}, &KeptEvent::Offset);
  return Kept;
}

} // namespace seamscope::tools
