//===- MessageWaits.cpp - calls of MPI as times without work --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/MessageWaits.h"

#include "analysis/core/Order.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

struct Message {
  int64_t BeginNs, EndNs;
  SiteId Site;
};

/// By track; of calls inside each other the outermost.
std::map<TrackId, std::vector<Message>> messagesByTrack(const Trace &Input) {
  std::map<TrackId, std::vector<Message>> Result;
  std::vector<bool> Sends;
  for (const Site &What : Input.Sites)
    Sends.push_back(isMessage(Input, What));
  if (std::ranges::find(Sends, true) == Sends.end())
    return Result;
  const EventColumns &Events = Input.Events;
  for (const uint32_t Event : orderedByTrack(
           Input, eventsWhere(Input, [&](uint32_t I) { return Sends[Events.Site[I]]; }))) {
    std::vector<Message> &Its = Result[Events.Track[Event]];
    if (Events.DurationNs[Event] > 0 && (Its.empty() || Its.back().EndNs <= Events.BeginNs[Event]))
      Its.push_back({Events.BeginNs[Event], Events.endNs(Event), Events.Site[Event]});
  }
  return Result;
}

struct Stretch {
  TrackId Track;
  int64_t BeginNs, EndNs;
  int64_t Kind, OffNs, Wait;
};

/// Calls \p Use for the parts of a stretch that lie in none of \p Messages.
void outside(const std::vector<Message> &Messages, int64_t BeginNs, int64_t EndNs, auto Use) {
  for (auto It = std::ranges::upper_bound(Messages, BeginNs, {}, &Message::EndNs);
       It != Messages.end() && It->BeginNs < EndNs; ++It) {
    if (BeginNs < It->BeginNs)
      Use(BeginNs, It->BeginNs);
    BeginNs = It->EndNs;
  }
  if (BeginNs < EndNs)
    Use(BeginNs, EndNs);
}

/// Samples share the time in which a thread ran, and a message has none of it.
void removeSamples(Trace &Input, auto Of) {
  const SampleColumns Old = std::exchange(Input.Samples, {});
  for (size_t I = 0; I < Old.size(); ++I) {
    bool Outside = false;
    outside(Of(static_cast<TrackId>(Old.Track[I])), Old.Ns[I], Old.Ns[I] + 1,
            [&](int64_t, int64_t) { Outside = true; });
    if (!Outside)
      continue;
    Input.Samples.Ns.push_back(Old.Ns[I]);
    Input.Samples.Track.push_back(Old.Track[I]);
    Input.Samples.Address.push_back(Old.Address[I]);
    Input.Samples.Module.push_back(Old.Module[I]);
  }
}

} // namespace

bool isMessage(const Trace &Input, const Site &What) {
  return What.Kind == SiteKind::TeamWait && Input.text(What.Construct).starts_with("MPI_");
}

void addMessageWaits(Trace &Input) {
  const std::map<TrackId, std::vector<Message>> Messages = messagesByTrack(Input);
  if (Messages.empty())
    return;
  const std::vector<Message> None;
  const auto Of = [&](TrackId Track) -> const std::vector<Message> & {
    const auto Found = Messages.find(Track);
    return Found == Messages.end() ? None : Found->second;
  };
  std::vector<Stretch> All;
  const OffColumns Old = std::exchange(Input.OffCpu, {});
  for (size_t I = 0; I < Old.size(); ++I) {
    const auto Track = static_cast<TrackId>(Old.Track[I]);
    outside(Of(Track), Old.BeginNs[I], Old.EndNs[I], [&](int64_t Begin, int64_t End) {
      const auto OffNs = static_cast<int64_t>(static_cast<__int128>(Old.OffNs[I]) * (End - Begin) /
                                              (Old.EndNs[I] - Old.BeginNs[I]));
      All.push_back({Track, Begin, End, Old.Kind[I], OffNs, Old.Wait[I]});
    });
  }
  std::map<SiteId, int64_t> WaitOf;
  std::map<TrackId, std::vector<SampledSpan>> Spans;
  for (const SampledSpan &Span : Input.SampledSpans)
    Spans[Span.Track].push_back(Span);
  for (const auto &[Track, Its] : Messages) {
    std::vector<Message> Known; // as above, of the spans
    for (const SampledSpan &Span : Spans[Track])
      Known.push_back({Span.FromNs, Span.ToNs, 0});
    for (const Message &Call : Its) {
      const auto [Wait, New] = WaitOf.try_emplace(Call.Site, Input.Waits.size());
      if (New)
        Input.Waits.emplace_back().Message = Call.Site;
      All.push_back({Track, Call.BeginNs, Call.EndNs, static_cast<int64_t>(OffKind::Blocked),
                     Call.EndNs - Call.BeginNs, Wait->second});
      outside(Known, Call.BeginNs, Call.EndNs, [&, Track = Track](int64_t Begin, int64_t End) {
        Spans[Track].push_back({Track, Begin, End, /*HasSwitches=*/false});
      });
    }
  }
  removeSamples(Input, Of);
  std::ranges::stable_sort(All, {},
                           [](const Stretch &Of) { return std::pair(Of.Track, Of.BeginNs); });
  for (const Stretch &Each : All) {
    Input.OffCpu.BeginNs.push_back(Each.BeginNs);
    Input.OffCpu.EndNs.push_back(Each.EndNs);
    Input.OffCpu.Track.push_back(Each.Track);
    Input.OffCpu.Kind.push_back(Each.Kind);
    Input.OffCpu.OffNs.push_back(Each.OffNs);
    Input.OffCpu.Wait.push_back(Each.Wait);
  }
  Input.SampledSpans.clear();
  for (auto &[Track, Its] : Spans) {
    std::ranges::sort(Its, {}, &SampledSpan::FromNs);
    Input.SampledSpans.insert(Input.SampledSpans.end(), Its.begin(), Its.end());
  }
}

} // namespace seamscope::tools
