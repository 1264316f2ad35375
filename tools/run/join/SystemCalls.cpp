//===- SystemCalls.cpp - names of system calls that wait --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/SystemCalls.h"

#include <sys/syscall.h>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {

std::string systemCallName(int64_t Number) {
  static constexpr std::pair<int64_t, const char *> Names[] = {
#ifdef SYS_poll // 64-bit x86 has these; newer processors' kernels only what follows
      {SYS_poll, "poll"},
      {SYS_select, "select"},
      {SYS_epoll_wait, "epoll_wait"},
      {SYS_pause, "pause"},
      {SYS_open, "open"},
#endif
      {SYS_futex, "futex"},
      {SYS_ppoll, "ppoll"},
      {SYS_pselect6, "pselect"},
      {SYS_epoll_pwait, "epoll_pwait"},
      {SYS_nanosleep, "nanosleep"},
      {SYS_clock_nanosleep, "clock_nanosleep"},
      {SYS_read, "read"},
      {SYS_readv, "readv"},
      {SYS_pread64, "pread"},
      {SYS_write, "write"},
      {SYS_writev, "writev"},
      {SYS_pwrite64, "pwrite"},
      {SYS_openat, "openat"},
      {SYS_fsync, "fsync"},
      {SYS_fdatasync, "fdatasync"},
      {SYS_accept, "accept"},
      {SYS_accept4, "accept4"},
      {SYS_connect, "connect"},
      {SYS_recvfrom, "recvfrom"},
      {SYS_recvmsg, "recvmsg"},
      {SYS_recvmmsg, "recvmmsg"},
      {SYS_sendto, "sendto"},
      {SYS_sendmsg, "sendmsg"},
      {SYS_wait4, "wait4"},
      {SYS_waitid, "waitid"},
      {SYS_flock, "flock"},
      {SYS_fcntl, "fcntl"},
      {SYS_ioctl, "ioctl"},
      {SYS_msgrcv, "msgrcv"},
      {SYS_msgsnd, "msgsnd"},
      {SYS_semop, "semop"},
      {SYS_semtimedop, "semtimedop"},
      {SYS_mq_timedreceive, "mq_timedreceive"},
      {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
      {SYS_rt_sigsuspend, "rt_sigsuspend"},
      {SYS_io_getevents, "io_getevents"},
      {SYS_sched_yield, "sched_yield"},
      {SYS_mmap, "mmap"},
      {SYS_munmap, "munmap"},
      {SYS_madvise, "madvise"},
      {SYS_exit_group, "exit_group"},
  };
  if (Number < 0)
    return "page fault";
  for (const auto &[Known, Name] : Names)
    if (Known == Number)
      return Name;
  return fmt::format("system call {}", Number);
}

} // namespace seamscope::tools
