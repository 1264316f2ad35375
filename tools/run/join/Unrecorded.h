//===- Unrecorded.h - a run beside runs that record nothing ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recording does to a program is measured by runs of the same kernels in which recorded steps
// and others, with the hooks off, take turns, and by a run of what torch alone would have made. All
// of them, and the recorded run, log the time and the page faults of each step in the same way
// (StepLog.h).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_UNRECORDED_H
#define SEAMSCOPE_TOOLS_RUN_UNRECORDED_H

#include "analysis/compare/PairedTimes.h"
#include "analysis/torch/Steps.h"
#include "run/folder/StepLog.h"
#include "trace/model/Health.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// What one run did in a step.
struct StepFigures {
  int64_t MedianNs = 0;
  uint64_t PageFaults = 0; ///< median
  double Waits = 0;        ///< mean
  double Preempted = 0;    ///< mean
};

/// The same steps of two runs: steady ones, with nothing compiled in either.
struct StepsBeside {
  PairedTimes Times; ///< the first run's are its "eager" ones; at least 1 step
  StepFigures First, Second;

  /// Whether the first one's time is another, by more than its interval and than is worth a word.
  bool timeDiffers() const;
  /// Whether one of the runs touches more new pages.
  bool faultsDiffer() const;
};

/// Pairs the n-th calls of each function; nothing where there are none to pair. Of \p First only
/// those steps count that were recorded if \p FirstRecords, else only those that were not; of
/// \p Second those that were not.
std::optional<StepsBeside> stepsBeside(const StepLog &First, const StepLog &Second,
                                       bool FirstRecords);

/// Recorded and unrecorded steps of one run, which take turns: each recorded one beside the next
/// one of its function that is not.
std::optional<StepsBeside> stepsInTurns(const StepLog &Log);

/// What recording does to the steps of one mode.
struct RecordingEffect {
  std::optional<StepsBeside> InTurns; ///< recorded, unrecorded: of one run, so that times compare
  std::optional<StepsBeside> OfRuns;  ///< the run that is reported, unrecorded steps of the other

  explicit operator bool() const { return InTurns || OfRuns; }
};

/// What the logs of a run's folder say together.
struct Unrecorded {
  RecordingEffect Eager, Compiled;
  std::optional<StepsBeside> Speedup;    ///< eager, compiled: both unrecorded
  std::optional<StepsBeside> Own;        ///< with torch's own compiler, with ours: unrecorded
  std::optional<StepsBeside> OwnSpeedup; ///< eager, with torch's own compiler: unrecorded
  StepsBy By = StepsBy::Call;            ///< of the last three; the first two are of calls

  /// For people: sentences of a line each.
  std::vector<std::string> lines() const;
  /// What recording changed so that the figures of the recorded runs are not the program's.
  std::vector<std::string> warnings() const;
};

/// The logs of the runs in a folder; nothing of those that left none.
struct FolderLogs {
  std::optional<StepLog> Recorded, RecordedEager, Compiled, Eager, Own;
};

/// Adds to \p NotRead the logs that are damaged, which are taken for runs that left none.
FolderLogs logsOf(const std::string &Folder, std::vector<Error> &NotRead);

/// Calls from the begin of one to the begin of the next, see StepsBy::Turn.
StepLog turnsOf(const StepLog &Calls);

/// Nothing where there is no such run, or no steady step is in both of any two. \p By: what the
/// steps of the recorded runs are; where they are turns, so are those that nothing records.
std::optional<Unrecorded> compareUnrecorded(const FolderLogs &Logs, StepsBy By = StepsBy::Call);

/// What kept any of the runs in \p Folder, whose logs are \p Logs, from all of its processors.
std::optional<HealthFinding> busyMachine(const std::string &Folder, const FolderLogs &Logs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_UNRECORDED_H
