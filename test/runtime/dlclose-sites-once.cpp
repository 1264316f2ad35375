// A library is loaded and unloaded a thousand times. Its sites are in the spool once, and all its
// calls are recorded.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/spool
// RUN: %clangxx-22 -DLIBRARY -shared -fPIC -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -o %t/library.so
// RUN: %clangxx-22 -O2 %s -o %t/program -ldl
// RUN: %python %S/Inputs/run-both.py %t/k.json -- %t/program %t/library.so
// RUN: %python %S/Inputs/check-trace.py %t/k.json calls:first=1000 calls:second=1000 lost=0
// RUN: env SEAMSCOPE=trace SEAMSCOPE_SPOOL_DIR=%t/spool not --crash %t/program %t/library.so kill
// RUN: %python %S/Inputs/spool-sites.py %t/spool 2
#ifdef LIBRARY
#include "kernel-mark.h"
KERNEL void second(volatile int *Count) { *Count = *Count + 1; }
extern "C" KERNEL void first(volatile int *Count) {
  *Count = *Count + 1;
  second(Count);
}
#else
#include <csignal>
#include <cstdio>
#include <dlfcn.h>

int main(int Count, char **Arguments) {
  volatile int Calls = 0;
  for (int I = 0; I < 1000; ++I) {
    void *Library = dlopen(Arguments[1], RTLD_NOW);
    if (!Library)
      return 2;
    reinterpret_cast<void (*)(volatile int *)>(dlsym(Library, "first"))(&Calls);
    dlclose(Library);
    if (dlopen(Arguments[1], RTLD_NOW | RTLD_NOLOAD))
      return 3; // It was not unloaded.
  }
  printf("%d\n", Calls);
  if (Count > 2)
    raise(SIGKILL);
}
#endif
