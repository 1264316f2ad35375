//===- ParallelParser.h - parses windows of events on several threads -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_PARALLELPARSER_H
#define SEAMSCOPE_TOOLS_TRACE_PARALLELPARSER_H

#include "trace/EventParser.h"
#include "trace/ReadOptions.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace seamscope::tools {

/// Parses windows on threads of its own and adds their events to one trace in the order of the
/// windows, so that the result is that of one thread.
class ParallelParser {
public:
  /// \p Serial adds to \p Builder; it gets the windows whose events must be added one by one.
  ParallelParser(TraceBuilder &Builder, EventParser &Serial, const ReadOptions &Keep,
                 unsigned Threads);
  ~ParallelParser();

  /// Hands over a window; see EventParser::parse(). Waits while too many are under way, and adds
  /// what is ready to the trace meanwhile.
  void parse(std::string Window, uint64_t Offset);

  /// A string of an earlier window, whose memory can be used again.
  std::string spare();

  /// Waits for all windows. To be called once, before repairs() and sawTorch().
  void finish();

  /// Of the threads; what \p Serial did is for its owner to ask.
  const ChromeEvent::Repairs &repairs() const { return Repairs; }
  bool sawTorch() const;

private:
  struct Task {
    uint64_t Number;
    std::string Window;
    uint64_t Offset;
  };
  struct Worker {
    explicit Worker(const ReadOptions &Keep) : Parser(Builder, Keep) {}
    TraceBuilder Builder{/*MergesSites=*/false}; ///< only its thread's, until that has ended
    EventParser Parser;
    TraceBuilder::Numbering Numbers; ///< only the owner's
    std::thread Thread;
  };
  struct Done {
    Worker *By;
    TraceBuilder::Part Part;
    ChromeEvent::Repairs Repairs;
    std::string Window;
    uint64_t Offset;
  };

  void work(Worker &Self);
  /// Adds what is ready, in order. \p Held: the lock.
  void absorbReady(std::unique_lock<std::mutex> &Held);

  TraceBuilder &Builder;
  EventParser &Serial;
  ChromeEvent::Repairs Repairs; ///< of the windows that were absorbed
  std::deque<Worker> Workers;
  std::mutex Lock;
  std::condition_variable HaveTask, HaveResult;
  std::deque<Task> Tasks;
  std::map<uint64_t, Done> Results;
  std::vector<std::string> Spare;
  uint64_t Given = 0;    ///< windows handed over
  uint64_t Absorbed = 0; ///< windows added to the trace
  bool NoMore = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_PARALLELPARSER_H
