// A program that starts others gets the trace's name, although they end first; they get names with their pids.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/out %t/other
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -o %t/program
// RUN: %python %S/Inputs/run-both.py %t/out/k.json -- %t/program fork
// RUN: %python %S/Inputs/check-trace.py %t/out/k.json calls:ofParent=1
// RUN: %python %S/Inputs/check-children.py %t/out k 2 calls:ofChild=1

// With posix_spawn and the list that main() gets, too.
// RUN: rm %t/out/*
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/out/k.json %t/program spawn
// RUN: %python %S/Inputs/check-trace.py %t/out/k.json calls:ofParent=1
// RUN: %python %S/Inputs/check-children.py %t/out k 2 calls:ofChild=1

// A program that is told another name is not its parent's child, and neither is one with a value that nobody wrote.
// RUN: rm %t/out/*
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/out/k.json %t/program fork %t/out/other.json
// RUN: %python %S/Inputs/check-trace.py %t/out/k.json calls:ofParent=1
// RUN: %python %S/Inputs/check-trace.py %t/out/other.json calls:ofChild=1
// RUN: rm %t/out/*
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/out/k.json "SEAMSCOPE_OWNER=99999999999999999999 %t/out/k.json" %t/program
// RUN: ls %t/out/k.json
#include "kernel-mark.h"
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

KERNEL void ofParent(volatile int *Count) { *Count = *Count + 1; }
KERNEL void ofChild(volatile int *Count) { *Count = *Count + 1; }

int main(int Count, char **Words, char **Environment) {
  volatile int Number = 0;
  if (Count < 2) {
    ofChild(&Number);
    return 0;
  }
  const bool Spawns = !strcmp(Words[1], "spawn");
  for (int I = 0; I < (Count > 2 ? 1 : 2); ++I) {
    char *Command[] = {Words[0], nullptr};
    pid_t Child = 0;
    if (Spawns) {
      if (posix_spawn(&Child, Words[0], nullptr, nullptr, Command, Environment))
        return 1;
    } else if (!(Child = fork())) {
      if (Count > 2)
        setenv("SEAMSCOPE_OUT", Words[2], 1);
      execv(Words[0], Command);
      _exit(2);
    }
    int Status = 0;
    if (waitpid(Child, &Status, 0) != Child || Status)
      return 3;
  }
  ofParent(&Number);
  return 0;
}
