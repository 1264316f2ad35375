//===- Memory.h - memory and locks of the NVTX library --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is not taken from the program's malloc and is never freed: threads may read it without a
// lock.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_NVTX_MEMORY_H
#define SEAMSCOPE_NVTX_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace seamscope::nvtx {

/// Zeroed pages, or null.
void *pages(size_t Bytes);

/// \p Bytes of zeroed memory, aligned for pointers, or null. The caller holds the lock of names.
void *keep(size_t Bytes);

/// State of a thread. It is in static TLS, so keep it small.
struct ThisThread {
  struct ThreadRanges *Ranges; ///< null: the thread has had no range yet
  uint32_t Locks;              ///< locks that the thread holds or waits for
};
extern __thread ThisThread This __attribute__((tls_model("initial-exec")));

/// A lock that is held for a few instructions. A signal handler that interrupted the holder of any
/// such lock cannot take one, since it might wait for its own thread.
class Lock {
public:
  /// False: this thread is in a signal handler that interrupted the holder of a lock.
  [[nodiscard]] bool tryLock() {
    if (This.Locks)
      return false;
    lock();
    return true;
  }
  void lock();
  void unlock() {
    __atomic_store_n(&Held, 0, __ATOMIC_RELEASE);
    --This.Locks;
  }

private:
  uint32_t Held = 0;
};

/// Events that could not be recorded; reported at exit.
void countLost();
uint64_t lostEvents();

} // namespace seamscope::nvtx
#endif // SEAMSCOPE_NVTX_MEMORY_H
