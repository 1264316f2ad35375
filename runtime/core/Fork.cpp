//===- Fork.cpp - children that the process forks -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Fork.h"

#include "core/Clock.h"
#include "core/Export.h"
#include "core/Helper.h"
#include "core/Process.h"
#include "core/Threads.h"
#include "samples/Samples.h"

#include <unistd.h>

namespace seamscope {

// The lock is held across the fork, so that the child does not find a half-changed table. Signals
// are blocked meanwhile: the first kernel of a handler would wait for the lock for ever.
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
  forgetHelper();
  forgetSamples();
  P.WroteOutput = false;
  P.SpoolStays = false;
  storeRelaxed(&P.Pid, static_cast<uint32_t>(getpid()));
  P.Lock.unlock();
}

static void afterForkInChild() {
  forgetParent();
  pthread_sigmask(SIG_SETMASK, &MaskBeforeFork, nullptr);
}

void leaveParentsSpool() {
  // Another thread may be opening a spool: that is this process's own. Without one, nothing is set
  // up.
  const auto IsOwn = [Pid = static_cast<uint32_t>(getpid())] {
    if (!TheProcess.Spool.isOpen())
      return true;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return loadRelaxed(&TheProcess.Pid) == Pid;
  };
  if (IsOwn())
    return;
  static SpinLock Leaving;
  SignalBlocker Blocker;
  SpinGuard Guard(Leaving);
  if (!IsOwn())
    forgetParent();
}

void watchForks() {
  static bool Watching = false;
  if (!Watching)
    pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  Watching = true;
}

} // namespace seamscope
