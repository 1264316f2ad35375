//===- Waits.h - times between operators in which a thread does not run ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between two operators a thread prepares the next one, or waits for data, a lock, another thread
// or a processor. The thread's processor time tells these apart. Reading it is a system call, so it
// is read at most once in LeastNs, at the begin or end of an operator; shorter gaps are ignored.
// The length of a wait is exact. Its place in the gap is unknown; it is recorded at the gap's
// begin.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TORCH_WAITS_H
#define SEAMSCOPE_TORCH_WAITS_H

#include "seamscope/spans.h"

#include <atomic>
#include <cstdint>

namespace seamscope::bridge {

/// The waits of one thread.
class Waits {
public:
  /// Called at the begin of a call that is not inside an operator: records a wait before it.
  /// Returns the time of the begin.
  uint64_t begin() {
    uint64_t Now = seamscope_now();
    if (isDue(Now)) {
      look(Now);
      Now = seamscope_now();
    }
    return Before = Now;
  }

  /// Called when such a call ended at \p Now. Without \p Look, the clocks are read only at the next
  /// begin.
  void end(uint64_t Now, bool Look) {
    if (Look && isDue(Now))
      look(Now);
    Before = Now;
  }

  /// Ignores the time before the next begin or end.
  void forget() { Last.Ticks = 0; }

  /// Does the same on all threads.
  static void forgetAll() { Interruptions.fetch_add(1, std::memory_order_relaxed); }

private:
  struct Moment {
    uint64_t Ticks = 0; ///< 0: none
    int64_t WallNs = 0;
    int64_t RunNs = 0; ///< processor time of the thread
    uint32_t Interruption = 0;
  };

  bool isDue(uint64_t Now) const { return Now - Last.Ticks >= LeastTicks; }
  void look(uint64_t Now);
  static Moment read(uint64_t Now);
  static Moment readAtOnce();

  static constexpr int64_t LeastNs = 100'000;
  static inline std::atomic<uint32_t> Interruptions;

  Moment Last;
  uint64_t Before = 0;     ///< the last begin or end
  uint64_t LeastTicks = 0; ///< LeastNs, once the clock's rate is known
};

} // namespace seamscope::bridge
#endif // SEAMSCOPE_TORCH_WAITS_H
