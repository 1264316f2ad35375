//===- RunTotals.h - totals of runs, and their matching -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_RUNTOTALS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_RUNTOTALS_H

#include "analysis/compare/Difference.h"
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

/// The window of a trace, split by groups: they and UnattributedNs add up to WindowNs.
struct RunTotals {
  std::vector<CallGroup> Groups;
  int64_t WindowNs = 0;
  int64_t UnattributedNs = 0;
};

/// Whether a device ran kernels.
bool hasDeviceKernels(const Trace &Input);

/// \p OfHost: no compared trace has device kernels, and host operators count as well as host
/// kernels.
RunTotals runTotals(const Trace &Input, bool OfHost);

/// Gives groups the names that rows have for their kernels.
void nameGroups(RunTotals &Of, const std::map<std::string, std::string> &Names);

/// A row of a comparison of two sides with one or more runs each.
struct MatchedRow {
  std::string Key;
  DiffMatch Match = DiffMatch::None;
  std::vector<int64_t> FirstNs, SecondNs;        ///< by run
  std::vector<uint64_t> FirstCalls, SecondCalls; ///< by run
};

/// Matches what the runs of two sides did, the strictest way first. A side has whatever any of its
/// runs has. In the order of match and key; the last row is that of no kernel. The rows of each run
/// add up to its window.
std::vector<MatchedRow> matchRuns(std::vector<RunTotals> First, std::vector<RunTotals> Second);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_RUNTOTALS_H
