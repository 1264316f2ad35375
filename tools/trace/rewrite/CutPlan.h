//===- CutPlan.h - the events of a trace's text that a part of it has -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CUTPLAN_H
#define SEAMSCOPE_TOOLS_TRACE_CUTPLAN_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

/// An event of the text that the part has.
struct KeptEvent {
  /// Which of its times are those of the part, where these may be others than it was written with.
  enum class Times : uint8_t {
    AsWritten,
    Call,   ///< begin and duration
    Begin,  ///< begin, of a call whose end is an event of its own
    End,    ///< this end
    Open,   ///< begin, and how long the call had been open
    Moment, ///< the one that it has
  };

  uint64_t Offset = 0; ///< where its object begins
  uint32_t Of = 0;     ///< index of the columns; Moment: of EventDetails::Others
  Times Has = Times::AsWritten;
};

/// The events that the part has.
struct KeptEvents {
  std::vector<KeptEvent> All; ///< by offset
  /// Offsets of those among them that must stand behind all others, in this order, and of some that
  /// are not kept. Begins that are moved to one moment pair with ends by their order in the file,
  /// which need not be that of their times.
  std::vector<uint64_t> Last;
  /// When work of a device ends that was clipped because it lasts over later work, by event: only
  /// the part's end cuts its text off.
  std::unordered_map<uint32_t, int64_t> Ends;
};

/// Chooses the events of a stretch of a trace, which was read with ReadOptions::Offsets and Others.
class CutPlan {
public:
  /// \p Whole: judged, with all events. Asynchronous ones that reach beyond the stretch are cut off
  /// there.
  CutPlan(Trace &Whole, int64_t BeginNs, int64_t EndNs);

  /// \p Part: the same trace with the calls of the stretch alone. \p Moved: whether events were
  /// moved when it was judged.
  KeptEvents events(const Trace &Part, bool Moved) const;

private:
  bool holds(int64_t Ns) const { return BeginNs <= Ns && Ns < EndNs; }
  bool isAtBorder(const Trace &Of, uint32_t Event) const;
  void findLast(const Trace &Whole);
  void clipSpans(std::vector<OtherEvent> &Others);
  void addCalls(const Trace &Part, bool Moved, KeptEvents &To) const;
  void addOthers(const std::vector<OtherEvent> &Others, bool Moved,
                 std::vector<KeptEvent> &To) const;

  const int64_t BeginNs, EndNs;
  std::vector<uint64_t> Last; ///< of KeptEvents
  std::vector<bool> Clipped;  ///< of Others: its moment is another
  std::vector<bool> Dropped;  ///< of Others: the end of a span that is not in the stretch
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CUTPLAN_H
