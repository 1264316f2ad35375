//===- Stacks.h - traces for stack viewers --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_STACKS_H
#define SEAMSCOPE_TOOLS_REPORT_STACKS_H

#include "analysis/core/Lanes.h"
#include "report/model/Stacks.h"

#include <vector>

namespace seamscope::tools {

/// The calls of a trace with their times, as in NestedTimes. \p Source must outlive them.
StackCalls stackCalls(const Trace &Source);

/// The lanes of a trace with their threads' names. \p Source and \p Lanes must outlive them.
StackLanes stackLanes(const Trace &Source, const std::vector<Lane> &Lanes);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_STACKS_H
