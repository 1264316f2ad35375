//===- ChromeReader.h - reads Chrome trace JSON ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROMEREADER_H
#define SEAMSCOPE_TOOLS_TRACE_CHROMEREADER_H

#include "trace/ByteSource.h"
#include "trace/Error.h"
#include "trace/Trace.h"

namespace seamscope::tools {

/// Large enough that a window's fixed cost does not show, small enough for the second-level cache.
constexpr size_t DefaultWindowBytes = 1 << 20;

/// Reads a trace in Chrome's trace event format, ours or torch.profiler's: an object with
/// `traceEvents` or a bare array. Understands the phases X, B, E and M; leaves the others out.
/// The text is never held as a whole. \p Path is what the trace and errors call it. \p Threads
/// parse at once; 0: as many as there are processors. Each takes windows of about \p WindowBytes
/// at a time. What they find depends on neither.
///
/// Events that are no JSON or say what cannot be are left out and counted (TraceInfo::Skipped). Of
/// a file that is cut off the whole events are kept (TraceInfo::Damage).
Result<Trace> readChromeTrace(ByteSource &Source, const std::string &Path, unsigned Threads = 0,
                              size_t WindowBytes = DefaultWindowBytes);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROMEREADER_H
