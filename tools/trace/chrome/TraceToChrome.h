//===- TraceToChrome.h - writes the trace model as Chrome trace JSON ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_TRACETOCHROME_H
#define SEAMSCOPE_TOOLS_TRACE_TRACETOCHROME_H

#include "trace/io/OutputFile.h"
#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Writes \p Source, which must not be of mode `profile`, such that reading it gives the same
/// trace. What the model has no place for is not in it.
void writeChrome(const Trace &Source, OutputFile &Out);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_TRACETOCHROME_H
