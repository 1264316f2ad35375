//===- Process.cpp - opening, modes, fork, start and end -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Process.h"

#include "core/Clock.h"
#include "core/DeviceLog.h"
#include "core/ModeHistory.h"
#include "core/Modules.h"
#include "core/OtherCopy.h"
#include "core/Threads.h"

#include <sys/mman.h>
#include <unistd.h>

namespace seamscope {

constinit Process TheProcess = {};

static void configure() {
  Process &P = TheProcess;
  if (P.Configured)
    return;
  readEnvironment(P.Settings);
  P.Owner = static_cast<uint32_t>(getpid());
  P.Configured = true;
}

bool ensureOpen() {
  Process &P = TheProcess;
  if (P.Spool.isOpen())
    return true;
  if (P.Failed)
    return false;
  configure();
  if (!P.Spool.open(P.Settings, P.Mode)) {
    P.Failed = true;
    applyMode(SEAMSCOPE_OFF);
    return false;
  }
  P.Pid = static_cast<uint32_t>(getpid());
  // A kernel that does not know it leaves the fork handlers.
  madvise(&Owner, sizeof(Owner), MADV_WIPEONFORK);
  storeRelaxed(&Owner.Mask, UINT64_MAX);
  modes::restore();
  P.Sites.forgetSpool();
  P.Devices.forgetSpool();
  P.Sites.copyMissing(P.Spool);
  startHelper();
  return true;
}

void applyMode(SeamscopeMode Mode) {
  Process &P = TheProcess;
  if (Mode != SEAMSCOPE_OFF) {
    modes::change(clock::now(), Mode);
    numberSites();
  }
  storeRelaxed(&P.Mode, Mode);
  setGates(Mode != SEAMSCOPE_OFF);
}

// The locks are held across the fork, so that the child finds no table half changed.
// No signal may come meanwhile: its handler's first kernel would wait for them for ever.
static sigset_t MaskBeforeFork;
static void beforeFork() {
  const sigset_t Blocked = asynchronousSignals();
  sigset_t Old;
  pthread_sigmask(SIG_BLOCK, &Blocked, &Old);
  TheProcess.Lock.lock();
  MaskBeforeFork = Old;
}
static void afterForkInParent() {
  const sigset_t Old = MaskBeforeFork;
  TheProcess.Lock.unlock();
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
}

static void forgetParent() {
  Process &P = TheProcess;
  storeRelaxed(&Owner.Mask, uint64_t{0});
  P.ForkTick = clock::now();
  P.Spool.abandon();
  P.Sites.forgetSpool();
  P.Devices.forgetSpool();
  forgetThreads();
  forgetExport();
  P.HelperRuns = false;
  P.WroteOutput = false;
  P.SpoolStays = false;
  P.Pid = static_cast<uint32_t>(getpid());
  P.Lock.unlock();
}

static void afterForkInChild() {
  forgetParent();
  pthread_sigmask(SIG_SETMASK, &MaskBeforeFork, nullptr);
}

void leaveParentsSpool() {
  // Nothing is set up as long as there is no spool.
  if (!TheProcess.Spool.isOpen())
    return;
  SignalBlocker Blocker;
  forgetParent();
}

static void watchForks() {
  static bool Watching = false;
  if (!Watching)
    pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  Watching = true;
}

/// Before the constructors of everything that depends on the library.
__attribute__((constructor)) static void start() {
  const MsanCheckPause Pause;
  const SeamscopeMode Mode = modeFromEnvironment();
  if (findOtherCopy() || Mode == SEAMSCOPE_OFF)
    return;
  watchForks();
  // Before any thread records.
  loadNvtxRanges();
  SignalBlocker Blocker;
  Process &P = TheProcess;
  SpinGuard Guard(P.Lock);
  configure();
  P.Settings.Mode = Mode;
  applyMode(Mode);
}

/// After the destructors of everything that depends on the library.
__attribute__((destructor)) static void finish() {
  Process &P = TheProcess;
  checkForFork();
  if (TheOtherCopy.Serves || !P.Spool.isOpen())
    return;
  {
    SignalBlocker Blocker;
    // The helper may have had no time yet.
    if (uint64_t &Cost = P.Spool.header()->CallCost; !loadRelaxed(&Cost))
      storeRelaxed(&Cost, measureCallCost());
    SpinGuard Guard(P.Lock);
    applyMode(SEAMSCOPE_OFF);
  }
  const MsanCheckPause Pause;
  const int Errno = errno;
  checkOpenMP();
  P.Spool.updateClock(32);
  __atomic_fetch_or(&P.Spool.header()->Flags, format::SpoolExited, __ATOMIC_RELEASE);
  if (const uint64_t Lost = loadRelaxed(&P.Spool.header()->LostEvents))
    warn("%llu events were dropped: the spool was full (SEAMSCOPE_LIMIT, or space in its folder)",
         static_cast<unsigned long long>(Lost));
  // A program that nothing of ours was compiled into has no sites, but may have used a GPU.
  flushDevices();
  if ((P.Sites.count() == 0 && !P.Devices.hasWork()) || P.NoOutput ||
      (exportTrace(nullptr) && !P.SpoolStays))
    P.Spool.remove();
  errno = Errno;
}

} // namespace seamscope

