//===- ThreadTimeline.cpp - what a thread did, moment by moment -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/ThreadTimeline.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace seamscope::tools {
namespace {

/// One thread.
class Sweep {
public:
  Sweep(const Trace &Input, std::vector<TimelinePart> &Into) : Input(Input), Into(Into) {}

  void begin(uint32_t Event) {
    const Site &What = Input.Sites[Input.Events.Site[Event]];
    const int64_t Begin = Input.Events.BeginNs[Event];
    if (Open.empty() && Into.empty())
      Now = Begin;
    passUntil(Begin);
    if (!Input.Events.DurationNs[Event])
      return;
    const bool Work = isHostOperator(What) || What.Kind == SiteKind::Launch;
    Open.push_back({Event, Work || (!Open.empty() && Open.back().InWork)});
  }

  void end() {
    passUntil(std::numeric_limits<int64_t>::max());
    // Behind the last call there is nothing.
    if (!Into.empty() && Into.back().Event == NoEvent)
      Into.pop_back();
  }

private:
  struct OpenCall {
    uint32_t Event = NoEvent;
    bool InWork = false;
  };

  int64_t endOf(const OpenCall &Call) const { return Input.Events.endNs(Call.Event); }

  void passUntil(int64_t Ns) {
    while (!Open.empty() && endOf(Open.back()) <= Ns) {
      add(endOf(Open.back()), Open.back());
      Open.pop_back();
      // Of calls that overlap without being nested, the outer one may have ended before.
      while (!Open.empty() && endOf(Open.back()) <= Now)
        Open.pop_back();
    }
    add(Ns, Open.empty() ? OpenCall() : Open.back());
  }

  void add(int64_t Until, const OpenCall &Of) {
    if (Until <= Now)
      return;
    if (!Into.empty() && Into.back().Event == Of.Event)
      Into.back().EndNs = Until;
    else
      Into.push_back({Now, Until, Of.Event, Of.InWork});
    Now = Until;
  }

  const Trace &Input;
  std::vector<TimelinePart> &Into;
  std::vector<OpenCall> Open;
  int64_t Now = 0;
};

} // namespace

ThreadTimelines::ThreadTimelines(const Trace &Input) : Parts(Input.Tracks.size()) {
  const std::vector<uint32_t> Order = nestHost(Input).Order;
  for (size_t First = 0, Last; First < Order.size(); First = Last) {
    const TrackId Track = Input.Events.Track[Order[First]];
    Sweep Thread(Input, Parts[Track]);
    for (Last = First; Last < Order.size() && Input.Events.Track[Order[Last]] == Track; ++Last)
      Thread.begin(Order[Last]);
    Thread.end();
  }
}

const TimelinePart *ThreadTimelines::before(TrackId Track, int64_t Ns) const {
  const std::vector<TimelinePart> &Of = Parts[Track];
  const auto Next = std::ranges::lower_bound(Of, Ns, {}, &TimelinePart::BeginNs);
  return Next == Of.begin() ? nullptr : &*std::prev(Next);
}

} // namespace seamscope::tools
