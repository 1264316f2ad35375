//===- ThrottleHooks.cpp - the hooks of throttled sites -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Throttle.h"

using namespace seamscope;

SEAMSCOPE_EXPORT void __seamscope_next_v3(const SeamscopeSite *Site, SeamscopeFrame *Frame) {
  __seamscope_exit_v3(Frame);
  Frame->outer = 0;
  // From here on, the same as a hook in a module.
  if (seamscope_mode() == SEAMSCOPE_OFF)
    return;
  const ThreadState &T = ThisThread;
  const uint32_t Offset = loadRelaxed(&Site->throttle);
  if (!Offset || !T.Throttles)
    return __seamscope_enter_v3(Site, Frame);
  format::ThrottleEntry &Entry = throttleEntryAt(Offset);
  auto *const Left = reinterpret_cast<AliasedHalf *>(&Entry.Countdown);
  if (__atomic_sub_fetch(Left, 1, __ATOMIC_RELAXED) < 0)
    __seamscope_sample_v3(Site, Frame);
}

SEAMSCOPE_EXPORT void __seamscope_sample_v3(const SeamscopeSite *Site, SeamscopeFrame *Frame) {
  const ThreadState &T = ThisThread;
  if (const uint32_t Offset = loadRelaxed(&Site->throttle); Offset && T.Throttles) {
    format::ThrottleEntry &Entry = throttleEntryAt(Offset);
    if (const uint32_t Id = loadRelaxed(&Entry.Site))
      beginCountdown(Entry, Id);
    else
      storeRelaxed(&Entry.Countdown, uint64_t{0}); // another thread throttles it
  }
  __seamscope_enter_v3(Site, Frame);
}
