//===- JoinTraces.h - reads several traces as one -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_JOINTRACES_H
#define SEAMSCOPE_TOOLS_TRACE_JOINTRACES_H

#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"
#include "trace/rewrite/CombinePlan.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// One of the traces that a common one is made of.
struct JoinedInput {
  TraceInfo Info;                ///< of that trace alone, with what could not be read of it
  std::string Label;             ///< "rank 3", "process 4711"
  std::vector<std::string> Pids; ///< its processes, as the common trace numbers them
};

/// Several traces as one.
struct JoinedTrace {
  Trace Whole;
  std::vector<JoinedInput> Inputs; ///< those that could be read, also if not to the end
  std::vector<Error> Unread;       ///< why each of the others could not be
  std::vector<std::string> Notes;  ///< of what stands in several of them, a sentence each
  std::string NotAligned;          ///< why times of different inputs do not compare; empty: they do
};

/// May change the times of a plan by what the traces, one for each of its inputs, hold.
using CorrectJoined =
    std::function<std::optional<Error>(const std::vector<Trace> &Inputs, CombinePlan &Plan)>;

/// Reads the traces \p Paths, each by the reader of its format, and joins them in the model. What
/// moves to keep them apart is what planCombination() moves for `combine`: a report of the result
/// is that of the trace which `combine` writes. Fails when none can be read, when one holds sums of
/// mode profile, and when the traces do not fit together.
/// \p Correct: may be null.
Result<JoinedTrace> joinTraces(const std::vector<std::string> &Paths, const ReadOptions &Keep,
                               const CorrectJoined &Correct = {});

/// The rank that a trace gives before its events, where Seamscope and torch.profiler write it;
/// nothing where there is none, or the trace cannot be read.
/// \p Whole: also behind them, where other tools write it, for which all of the file is read.
std::optional<int64_t> rankOfTrace(const std::string &Path, bool Whole = false);

/// Whether the file begins like a Chrome trace: JSON up to the array of events.
bool beginsLikeTrace(const std::string &Path);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_JOINTRACES_H
