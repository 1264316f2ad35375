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

/// How a recording ended.
enum class RecordingEnd {
  Exit,           ///< the process wrote its trace itself, or ended by itself
  Killed,         ///< the process was killed, and the moment is known
  LastSignOfLife, ///< the process was killed; until then at least it lived
  Running,        ///< the process still runs
};

/// "exit", "killed", "last sign of life", "running".
const char *recordingEndName(RecordingEnd How);

/// What of a spool goes into a trace that must not get too large: the calls, and the work of GPUs,
/// that began before a moment. Of those that began later the trace has sums.
struct ChromeTracePlan {
  uint64_t Bytes = 0;              ///< of text, about
  uint64_t Calls = 0, LeftOut = 0; ///< closed calls and GPU events: written, and summed
  uint64_t OfDevices = 0;          ///< of both, GPU events
  uint64_t UntilNs = UINT64_MAX;   ///< the moment, since the spool's start
};

struct ChromeTraceOptions {
  const char *TraceName = ""; ///< file name, for the viewer
  const char *Version = "";   ///< of the library
  bool Recovered = false;     ///< written from an abandoned spool
  RecordingEnd End = RecordingEnd::Exit;
  /// When it ended, in ns since the start, where that is known otherwise than from the spool. Calls
  /// that are open last until then, or the last sign of life if that is later.
  uint64_t EndNs = 0;
  /// Only calls that began in one of these, in order and apart; without sums. Null: all there is.
  const SeamscopeWindow *Windows = nullptr;
  size_t WindowCount = 0;
  /// What is left out; null: nothing. Goes with no windows.
  const ChromeTracePlan *Plan = nullptr;
  const char *AllIn = ""; ///< where all calls are to be found when some are left out
};

/// The `cat` of the events of a site: \p Kind is an enum SeamscopeSiteKind.
const char *categoryOfKind(uint32_t Kind);

/// Whether the hooks or a scope record calls of such a site, which has a kernel and a place in the
/// source; else it is one of spans.h.
bool isSiteOfCode(uint32_t Kind);

/// Plans a trace of about \p MaxBytes of text at most, 0 being no bound; without windows. False
/// when there is no memory.
bool planChromeTrace(const SpoolReader &Spool, uint64_t MaxBytes, ChromeTracePlan &Plan);

/// Writes \p Spool, which must be valid. False when the sink failed or there is no memory.
bool writeChromeTrace(const SpoolReader &Spool, const ChromeTraceOptions &Options, ByteSink Sink);

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_CHROMETRACE_H
