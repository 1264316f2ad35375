//===- Stacks.h - files for stack viewers ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_STACKS_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_STACKS_H

#include "report/model/Stacks.h"
#include "report/render/Render.h"

namespace seamscope::tools {

/// A line for each stack of calls with self time: names from the thread on with semicolons between
/// them, a blank, and the self time in ns. Input for flamegraph.pl and inferno. Semicolons in names
/// become colons. Calls deeper than MostFrames count as part of the outer ones.
void renderFolded(const StackCalls &Of, const WriteText &Write);
constexpr size_t MostFrames = 1000;

/// JSON for speedscope.app: each lane is a profile of begins and ends.
void renderSpeedscope(const StackLanes &Of, const WriteText &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_STACKS_H
