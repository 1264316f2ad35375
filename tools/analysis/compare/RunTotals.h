//===- RunTotals.h - totals of runs, and their matching -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_RUNTOTALS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_RUNTOTALS_H

#include "analysis/compare/Difference.h"
#include "analysis/samples/CodeNames.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Calls that agree in everything that rows can be matched by.
struct CallGroup {
  std::string Kernel;   ///< its name; in a trace of operators, the operator's
  std::string Operator; ///< the one that launched it; empty: not known
  std::string Inputs;   ///< the operator's: dimensions and types
  std::string Path;     ///< the annotations around the launch: "forward > encoder"
  uint64_t Calls = 0;
  int64_t Ns = 0; ///< part of the window
};

/// The window of a trace, split by groups: they and the other times add up to WindowNs.
struct RunTotals {
  std::vector<CallGroup> Groups;
  int64_t WindowNs = 0;
  int64_t UnattributedNs = 0;
  /// See Statistics; 0 also where work is not told from it.
  int64_t BlockedNs = 0, PreemptedNs = 0, SpinningNs = 0, RecordingNs = 0;
};

/// What all compared traces have in common.
struct Comparable {
  bool OfHost = true; ///< none has device kernels: host operators count as well as host kernels
  /// The switches of threads are known in all: blocked threads do not work. A trace without would
  /// seem to work where others wait.
  bool HasSwitches = true;

  void restrictTo(const Trace &Input);
};

/// Kernels have the times that the trace's report gives them, if its kernels are all that is
/// compared. \p Names: of its samples, see computeStatistics().
RunTotals runTotals(const Trace &Input, const Comparable &How, const CodeNames *Names = nullptr);

/// Gives groups the names that rows have for their kernels.
void nameGroups(RunTotals &Of, const std::map<std::string, std::string> &Names);

/// A row of a comparison of two sides with one or more runs each.
struct MatchedRow {
  std::string Key;
  DiffMatch Match = DiffMatch::None;
  std::vector<int64_t> FirstNs, SecondNs;        ///< by run
  std::vector<uint64_t> FirstCalls, SecondCalls; ///< by run

  bool hasTime() const;
};

/// Matches what the runs of two sides did, the strictest way first. A side has whatever any of its
/// runs has. In the order of match and key; the last rows are those of no kernel. The rows of each
/// run add up to its window.
std::vector<MatchedRow> matchRuns(std::vector<RunTotals> First, std::vector<RunTotals> Second);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_RUNTOTALS_H
