//===- Memory.cpp - memory that is not from the program's malloc -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocations are rare: when a thread sees a new kind of call, or has more open calls than before.
// One lock and blocks with power-of-two sizes are enough.
//
//===----------------------------------------------------------------------===//
#include "Memory.h"

#include <atomic>
#include <csignal>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

namespace seamscope::bridge::memory {
namespace {

constexpr size_t LeastShift = 5, MostShift = 15; // larger blocks are mapped separately
constexpr size_t ChunkBytes = 256 << 10;

struct Block {
  Block *Next;
};

Block *Free[MostShift + 1];
char *Rest, *RestEnd; ///< of the last chunk
std::atomic_flag Held = ATOMIC_FLAG_INIT;

/// Holds the lock with signals blocked, since a signal handler may run operators.
class Guard {
public:
  Guard() {
    sigset_t All;
    sigfillset(&All);
    pthread_sigmask(SIG_BLOCK, &All, &Old);
    while (Held.test_and_set(std::memory_order_acquire))
      sched_yield();
  }
  ~Guard() {
    Held.clear(std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

private:
  sigset_t Old;
};

void *map(size_t Bytes) {
  void *Pages = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return Pages == MAP_FAILED ? nullptr : Pages;
}

size_t shiftOf(size_t Bytes) {
  size_t Shift = LeastShift;
  while (size_t{1} << Shift < Bytes)
    ++Shift;
  return Shift;
}

void *takeSmall(size_t Shift) {
  const Guard Lock;
  if (Block *First = Free[Shift]) {
    Free[Shift] = First->Next;
    return First;
  }
  const size_t Bytes = size_t{1} << Shift;
  if (static_cast<size_t>(RestEnd - Rest) < Bytes) {
    auto *Chunk = static_cast<char *>(map(ChunkBytes));
    if (!Chunk)
      return nullptr;
    Rest = Chunk;
    RestEnd = Chunk + ChunkBytes;
  }
  void *Cut = Rest;
  Rest += Bytes;
  return Cut;
}

bool isLarge(size_t Bytes) { return Bytes > size_t{1} << MostShift; }

} // namespace

void *take(size_t Bytes) {
  void *Found = isLarge(Bytes) ? map(Bytes) : takeSmall(shiftOf(Bytes));
  if (!Found)
    throw std::bad_alloc();
  return Found;
}

void give(void *Memory, size_t Bytes) {
  if (isLarge(Bytes)) {
    munmap(Memory, Bytes);
    return;
  }
  const size_t Shift = shiftOf(Bytes);
  auto *Given = static_cast<Block *>(Memory);
  const Guard Lock;
  Given->Next = Free[Shift];
  Free[Shift] = Given;
}

void afterForkInChild() {
  if (!Held.test_and_set())
    return Held.clear();
  // Another thread may have been changing the lists, so their blocks are lost.
  for (Block *&List : Free)
    List = nullptr;
  Rest = RestEnd = nullptr;
  Held.clear();
}

} // namespace seamscope::bridge::memory
