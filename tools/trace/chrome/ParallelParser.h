//===- ParallelParser.h - parses windows of events on several threads -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_PARALLELPARSER_H
#define SEAMSCOPE_TOOLS_TRACE_PARALLELPARSER_H

#include "trace/chrome/EventParser.h"
#include "trace/io/OrderedWork.h"
#include "trace/model/ReadOptions.h"

#include <deque>
#include <map>
#include <string>

namespace seamscope::tools {

/// Parses windows on threads of its own and adds their events to one trace in the order of the
/// windows, so that the result is that of one thread.
class ParallelParser {
public:
  /// \p Serial adds to \p Builder; it gets the windows whose events must be added one by one.
  ParallelParser(TraceBuilder &Builder, EventParser &Serial, const ReadOptions &Keep,
                 unsigned Threads);

  /// Adds a window; see EventParser::parse(). Waits while too many are under way, and adds what is
  /// ready to the trace meanwhile. Throws what parsing any of them threw, as finish() does.
  void parse(std::string Window, uint64_t Offset) { Windows.add({std::move(Window), Offset}); }

  /// A string of an earlier window, whose memory can be used again.
  std::string spare();

  /// Waits for all windows. To be called once, before repairs() and sawTorch().
  void finish() { Windows.finish(); }

  /// Of the threads; what \p Serial did is for its owner to ask.
  const ChromeEvent::Repairs &repairs() const { return Repairs; }
  bool sawTorch() const;
  /// Adds to \p Counts.
  void addPassedOver(std::map<std::string, uint64_t, std::less<>> &Counts) const;

private:
  struct Task {
    std::string Window;
    uint64_t Offset;
  };
  struct Worker {
    explicit Worker(const ReadOptions &Keep) : Parser(Builder, Keep) {}
    TraceBuilder Builder{/*MergesSites=*/false}; ///< only its thread's, until all is parsed
    EventParser Parser;
    Numbering Numbers; ///< only the owner's
  };
  struct Parsed {
    Worker *By;
    TraceBuilder::Part Part;
    ChromeEvent::Repairs Repairs;
    Task Of;
  };

  static Parsed parse(Worker &Self, Task What);
  void absorb(Parsed Next);

  TraceBuilder &Builder;
  EventParser &Serial;
  ChromeEvent::Repairs Repairs; ///< of the windows that were absorbed
  std::deque<Worker> Workers;
  std::vector<std::string> Spare;
  OrderedWork<Task, Parsed> Windows; ///< last: its threads use the rest
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_PARALLELPARSER_H
