//===- Process.h - what the runtime holds of its process -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_PROCESS_H
#define SEAMSCOPE_CORE_PROCESS_H

#include "core/Arena.h"
#include "core/Config.h"
#include "core/DeviceLog.h"
#include "core/ModeHistory.h"
#include "core/Sites.h"
#include "seamscope/spans.h"

namespace seamscope {

/// One for the process. Zero-initialised; no constructor runs.
struct Process {
  SpinLock Lock; ///< guards opening, modules, sites, mode changes
  Config Settings;
  bool Configured;    ///< Settings were read
  bool Failed;        ///< no spool can be had: nothing is recorded
  SeamscopeMode Mode; ///< now
  uint32_t Owner;     ///< pid that read the environment
  uint32_t Pid;       ///< pid that the spool belongs to
  uint64_t ForkTick;  ///< in a fork's child: when it was forked
  Arena Spool;
  SiteTable Sites;
  DeviceLog Devices;
  SeamscopeModule *Modules;
  bool WarnedOpenMP;
  const SeamscopeMirror *Mirror;    ///< notified of kernels on threads that ask for it
  const SeamscopeMirror *MirrorAll; ///< and on every thread
  bool WroteOutput;                 ///< a trace of this run lies at its path already
  bool NoOutput;                    ///< the exit writes no trace
  bool SpoolStays;                  ///< it holds calls that the trace leaves out

  // Helper thread.
  bool HelperRuns;
  uint32_t HelperWake;
  uint32_t ThreadsEnded; ///< how often the last thread that was set up ended
};

extern Process TheProcess;

/// Reads the environment and opens the spool unless that was done. False when nothing can be
/// recorded. Only under SignalBlocker, with TheProcess.Lock held.
bool ensureOpen();

/// In a child that was forked past the handlers: gives up what is its parent's.
void leaveParentsSpool();
inline void checkForFork() {
  if (SEAMSCOPE_UNLIKELY(!loadRelaxed(&Owner.Mask)))
    leaveParentsSpool();
}

/// What it takes to record one call on this thread in the mode that is on, in 1/1024 ticks: the
/// median of some batches; 0 when nothing is recorded. Records nothing. Only under a
/// SignalBlocker.
uint64_t measureCallCost();

/// In a fork's child: no export is under way.
void forgetExport();

/// Switches all gates. Only with TheProcess.Lock held.
void applyMode(SeamscopeMode Mode);

/// Wakes the helper thread to back blocks ahead of use; starts it with the spool.
void startHelper();
void wakeHelper();
/// Has the helper look soon whether the program's threads have all left.
void noteLastThread();

/// What of the spool is written: the calls that began in one of the windows. Null: all.
struct ExportWindows {
  const SeamscopeWindow *First = nullptr;
  uint32_t Count = 0;
};

/// Writes the trace. \p Path null: where the environment says. One line on stderr on failure.
bool exportTrace(const char *Path, ExportWindows Windows = {});

/// Where an NVTX tool is configured, has it told of kernels and regions.
void loadNvtxRanges();

/// Says once when two OpenMP runtimes are live in this process.
void checkOpenMP();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_PROCESS_H
