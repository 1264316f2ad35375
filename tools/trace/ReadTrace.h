//===- ReadTrace.h - reads a trace of any format --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_READTRACE_H
#define SEAMSCOPE_TOOLS_TRACE_READTRACE_H

#include "trace/Error.h"
#include "trace/ReadOptions.h"
#include "trace/Trace.h"

namespace seamscope::tools {

/// Reads \p Path, whose format its first bytes tell: a spool, or Chrome trace JSON, also
/// compressed. "-" is standard input. \p Keep: what beside the events is kept; spools have no more.
Result<Trace> readTrace(const std::string &Path, const ReadOptions &Keep = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_READTRACE_H
