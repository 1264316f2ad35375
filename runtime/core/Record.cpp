//===- Record.cpp - stores closed calls: slow paths ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Record.h"

#include "core/ThreadBlocks.h"
#include "openmp/Runtimes.h"

namespace seamscope {

using namespace format;

void countLost() {
  TheProcess.Spool.countLost();
  if (ThreadSlot *Slot = ThisThread.Slot) {
    __atomic_fetch_add(&Slot->Entry->LostEvents, 1, __ATOMIC_RELAXED);
    ++Slot->LostBefore;
  }
}

void writeEscape(Escape Kind, uint64_t Begin, uint32_t Value) {
  if (makeRoom(1))
    fill(ThisThread.Cursor++, Begin, Value, Kind);
}

void recordSlow(uint64_t Begin, uint64_t Duration, Place Where) {
  recordSlow(Begin, Duration, Where, CallExtra());
}

void recordSlow(uint64_t Begin, uint64_t Duration, Place Where, const CallExtra &Extra) {
  // The spool is full: do not make a system call for each dropped event.
  if (!ThisThread.End && TheProcess.Spool.isFull()) {
    countLost();
    return;
  }
  SignalBlocker Blocker;
  ThreadState &T = ThisThread;
  // Gives back a claim past the end, unless a handler has begun a new block meanwhile.
  if (T.Cursor > T.End)
    T.Cursor = T.End;
  if (!makeRoom(7)) {
    countLost();
    return;
  }
  if (T.Slot->LostBefore) {
    fill(T.Cursor++, Begin, static_cast<uint32_t>(T.Slot->LostBefore), EscapeLost);
    T.Slot->LostBefore = 0;
  }
  const int32_t Team = Where.team();
  if (Team >= 0 && Team != T.TeamThread) {
    if (T.Slot->Entry->TeamThread < 0) {
      storeRelaxed(&T.Slot->Entry->TeamThread, Team);
      checkOpenMP();
    }
    fill(T.Cursor++, Begin, static_cast<uint32_t>(Team), EscapeTeamThread);
    T.TeamThread = Team;
  }
  const bool Elsewhere = Extra.Thread != UINT32_MAX && Extra.Thread != T.Index;
  if (Elsewhere)
    fill(T.Cursor++, Begin, Extra.Thread, EscapeThread);
  if (Extra.Sequence >= 0)
    fill(T.Cursor++, 1 + static_cast<uint64_t>(Extra.Sequence), Extra.ForwardThread,
         EscapeSequence);
  if (Duration >> 32) {
    Record *R = T.Cursor;
    T.Cursor += 2;
    // The first half is stored last: a reader that finds it has both.
    fill(R + 1, 1 + (Duration >> 32), Where.site(), EscapeLongRest);
    fill(R, Begin, static_cast<uint32_t>(Duration), EscapeLong);
  } else {
    fill(T.Cursor++, Begin, static_cast<uint32_t>(Duration), Where.site());
  }
  if (Elsewhere) {
    fill(T.Cursor++, Begin, T.Index, EscapeThread);
    T.TeamThread = -1;
  }
}

void recordOfPastMode(uint64_t Begin, uint64_t End, Place Where) {
  if (modes::at(Begin) == SEAMSCOPE_TRACE)
    record(Begin, End - Begin, Where);
  else
    profile(Begin, End, Where);
}

void profileSlow(uint64_t Begin, uint64_t End, Place Where) {
  SignalBlocker Blocker;
  ThreadSlot &Slot = *ThisThread.Slot;
  const int32_t Team = Where.team();
  if (Team >= 0 && Slot.Entry->TeamThread < 0) {
    storeRelaxed(&Slot.Entry->TeamThread, Team);
    checkOpenMP();
  }
  if (SiteProfile *P = profileOf(Where.site())) {
    if (!P->Calls)
      storeRelaxed(&P->FirstTick, Begin);
    add(*P, Begin, End, Where);
  } else {
    countLost();
  }
}

} // namespace seamscope
