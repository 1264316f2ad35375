//===- Waits.h - stretches between operators in which a thread does not run ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between two operators a thread prepares the next one, or it waits: for data, a lock, another
// thread, a processor. The time of processor that it had tells which. Reading that is a system
// call: it is read at most once in LeastNs, where an operator begins or ends, and shorter stretches
// are not looked at. How long a thread did not run is exact, when in the stretch is not known: the
// wait is drawn from the stretch's begin.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TORCH_WAITS_H
#define SEAMSCOPE_TORCH_WAITS_H

#include "seamscope/spans.h"

#include <atomic>
#include <cstdint>

namespace seamscope::bridge {

/// Of one thread.
class Waits {
public:
  /// When a call begins that no operator is open around: now, after a look at what was before.
  uint64_t begin() {
    uint64_t Now = seamscope_now();
    if (isDue(Now)) {
      look(Now);
      Now = seamscope_now();
    }
    return Before = Now;
  }

  /// Such a call ended at \p Now; without \p Look what follows waits for the next begin.
  void end(uint64_t Now, bool Look) {
    if (Look && isDue(Now))
      look(Now);
    Before = Now;
  }

  /// What lies before the next begin or end is not looked at.
  void forget() { Last.Ticks = 0; }

  /// The same on all threads.
  static void forgetAll() { Interruptions.fetch_add(1, std::memory_order_relaxed); }

private:
  struct Moment {
    uint64_t Ticks = 0; ///< 0: none
    int64_t WallNs = 0;
    int64_t RunNs = 0; ///< time of processor that the thread had until then
    uint32_t Interruption = 0;
  };

  bool isDue(uint64_t Now) const { return Now - Last.Ticks >= LeastTicks; }
  void look(uint64_t Now);
  static Moment read(uint64_t Now);

  static constexpr int64_t LeastNs = 100'000;
  static inline std::atomic<uint32_t> Interruptions;

  Moment Last;
  uint64_t Before = 0;     ///< the last begin or end
  uint64_t LeastTicks = 0; ///< LeastNs, once the clock's rate is known
};

} // namespace seamscope::bridge
#endif // SEAMSCOPE_TORCH_WAITS_H
