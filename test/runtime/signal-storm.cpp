// Kernels are called from a signal handler that runs at any moment, on two threads: every call is
// recorded once, as are those of the interrupted kernels. The kernel that main's thread is in is
// not counted as abandoned, whatever the handler's stack: it is open at the end.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -pthread -o %t/program
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/k.json %t/program > %t/counts
// RUN: %python %S/Inputs/check-trace.py %t/k.json @%t/counts lost=0
// On a separate stack of the handler, below and above that of the interrupted code:
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/below.json %t/program below > %t/counts
// RUN: %python %S/Inputs/check-trace.py %t/below.json @%t/counts lost=0
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/above.json %t/program above > %t/counts
// RUN: %python %S/Inputs/check-trace.py %t/above.json @%t/counts lost=0
#include "kernel-mark.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

static thread_local volatile unsigned InHandler, Nested, Outside, Inside;
static thread_local volatile bool OwnStackMissed;
static bool OwnStack;
static unsigned Sum[4];

KERNEL void nested(volatile unsigned *Count) { *Count = *Count + 1; }
KERNEL void in_handler(volatile unsigned *Count) {
  *Count = *Count + 1;
  nested(&Nested);
}
KERNEL void inside(volatile unsigned *Count) { *Count = *Count + 1; }
KERNEL void outside(volatile unsigned *Count) {
  *Count = *Count + 1;
  inside(&Inside);
}

static void handle(int) {
  stack_t Now;
  sigaltstack(nullptr, &Now);
  if (OwnStack != !!(Now.ss_flags & SS_ONSTACK))
    OwnStackMissed = true;
  in_handler(&InHandler);
}

/// Calls kernels until the handler has run often enough. With \p Other: waits for that thread and
/// ends the program.
KERNEL void work(void *Stack, std::thread *Other) {
  if (Stack) {
    stack_t Own = {};
    Own.ss_sp = Stack;
    Own.ss_size = 64 * 1024;
    sigaltstack(&Own, nullptr);
  }
  sigset_t Timer;
  sigemptyset(&Timer);
  sigaddset(&Timer, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &Timer, nullptr);
  for (unsigned I = 0; I < 100000 || (InHandler < 200 && I < 2000000); ++I) {
    outside(&Outside);
    if (I % 4 == 0)
      inside(&Inside);
  }
  pthread_sigmask(SIG_BLOCK, &Timer, nullptr);
  unsigned *const To = Sum;
  const unsigned Counts[4] = {InHandler, Nested, Outside, Inside};
  for (int I = 0; I < 4; ++I)
    __atomic_fetch_add(To + I, Counts[I], __ATOMIC_RELAXED);
  if (OwnStackMissed)
    _exit(3);
  if (!Other)
    return;
  Other->join();
  const itimerval Never = {};
  setitimer(ITIMER_REAL, &Never, nullptr);
  printf("calls:in_handler=%u calls:nested=%u calls:outside=%u calls:inside=%u calls:work=1 "
         "open:work=1\n",
         Sum[0], Sum[1], Sum[2], Sum[3]);
  exit(0);
}

int main(int Count, char **Arguments) {
  // Frames of work() on main's stack are below these, and a mapping made before the thread's stack
  // is above it.
  char Above[64 * 1024];
  void *AboveThread =
      mmap(nullptr, 64 * 1024, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static char Below[2][64 * 1024];
  void *First = nullptr, *Second = nullptr;
  if (Count > 1) {
    OwnStack = true;
    First = strcmp(Arguments[1], "above") ? Below[0] : Above;
    Second = strcmp(Arguments[1], "above") ? Below[1] : AboveThread;
  }
  sigset_t Timer;
  sigemptyset(&Timer);
  sigaddset(&Timer, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &Timer, nullptr);
  struct sigaction Action = {};
  Action.sa_handler = handle;
  Action.sa_flags = SA_RESTART | (OwnStack ? SA_ONSTACK : 0);
  sigaction(SIGALRM, &Action, nullptr);
  // From here on the process gets a signal every 50 us; the kernel picks one of the two threads.
  const itimerval Often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &Often, nullptr);
  std::thread Other(work, Second, nullptr);
  work(First, &Other);
}
