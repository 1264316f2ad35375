//===- Sources.cpp - traces that a tool has merged into one --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Sources.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {
namespace {

/// "[TP00]" of "[TP00] 4711"; empty: there is none.
std::string_view prefixOf(std::string_view Pid) {
  const size_t End = Pid.starts_with('[') ? Pid.find("] ") : Pid.npos;
  return End == Pid.npos ? std::string_view() : Pid.substr(0, End + 1);
}

/// Numbers beyond are hashes, which do not meet.
constexpr int64_t HashIds = int64_t{1} << 52;

/// Calls \p Visit with each number that links events, and the track of its event.
template <typename VisitFn> void visitIds(Trace &Input, VisitFn Visit) {
  const auto Of = [&](int64_t &Id, uint32_t Event) {
    if (Id > 0 && Id < HashIds) // others link nothing
      Visit(Id, Input.Events.Track[Event]);
  };
  for (Correlation &Each : Input.Correlations)
    Of(Each.Id, Each.Event);
  for (DeviceSync &Each : Input.Details.Syncs) {
    Of(Each.Correlation, Each.Event);
    Of(Each.Record, Each.Event);
  }
  for (SequenceNumber &Each : Input.Details.Sequences)
    Of(Each.Number, Each.Event);
  for (PythonFrame &Each : Input.Details.Frames) {
    Of(Each.Id, Each.Event);
    if (Each.Parent)
      Of(*Each.Parent, Each.Event);
  }
  for (FlowEnd &Each : Input.Details.Flows)
    if (Each.Id > 0 && Each.Id < HashIds)
      Visit(Each.Id, Each.Track);
}

/// Whether calls of two sources have one number: else it is the prefix that says something else.
bool anyMeets(const Trace &Input, const std::vector<int64_t> &SourceOf) {
  std::unordered_map<int64_t, int64_t> Known;
  return std::ranges::any_of(Input.Correlations, [&](const Correlation &Of) {
    if (Input.Sites[Input.Events.Site[Of.Event]].Kind != SiteKind::Launch || Of.Id <= 0)
      return false;
    const int64_t Source = SourceOf[Input.Events.Track[Of.Event]];
    return Known.try_emplace(Of.Id, Source).first->second != Source;
  });
}

} // namespace

void separateSources(Trace &Input) {
  std::map<std::string_view, int64_t> Numbers;
  std::vector<int64_t> SourceOf; // by track
  for (const Track &Where : Input.Tracks) {
    const auto Next = static_cast<int64_t>(Numbers.size());
    SourceOf.push_back(
        Numbers.try_emplace(prefixOf(Input.text(Where.Process)), Next).first->second);
  }
  constexpr size_t Most = 1000; // their numbers must fit
  if (Numbers.size() < 2 || Numbers.size() > Most || !anyMeets(Input, SourceOf))
    return;
  int64_t Last = 0;
  visitIds(Input, [&](int64_t Id, TrackId) { Last = std::max(Last, Id); });
  visitIds(Input, [&](int64_t &Id, TrackId Of) { Id += SourceOf[Of] * (Last + 1); });
}

} // namespace seamscope::tools
