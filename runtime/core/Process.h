//===- Process.h - the state of the process -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_PROCESS_H
#define SEAMSCOPE_CORE_PROCESS_H

#include "core/Arena.h"
#include "core/Config.h"
#include "core/DeviceLog.h"
#include "core/Sites.h"
#include "seamscope/spans.h"

namespace seamscope {

/// One for the process. Zero-initialised; no constructor runs.
struct Process {
  SpinLock Lock; ///< guards opening, modules, sites, mode changes
  Config Settings;
  bool Configured;    ///< Settings were read
  bool Failed;        ///< a spool cannot be created: nothing is recorded
  SeamscopeMode Mode; ///< now
  uint32_t Owner;     ///< pid of the process that the trace's name belongs to
  uint32_t Pid;       ///< pid that the spool belongs to
  uint64_t ForkTick;  ///< in a fork's child: when it was forked
  Arena Spool;
  SiteTable Sites;
  DeviceLog Devices;
  SeamscopeModule *Modules;
  const SeamscopeMirror *Mirror;    ///< notified of kernels on threads that ask for it
  const SeamscopeMirror *MirrorAll; ///< notified of kernels on every thread
  bool WroteOutput;                 ///< this process has written the trace at its path
  bool NoOutput;                    ///< the exit writes no trace
  bool SpoolStays;                  ///< the spool holds calls that the trace leaves out
};

extern Process TheProcess;

} // namespace seamscope
#endif // SEAMSCOPE_CORE_PROCESS_H
