//===- TeamParts.cpp - what teams do for the calls that started them ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/TeamParts.h"

#include "analysis/core/HostNesting.h"
#include "analysis/core/Teams.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

class TeamParts {
public:
  TeamParts(const Trace &Input, const KernelRows &Rows)
      : Input(Input), Rows(Rows), Found(Input), Nesting(nestCalls(Input, wanted(Input, Rows))),
        RowOf(Input.Events.size(), Unknown) {}

  void addTo(std::vector<Interval> &To) {
    const EventColumns &Events = Input.Events;
    for (const uint32_t Event : Nesting.Order) {
      const SiteKind Kind = kindOf(Event);
      if (!isOfTeam(Kind))
        continue;
      if (const uint32_t Row = rowOf(Event); Row != KernelRows::None)
        To.push_back({Events.BeginNs[Event], Events.endNs(Event), Row, Events.Track[Event],
                      Kind == SiteKind::TeamWait ? OpenAs::Wait : OpenAs::Part});
    }
  }

private:
  static constexpr uint32_t Unknown = KernelRows::None - 1;

  static bool isOfTeam(SiteKind Kind) {
    return Kind == SiteKind::Region || Kind == SiteKind::TeamWait || Kind == SiteKind::Task;
  }

  static std::vector<bool> wanted(const Trace &Input, const KernelRows &Rows) {
    std::vector<bool> Wanted;
    for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
      Wanted.push_back(isOfTeam(Input.Sites[Id].Kind) || Rows.OfSite[Id] != KernelRows::None);
    return Wanted;
  }

  SiteKind kindOf(uint32_t Event) const { return Input.Sites[Input.Events.Site[Event]].Kind; }

  /// The row that a thread works for while \p Event is its innermost one.
  uint32_t rowOf(uint32_t Event) {
    if (Event == NoEvent)
      return KernelRows::None;
    uint32_t &Its = RowOf[Event];
    if (Its != Unknown)
      return Its;
    Its = KernelRows::None; // a circle, in a trace that is wrong
    if (const uint32_t Own = Rows.OfSite[Input.Events.Site[Event]]; Own != KernelRows::None)
      return Its = Own;
    if (kindOf(Event) == SiteKind::Region)
      return Its = rowOf(Found.startOf(Event));
    if (const uint32_t Part = Found.endedPart(Event); Part != NoEvent)
      return Its = rowOf(Part);
    return Its = rowOf(Nesting.Parent[Event]);
  }

  const Trace &Input;
  const KernelRows &Rows;
  const Teams Found;
  const HostNesting Nesting;
  std::vector<uint32_t> RowOf; ///< by event
};

} // namespace

void addTeamParts(const Trace &Input, const KernelRows &Rows, std::vector<Interval> &To) {
  if (std::ranges::none_of(Input.Sites, [&](const Site &What) { return startsTeam(Input, What); }))
    return;
  TeamParts(Input, Rows).addTo(To);
}

} // namespace seamscope::tools
