//===- Platform.h - locks, signals, memory, messages -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime lives inside other people's programs: it uses libc and the kernel, no C++ library,
// and what is here may be called from any hook's slow path.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_PLATFORM_H
#define SEAMSCOPE_CORE_PLATFORM_H

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <pthread.h>

#define SEAMSCOPE_LIKELY(X) __builtin_expect(!!(X), 1)
#define SEAMSCOPE_UNLIKELY(X) __builtin_expect(!!(X), 0)
#define SEAMSCOPE_COLD __attribute__((cold, noinline))

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

/// Blocks every signal and keeps errno while it lives: a slow path must neither be entered again
/// by a handler of the same thread nor be seen in the program's errno.
class Quiet {
public:
  Quiet() : Errno(errno) {
    sigset_t All;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Old);
  }
  ~Quiet() {
    pthread_sigmask(SIG_SETMASK, &Old, nullptr);
    errno = Errno;
  }
  Quiet(const Quiet &) = delete;
  Quiet &operator=(const Quiet &) = delete;

private:
  sigset_t Old;
  int Errno;
};

/// A lock for short slow paths. Hold it only under Quiet.
class SpinLock {
public:
  void lock();
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

/// \p Bytes of zeroed memory from the kernel, or null. Never returned to it.
void *allocatePages(size_t Bytes);

/// One line on stderr, "seamscope: ..." and a newline, in one write. printf formats.
void say(const char *Format, ...) __attribute__((format(printf, 1, 2)));

/// This thread's id, as the kernel counts.
uint32_t currentTid();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_PLATFORM_H
