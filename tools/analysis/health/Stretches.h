//===- Stretches.h - stretches of a trace that lie far apart -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STRETCHES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STRETCHES_H

#include "trace/model/Trace.h"

#include <vector>

namespace seamscope::tools {

/// A stretch that no recording leaves between two events.
constexpr int64_t FarNs = 3'600'000'000'000;

/// Events with no gap between them that no recording leaves.
struct Stretch {
  int64_t BeginNs = 0, EndNs = 0; ///< from the first begin to the last end
  int64_t LastBeginNs = 0;
  size_t Events = 0;

  bool holds(int64_t Begin) const { return BeginNs <= Begin && Begin <= LastBeginNs; }
};

/// The stretches of the events that \p Counts says, by event, in the order of time: between two of
/// them lies more than an hour, and far more than both last. One for nearly every trace.
std::vector<Stretch> stretchesOf(const Trace &Source, const std::vector<bool> &Counts);

/// That with most events.
const Stretch &mainStretch(const std::vector<Stretch> &All);

/// Whether a process of the host has events in \p Of, more than one, and in no other.
bool ownProcesses(const Trace &Source, const std::vector<Stretch> &All, const Stretch &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STRETCHES_H
