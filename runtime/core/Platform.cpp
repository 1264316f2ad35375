//===- Platform.cpp - locks, signals, memory, messages ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Platform.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
__attribute__((weak)) void __msan_scoped_disable_interceptor_checks(void);
__attribute__((weak)) void __msan_scoped_enable_interceptor_checks(void);
}

namespace seamscope {

MsanCheckPause::MsanCheckPause() {
  if (__msan_scoped_disable_interceptor_checks)
    __msan_scoped_disable_interceptor_checks();
}

MsanCheckPause::~MsanCheckPause() {
  if (__msan_scoped_enable_interceptor_checks)
    __msan_scoped_enable_interceptor_checks();
}

sigset_t asynchronousSignals() {
  sigset_t Signals;
  sigfillset(&Signals);
  for (const int Fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS})
    sigdelset(&Signals, Fault);
  return Signals;
}

void SpinLock::lock() {
  for (unsigned Spins = 0; __atomic_exchange_n(&Held, 1, __ATOMIC_ACQUIRE); ++Spins) {
    while (__atomic_load_n(&Held, __ATOMIC_RELAXED))
      // The holder may be waiting for a processor, and there may be only this one.
      if (++Spins % 64 == 0)
        sched_yield();
  }
}

void *allocatePages(size_t Bytes) {
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return P == MAP_FAILED ? nullptr : P;
}

void *mapPages(void *At, size_t Bytes, int Protection, int Flags, int Fd) {
  return reinterpret_cast<void *>(syscall(SYS_mmap, At, Bytes, Protection, Flags, Fd, off_t{0}));
}

void *reservePages(size_t Bytes) {
  void *P = mapPages(nullptr, Bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  return P == MAP_FAILED ? nullptr : P;
}

bool openPages(void *At, size_t Bytes) {
  return syscall(SYS_mprotect, At, Bytes, PROT_READ | PROT_WRITE) == 0;
}

uint32_t currentTid() { return static_cast<uint32_t>(syscall(SYS_gettid)); }

bool pathBeside(char (&Path)[PATH_MAX], const char *Name) {
  Dl_info Self;
  if (!dladdr(reinterpret_cast<const void *>(&pathBeside), &Self) || !Self.dli_fname)
    return false;
  const char *Slash = strrchr(Self.dli_fname, '/');
  const int Folder = Slash ? static_cast<int>(Slash - Self.dli_fname) : 0;
  const int Size = Slash ? snprintf(Path, sizeof(Path), "%.*s/%s", Folder, Self.dli_fname, Name)
                         : snprintf(Path, sizeof(Path), "./%s", Name);
  return Size > 0 && static_cast<size_t>(Size) < sizeof(Path) && !access(Path, R_OK);
}

} // namespace seamscope
