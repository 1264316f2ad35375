//===- Devices.cpp - libraries that collect from devices ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Devices.h"

#include "core/Fork.h"
#include "core/OtherCopy.h"
#include "core/Process.h"
#include "core/Recording.h"
#include "seamscope/devices.h"

namespace seamscope {

static void (*Source)(void);

void flushDevices() {
  if (void (*const Flush)(void) = loadAcquire(&Source))
    Flush();
}

} // namespace seamscope

using namespace seamscope;

SEAMSCOPE_EXPORT int seamscope_device_append(const void *Entry, uint32_t Size) {
  SEAMSCOPE_FORWARD(seamscope_device_append, Entry, Size);
  if (Size < 2 * sizeof(uint32_t) || Size % 8 || Size > format::BlockBytes / 2)
    return 0;
  checkForFork();
  Process &P = TheProcess;
  SignalBlocker Blocker;
  SpinGuard Guard(P.Lock);
  if (!P.Spool.isOpen() && (P.Mode == SEAMSCOPE_OFF || !ensureOpen()))
    return 0;
  if (P.Devices.append(P.Spool, Entry, Size))
    return 1;
  P.Spool.countLost();
  return 0;
}

SEAMSCOPE_EXPORT void seamscope_set_device_source(void (*Flush)(void)) {
  SEAMSCOPE_FORWARD(seamscope_set_device_source, Flush);
  storeRelease(&Source, Flush);
}
