//===- ChromeTrace.h - a spool as a Chrome trace ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the Chrome trace of docs/formats.md, for the runtime at exit and for `seamscope recover`.
// Both therefore write the same bytes.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_CHROMETRACE_H
#define SEAMSCOPE_FORMAT_CHROMETRACE_H

#include "format/ByteSink.h"
#include "format/SpoolFacts.h"

namespace seamscope::format {

struct ChromeTraceOptions {
  const char *TraceName = ""; ///< file name, for the viewer
  const char *Version = "";   ///< of the library
  FactOptions Facts = {};     ///< which facts are written
  const char *AllIn = "";     ///< the file with all calls, if some are left out
};

/// Plans a trace of about \p MaxBytes of text at most; 0: no limit. Not for windows. Returns false
/// if there is no memory.
bool planChromeTrace(const SpoolReader &Spool, uint64_t MaxBytes, ChromeTracePlan &Plan);

/// Writes \p Spool, which must be valid. Returns false if the sink failed or there is no memory.
bool writeChromeTrace(const SpoolReader &Spool, const ChromeTraceOptions &Options, ByteSink Sink);

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_CHROMETRACE_H
