//===- DetailText.h - what only some events have, as Chrome trace JSON ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROME_DETAILTEXT_H
#define SEAMSCOPE_TOOLS_TRACE_CHROME_DETAILTEXT_H

#include "trace/model/Trace.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// Appends `"args"` to the text of an event, unless there are no arguments.
class EventArguments {
public:
  explicit EventArguments(fmt::memory_buffer &Line) : Line(Line) {}

  /// Members that are put together already.
  void addAll(std::string_view Members) {
    if (!Members.empty())
      fmt::format_to(std::back_inserter(Line), "{}{}", separator(), Members);
  }
  /// \p Value: JSON.
  template <typename T> void add(std::string_view Key, const T &Value) {
    fmt::format_to(std::back_inserter(Line), "{}\"{}\":{}", separator(), Key, Value);
  }
  /// A number that is negative where it is not known.
  void addKnown(std::string_view Key, int64_t Number) {
    if (Number >= 0)
      add(Key, Number);
  }
  void addText(std::string_view Key, std::string_view Text);
  void end() {
    if (Any)
      Line.push_back('}');
  }

private:
  std::string_view separator() { return std::exchange(Any, true) ? "," : ",\"args\":{"; }

  fmt::memory_buffer &Line;
  bool Any = false;
};

/// The details of a trace's events.
class DetailTexts {
public:
  explicit DetailTexts(const Trace &Source) : Source(Source) {}

  /// Adds those of \p Event. Events must come in the order of the trace.
  void addOf(uint32_t Event, EventArguments &To);

private:
  /// Rows that are by event.
  template <typename RowT> class Rows {
  public:
    explicit Rows(const std::vector<RowT> &All) : All(All) {}

    /// The first one of the event; null: it has none.
    const RowT *of(uint32_t Event) {
      while (Next < All.size() && All[Next].Event < Event)
        ++Next;
      return Next < All.size() && All[Next].Event == Event ? &All[Next] : nullptr;
    }
    /// The next one of the same event.
    const RowT *more() {
      const uint32_t Event = All[Next++].Event;
      return of(Event);
    }

  private:
    const std::vector<RowT> &All;
    size_t Next = 0;
  };

  std::string insideText(const KernelInside &Of);
  std::string countersText(const LaunchCounters &Of) const;
  std::string captureText(const KernelCapture &Of) const;

  const Trace &Source;
  Rows<LaunchShape> Launches{Source.Details.Launches};
  Rows<CopySize> Copies{Source.Details.Copies};
  Rows<SequenceNumber> Sequences{Source.Details.Sequences};
  Rows<PythonFrame> Frames{Source.Details.Frames};
  Rows<CallStack> Stacks{Source.Details.Stacks};
  Rows<CollectiveCall> Collectives{Source.Details.Collectives};
  Rows<DeviceSync> Syncs{Source.Details.Syncs};
  Rows<KernelInside> Insides{Source.Details.Insides};
  Rows<LaunchCounters> Counters{Source.Details.Counters};
  Rows<KernelLoop> Loops{Source.Details.KernelLoops};
  Rows<KernelCapture> Captures{Source.Details.Captures};
};

/// Adds what "[memory]" says.
void addMemory(const MemoryChange &Change, EventArguments &To);

/// The key under which events of a category have their correlation.
const char *linkArgument(std::string_view Category);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROME_DETAILTEXT_H
