// The recorder keeps no descriptor open: a program that closes all descriptors that it does not know, as
// daemons do, and reuses their numbers, finds only its own data in its files. At its limit of
// descriptors, a program can open as many files as without the recorder.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o a
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=t.json timeout 100 ./a
// RUN: %python %S/Inputs/count.py t.json | FileCheck %s
// Linux before 5.14 needs a descriptor to enlarge the spool: without one, calls are lost and counted.
// RUN: %clang-22 -O1 -shared -fPIC %S/Inputs/small-file-system.c -o small.so
// RUN: env LD_PRELOAD=./small.so NO_POPULATE=1 SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=t.json timeout 100 ./a
// RUN: %python -c "import json; t = json.load(open('t.json')); n = sum(e['ph'] == 'X' for e in t['traceEvents']); lost = t['seamscope']['lost_events']; assert n > 0 and n + lost == 400003, (n, lost)"
// CHECK: calls kernel: 400003
// CHECK: lost: 0
// REQUIRES: llvm-22
#include "Inputs/kernel.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Most = 32 };
static struct stat Before[Most];

static int fail(const char *What, int Fd) {
  fprintf(stderr, "%s %d\n", What, Fd);
  return 1;
}

int main(void) {
  kernel();
  // Without MADV_POPULATE_WRITE a descriptor is needed briefly for the first blocks.
  sleep(1);
  for (int Fd = 3; Fd < Most; ++Fd)
    close(Fd);
  const struct rlimit Limit = {Most, Most};
  setrlimit(RLIMIT_NOFILE, &Limit);
  for (int Fd = 3; Fd < Most; ++Fd) {
    char Name[32];
    snprintf(Name, sizeof(Name), "file%d", Fd);
    if (open(Name, O_RDWR | O_CREAT | O_TRUNC, 0600) != Fd || write(Fd, "mine", 4) != 4)
      return fail("cannot open", Fd);
    fstat(Fd, &Before[Fd]);
  }
  // Needs many blocks while no descriptor is free.
  for (int I = 0; I < 200000; ++I)
    kernel();
  close(Most - 1);
  for (int I = 0; I < 200000; ++I)
    kernel();
  const pid_t Child = fork();
  if (!Child)
    _exit(0);
  int Status;
  if (waitpid(Child, &Status, 0) != Child || Status)
    return fail("child", 0);
  kernel();
  for (int Fd = 3; Fd < Most - 1; ++Fd) {
    struct stat Now;
    if (fstat(Fd, &Now) || Now.st_ino != Before[Fd].st_ino || Now.st_size != 4)
      return fail("another file is", Fd);
    close(Fd);
  }
  kernel();
  return 0;
}
