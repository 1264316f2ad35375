//===- Helper.cpp - the thread that keeps blocks ready ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page that a hook touches first costs a fault of a microsecond or more. The helper touches
// blocks ahead of use, on another processor where there is one, and stores clock readings, so that
// a process that is killed leaves times that can be converted.
//
// The C library ends a process when its last thread leaves, and counts the helper: where all others
// have left (pthread_exit in main), the helper ends the process.
//
//===----------------------------------------------------------------------===//
#include "core/Helper.h"

#include "core/Clock.h"
#include "core/Process.h"

#include <climits>
#include <cstdlib>
#include <linux/futex.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace seamscope {

uint64_t (*HelperMeasuresCost)();

static bool Runs;
static uint32_t Wakes;        ///< futex that the thread sleeps on; counts how often it was woken
static uint32_t ThreadsEnded; ///< how often the last thread that was set up ended

/// Whether all threads but this one have ended. The first one stays as a zombie until the process
/// ends. Asked without a descriptor, whose number the program may want.
static bool isLastThread() {
  // A folder's two links, and one of each thread's folder.
  struct stat S;
  if (stat("/proc/self/task", &S) || S.st_nlink != 2 + 2)
    return false;
  // The first thread's memory is gone once it is a zombie, and with it what it executes.
  char Link[1];
  return readlink("/proc/self/exe", Link, sizeof(Link)) < 0 && errno == ENOENT;
}

/// Ends the process as the last of the program's threads would have, had this one not been there.
[[noreturn]] static void endProcess() {
  const sigset_t Signals = asynchronousSignals();
  pthread_sigmask(SIG_UNBLOCK, &Signals, nullptr);
  exit(0);
}

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
  uint32_t Ended = 0;
  for (;;) {
    const uint32_t Seen = loadAcquire(&Wakes);
    if (P.Spool.prepareAhead()) {
      // Sites that were registered meanwhile are not in the spool yet.
      SpinGuard Guard(P.Lock);
      P.Sites.copyMissing(P.Spool);
    }
    // Here it costs the program nothing, and one that is killed has it too.
    if (uint64_t &Cost = P.Spool.header()->CallCost; !loadRelaxed(&Cost) && HelperMeasuresCost)
      storeRelaxed(&Cost, HelperMeasuresCost());
    const uint64_t Now = clock::readClock(CLOCK_MONOTONIC);
    // A thread notifies of its end while it still runs: it is looked for again soon.
    if (const uint32_t Count = loadAcquire(&ThreadsEnded); Count != Ended) {
      Ended = Count;
      Period = Second / 1000;
      NextClock = Now + Period;
    } else if (Now >= NextClock) {
      if (isLastThread())
        endProcess();
      P.Spool.updateClock(16);
      Period = Period < LongestPeriod / 2 ? Period * 2 : LongestPeriod;
      NextClock = Now + Period;
    }
    uint64_t Wait = NextClock > Now ? NextClock - Now : 1;
    // Full is not for ever: what others hold of the file system may become free.
    if (P.Spool.mayFindRoom() && Wait > Second / 10)
      Wait = Second / 10;
    const timespec Timeout = {static_cast<time_t>(Wait / Second), static_cast<long>(Wait % Second)};
    syscall(SYS_futex, &Wakes, FUTEX_WAIT_PRIVATE, Seen, &Timeout, nullptr, 0);
  }
  return nullptr;
}

void startHelper() {
  if (Runs)
    return;
  // Under SignalBlocker: the thread starts with every signal blocked and keeps it so.
  pthread_attr_t Attributes;
  if (pthread_attr_init(&Attributes))
    return;
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  pthread_t Thread;
  // A stack like those of the program's threads: its exit handlers may run there. Without a helper
  // each block is backed when it is claimed: slower, nothing else.
  Runs = pthread_create(&Thread, &Attributes, help, nullptr) == 0;
  pthread_attr_destroy(&Attributes);
}

void wakeHelper() {
  if (!Runs)
    return;
  __atomic_fetch_add(&Wakes, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &Wakes, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

void noteLastThread() {
  __atomic_fetch_add(&ThreadsEnded, 1, __ATOMIC_RELEASE);
  wakeHelper();
}

void forgetHelper() { Runs = false; }

} // namespace seamscope
