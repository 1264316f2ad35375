//===- Helper.cpp - the thread that keeps blocks ready ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first access to a page is a fault that takes a microsecond or more. The helper makes that
// access before the hooks do, on another processor if there is one. It also stores clock readings,
// so that the times of a killed process can be converted, and reads the kernel's samples.
//
// The C library ends a process when its last thread ends, and counts the helper. If all other
// threads have ended (pthread_exit in main), the helper ends the process.
//
//===----------------------------------------------------------------------===//
#include "core/Helper.h"

#include "core/Clock.h"
#include "core/Process.h"
#include "samples/Samples.h"
#include "samples/WaitReader.h"

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
static uint32_t Wakes;        ///< futex that the thread sleeps on; the number of times it was woken
static uint32_t ThreadsEnded; ///< how often the number of threads that are set up fell to 0

/// Whether all threads but the runtime's have ended. The first thread stays as a zombie until the
/// process ends. Opens no descriptor, since the program may rely on its number.
static bool isLastThread() {
  // A folder has two links, plus one for each folder in it: here one per thread.
  struct stat S;
  if (stat("/proc/self/task", &S) || S.st_nlink != 2 + 2 + samples::waitReaders())
    return false;
  // A zombie has no memory, and so no executable.
  char Link[1];
  return readlink("/proc/self/exe", Link, sizeof(Link)) < 0 && errno == ENOENT;
}

/// Ends the process as the end of its last thread would without the helper.
[[noreturn]] static void endProcess() {
  const sigset_t Signals = asynchronousSignals();
  pthread_sigmask(SIG_UNBLOCK, &Signals, nullptr);
  exit(0);
}

static void *help(void *) {
  // A thread inherits the processors of its creator. On the application's processor (OMP_PROC_BIND)
  // the helper would take the time that it should save.
  cpu_set_t All = {};
  for (unsigned I = 0; I < CPU_SETSIZE; ++I)
    CPU_SET(I, &All);
  sched_setaffinity(0, sizeof(All), &All);
  pthread_setname_np(pthread_self(), "seamscope");
  Process &P = TheProcess;
  constexpr uint64_t Second = 1000000000;
  constexpr uint64_t LongestPeriod =
      Second / 10; // at most this much of a killed process's end is lost
  uint64_t Period = Second / 100;
  uint64_t NextClock = clock::readClock(CLOCK_MONOTONIC) + Period;
  uint32_t Ended = 0;
  uint64_t NextReading = NextClock;
  for (;;) {
    const uint32_t Seen = loadAcquire(&Wakes);
    if (P.Spool.prepareAhead()) {
      // Sites that were registered meanwhile are not yet in the spool.
      SpinGuard Guard(P.Lock);
      P.Sites.copyMissing(P.Spool);
    }
    // Measuring in this thread costs the program nothing, and the spool of a killed process has the
    // result.
    if (uint64_t &Cost = P.Spool.header()->CallCost; !loadRelaxed(&Cost) && HelperMeasuresCost)
      storeRelaxed(&Cost, HelperMeasuresCost());
    const uint64_t Now = clock::readClock(CLOCK_MONOTONIC);
    // A thread notifies before it ends: look again soon.
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
    if (Now >= NextReading) {
      const uint64_t After = readSamples();
      NextReading = After ? Now + After : UINT64_MAX;
    }
    const uint64_t Next = NextReading < NextClock ? NextReading : NextClock;
    uint64_t Wait = Next > Now ? Next - Now : 1;
    // A full file system may have room again later.
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
  // Only under SignalBlocker: the thread starts with every signal blocked and keeps them blocked.
  pthread_attr_t Attributes;
  if (pthread_attr_init(&Attributes))
    return;
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  pthread_t Thread;
  // The stack has the usual size, since the program's exit handlers may run on it. Without a helper
  // each block gets its storage when it is claimed, which is slower.
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
