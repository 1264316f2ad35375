//===- Memory.cpp - memory and locks of the NVTX library ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "nvtx/Memory.h"

#include <sched.h>
#include <sys/mman.h>

namespace seamscope::nvtx {

__thread ThisThread This __attribute__((tls_model("initial-exec"))) = {};

static uint64_t Lost;

void countLost() { __atomic_fetch_add(&Lost, 1, __ATOMIC_RELAXED); }
uint64_t lostEvents() { return __atomic_load_n(&Lost, __ATOMIC_RELAXED); }

void *pages(size_t Bytes) {
  void *At = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return At == MAP_FAILED ? nullptr : At;
}

void *keep(size_t Bytes) {
  constexpr size_t PoolBytes = 256 * 1024;
  static char *Next;
  static size_t Left;
  Bytes = (Bytes + 15) & ~size_t{15};
  if (Bytes > PoolBytes / 4)
    return pages(Bytes);
  if (Bytes > Left) {
    Next = static_cast<char *>(pages(PoolBytes));
    Left = Next ? PoolBytes : 0;
    if (!Next)
      return nullptr;
  }
  void *At = Next;
  Next += Bytes;
  Left -= Bytes;
  return At;
}

void Lock::lock() {
  // Counted before the lock is taken: a signal handler in between must not wait for it.
  ++This.Locks;
  while (__atomic_exchange_n(&Held, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(&Held, __ATOMIC_RELAXED))
      sched_yield();
}

} // namespace seamscope::nvtx
