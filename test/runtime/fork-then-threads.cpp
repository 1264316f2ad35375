// The first hooks of a process run on several threads at once, in a program and in children that it forks: no thread
// takes the spool that another one opens for the parent's.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.%%p.json timeout 120 ./a | FileCheck %s
// RUN: cd %t && %python -c "import json, glob; all = [json.load(open(n))['traceEvents'] for n in glob.glob('t.*.json')]; print(len(all), {sum(e['name'] == 'kernel' for e in each) for each in all})" | FileCheck %s --check-prefix=TRACES
// REQUIRES: llvm-22
// CHECK: 600 children ended well
// TRACES: 601 {2}
#include "Inputs/kernel.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// The threads begin \p Apart after each other: a spool takes some hundred microseconds to open.
static void race(std::chrono::microseconds Apart) {
  std::atomic<int> Ready = 0;
  std::thread Threads[2];
  for (int I = 0; I < 2; ++I)
    Threads[I] = std::thread([&, I] {
      ++Ready;
      while (Ready < 2)
        ;
      const auto Begin = std::chrono::steady_clock::now();
      while (std::chrono::steady_clock::now() - Begin < I * Apart)
        ;
      kernel();
    });
  for (std::thread &Each : Threads)
    Each.join();
}

int main() {
  race(std::chrono::microseconds(100));
  int Well = 0;
  for (int I = 0; I < 600; ++I) {
    const pid_t Child = fork();
    if (Child == 0) {
      race(std::chrono::microseconds(I));
      exit(0);
    }
    int Status;
    waitpid(Child, &Status, 0);
    Well += WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
  }
  std::printf("%d children ended well\n", Well);
}
