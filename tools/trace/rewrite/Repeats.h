//===- Repeats.h - traces that hold what others hold, too -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_REPEATS_H
#define SEAMSCOPE_TOOLS_TRACE_REPEATS_H

#include "trace/model/Trace.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// Takes out of \p Inputs, and of their \p Paths, those that a tool has merged of others of them:
/// their events would count twice. Copies of one trace stay. Returns a sentence for each.
std::vector<std::string> dropRepeats(std::vector<Trace> &Inputs, std::vector<std::string> &Paths);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_REPEATS_H