using namespace seamscope;

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

SEAMSCOPE_EXPORT const char *seamscope_version(void) { return SEAMSCOPE_VERSION; }

SEAMSCOPE_EXPORT SeamscopeMode seamscope_mode(void) {
  SEAMSCOPE_FORWARD(seamscope_mode);
  checkForFork();
  return loadRelaxed(&TheProcess.Mode);
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_mode(SeamscopeMode Mode) {
  if (Mode != SEAMSCOPE_OFF && Mode != SEAMSCOPE_PROFILE && Mode != SEAMSCOPE_TRACE)
    return SEAMSCOPE_ERROR_ARGUMENT;
  SEAMSCOPE_FORWARD(seamscope_set_mode, Mode);
  checkForFork();
  watchForks();
  SignalBlocker Blocker;
  SpinGuard Guard(TheProcess.Lock);
  if (Mode != SEAMSCOPE_OFF && !ensureOpen())
    return SEAMSCOPE_ERROR_IO;
  // A spool opened while nothing was recorded is of the first mode that records.
  if (Mode != SEAMSCOPE_OFF)
    if (uint32_t &First = TheProcess.Spool.header()->Mode; loadRelaxed(&First) == SEAMSCOPE_OFF)
      storeRelaxed(&First, static_cast<uint32_t>(Mode));
  applyMode(Mode);
  return SEAMSCOPE_OK;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_flush(const char *Path) {
  if (Path && !*Path)
    return SEAMSCOPE_ERROR_ARGUMENT;
  SEAMSCOPE_FORWARD(seamscope_flush, Path);
  checkForFork();
  {
    SignalBlocker Blocker;
    SpinGuard Guard(TheProcess.Lock);
    if (!Path && TheProcess.NoOutput)
      return SEAMSCOPE_ERROR_ARGUMENT;
    if (!TheProcess.Spool.isOpen())
      return SEAMSCOPE_OK;
  }
  return exportTrace(Path) ? SEAMSCOPE_OK : SEAMSCOPE_ERROR_IO;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_write(const char *Path, const SeamscopeWindow *Windows,
                                                 uint32_t Count) {
  if (!Path || !*Path || !Windows || !Count)
    return SEAMSCOPE_ERROR_ARGUMENT;
  for (uint32_t I = 0; I < Count; ++I)
    if (Windows[I].end < Windows[I].begin || (I && Windows[I].begin < Windows[I - 1].end))
      return SEAMSCOPE_ERROR_ARGUMENT;
  SEAMSCOPE_FORWARD(seamscope_write, Path, Windows, Count);
  checkForFork();
  {
    SignalBlocker Blocker;
    SpinGuard Guard(TheProcess.Lock);
    if (!ensureOpen())
      return SEAMSCOPE_ERROR_IO;
  }
  return exportTrace(Path, {Windows, Count}) ? SEAMSCOPE_OK : SEAMSCOPE_ERROR_IO;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_output(const char *Path) {
  if (Path && !*Path)
    return SEAMSCOPE_ERROR_ARGUMENT;
  SEAMSCOPE_FORWARD(seamscope_set_output, Path);
  checkForFork();
  SignalBlocker Blocker;
  SpinGuard Guard(TheProcess.Lock);
  configure();
  if (Path && !setOutput(TheProcess.Settings, Path))
    return SEAMSCOPE_ERROR_ARGUMENT;
  TheProcess.Owner = static_cast<uint32_t>(getpid());
  TheProcess.NoOutput = !Path;
  TheProcess.Settings.OutGiven = Path != nullptr;
  TheProcess.WroteOutput = false;
  return SEAMSCOPE_OK;
}
