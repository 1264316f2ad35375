//===- ChromeTrace.h - a spool as a Chrome trace ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one writer of docs/formats.md's Chrome trace: for the runtime at exit and for
// `seamscope recover`, which thus write the same bytes.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_CHROMETRACE_H
#define SEAMSCOPE_FORMAT_CHROMETRACE_H

#include "format/SpoolReader.h"
#include "seamscope/seamscope.h"

namespace seamscope::format {

/// Takes the text, in order. False: stop.
struct ByteSink {
  bool (*Write)(void *Context, const char *Text, size_t Size);
  void *Context;
};

struct ChromeTraceOptions {
  const char *TraceName = ""; ///< file name, for the viewer
  const char *Version = "";   ///< of the library
  bool Recovered = false;     ///< written from an abandoned spool
  /// Only calls that began in one of these, in order and apart; without sums. Null: all there is.
  const SeamscopeWindow *Windows = nullptr;
  size_t WindowCount = 0;
};

/// The `cat` of the events of a site: \p Kind is an enum SeamscopeSiteKind.
const char *categoryOfKind(uint32_t Kind);

/// Writes \p Spool, which must be valid. False when the sink failed or there is no memory.
bool writeChromeTrace(const SpoolReader &Spool, const ChromeTraceOptions &Options, ByteSink Sink);

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_CHROMETRACE_H
