//===- TraceHead.h - what stands before a JSON trace's events -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROME_TRACEHEAD_H
#define SEAMSCOPE_TOOLS_TRACE_CHROME_TRACEHEAD_H

#include "trace/model/InlinedKernels.h"

#include <nlohmann/json.hpp>

namespace seamscope::tools {

/// Adds the kernels that \p Ours, the value of "seamscope", lists as inlined.
void addInlinedKernels(const nlohmann::json &Ours, InlinedKernels &To);

/// The same of a trace as the runtime writes it, of which the events are not read. What cannot be
/// read has none.
void addInlinedKernelsOf(const std::string &Path, InlinedKernels &To);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROME_TRACEHEAD_H
