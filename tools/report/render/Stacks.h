//===- Stacks.h - files of viewers of stacks ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_STACKS_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_STACKS_H

#include "report/model/Stacks.h"
#include "report/render/Render.h"

namespace seamscope::tools {

/// A line for each stack of calls that had time of its own: names from the thread on with
/// semicolons between them, a blank, and ns without the calls inside. Input of flamegraph.pl and of
/// inferno. Semicolons in names become colons, and other calls than the outer MostFrames count to
/// these.
void renderFolded(const StackCalls &Of, const WriteText &Write);
constexpr size_t MostFrames = 1000;

/// JSON as speedscope.app reads it: each lane a profile of begins and ends.
void renderSpeedscope(const StackLanes &Of, const WriteText &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_STACKS_H
