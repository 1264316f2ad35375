//===- Start.cpp - start and end of the library ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/CallCost.h"
#include "core/Devices.h"
#include "core/Export.h"
#include "core/Fork.h"
#include "core/Helper.h"
#include "core/NvtxRanges.h"
#include "core/OtherCopy.h"
#include "core/Process.h"
#include "core/Recording.h"
#include "openmp/Runtimes.h"

namespace seamscope {

/// Runs before the constructors of everything that depends on the library.
__attribute__((constructor)) static void start() {
  const MsanCheckPause Pause;
  HelperMeasuresCost = measureCallCost;
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

/// Runs after the destructors of everything that depends on the library.
__attribute__((destructor)) static void finish() {
  Process &P = TheProcess;
  checkForFork();
  if (TheOtherCopy.Serves || !P.Spool.isOpen())
    return;
  {
    SignalBlocker Blocker;
    // The helper may not have had time to measure it.
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
  // A program that is not instrumented has no sites, but may have used a GPU.
  flushDevices();
  if ((P.Sites.count() == 0 && !P.Devices.hasWork()) || P.NoOutput ||
      (exportTrace(nullptr) && !P.SpoolStays))
    P.Spool.remove();
  errno = Errno;
}

} // namespace seamscope
