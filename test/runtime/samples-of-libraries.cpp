// Samples name the library that was mapped when they were taken, also if another one takes its
// place later, and generated code as such.
// RUN: rm -rf %t && mkdir %t
// RUN: cd %t && %clang-22 -O1 -shared -fPIC %S/Inputs/spin-library.c -o one.so && cp one.so two.so
// RUN: cd %t && %clangxx-22 -O1 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o a
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json SEAMSCOPE_SAMPLES=1000 ./a > phases
// RUN: cd %t && %python %S/Inputs/check-libraries.py phases t.json | FileCheck %s
// REQUIRES: llvm-22, samples, x86_64
// CHECK: one.so two.so one.so //anon: right
#include "Inputs/cpu-time.h"
#include "Inputs/kernel.h"
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <sys/mman.h>

static void spinIn(const char *Path) {
  void *Library = dlopen(Path, RTLD_NOW);
  if (!Library)
    return;
  const uint64_t Begin = readClock(CLOCK_MONOTONIC);
  reinterpret_cast<void (*)(double)>(dlsym(Library, "spin"))(0.1);
  printf("%s %llu %llu\n", Path + 2, static_cast<unsigned long long>(Begin),
         static_cast<unsigned long long>(readClock(CLOCK_MONOTONIC)));
  dlclose(Library);
}

int main() {
  kernel();
  for (const char *Path : {"./one.so", "./two.so", "./one.so"})
    spinIn(Path);
  // mov rcx, rdi; dec rcx; jnz -5; ret
  const unsigned char Code[] = {0x48, 0x89, 0xf9, 0x48, 0xff, 0xc9, 0x75, 0xfb, 0xc3};
  void *At = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(At, Code, sizeof(Code));
  mprotect(At, 4096, PROT_READ | PROT_EXEC);
  const uint64_t Begin = readClock(CLOCK_MONOTONIC);
  const uint64_t BeginCpu = readClock(CLOCK_THREAD_CPUTIME_ID);
  while (readClock(CLOCK_THREAD_CPUTIME_ID) < BeginCpu + 100000000)
    reinterpret_cast<void (*)(long)>(At)(1000000);
  printf("//anon %llu %llu\n", static_cast<unsigned long long>(Begin),
         static_cast<unsigned long long>(readClock(CLOCK_MONOTONIC)));
}
