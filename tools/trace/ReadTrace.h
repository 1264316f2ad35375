//===- ReadTrace.h - reads a trace of any format --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_READTRACE_H
#define SEAMSCOPE_TOOLS_TRACE_READTRACE_H

#include "trace/io/Error.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Reads \p Path, whose first bytes give the format: a spool, an SQLite database of nsys or nvprof,
/// or Chrome trace JSON, also compressed; a folder may have the tables of a trace (readColumns()).
/// "-" is standard input. \p Keep: what to keep besides events; only JSON has more.
Result<Trace> readTrace(const std::string &Path, const ReadOptions &Keep = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_READTRACE_H
