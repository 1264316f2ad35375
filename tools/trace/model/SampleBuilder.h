//===- SampleBuilder.h - fills a trace's samples ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_SAMPLEBUILDER_H
#define SEAMSCOPE_TOOLS_TRACE_SAMPLEBUILDER_H

#include "trace/io/SeededHash.h"
#include "trace/model/TimeMap.h"
#include "trace/model/Trace.h"

#include <functional>
#include <unordered_map>

namespace seamscope::tools {

/// Takes what readers find, of one process after the other, and orders it.
class SampleBuilder {
public:
  // A function that returns false has added nothing: a time is more than 2^62 ns from the origin,
  // an end lies before its begin, or a number has no meaning.

  void addState(SampleState State) { States.push_back(std::move(State)); }
  [[nodiscard]] bool addSpan(const SampledSpan &Span);
  [[nodiscard]] bool addModule(const MappedModule &Module);
  /// \p Id: its number in this process.
  void addWait(StringId Process, int64_t Id, ThreadWait Wait);
  /// The index of a wait that was added; -1: none.
  int64_t waitOf(StringId Process, int64_t Id) const;
  [[nodiscard]] bool addSample(int64_t Ns, TrackId Track, uint64_t Address);
  /// \p Wait: by waitOf().
  [[nodiscard]] bool addOff(int64_t BeginNs, int64_t EndNs, int64_t OffNs, TrackId Track,
                            OffKind Kind, int64_t Wait);

  /// Adds what \p From has, moved by \p Time. False: a time is then too far from the origin, and
  /// some of it was not added.
  [[nodiscard]] bool absorb(Trace &From, const Numbering &Numbers, const TimeMap &Time,
                            const std::function<StringId(StringId)> &MovedPid);

  /// Puts all of it into \p Into, in order.
  void finish(Trace &Into);

private:
  struct Sample {
    int64_t Ns;
    TrackId Track;
    uint64_t Address;
  };
  struct Off {
    int64_t BeginNs, EndNs, OffNs;
    TrackId Track;
    OffKind Kind;
    int64_t Wait;
  };

  void placeSamples(Trace &Into);
  void placeOff(Trace &Into);

  std::vector<SampleState> States;
  std::vector<SampledSpan> Spans;
  std::vector<MappedModule> Modules;
  std::vector<ThreadWait> Waits;
  std::unordered_map<uint64_t, int64_t, SeededHash> WaitIndices; ///< by process and id
  std::vector<Sample> Samples;
  std::vector<Off> Offs;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_SAMPLEBUILDER_H
