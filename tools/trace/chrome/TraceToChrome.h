//===- TraceToChrome.h - writes the trace model as Chrome trace JSON ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_TRACETOCHROME_H
#define SEAMSCOPE_TOOLS_TRACE_TRACETOCHROME_H

#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"

#include <functional>
#include <string_view>

namespace seamscope::tools {

/// How a trace is read of which all that the model has a place for is to be written.
inline ReadOptions detailsToWrite() {
  return {.Autograd = true,
          .Stacks = true,
          .Launches = true,
          .Collectives = true,
          .Memory = true,
          .Syncs = true};
}

/// Writes \p Source, which must not be of mode `profile`, such that reading it gives the same
/// trace. What the model has no place for is not in it.
void writeChrome(const Trace &Source, const std::function<void(std::string_view)> &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_TRACETOCHROME_H
