//===- Process.h - what the runtime holds of its process -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_PROCESS_H
#define SEAMSCOPE_CORE_PROCESS_H

#include "core/Arena.h"
#include "core/Config.h"
#include "core/Sites.h"
#include "seamscope/spans.h"

namespace seamscope {

/// The entry points of another copy of the library in the process, which then does the work.
struct Primary {
  decltype(&__seamscope_register_v1) Register;
  decltype(&__seamscope_unregister_v1) Unregister;
  decltype(&__seamscope_enter_v1) Enter;
  decltype(&__seamscope_region_enter_v1) RegionEnter;
  decltype(&__seamscope_exit_v1) Exit;
  decltype(&seamscope_mode) Mode;
  decltype(&seamscope_set_mode) SetMode;
  decltype(&seamscope_site) Site;
  decltype(&seamscope_begin) Begin;
  decltype(&seamscope_set_schedule) SetSchedule;
  decltype(&seamscope_step) Step;
  decltype(&seamscope_flush) Flush;
  decltype(&seamscope_write) Write;
  decltype(&seamscope_set_output) SetOutput;
  decltype(&seamscope_span_site) SpanSite;
  decltype(&seamscope_thread) Thread;
  decltype(&seamscope_in_kernel) InKernel;
  decltype(&seamscope_last_end) LastEnd;
  decltype(&seamscope_span) Span;
  decltype(&seamscope_set_mirror) SetMirror;
  decltype(&seamscope_mirror_thread) MirrorThread;
  decltype(&seamscope_set_rank) SetRank;
};

/// One for the process. Zero-initialised; no constructor runs.
struct Process {
  SpinLock Lock; ///< guards opening, modules, sites, mode changes
  Config Settings;
  bool Configured;          ///< Settings were read
  bool Failed;              ///< no spool can be had: nothing is recorded
  SeamscopeMode Mode;       ///< now
  SeamscopeMode RecordMode; ///< how a call that ends now is recorded: the last mode not off
  uint32_t Owner;           ///< pid that read the environment
  uint32_t Pid;             ///< pid that the spool belongs to
  uint64_t ForkTick;        ///< in a fork's child: when it was forked
  Arena Spool;
  SiteTable Sites;
  SeamscopeModule *Modules;
  bool Forward; ///< another copy of the library does the work
  Primary Other;
  bool WarnedOpenMP;
  const SeamscopeMirror *Mirror; ///< told of kernels on threads that ask for it
  bool WroteOutput;              ///< a trace of this run lies at its path already
  bool NoOutput;                 ///< the exit writes no trace

  // Helper thread.
  bool HelperRuns;
  uint32_t HelperWake;
};

extern Process TheProcess;

/// Reads the environment and opens the spool unless that was done. False when nothing can be
/// recorded. Only under Quiet, with TheProcess.Lock held.
bool ensureOpen();

/// In a fork's child: no export is under way.
void forgetExport();

/// Switches all gates. Only with TheProcess.Lock held.
void applyMode(SeamscopeMode Mode);

/// Wakes the helper thread to back blocks ahead of use; starts it with the spool.
void startHelper();
void wakeHelper();

/// What of the spool is written: the calls that began in one of the windows. Null: all.
struct ExportWindows {
  const SeamscopeWindow *First = nullptr;
  uint32_t Count = 0;
};

/// Writes the trace. \p Path null: where the environment says. One line on stderr on failure.
bool exportTrace(const char *Path, ExportWindows Windows = {});

/// Says once when two OpenMP runtimes are live in this process.
void checkOpenMP();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_PROCESS_H
