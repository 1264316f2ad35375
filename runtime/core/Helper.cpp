//===- Helper.cpp - the thread that keeps blocks ready ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page that a hook touches first costs a fault of a microsecond or more. The helper touches
// blocks ahead of use, on another processor where there is one, and stores clock readings, so that
// a process that is killed leaves times that can be converted.
//
//===----------------------------------------------------------------------===//
#include "core/Clock.h"
#include "core/Process.h"

#include <climits>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace seamscope {

static void *help(void *) {
  // A thread inherits its maker's processors. Bound to the application's one (OMP_PROC_BIND), the
  // helper would take the time that it is there to save.
  cpu_set_t All = {};
  for (unsigned I = 0; I < CPU_SETSIZE; ++I)
    CPU_SET(I, &All);
  sched_setaffinity(0, sizeof(All), &All);
  pthread_setname_np(pthread_self(), "seamscope");
  Process &P = TheProcess;
  constexpr uint64_t Second = 1000000000;
  constexpr uint64_t LongestPeriod =
      Second / 10; // what is not known of the end of a killed process
  uint64_t Period = Second / 100;
  uint64_t NextClock = clock::readClock(CLOCK_MONOTONIC) + Period;
  for (;;) {
    const uint32_t Seen = loadAcquire(&P.HelperWake);
    if (P.Spool.prepareAhead()) {
      // Sites that were registered meanwhile are not in the spool yet.
      SpinGuard Guard(P.Lock);
      P.Sites.copyMissing(P.Spool);
    }
    // Here it costs the program nothing, and one that is killed has it too.
    if (uint64_t &Cost = P.Spool.header()->CallCost; !loadRelaxed(&Cost))
      storeRelaxed(&Cost, measureCallCost());
    const uint64_t Now = clock::readClock(CLOCK_MONOTONIC);
    if (Now >= NextClock) {
      P.Spool.updateClock(16);
      Period = Period < LongestPeriod / 2 ? Period * 2 : LongestPeriod;
      NextClock = Now + Period;
    }
    uint64_t Wait = NextClock > Now ? NextClock - Now : 1;
    // Full is not for ever: what others hold of the file system may become free.
    if (P.Spool.mayFindRoom() && Wait > Second / 10)
      Wait = Second / 10;
    const timespec Timeout = {static_cast<time_t>(Wait / Second), static_cast<long>(Wait % Second)};
    syscall(SYS_futex, &P.HelperWake, FUTEX_WAIT_PRIVATE, Seen, &Timeout, nullptr, 0);
  }
  return nullptr;
}

void startHelper() {
  Process &P = TheProcess;
  if (P.HelperRuns)
    return;
  // Under SignalBlocker: the thread starts with every signal blocked and keeps it so.
  pthread_attr_t Attributes;
  if (pthread_attr_init(&Attributes))
    return;
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&Attributes, 256 * 1024);
  pthread_t Thread;
  // Without a helper each block is backed when it is claimed: slower, nothing else.
  P.HelperRuns = pthread_create(&Thread, &Attributes, help, nullptr) == 0;
  pthread_attr_destroy(&Attributes);
}

void wakeHelper() {
  Process &P = TheProcess;
  if (!P.HelperRuns)
    return;
  __atomic_fetch_add(&P.HelperWake, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &P.HelperWake, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace seamscope
