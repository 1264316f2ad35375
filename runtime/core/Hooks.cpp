//===- Hooks.cpp - the hot path --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call is recorded when it ends, as {begin, duration, site}. Beside that each thread has a stack
// of its open calls in the spool: it tells what was open when a process died, and it finds calls
// that longjmp left without an exit, whose frames lie below the frame of a later call.
//
// A signal handler may come between any two instructions here and call kernels itself. Its calls
// are balanced: the stack of open calls is as it was when it returns, also when the handler has a
// stack of its own, whose frames may lie above those of the code it came into. A record's slot is
// claimed by one instruction.
//
//===----------------------------------------------------------------------===//
#include "core/Clock.h"
#include "core/Threads.h"

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

namespace seamscope {

using namespace format;

namespace {

/// Where the thread's block ends, read before the next claim: of a block that a handler begins
/// between the two, the end would say nothing of the claimed record.
inline Record *endOfBlock() { return *const_cast<Record *volatile *>(&ThisThread.End); }

/// Claims a record; may lie past the end. One instruction with respect to signals.
inline Record *claimRecord() {
#if defined(__x86_64__)
  uint64_t Step = sizeof(Record);
  asm volatile("xaddq %0, %1" : "+r"(Step), "+m"(ThisThread.Cursor));
  return reinterpret_cast<Record *>(Step);
#else
  return reinterpret_cast<Record *>(__atomic_fetch_add(
      reinterpret_cast<uintptr_t *>(&ThisThread.Cursor), sizeof(Record), __ATOMIC_RELAXED));
#endif
}

inline void fill(Record *R, uint64_t Begin, uint32_t Duration, uint32_t Site) {
  storeRelaxed(reinterpret_cast<uint64_t *>(&R->Duration),
               static_cast<uint64_t>(Site) << 32 | Duration);
  storeRelease(&R->Begin, Begin);
}

void countLost() {
  TheProcess.Spool.countLost();
  if (ThreadSlot *Slot = ThisThread.Slot) {
    __atomic_fetch_add(&Slot->Entry->LostEvents, 1, __ATOMIC_RELAXED);
    ++Slot->LostBefore;
  }
}

/// An escape record. Only under Quiet.
void writeEscape(Escape Kind, uint64_t Begin, uint32_t Value) {
  if (makeRoom(1))
    fill(ThisThread.Cursor++, Begin, Value, Kind);
}

SEAMSCOPE_COLD void recordSlow(uint64_t Begin, uint64_t Duration, uint32_t Site, int32_t Team) {
  // Nothing more fits: no system call for each event that is dropped.
  if (!ThisThread.End && TheProcess.Spool.isFull()) {
    countLost();
    return;
  }
  Quiet Q;
  ThreadState &T = ThisThread;
  // Give back a claim past the end, unless a handler has begun a new block meanwhile.
  if (T.Cursor > T.End)
    T.Cursor = T.End;
  if (!makeRoom(4)) {
    countLost();
    return;
  }
  if (T.Slot->LostBefore) {
    fill(T.Cursor++, Begin, static_cast<uint32_t>(T.Slot->LostBefore), EscapeLost);
    T.Slot->LostBefore = 0;
  }
  if (Team >= 0 && Team != T.TeamThread) {
    if (T.Slot->Entry->TeamThread < 0) {
      storeRelaxed(&T.Slot->Entry->TeamThread, Team);
      checkOpenMP();
    }
    fill(T.Cursor++, Begin, static_cast<uint32_t>(Team), EscapeTeamThread);
    T.TeamThread = Team;
  }
  if (Duration >> 32) {
    Record *R = T.Cursor;
    T.Cursor += 2;
    fill(R + 1, 1 + (Duration >> 32), 0, Site);
    fill(R, Begin, static_cast<uint32_t>(Duration), EscapeLong);
  } else {
    fill(T.Cursor++, Begin, static_cast<uint32_t>(Duration), Site);
  }
}

inline void record(uint64_t Begin, uint64_t Duration, uint32_t Site, int32_t Team) {
  ThreadState &T = ThisThread;
  if (SEAMSCOPE_UNLIKELY(Duration >> 32 || (Team >= 0 && Team != T.TeamThread)))
    return recordSlow(Begin, Duration, Site, Team);
  const Record *End = endOfBlock();
  Record *R = claimRecord();
  if (SEAMSCOPE_UNLIKELY(R >= End))
    return recordSlow(Begin, Duration, Site, Team);
  fill(R, Begin, static_cast<uint32_t>(Duration), Site);
}

/// Adds a call to its sums. Each word is written by this thread alone; a handler that comes
/// between may lose one update of the same site's sums, and nothing else.
inline void add(SiteProfile &P, uint64_t Begin, uint64_t End, int32_t Team) {
  const uint64_t Duration = End - Begin;
  if (SEAMSCOPE_UNLIKELY(!P.Calls))
    storeRelaxed(&P.FirstTick, Begin);
  storeRelaxed(&P.Calls, P.Calls + 1);
  storeRelaxed(&P.SumTicks, P.SumTicks + Duration);
  if (Duration < P.MinTicks)
    storeRelaxed(&P.MinTicks, Duration);
  if (Duration > P.MaxTicks)
    storeRelaxed(&P.MaxTicks, Duration);
  storeRelaxed(&P.LastTick, End);
  storeRelaxed(&P.TeamThread, Team);
  uint32_t &Bucket = P.Histogram[histogramBucket(Duration)];
  storeRelaxed(&Bucket, Bucket + 1);
}

SEAMSCOPE_COLD void profileSlow(uint64_t Begin, uint64_t End, uint32_t Site, int32_t Team) {
  Quiet Q;
  ThreadSlot &Slot = *ThisThread.Slot;
  if (Team >= 0 && Slot.Entry->TeamThread < 0) {
    storeRelaxed(&Slot.Entry->TeamThread, Team);
    checkOpenMP();
  }
  if (SiteProfile *P = profileOf(Site))
    add(*P, Begin, End, Team);
  else
    countLost();
}

inline void profile(uint64_t Begin, uint64_t End, uint32_t Site, int32_t Team) {
  const ThreadSlot &Slot = *ThisThread.Slot;
  if (SEAMSCOPE_LIKELY(Site < Slot.ProfileCount))
    if (SiteProfile *P = Slot.Profiles[Site]; SEAMSCOPE_LIKELY(P != nullptr))
      return add(*P, Begin, End, Team);
  profileSlow(Begin, End, Site, Team);
}

inline void recordCall(uint64_t Begin, uint64_t End, uint32_t Site, int32_t Team) {
  if (SEAMSCOPE_LIKELY(loadRelaxed(&TheProcess.RecordMode) == SEAMSCOPE_TRACE))
    record(Begin, End - Begin, Site, Team);
  else
    profile(Begin, End, Site, Team);
}

/// Ends the list of open calls at \p Keep; what stood behind it was left without an exit. Only
/// under Quiet.
void dropOpenCalls(OpenCall *Keep) {
  ThreadState &T = ThisThread;
  for (OpenCall *Open = T.NextOpen; Open-- > Keep;) {
    if (loadRelaxed(&TheProcess.RecordMode) == SEAMSCOPE_TRACE)
      writeEscape(EscapeAbandoned, Open->Begin, Open->Site);
    else if (SiteProfile *P = profileOf(Open->Site))
      storeRelaxed(&P->Abandoned, P->Abandoned + 1);
    storeRelaxed(&Open->Begin, uint64_t{0});
  }
  T.NextOpen = Keep;
  T.TopFrame = Keep == T.Slot->Live->Open ? NoFrame : Keep[-1].Frame;
}

void returnedAfterAll(uint64_t Begin, uint32_t Site) {
  if (loadRelaxed(&TheProcess.RecordMode) == SEAMSCOPE_TRACE)
    writeEscape(EscapeReturned, Begin, Site);
  else if (SiteProfile *P = profileOf(Site))
    storeRelaxed(&P->Abandoned, P->Abandoned - 1);
}

/// Takes off the list what is dead when a call whose frame is at \p Address, not below the innermost
/// one, begins: on one stack, the calls with frames up to there. A handler that runs on a stack of
/// its own tells nothing about the calls of the code it came into. Only under Quiet.
void dropDeadCalls(uint64_t Address) {
  const ThreadState &T = ThisThread;
  uint64_t Low = 0, Size = UINT64_MAX;
  stack_t Own;
  if (sigaltstack(nullptr, &Own) == 0 && (Own.ss_flags & SS_ONSTACK)) {
    Low = reinterpret_cast<uint64_t>(Own.ss_sp);
    Size = Own.ss_size;
  }
  const auto IsDead = [&](uint64_t Frame) { return Frame <= Address && Frame - Low < Size; };
  if (!IsDead(T.TopFrame))
    return;
  OpenCall *Keep = T.NextOpen;
  while (Keep > T.Slot->Live->Open && IsDead(Keep[-1].Frame))
    --Keep;
  dropOpenCalls(Keep);
}

/// Lists and stamps a call. What the fast path reads and writes are few words at fixed places of
/// the thread's state: rdtscp waits for all of it, so that a chain of loads here is time.
inline void open(ThreadState &T, uint32_t Site, SeamscopeFrame *Frame, int32_t Team) {
  OpenCall *Open = T.NextOpen;
  T.NextOpen = Open + 1;
  Frame->outer = T.TopFrame;
  T.TopFrame = reinterpret_cast<uint64_t>(Frame);
  Frame->site = Site;
  Frame->thread = Team;
  storeRelaxed(&Open->Frame, reinterpret_cast<uint64_t>(Frame));
  storeRelaxed(&Open->Site, Site);
  storeRelaxed(&Open->TeamThread, Team);
  // Last, so that none of the above is part of the call.
  const uint64_t Begin = clock::now();
  storeRelease(&Open->Begin, Begin);
  Frame->begin = Begin;
}

SEAMSCOPE_COLD void enterSlow(uint32_t Site, SeamscopeFrame *Frame, int32_t Team) {
  Frame->begin = 0;
  if (!Site || loadRelaxed(&TheProcess.Mode) == SEAMSCOPE_OFF)
    return;
  ThreadState &T = ThisThread;
  const uint64_t Address = reinterpret_cast<uint64_t>(Frame);
  {
    Quiet Q;
    if (!T.Slot && !setUpThread()) {
      if (TheProcess.Spool.isOpen())
        countLost();
      return;
    }
    if (T.TopFrame <= Address)
      dropDeadCalls(Address);
  }
  if (T.NextOpen < T.OpenEnd)
    return open(T, Site, Frame, Team);
  // Too deep to be listed; recorded all the same.
  Frame->outer = T.TopFrame;
  T.TopFrame = Address | Unlisted;
  Frame->site = Site;
  Frame->thread = Team;
  Frame->begin = clock::now();
}

inline void enter(uint32_t Site, SeamscopeFrame *Frame, int32_t Team) {
  ThreadState &T = ThisThread;
  if (SEAMSCOPE_UNLIKELY(T.TopFrame <= reinterpret_cast<uint64_t>(Frame) ||
                         T.NextOpen >= T.OpenEnd || !Site))
    return enterSlow(Site, Frame, Team);
  open(T, Site, Frame, Team);
}

SEAMSCOPE_COLD void leaveSlow(SeamscopeFrame *Frame, uint64_t End) {
  if (TheProcess.Forward)
    return TheProcess.Other.Exit(Frame);
  const uint64_t Begin = Frame->begin;
  // The frame was opened before this process was forked: its parent records it.
  if (Begin < TheProcess.ForkTick)
    return;
  ThreadState &T = ThisThread;
  const uint64_t Address = reinterpret_cast<uint64_t>(Frame);
  {
    Quiet Q;
    // Opened on another thread, or before this thread's end began.
    if (!T.Slot && !setUpThread()) {
      if (TheProcess.Spool.isOpen())
        countLost();
      return;
    }
    if (T.TopFrame == (Address | Unlisted)) {
      T.TopFrame = Frame->outer;
    } else {
      OpenCall *Ours = T.NextOpen;
      while (Ours > T.Slot->Live->Open && Ours[-1].Frame != Address)
        --Ours;
      if (Ours > T.Slot->Live->Open) {
        // Calls inside this one were left by longjmp.
        dropOpenCalls(Ours);
        storeRelaxed(&Ours[-1].Begin, uint64_t{0});
        T.NextOpen = Ours - 1;
        T.TopFrame = Frame->outer;
      } else {
        // Taken for dead by a call whose frame lay above it: on another stack (a fiber, a signal's
        // own stack), or in the same function.
        returnedAfterAll(Begin, Frame->site);
      }
    }
  }
  recordCall(Begin, End, Frame->site, Frame->thread);
}

} // namespace

void abandonOpenCalls() { dropOpenCalls(ThisThread.Slot->Live->Open); }

} // namespace seamscope

