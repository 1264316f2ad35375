//===- Recording.cpp - begins recording and switches its mode -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Recording.h"

#include "core/Clock.h"
#include "core/Helper.h"
#include "core/ModeHistory.h"
#include "core/Modules.h"
#include "core/OutputOwner.h"
#include "core/Process.h"
#include "samples/Samples.h"

#include <sys/mman.h>
#include <unistd.h>

namespace seamscope {

void configure() {
  Process &P = TheProcess;
  if (P.Configured)
    return;
  readEnvironment(P.Settings);
  P.Owner = outputOwner(P.Settings, static_cast<uint32_t>(getpid()));
  P.Configured = true;
}

bool ensureOpen() {
  Process &P = TheProcess;
  if (P.Spool.isOpen())
    return true;
  if (P.Failed)
    return false;
  configure();
  // Before there is a spool, which other threads take for the parent's until then.
  storeRelaxed(&P.Pid, static_cast<uint32_t>(getpid()));
  __atomic_thread_fence(__ATOMIC_RELEASE);
  if (!P.Spool.open(P.Settings, P.Mode)) {
    P.Failed = true;
    applyMode(SEAMSCOPE_OFF);
    return false;
  }
  if (P.Settings.OutGiven && P.Pid == P.Owner)
    announceOutputOwner(P.Settings, P.Pid);
  // If the kernel lacks MADV_WIPEONFORK, the fork handlers do the same for fork().
  madvise(&Owner, sizeof(Owner), MADV_WIPEONFORK);
  storeRelaxed(&Owner.Mask, UINT64_MAX);
  modes::restore();
  P.Sites.forgetSpool();
  P.Devices.forgetSpool();
  P.Sites.copyMissing(P.Spool);
  startSamples();
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

} // namespace seamscope
