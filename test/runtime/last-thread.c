// The recorder's thread does not keep a process alive: it ends after the program's last thread, even if main
// ended first. Exit handlers run, and a trace is written.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang-22 -O2 -pthread -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o a
// DEFINE: %{way} = main
// DEFINE: %{run} = timeout -s KILL 60 ./a %{way} > plain && env SEAMSCOPE=trace SEAMSCOPE_OUT=%{way}.json timeout -s KILL 60 ./a %{way} > recorded && diff plain recorded
// RUN: %{run}
// RUN: %python %S/Inputs/count.py main.json | FileCheck %s --check-prefix=CALLS
// CALLS: calls kernel: 1100
// REDEFINE: %{way} = detached
// RUN: %{run}
// RUN: %python %S/Inputs/count.py detached.json | FileCheck %s --check-prefix=CALLS
// REDEFINE: %{way} = unrecorded
// RUN: %{run}
// RUN: %python %S/Inputs/count.py unrecorded.json | FileCheck %s --check-prefix=MAIN
// MAIN: calls kernel: 100
// REDEFINE: %{way} = child
// RUN: %{run}
// quick_exit runs no destructors, so there is a spool, as of a killed process.
// RUN: mkdir spools && env SEAMSCOPE=trace SEAMSCOPE_SPOOL_DIR=%t/spools timeout -s KILL 60 ./a quick
// RUN: %seamscope recover spools/*.spool -o quick.json
// RUN: %python %S/Inputs/count.py quick.json | FileCheck %s --check-prefix=MAIN
// The signal ends the process although main has ended and another thread still runs.
// RUN: env SEAMSCOPE=trace SEAMSCOPE_SPOOL_DIR=%t/spools not --crash timeout -s KILL 60 ./a signal
// REQUIRES: llvm-22
#include "Inputs/kernel.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *Way;

static void run(int Times) {
  for (int I = 0; I < Times; ++I)
    kernel();
}

static void *work(void *Unused) {
  if (strcmp(Way, "unrecorded"))
    run(1000);
  usleep(150000); // the recorder checks a few times in between
  if (!strcmp(Way, "signal"))
    kill(getpid(), SIGTERM), pause();
  return Unused;
}

static void atExit(void) {
  puts("exit handler");
  fflush(stdout);
}

int main(int Count, char **Arguments) {
  (void)Count;
  Way = Arguments[1];
  atexit(atExit);
  run(100);
  if (!strcmp(Way, "quick"))
    quick_exit(0);
  if (!strcmp(Way, "child")) {
    const pid_t Child = fork();
    int Status;
    if (Child)
      return waitpid(Child, &Status, 0) != Child || Status;
    run(10);
  }
  pthread_t Thread;
  pthread_create(&Thread, NULL, work, NULL);
  if (!strcmp(Way, "detached"))
    pthread_detach(Thread);
  pthread_exit(NULL);
}
