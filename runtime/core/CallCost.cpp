//===- CallCost.cpp - the cost of recording a call ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/CallCost.h"

#include "core/Clock.h"
#include "core/ThreadState.h"

namespace seamscope {

using namespace format;

uint64_t measureCallCost() {
  constexpr unsigned Batches = 15, Calls = 64;
  if (modes::at(clock::now()) == SEAMSCOPE_OFF)
    return 0;
  // The hooks run on a thread state whose pointers all lead to this function's objects.
  ThreadState &T = ThisThread;
  const ThreadState Saved = T;
  LiveThread Live = {};
  ThreadEntry Entry = {};
  SiteProfile Sums = {};
  SiteProfile *Profiles[] = {nullptr, &Sums};
  Record Records[Calls];
  ThreadSlot Slot = {};
  Slot.Live = &Live;
  Slot.Entry = &Entry;
  Slot.Profiles = Profiles;
  Slot.ProfileCount = 2;
  T = {};
  T.Slot = &Slot;
  T.TopFrame = NoFrame;
  T.NextOpen = Live.Open;
  T.Mirrored = MirroredNever;
  T.OpenEnd = openEnd();
  T.Owner = &Owner;
  T.TeamThread = -1;
  SeamscopeSite Site = {};
  Site.id = 1;
  const auto volatile Enter =
      &__seamscope_enter_v3; // a call that is not inlined, as in instrumented code
  const auto volatile Exit = &__seamscope_exit_v3;
  uint64_t Costs[Batches];
  for (unsigned I = 0; I < Batches; ++I) {
    T.Cursor = Records;
    T.End = Records + Calls;
    // The lock keeps the mode: a call in which the mode changes is recorded in another way.
    SpinGuard Guard(TheProcess.Lock);
    const uint64_t Begin = clock::now();
    for (unsigned J = 0; J < Calls; ++J) {
      SeamscopeFrame Frame = {};
      Enter(&Site, &Frame);
      if (Frame.outer)
        Exit(&Frame);
    }
    const uint64_t Cost = (clock::now() - Begin) * 1024 / Calls;
    unsigned At = I;
    for (; At > 0 && Costs[At - 1] > Cost; --At)
      Costs[At] = Costs[At - 1];
    Costs[At] = Cost;
  }
  T = Saved;
  return Costs[Batches / 2];
}

} // namespace seamscope
