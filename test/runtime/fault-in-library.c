// A fault in a read of the library reaches the program's handler: collectors and sanitizers protect
// pages and handle such faults. With blocked signals the fault would end the process.
// REQUIRES: llvm-22
// RUN: %clang-22 -O1 %s -I%include %link-runtime -o %t
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.other.json timeout 60 %t %t.json | FileCheck %s
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s --check-prefix=TRACE
// CHECK: faults: 2
// TRACE: calls a site of a protected page: 1
// TRACE: calls in the handler: 1
#include "seamscope/seamscope.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *Page;
static size_t Size;
static volatile int Faults, RunsKernels;

static void unprotect(int Signal, siginfo_t *Info, void *Context) {
  (void)Signal, (void)Info, (void)Context;
  ++Faults;
  mprotect(Page, Size, PROT_READ | PROT_WRITE);
  if (!RunsKernels)
    return;
  SeamscopeFrame Frame;
  seamscope_begin(seamscope_site("in the handler", 0, 0), &Frame);
  seamscope_end(&Frame);
}

int main(int Count, char **Arguments) {
  struct sigaction Action = {.sa_sigaction = unprotect, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &Action, 0);
  Size = (size_t)sysconf(_SC_PAGESIZE);
  char *Before = mmap(0, 2 * Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Page = Before + Size;

  // The handler runs kernels while the library reads a site's text,
  strcpy(Page, "file.c");
  mprotect(Page, Size, PROT_NONE);
  RunsKernels = 1;
  SeamscopeFrame Frame;
  seamscope_begin(seamscope_site("a site of a protected page", Page, 1), &Frame);
  seamscope_end(&Frame);

  // and returns at any place: here the path begins on the page before.
  const size_t Half = strlen(Arguments[1]) / 2;
  char *Path = Page - Half;
  strcpy(Path, Arguments[1]);
  mprotect(Page, Size, PROT_NONE);
  RunsKernels = 0;
  seamscope_set_output(Path);
  printf("faults: %d\n", Faults);
  return Count != 2;
}
