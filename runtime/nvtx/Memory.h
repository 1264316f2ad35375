//===- Memory.h - memory and locks of the NVTX library --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here comes from the program's malloc, and nothing is ever given back: it may be read by a
// thread that has no lock.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_NVTX_MEMORY_H
#define SEAMSCOPE_NVTX_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace seamscope::nvtx {

/// Zeroed pages, or null.
void *pages(size_t Bytes);

/// \p Bytes of zeroed memory, aligned for pointers, or null. Only with the lock of names held.
void *keep(size_t Bytes);

/// What each thread has; in static TLS, so keep it small.
struct ThisThread {
  struct ThreadRanges *Ranges; ///< null: it had no range yet
  uint32_t Locks;              ///< it is between lock and unlock
};
extern __thread ThisThread This __attribute__((tls_model("initial-exec")));

/// A lock for some instructions. A handler of a signal that came while its thread held any lock of
/// this kind does not get another: it would wait for its own thread.
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

/// Events that could not be kept; said at exit.
void countLost();
uint64_t lostEvents();

} // namespace seamscope::nvtx
#endif // SEAMSCOPE_NVTX_MEMORY_H
