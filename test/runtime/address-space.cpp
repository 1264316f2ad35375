// With a limited address space the recorder takes a small share of what is left, so that a program
// that needs most of it gets it, recorded or not. If the program locks its memory, the recorder's
// reservations are not filled.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o a
// RUN: timeout 60 ./a space
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json timeout 60 ./a space
// RUN: %python %S/Inputs/count.py t.json | FileCheck %s
// CHECK: calls kernel: 1000
// CHECK: lost: 0
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json timeout 60 ./a lock
// RUN: %python %S/Inputs/count.py t.json | FileCheck %s
// RUN: env SEAMSCOPE_OUT=t.json timeout 60 ./a lock later
// RUN: %python %S/Inputs/count.py t.json | FileCheck %s
// REQUIRES: llvm-22
#include "Inputs/kernel.h"
#include "seamscope/seamscope.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void run() {
  for (int I = 0; I < 1000; ++I)
    kernel();
}

static int lock(bool Later) {
  if (mlockall(MCL_CURRENT | MCL_FUTURE)) // the limit of locked memory may be small
    puts("not locked");
  if (Later)
    seamscope_set_mode(SEAMSCOPE_TRACE);
  run();
  long Locked = 0;
  char Line[256];
  FILE *Smaps = fopen("/proc/self/smaps", "r");
  while (fgets(Line, sizeof(Line), Smaps))
    if (!strncmp(Line, "Rss:", 4))
      Locked += strtol(Line + 4, nullptr, 10);
  fclose(Smaps);
  printf("%ld kB of memory\n", Locked);
  return Locked > 100 << 10;
}

int main(int Count, char **Arguments) {
  const std::string Way = Arguments[1];
  if (Way == "lock")
    return lock(Count > 2);
  constexpr rlim_t Space = 640u << 20;
  if (Way == "space") {
    const rlimit Limit = {Space, Space};
    setrlimit(RLIMIT_AS, &Limit);
    execl(Arguments[0], Arguments[0], "limited", nullptr);
  }
  run();
  return mmap(nullptr, Space * 8 / 10, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
         MAP_FAILED;
}
