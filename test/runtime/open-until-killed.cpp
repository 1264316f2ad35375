// A kernel in which a program hangs is shown as open, until the program was killed: until the last
// sign of life in a spool, until the end that `run` saw, or until now while it runs.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/spools
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -o %t/hangs
// RUN: timeout 120 %python %S/Inputs/open-until-killed.py %seamscope %t/hangs %t
#include "kernel-mark.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

KERNEL void returns(volatile int *Count) { *Count = *Count + 1; }

/// Says that it has begun, waits that long, and kills the process; with 0 it waits to be
/// killed.
KERNEL void hangs(const char *Seconds) {
  puts("hanging");
  fflush(stdout);
  const double Wanted = atof(Seconds);
  usleep(static_cast<useconds_t>(1e6 * (Wanted ? Wanted : 100)));
  raise(SIGKILL);
}

int main(int, char **Arguments) {
  volatile int Count = 0;
  for (int I = 0; I < 3; ++I)
    returns(&Count);
  hangs(Arguments[1]);
}
