//===- StepName.h - torch.profiler's names of steps -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_STEPNAME_H
#define SEAMSCOPE_TOOLS_TRACE_STEPNAME_H

#include <string_view>

namespace seamscope::tools {

/// Whether a span of this name is a step that the program marked: "ProfilerStep#3".
inline bool isStepName(std::string_view Name) { return Name.starts_with("ProfilerStep"); }

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_STEPNAME_H
