//===- CombineEvent.h - moves an event into a common trace ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COMBINEEVENT_H
#define SEAMSCOPE_TOOLS_TRACE_COMBINEEVENT_H

#include "trace/rewrite/CombinePlan.h"

namespace seamscope::tools {

/// Changes an event of an input as the plan says: process, time, ids, device; and the name of a
/// process begins with its input's label.
void moveEvent(EventText &Event, const InputPlan &Plan);

/// An event that names a process which its input leaves without a name.
std::string namedProcess(const InputPlan &Plan, const std::string &Pid);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COMBINEEVENT_H
