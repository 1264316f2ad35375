//===- Unattributed.h - what ran outside of kernels ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_UNATTRIBUTED_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_UNATTRIBUTED_H

#include "analysis/core/Statistics.h"
#include "analysis/samples/CodeNames.h"
#include "analysis/samples/WaitShares.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A part of the time outside of kernels. Its moments are divided equally among the threads that
/// run; if none does, the main thread has them.
struct UnattributedRow {
  RunState State = RunState::Unknown;
  std::optional<TrackId> Track; ///< nothing: not known
  std::string Symbol, Library;  ///< what ran, or what the thread waited in; empty: not known
  uint64_t Samples = 0;
  int64_t Ns = 0;
  /// The 95 % interval, of what ran and of waits that are known in part; other times are exact.
  std::optional<int64_t> LowNs, HighNs;
};

/// Adds up to Statistics::UnattributedNs; longest first.
std::vector<UnattributedRow> unattributedRows(const Trace &Input, const Statistics &Numbers,
                                              const CodeNames &Names);

/// What threads waited in while kernels were open on them.
struct BlockedRow : WaitSum::Row {
  SiteId Kernel = 0; ///< the innermost; the first site of its row
  /// Instead of Waits, the samples in which its threads ran but only waited; 0: they were blocked.
  uint64_t SpinSamples = 0;
};

/// What kernels wait in, blocked or spinning, longest first.
std::vector<BlockedRow> blockedRows(const Trace &Input, const CodeNames &Names);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_UNATTRIBUTED_H
