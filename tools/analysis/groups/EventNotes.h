//===- EventNotes.h - what augment adds to events -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_EVENTNOTES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_EVENTNOTES_H

#include "analysis/devices/Work.h"
#include "analysis/work/CallWork.h"
#include "kernels/Category.h"
#include "trace/model/Note.h"
#include "work/DevicePeaks.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

/// Links and figures of single events, for `seamscope augment`: docs/formats.md has the keys.
class EventNotes {
public:
  /// \p Input must outlive it. \p Fallback: the type of elements where none is recorded.
  EventNotes(const Trace &Input, const PeakTable &Peaks, DType Fallback);

  /// Whether there is something to write to an event.
  bool any(uint32_t Event) const;

  /// Adds what there is to write to an event.
  void add(uint32_t Event, std::vector<Note> &Notes) const;

private:
  /// The events open around a launch, on its thread.
  struct Around {
    uint32_t Step = NoEvent;
    uint32_t Annotation = NoEvent;
    uint32_t Module = NoEvent;
    uint32_t Frame = NoEvent; ///< of Python
  };

  const Site &siteOf(uint32_t Event) const { return Input.Sites[Input.Events.Site[Event]]; }
  void findOuterOperators();
  void findAround();
  void sumUpWork();
  void addWork(uint32_t Event, std::vector<Note> &Notes) const;
  CallWork workOf(uint32_t Event) const;
  void addLink(const Origin &Link, const Around &Its, std::vector<Note> &Notes) const;
  const std::string &escapedName(uint32_t Event) const;
  std::string nameNote(uint32_t Event) const;
  std::string pathNote(uint32_t Operator) const;

  const Trace &Input;
  std::vector<Origin> Links;
  TraceWork Work;
  CallWorkByKernel Counted;
  std::unordered_map<uint32_t, const ExecutedWork *> CountedOf; ///< by call, in `Counted`
  std::vector<const DevicePeaks *> PeaksOf; ///< by site; null: not known, or the host's
  std::vector<Around> AroundLinks;          ///< by link
  std::vector<uint32_t> OuterOperator; ///< by event; meaningless for events that are not operators
  std::vector<int64_t> WorkNs;         ///< by event: time of device work launched inside it
  std::vector<uint32_t> WorkCount;     ///< by event
  std::vector<std::optional<KernelCategory>> CategoryOf; ///< by site
  mutable std::vector<std::string> Escaped;              ///< by string; empty: not computed yet
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_EVENTNOTES_H
