//===- Refusal.cpp - why the kernel refuses events --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "samples/Refusal.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace seamscope::samples {

static ssize_t readFile(const char *Path, char *Into, size_t Bytes) {
  const int Fd = open(Path, O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return -1;
  const ssize_t Size = read(Fd, Into, Bytes - 1);
  close(Fd);
  Into[Size > 0 ? Size : 0] = 0;
  return Size;
}

bool readLine(const char *Path, char *Into, size_t Bytes) {
  if (readFile(Path, Into, Bytes) <= 0)
    return false;
  Into[strcspn(Into, "\n")] = 0;
  return true;
}

unsigned filterCount() {
  if (prctl(PR_GET_SECCOMP) <= 0)
    return 0;
  char Text[4096];
  if (readFile("/proc/thread-self/status", Text, sizeof(Text)) <= 0)
    return UINT_MAX;
  constexpr const char *Key = "\nSeccomp_filters:\t"; // Linux 5.9
  const char *const Found = strstr(Text, Key);
  return Found ? static_cast<unsigned>(strtoul(Found + strlen(Key), nullptr, 10)) : UINT_MAX;
}

bool mayKill() {
  if (!filterCount())
    return false;
  // No signal tells the program of this child, and no fork handler runs.
  const long Child = syscall(SYS_clone, 0, 0, 0, 0, 0);
  if (Child == 0) {
    perf_event_attr None;
    memset(&None, 0, sizeof(None));
    syscall(SYS_perf_event_open, &None, 0, -1, -1, 0);
    syscall(SYS_process_vm_readv, 0, nullptr, 0, nullptr, 0, 0);
    syscall(SYS_close_range, ~0U, ~0U, 0);
    syscall(SYS_exit_group, 0);
  }
  int Status = 0;
  long Ended = -1;
  if (Child > 0)
    do
      Ended = syscall(SYS_wait4, Child, &Status, __WALL, nullptr);
    while (Ended < 0 && errno == EINTR);
  return Ended != Child || !WIFEXITED(Status);
}

void explainRefusal(int Error, char *Into, size_t Bytes) {
  char Paranoid[16] = "";
  readLine("/proc/sys/kernel/perf_event_paranoid", Paranoid, sizeof(Paranoid));
  if ((Error == EACCES || Error == EPERM) && strtol(Paranoid, nullptr, 10) > 2)
    snprintf(Into, Bytes, "perf_event_open is not permitted (perf_event_paranoid is %s)", Paranoid);
  else if (Error == EACCES || Error == EPERM)
    snprintf(Into, Bytes, "perf_event_open is not permitted");
  else if (Error == EINVAL)
    snprintf(Into, Bytes, "perf_event_open needs Linux 5.13");
  else if (Error == ENOBUFS)
    snprintf(Into, Bytes, "no memory may be locked for buffers (perf_event_mlock_kb)");
  else if (Error == ENOSYS)
    snprintf(Into, Bytes, "this system has no perf_event_open");
  else
    snprintf(Into, Bytes, "perf_event_open failed with error %d", Error);
}

} // namespace seamscope::samples
