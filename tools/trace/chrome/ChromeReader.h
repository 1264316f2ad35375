//===- ChromeReader.h - reads Chrome trace JSON ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROMEREADER_H
#define SEAMSCOPE_TOOLS_TRACE_CHROMEREADER_H

#include "trace/io/ByteSource.h"
#include "trace/io/Error.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/TraceBuilder.h"

#include <functional>
#include <optional>
#include <string>

namespace seamscope::tools {

/// Reads a trace in Chrome's trace event format, ours or torch.profiler's: an object with
/// `traceEvents` or a bare array. Understands the phases X, B, E and M, and what \p Keep asks
/// for; leaves the others out. The text is never held as a whole. \p Path is what the trace and
/// errors call it.
///
/// Events that are no JSON or say what cannot be are left out and counted (TraceInfo::Skipped). Of
/// a file that is cut off the whole events are kept (TraceInfo::Damage).
///
/// \p Head, unless null, is set to the members that describe the trace, without "traceEvents", for
/// headText().
Result<Trace> readChromeTrace(ByteSource &Source, const std::string &Path,
                              const ReadOptions &Keep = {}, std::string *Head = nullptr);

/// The text of a trace without events, for readChromeHead(). \p Members: as above, of the trace
/// about which \p Info says more.
std::string headText(const std::string &Members, const TraceInfo &Info);

/// Reads a head, and has \p AddEvents add the events and sites of the trace that it is of, or
/// return why it cannot.
Result<Trace> readChromeHead(ByteSource &Source, const std::string &Path,
                             const std::function<std::optional<Error>(TraceBuilder &)> &AddEvents);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROMEREADER_H
