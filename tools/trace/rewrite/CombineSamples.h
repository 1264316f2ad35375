//===- CombineSamples.h - samples of a trace, as a combined one has them ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COMBINESAMPLES_H
#define SEAMSCOPE_TOOLS_TRACE_COMBINESAMPLES_H

#include "trace/rewrite/CombinePlan.h"

#include <string>
#include <string_view>

namespace seamscope::tools {

/// The entries of "seamscope_samples" \p Json with their processes and times moved, without the
/// brackets. Entries that are not objects are left out.
std::string movedSamples(std::string_view Json, const InputPlan &Plan);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COMBINESAMPLES_H
