//===- Unrecorded.h - a run compared with unrecorded runs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of recording is measured by runs that record half of their steps,
// with the hooks off in the others. The effect of torch.compile is measured by
// the unrecorded steps of the eager one of these runs and by a run of what
// torch alone makes. All runs log the time and the page faults of each step in
// the same way (StepLog.h).
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
#include <span>
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

/// The same steps of two runs, or of several pairs of runs: steady ones, with nothing compiled in
/// either.
struct StepsBeside {
  PairedTimes Times; ///< "eager" times are the first run's; at least 1 step
  StepFigures First, Second;
  bool OthersRan = true; ///< other programs ran meanwhile, as far as known
  size_t LeftOut = 0;    ///< pairs in which one run lost its processors to other work

  /// Whether the first time differs by more than its interval and by enough to be reported.
  bool timeDiffers() const;
  /// Whether only one of the runs lost its processors to other work, so that their times cannot be
  /// compared.
  bool oneDisturbed() const;
  /// Nothing if times cannot be compared.
  std::optional<RatioEstimate> ratio() const;
};

/// Logs of a pair of runs.
struct LogPair {
  const StepLog *First, *Second;
};

/// Pairs the n-th calls of each function in two runs; nothing if there are none. Of the first runs,
/// the recorded steps count if \p FirstRecords, else the unrecorded ones; of the second runs, the
/// unrecorded ones.
std::optional<StepsBeside> stepsBeside(std::span<const LogPair> Runs, bool FirstRecords);
std::optional<StepsBeside> stepsBeside(const StepLog &First, const StepLog &Second,
                                       bool FirstRecords);

/// Pairs recorded and unrecorded steps of one run, of one function and kind: each with the next one
/// of the other sort.
std::optional<StepsBeside> stepsInTurns(const StepLog &Log);

/// The effect of recording on the steps of one mode.
struct RecordingEffect {
  /// Recorded and unrecorded steps of one run, so that times can be compared.
  std::optional<StepsBeside> InTurns;
  std::optional<StepsBeside> OfRuns; ///< the reported run, and unrecorded steps of the other run

  explicit operator bool() const { return InTurns || OfRuns; }
};

/// Page faults of a step, in the runs with the fewest and the most.
struct FaultRange {
  double Least = 0, Most = 0;

  /// Whether some runs touch more new pages than others.
  bool differs() const;
};

/// The logs of a run's folder, compared.
struct Unrecorded {
  RecordingEffect Eager, Compiled;
  std::optional<StepsBeside> Speedup; ///< eager and compiled, both unrecorded
  std::optional<StepsBeside> Own;     ///< torch's own compiler and ours, unrecorded
  bool OfOwn = false;                 ///< the compiled steps of Speedup are torch's own compiler's
  StepsBy By = StepsBy::Call;         ///< for these two; those of Eager and Compiled are calls
  FaultRange EagerFaults, CompiledFaults; ///< of all runs of either mode

  /// Sentences on effects of recording that make figures of the recorded runs wrong for the
  /// program.
  std::vector<std::string> warnings() const;
};

/// The logs of the runs in a folder; nothing for runs that left none.
struct FolderLogs {
  std::optional<StepLog> Recorded, RecordedEager;
  std::vector<std::optional<StepLog>> Compiled, Eager; ///< half of the steps unrecorded, by number
  std::vector<std::optional<StepLog>> Own, OwnEager;   ///< with no step recorded
  bool OthersRan = true; ///< other programs ran during any of the unrecorded runs
};

/// Adds damaged logs to \p NotRead and treats their runs as runs without a log.
FolderLogs logsOf(const std::string &Folder, std::vector<Error> &NotRead);

/// Steps from the begin of one call to the begin of the next, see StepsBy::Turn.
StepLog turnsOf(const StepLog &Calls);

/// Nothing if there is no such run, or if no two runs share a steady step. \p By: the kind of steps
/// in the recorded runs; if they are turns, steps of unrecorded runs are turns too.
std::optional<Unrecorded> compareUnrecorded(const FolderLogs &Logs, StepsBy By = StepsBy::Call);

/// What took processors from runs in \p Folder, whose logs are \p Logs.
std::optional<HealthFinding> busyMachine(const std::string &Folder, const FolderLogs &Logs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_UNRECORDED_H
