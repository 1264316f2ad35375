//===- Stacks.h - traces for viewers of stacks --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_STACKS_H
#define SEAMSCOPE_TOOLS_REPORT_STACKS_H

#include "analysis/core/Lanes.h"

#include <functional>
#include <string_view>

namespace seamscope::tools {

using WriteText = std::function<void(std::string_view)>;

/// A line for each stack of calls that had time of its own (NestedTimes): names from the thread on
/// with semicolons between them, a blank, and ns without the calls inside. Input of flamegraph.pl
/// and of inferno. Semicolons in names become colons, and other calls than the outer MostFrames
/// count to these.
void writeFolded(const Trace &Source, const WriteText &Write);
constexpr size_t MostFrames = 1000;

/// JSON as speedscope.app reads it: each lane a profile of begins and ends in ns since the trace's
/// first begin.
void writeSpeedscope(const Trace &Source, const std::vector<Lane> &Lanes, const WriteText &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_STACKS_H
