//===- WaitReader.cpp - the thread that looks what blocked threads wait in --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel says it in a file for each thread. A program may rely on the
// numbers of its descriptors, so this thread has a table of descriptors of its
// own. The helper cannot have one: it may have to end the process.
//
//===----------------------------------------------------------------------===//
#include "samples/WaitReader.h"

#include "core/Clock.h"
#include "core/Platform.h"
#include "samples/Refusal.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif

namespace seamscope::samples {

using namespace format;

static uint32_t Running;
static bool Failed; ///< the system has no tables of descriptors for threads

/// Reads /proc/self/task/TID/syscall: "number six arguments sp pc", "-1 sp pc" for a thread that is
/// blocked outside of a call, or "running".
static bool readSystemCall(int Fd, SampledWaitEntry &Into) {
  char Text[256];
  const ssize_t Size = pread(Fd, Text, sizeof(Text) - 1, 0);
  if (Size <= 0)
    return false;
  Text[Size] = 0;
  char *At = nullptr;
  const long Number = strtol(Text, &At, 10);
  if (At == Text)
    return false;
  uint64_t Numbers[8];
  unsigned Count = 0;
  while (Count < 8) {
    char *End = nullptr;
    Numbers[Count] = strtoull(At, &End, 16);
    if (End == At)
      break;
    At = End;
    ++Count;
  }
  memset(Into.Arguments, 0, sizeof(Into.Arguments));
  if (Number >= 0 && Count == 8)
    memcpy(Into.Arguments, Numbers, sizeof(Into.Arguments));
  else if (Number >= 0 || Count != 2)
    return false;
  Into.SystemCall = static_cast<int32_t>(Number);
  Into.Sp = Numbers[Count - 2];
  Into.Pc = Numbers[Count - 1];
  return true;
}

/// Copies the stack from \p Sp on, as far as there is memory. Returns the number of bytes.
static size_t copyStack(uint64_t Sp, unsigned char (&Into)[MaxWaitStack]) {
  constexpr uint64_t Page = 4096;
  const uint64_t First = Page - Sp % Page < MaxWaitStack ? Page - Sp % Page : MaxWaitStack;
  const iovec Local = {Into, MaxWaitStack};
  const iovec Remote[2] = {{reinterpret_cast<void *>(Sp), First},
                           {reinterpret_cast<void *>(Sp + First), MaxWaitStack - First}};
  const ssize_t Size =
      process_vm_readv(getpid(), &Local, 1, Remote, First < MaxWaitStack ? 2 : 1, 0);
  return Size > 0 ? static_cast<size_t>(Size) / 8 * 8 : 0;
}

/// If it waits in the same place before and after, the stack is that of this wait.
static bool readWait(BlockedThread &Of) {
  char Path[64];
  snprintf(Path, sizeof(Path), "/proc/self/task/%u/syscall", Of.Tid);
  const int Fd = open(Path, O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return false;
  Of.Wait = {};
  Of.Ns = clock::readClock(CLOCK_MONOTONIC);
  SampledWaitEntry Again = {};
  bool IsSame = readSystemCall(Fd, Of.Wait);
  if (IsSame) {
    Of.Wait.StackBytes = copyStack(Of.Wait.Sp, Of.Stack);
    IsSame = readSystemCall(Fd, Again) && Again.SystemCall == Of.Wait.SystemCall &&
             Again.Sp == Of.Wait.Sp && Again.Pc == Of.Wait.Pc;
  }
  Of.EndNs = clock::readClock(CLOCK_MONOTONIC);
  close(Fd);
  return IsSame;
}

/// Random pauses, so that waits at regular times are seen like others: also those of a whole number
/// of ms, as they are in programs.
class Pauses {
public:
  /// Sleeps for about \p MeanMs in the mean: a number of ms, each the last with the same chance,
  /// and a part of one.
  void sleep(uint64_t MeanMs) {
    uint64_t Ns = next() % Ms;
    while (Ns < 8 * MeanMs * Ms && next() % MeanMs)
      Ns += Ms;
    const timespec Pause = {static_cast<time_t>(Ns / (1000 * Ms)),
                            static_cast<long>(Ns % (1000 * Ms))};
    nanosleep(&Pause, nullptr);
  }

private:
  uint64_t next() { // xorshift64*
    State ^= State >> 12;
    State ^= State << 25;
    State ^= State >> 27;
    return State * 0x2545f4914f6cdd1d >> 32;
  }

  static constexpr uint64_t Ms = 1000000;
  uint64_t State = clock::readClock(CLOCK_MONOTONIC) | 1;
};

/// The thread takes at most one part in CostShare of a processor. The pause does not depend on what
/// threads do: waits after a calm time are seen like others.
static uint64_t pauseMs(uint64_t LookNs) {
  constexpr uint64_t LeastMs = 10, MostMs = 1000, CostShare = 200, Ms = 1000000;
  const uint64_t Least = LookNs * CostShare / Ms;
  return Least < LeastMs ? LeastMs : Least > MostMs ? MostMs : Least;
}

static void *readWaits(void *Argument) {
  const BlockedThreads Of = *static_cast<const BlockedThreads *>(Argument);
  pthread_setname_np(pthread_self(), "seamscope");
  constexpr unsigned Most = 32;
  const unsigned Filters = filterCount();
  auto *const Threads = static_cast<BlockedThread *>(allocatePages(Most * sizeof(BlockedThread)));
  if (!Threads || syscall(SYS_close_range, 0U, ~0U, CLOSE_RANGE_UNSHARE)) {
    Failed = true;
    storeRelaxed(&Running, 0u);
    return nullptr;
  }
  // Otherwise the kernel lets it sleep until it wakes another thread, which it then does not see.
  prctl(PR_SET_TIMERSLACK, 1UL);
  Pauses Pause;
  uint64_t UsedNs = 0, LookNs = 0;
  for (;; Pause.sleep(pauseMs(LookNs))) {
    // A program that shuts itself in may be ended for calls that it does not make.
    if (filterCount() != Filters)
      continue;
    const unsigned Count = Of.Find(Threads, Most);
    for (unsigned I = 0; I < Count; ++I)
      Threads[I].IsRead = readWait(Threads[I]);
    if (Count)
      Of.Store(Threads, Count);
    // The mean of some looks: that of the first ones has page faults.
    const uint64_t Now = clock::readClock(CLOCK_THREAD_CPUTIME_ID);
    LookNs = LookNs ? LookNs - LookNs / 8 + (Now - UsedNs) / 8 : Now - UsedNs;
    UsedNs = Now;
  }
}

void startWaitReader(BlockedThreads Of) {
  static BlockedThreads Argument;
  if (loadRelaxed(&Running) || Failed)
    return;
  Argument = Of;
  pthread_attr_t Attributes;
  if (pthread_attr_init(&Attributes))
    return;
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  pthread_t Thread;
  storeRelaxed(&Running, 1u);
  if (pthread_create(&Thread, &Attributes, readWaits, &Argument))
    storeRelaxed(&Running, 0u);
  pthread_attr_destroy(&Attributes);
}

void forgetWaitReader() { Running = 0; }

unsigned waitReaders() { return loadRelaxed(&Running); }

} // namespace seamscope::samples
