//===- EventParser.h - parses a window of a trace's events ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_EVENTPARSER_H
#define SEAMSCOPE_TOOLS_TRACE_EVENTPARSER_H

#include "trace/chrome/ChromeEvent.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/TraceBuilder.h"

#include <memory>
#include <string_view>

namespace seamscope::tools {

/// Adds the events of windows to a trace.
class EventParser {
public:
  explicit EventParser(TraceBuilder &Builder, const ReadOptions &Keep = {});
  ~EventParser();

  /// Parses \p Window: one byte of any kind, then whole events with commas between, the first of
  /// which begin at \p Offset of the file.
  /// Events that are no JSON, or say what cannot be, are skipped and counted.
  /// \p Window is written over.
  void parse(std::string &Window, uint64_t Offset);

  /// Counts of what was put right, for notes.
  const ChromeEvent::Repairs &repairs() const { return Event.repairs(); }
  bool sawTorch() const { return Event.sawTorch(); }
  const auto &passedOver() const { return Event.passedOver(); }

private:
  struct Library;
  bool parseAll(std::string &Window, uint64_t Offset);
  void parseEach(std::string_view Window, uint64_t Offset);

  TraceBuilder &Builder;
  ChromeEvent Event;
  std::unique_ptr<Library> Json;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_EVENTPARSER_H
