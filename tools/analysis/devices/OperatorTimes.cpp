//===- OperatorTimes.cpp - the operators of a framework, by name ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/OperatorTimes.h"

#include "analysis/core/MoveUntimed.h"
#include "analysis/core/Order.h"

#include <algorithm>

namespace seamscope::tools {

std::vector<bool> nestedWithOperators(const Trace &Input) {
  std::vector<bool> Nested;
  for (const Site &What : Input.Sites)
    Nested.push_back(isHostOperator(What) || What.Kind == SiteKind::Span);
  return Nested;
}

/// Calls \p Add with the self time of each operator and span; returns OperatorNesting::IsRepeat.
template <typename Fn> static std::vector<bool> nestOperators(const Trace &Input, Fn Add) {
  const EventColumns &Events = Input.Events;
  const auto SiteOf = [&](uint32_t I) -> const Site & { return Input.Sites[Events.Site[I]]; };
  std::vector<bool> IsRepeat(Events.size());
  struct OpenCall {
    uint32_t Event = 0;
    uint32_t Children = 0;
    uint32_t OnlyChild = 0;
    int64_t SelfNs = 0;
  };
  std::vector<OpenCall> Open;
  const auto Close = [&] {
    const OpenCall &Last = Open.back();
    if (Last.Children == 1 && isHostOperator(SiteOf(Last.Event)) &&
        SiteOf(Last.Event).Name == SiteOf(Last.OnlyChild).Name)
      IsRepeat[Last.OnlyChild] = true;
    Add(Last.Event, Last.SelfNs);
    Open.pop_back();
  };
  const std::vector<bool> Nested = nestedWithOperators(Input);
  std::vector<uint32_t> Order =
      eventsWhere(Input, [&](uint32_t I) { return Nested[Events.Site[I]]; });
  for (const uint32_t I : orderedByTrack(Input, std::move(Order))) {
    while (!Open.empty() && (Events.Track[Open.back().Event] != Events.Track[I] ||
                             Events.endNs(Open.back().Event) <= Events.BeginNs[I]))
      Close();
    if (!Open.empty()) {
      ++Open.back().Children;
      Open.back().OnlyChild = I;
    }
    // A call that outlasts the one that it began in takes the remaining time from the next one out.
    for (int64_t From = Events.BeginNs[I]; !Open.empty() && From < Events.endNs(I);) {
      const int64_t OuterEnd = Events.endNs(Open.back().Event);
      const int64_t To = std::min(Events.endNs(I), OuterEnd);
      Open.back().SelfNs -= To - From;
      From = To;
      if (OuterEnd < Events.endNs(I))
        Close();
    }
    OpenCall New;
    New.Event = I;
    New.SelfNs = Events.DurationNs[I];
    Open.push_back(New);
  }
  while (!Open.empty())
    Close();
  return IsRepeat;
}

OperatorNesting operatorNesting(const Trace &Input) {
  OperatorNesting Result;
  Result.SelfNs.resize(Input.Events.size());
  Result.IsRepeat =
      nestOperators(Input, [&](uint32_t I, int64_t SelfNs) { Result.SelfNs[I] = SelfNs; });
  return Result;
}

/// The time of untimed calls belongs to their own rows, no longer to the rows around them.
static void addUntimed(const Trace &Input, std::span<const UntimedShare> Untimed,
                       const std::vector<size_t> &RowOf, std::vector<OperatorTimesRow> &Rows) {
  std::vector<uint32_t> RowOfSite;
  for (const size_t Row : RowOf)
    RowOfSite.push_back(static_cast<uint32_t>(std::min(Row, Rows.size())));
  std::vector<int64_t> SelfNs;
  for (const OperatorTimesRow &Row : Rows)
    SelfNs.push_back(Row.SelfNs);
  int64_t Outside = INT64_MAX / 2; // threads that run no operator have enough time
  moveUntimed(Input, RowOfSite, SelfNs, Outside);
  for (const UntimedShare &Calls : Untimed)
    if (RowOf[Calls.Site] < Rows.size()) {
      OperatorTimesRow &Row = Rows[RowOf[Calls.Site]];
      Row.Calls += Calls.Calls;
      Row.TotalNs += Calls.Ns;
    }
  for (size_t I = 0; I < Rows.size(); ++I)
    Rows[I].SelfNs = std::min(SelfNs[I], Rows[I].TotalNs);
}

std::vector<OperatorTimesRow> operatorTimes(const Trace &Input, const std::vector<Origin> &Links,
                                            std::span<const UntimedShare> Untimed) {
  const EventColumns &Events = Input.Events;
  constexpr size_t None = SIZE_MAX;
  std::vector<OperatorTimesRow> Rows;
  std::vector<size_t> RowOf(Input.Sites.size(), None);
  std::vector<size_t> RowOfName;
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    if (!isHostOperator(What))
      continue;
    if (RowOfName.size() <= What.Name)
      RowOfName.resize(What.Name + 1, None);
    if (RowOfName[What.Name] == None) {
      RowOfName[What.Name] = Rows.size();
      Rows.push_back({What.Name});
    }
    RowOf[Id] = RowOfName[What.Name];
  }

  const std::vector<bool> IsRepeat = nestOperators(Input, [&](uint32_t I, int64_t SelfNs) {
    if (const size_t Row = RowOf[Events.Site[I]]; Row != None)
      Rows[Row].SelfNs += SelfNs;
  });
  for (size_t I = 0; I < Events.size(); ++I)
    if (const size_t Row = RowOf[Events.Site[I]]; Row != None && !IsRepeat[I]) {
      ++Rows[Row].Calls;
      Rows[Row].TotalNs += Events.DurationNs[I];
    }
  if (!Untimed.empty())
    addUntimed(Input, Untimed, RowOf, Rows);
  for (const Origin &Link : Links)
    if (Link.Operator != NoEvent)
      Rows[RowOf[Events.Site[Link.Operator]]].DeviceNs += Events.DurationNs[Link.Work];

  std::erase_if(Rows, [](const OperatorTimesRow &Row) { return !Row.Calls; });
  std::ranges::sort(Rows, [&](const OperatorTimesRow &A, const OperatorTimesRow &B) {
    return A.SelfNs != B.SelfNs ? A.SelfNs > B.SelfNs : Input.text(A.Name) < Input.text(B.Name);
  });
  return Rows;
}

} // namespace seamscope::tools
