//===- Platform.h - locks, signals, memory, messages -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime lives in other people's programs: it uses libc and the kernel, and no C++ library.
// Everything here may be called from the slow path of a hook.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_PLATFORM_H
#define SEAMSCOPE_CORE_PLATFORM_H

#include "core/Message.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <pthread.h>

#define SEAMSCOPE_LIKELY(X) __builtin_expect(!!(X), 1)
#define SEAMSCOPE_UNLIKELY(X) __builtin_expect(!!(X), 0)
#define SEAMSCOPE_COLD __attribute__((cold, noinline))
/// Marks the functions that the library exports.
#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

namespace seamscope {

template <typename T> inline T loadRelaxed(const T *P) {
  return __atomic_load_n(P, __ATOMIC_RELAXED);
}
template <typename T> inline T loadAcquire(const T *P) {
  return __atomic_load_n(P, __ATOMIC_ACQUIRE);
}
template <typename T> inline void storeRelaxed(T *P, T V) {
  __atomic_store(P, &V, __ATOMIC_RELAXED);
}
template <typename T> inline void storeRelease(T *P, T V) {
  __atomic_store(P, &V, __ATOMIC_RELEASE);
}

/// Types for access to a word whose halves are separate fields, and to a half of one word.
using AliasedWord = uint64_t __attribute__((may_alias));
using AliasedHalf = int32_t __attribute__((may_alias));

/// Reads and writes 8 aligned bytes, whichever fields they belong to.
inline uint64_t loadWord(const void *P) {
  return __atomic_load_n(static_cast<const AliasedWord *>(P), __ATOMIC_RELAXED);
}
inline void storeWord(void *P, uint64_t V) {
  __atomic_store_n(static_cast<AliasedWord *>(P), V, __ATOMIC_RELAXED);
}

/// While it lives, MemorySanitizer does not check what this library passes to libc, since it has
/// not seen the library's stores.
class MsanCheckPause {
public:
  MsanCheckPause();
  ~MsanCheckPause();
  MsanCheckPause(const MsanCheckPause &) = delete;
  MsanCheckPause &operator=(const MsanCheckPause &) = delete;
};

/// All signals except those that a thread's own instructions raise: a blocked fault ends the
/// process even if the program has a handler for it, as garbage collectors and sanitizers do.
sigset_t asynchronousSignals();

/// Blocks asynchronousSignals() and keeps errno while it lives: a handler of the same thread must
/// not enter a slow path again, and the program must not see a slow path's errno.
class SignalBlocker {
public:
  SignalBlocker() : Errno(errno) {
    const sigset_t Blocked = asynchronousSignals();
    pthread_sigmask(SIG_BLOCK, &Blocked, &Old);
  }
  ~SignalBlocker() {
    pthread_sigmask(SIG_SETMASK, &Old, nullptr);
    errno = Errno;
  }
  SignalBlocker(const SignalBlocker &) = delete;
  SignalBlocker &operator=(const SignalBlocker &) = delete;

private:
  sigset_t Old;
  int Errno;
  MsanCheckPause Pause;
};

/// Reads \p Text, which may be null, so that a fault in it comes before a lock is taken that the
/// fault's handler might need.
inline void prefault(const char *Text) {
  while (Text && *const_cast<const volatile char *>(Text))
    ++Text;
}

/// A lock for short slow paths. Hold it only under SignalBlocker.
class SpinLock {
public:
  void lock();
  /// Returns whether it is now held.
  bool tryLock() { return !__atomic_exchange_n(&Held, 1, __ATOMIC_ACQUIRE); }
  void unlock() { __atomic_store_n(&Held, 0, __ATOMIC_RELEASE); }

private:
  uint32_t Held = 0;
};

class SpinGuard {
public:
  explicit SpinGuard(SpinLock &L) : L(L) { L.lock(); }
  ~SpinGuard() { L.unlock(); }
  SpinGuard(const SpinGuard &) = delete;
  SpinGuard &operator=(const SpinGuard &) = delete;

private:
  SpinLock &L;
};

/// \p Bytes of zeroed memory from the kernel, or null. It is never given back.
void *allocatePages(size_t Bytes);

/// Calls mmap directly: a sanitizer's mmap writes shadow memory for the whole range, which for a
/// spool takes minutes and all memory of the machine.
void *mapPages(void *At, size_t Bytes, int Protection, int Flags, int Fd);

/// \p Bytes of address space, or null. A page takes memory only after openPages(), even if the
/// program locks its memory (mlockall).
void *reservePages(size_t Bytes);

/// Makes pages that are mapped without access (PROT_NONE) readable and writable.
bool openPages(void *At, size_t Bytes);

/// The kernel's id of this thread.
uint32_t currentTid();

/// Sets \p Path to the file \p Name in the folder of this library. Returns false if there is none.
bool pathBeside(char (&Path)[PATH_MAX], const char *Name);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_PLATFORM_H
