// Where the address space has a limit the recorder takes a small share of what is left: a program that
// needs nearly all of it gets it, recorded or not. mlockall(MCL_FUTURE) does not fill the spool.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o a
// RUN: timeout 60 ./a space
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json timeout 60 ./a space
// RUN: %python %S/Inputs/count.py t.json | FileCheck %s
// CHECK: calls kernel: 1000
// CHECK: lost: 0
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json timeout 60 ./a lock
// RUN: %python %S/Inputs/count.py t.json | FileCheck %s
// REQUIRES: llvm-22
#include "Inputs/kernel.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>

static long kilobytes(const char *What) {
  long Found = -1;
  char Line[256];
  FILE *Status = fopen("/proc/self/status", "r");
  while (fgets(Line, sizeof(Line), Status))
    if (!strncmp(Line, What, strlen(What)))
      Found = strtol(Line + strlen(What), nullptr, 10);
  fclose(Status);
  return Found;
}

static void run() {
  for (int I = 0; I < 1000; ++I)
    kernel();
}

int main(int, char **Arguments) {
  if (std::string(Arguments[1]) == "lock") {
    if (mlockall(MCL_FUTURE)) // the limit of locked memory may be nothing
      return puts("not locked"), run(), 0;
    run();
    return kilobytes("VmLck:") < 100 << 10 ? 0 : 1;
  }
  constexpr long Megabyte = 1 << 20;
  const long Used = kilobytes("VmSize:") << 10, Wanted = 512 * Megabyte;
  const rlimit Limit = {static_cast<rlim_t>(Used + Wanted), static_cast<rlim_t>(Used + Wanted)};
  setrlimit(RLIMIT_AS, &Limit);
  run();
  return mmap(nullptr, Wanted * 8 / 10, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
         MAP_FAILED;
}