using namespace seamscope;

SEAMSCOPE_EXPORT void __seamscope_enter_v1(const SeamscopeSite *Site, SeamscopeFrame *Frame) {
  if (SEAMSCOPE_UNLIKELY(TheProcess.Forward))
    return TheProcess.Other.Enter(Site, Frame);
  enter(Site->id, Frame, -1);
}

SEAMSCOPE_EXPORT void __seamscope_region_enter_v1(const SeamscopeSite *Site, SeamscopeFrame *Frame,
                                                  int32_t Thread) {
  if (SEAMSCOPE_UNLIKELY(TheProcess.Forward))
    return TheProcess.Other.RegionEnter(Site, Frame, Thread);
  enter(Site->id, Frame, Thread);
}

SEAMSCOPE_EXPORT void __seamscope_exit_v1(SeamscopeFrame *Frame) {
  // First, so that none of the rest is part of the call.
  const uint64_t End = clock::now();
  ThreadState &T = ThisThread;
  if (SEAMSCOPE_UNLIKELY(T.TopFrame != reinterpret_cast<uint64_t>(Frame)))
    return leaveSlow(Frame, End);
  OpenCall *Open = T.NextOpen - 1;
  T.TopFrame = Frame->outer;
  T.NextOpen = Open;
  storeRelaxed(&Open->Begin, uint64_t{0});
  recordCall(Frame->begin, End, Frame->site, Frame->thread);
}

SEAMSCOPE_EXPORT void seamscope_begin(uint32_t Site, SeamscopeFrame *Frame) {
  if (SEAMSCOPE_UNLIKELY(TheProcess.Forward))
    return TheProcess.Other.Begin(Site, Frame);
  if (loadRelaxed(&TheProcess.Mode) == SEAMSCOPE_OFF) {
    Frame->begin = 0;
    return;
  }
  enter(Site, Frame, -1);
}

SEAMSCOPE_EXPORT void seamscope_end(SeamscopeFrame *Frame) {
  if (Frame->begin)
    __seamscope_exit_v1(Frame);
}
