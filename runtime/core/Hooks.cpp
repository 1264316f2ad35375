//===- Hooks.cpp - the hot path --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call is recorded when it ends (Record.h). Each thread also has a stack of its open calls in the
// spool. It shows what was open when a process died, and finds calls that longjmp left without an
// exit: their frames lie below the frame of a later call.
//
// A signal handler may run between any two instructions here and call kernels. Its calls are
// balanced: when it returns, the stack of open calls is as before. This holds even if the handler
// runs on its own stack, whose frames may lie above those of the interrupted code.
//
//===----------------------------------------------------------------------===//
#include "core/Hooks.h"

#include "core/Clock.h"
#include "core/Fork.h"
#include "core/OpenCalls.h"
#include "core/OtherCopy.h"
#include "core/Record.h"
#include "core/Threads.h"

namespace seamscope {

using namespace format;

namespace {

static_assert(offsetof(SeamscopeFrame, thread) == offsetof(SeamscopeFrame, site) + 4);
static_assert(offsetof(OpenCall, TeamThread) == offsetof(OpenCall, Site) + 4);

inline Place placeIn(const SeamscopeFrame *Frame) { return {loadWord(&Frame->site)}; }

/// Lists and stamps a call. rdtscp waits for each load here, so the fast path reads and writes few
/// words, at fixed places of the thread's state.
template <typename StampT>
inline void open(ThreadState &T, Place Where, SeamscopeFrame *Frame, StampT Stamp) {
  OpenCall *Open = T.NextOpen;
  T.NextOpen = Open + 1;
  Frame->outer = T.TopFrame;
  T.TopFrame = reinterpret_cast<uint64_t>(Frame);
  storeWord(&Frame->site, Where.Bits);
  storeRelaxed(&Open->Frame, reinterpret_cast<uint64_t>(Frame));
  storeWord(&Open->Site, Where.Bits);
  // Last, so that none of the above is part of the call.
  const uint64_t Begin = Stamp();
  storeRelease(&Open->Begin, Begin);
  Frame->begin = Begin;
}

SEAMSCOPE_COLD void enterSlow(uint32_t Site, SeamscopeFrame *Frame, int32_t Team) {
  Frame->outer = 0;
  checkForFork();
  if (!Site || loadRelaxed(&TheProcess.Mode) == SEAMSCOPE_OFF)
    return;
  ThreadState &T = ThisThread;
  const uint64_t Address = reinterpret_cast<uint64_t>(Frame);
  {
    SignalBlocker Blocker;
    if (!T.Slot && !setUpThread()) {
      if (TheProcess.Spool.isOpen())
        countLost();
      return;
    }
    if (T.TopFrame <= Address)
      dropDeadCalls(Address);
  }
  if (T.NextOpen < T.Slot->Live->Open + MaxOpenCalls)
    return open(T, Place::of(Site, Team), Frame, clock::now);
  // Too deep to be listed, but still recorded.
  Frame->outer = T.TopFrame;
  T.TopFrame = Address | Unlisted;
  Frame->site = Site;
  Frame->thread = Team;
  Frame->begin = clock::now();
}

/// Reads the id again: gates open after ids are stored, but nothing orders the hook's loads of the
/// two. 0: there was no room for the site.
uint32_t idOf(const SeamscopeSite *Site) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return loadRelaxed(&Site->id);
}

/// Notifies all mirrors. A mirror that was not notified of the begin does not know the frame.
void endMirrored(const SeamscopeFrame *Frame) {
  if (const SeamscopeMirror *Mirror = loadAcquire(&TheProcess.Mirror))
    Mirror->end(Frame);
  if (const SeamscopeMirror *Mirror = loadAcquire(&TheProcess.MirrorAll))
    Mirror->end(Frame);
}

/// Notifies the thread's mirrors before the begin stamp, so that their time does not count as the
/// kernel's.
void enterMirrored(const SeamscopeSite *Site, SeamscopeFrame *Frame, int32_t Team) {
  const SeamscopeMirror *const Mirrors[] = {
      loadAcquire(&TheProcess.MirrorAll),
      ThisThread.Mirrored == MirroredThread ? loadAcquire(&TheProcess.Mirror) : nullptr};
  const uint32_t Id = idOf(Site);
  if ((!Mirrors[0] && !Mirrors[1]) || !Id || loadRelaxed(&TheProcess.Mode) == SEAMSCOPE_OFF)
    return enterSlow(Id, Frame, Team);
  for (const SeamscopeMirror *Mirror : Mirrors)
    if (Mirror)
      Mirror->begin(Site, Site->name ? reinterpret_cast<const char *>(Site) + Site->name : "",
                    Frame);
  enterSlow(Id, Frame, Team);
  if (Frame->outer)
    ThisThread.TopFrame |= MirrorNotified;
  else
    endMirrored(Frame);
}

SEAMSCOPE_COLD void enterElsewhere(const SeamscopeSite *Site, SeamscopeFrame *Frame, int32_t Team) {
  if (Team < 0)
    SEAMSCOPE_FORWARD(__seamscope_enter_v3, Site, Frame);
  SEAMSCOPE_FORWARD(__seamscope_region_enter_v3, Site, Frame, Team);
  return isMirrored() ? enterMirrored(Site, Frame, Team) : enterSlow(idOf(Site), Frame, Team);
}

SEAMSCOPE_COLD void beginElsewhere(uint32_t Site, SeamscopeFrame *Frame) {
  SEAMSCOPE_FORWARD(seamscope_begin, Site, Frame);
  enterSlow(Site, Frame, -1);
}

/// Whether a call can take the fast path. OpenEnd leaves no room for it if the thread is not set
/// up, another copy of the library serves the process, or the clock is not the TSC.
inline bool isPlain(const ThreadState &T, uint32_t Site, const SeamscopeFrame *Frame) {
  return SEAMSCOPE_LIKELY(T.TopFrame > reinterpret_cast<uint64_t>(Frame) &&
                          T.NextOpen < T.OpenEnd &&
                          (Site & static_cast<uint32_t>(loadRelaxed(&Owner.Mask))));
}

inline void enter(const SeamscopeSite *Site, SeamscopeFrame *Frame, int32_t Team) {
  ThreadState &T = ThisThread;
  const uint32_t Id = loadRelaxed(&Site->id);
  if (!isPlain(T, Id, Frame))
    return enterElsewhere(Site, Frame, Team);
  open(T, Place::of(Id, Team), Frame, clock::readTsc);
}

/// \p End 0: the call ends now.
SEAMSCOPE_COLD void leaveSlow(SeamscopeFrame *Frame, uint64_t End) {
  SEAMSCOPE_FORWARD(__seamscope_exit_v3, Frame);
  if (!End)
    End = clock::now();
  checkForFork();
  const uint64_t Begin = Frame->begin;
  // The frame was opened before this process was forked, so the parent records it.
  if (Begin < TheProcess.ForkTick)
    return;
  ThreadState &T = ThisThread;
  const uint64_t Address = reinterpret_cast<uint64_t>(Frame);
  if ((T.TopFrame & ~(Unlisted | MirrorNotified)) == Address && T.TopFrame & MirrorNotified) {
    T.TopFrame &= ~MirrorNotified;
    endMirrored(Frame);
  }
  {
    SignalBlocker Blocker;
    // The call was opened on another thread, or this thread is about to end.
    if (!T.Slot && !setUpThread()) {
      if (TheProcess.Spool.isOpen())
        countLost();
      return;
    }
    if (T.TopFrame == (Address | Unlisted)) {
      T.TopFrame = Frame->outer;
    } else {
      OpenCall *Closed = T.NextOpen;
      while (Closed > T.Slot->Live->Open && Closed[-1].Frame != Address)
        --Closed;
      if (Closed > T.Slot->Live->Open) {
        // Calls inside this one were left by longjmp.
        dropOpenCalls(Closed);
        storeRelaxed(&Closed[-1].Begin, uint64_t{0});
        T.NextOpen = Closed - 1;
        T.TopFrame = Frame->outer;
      } else {
        // A call with a higher frame took this one for dead: it is on another stack (a fiber, a
        // signal's own stack) or in the same function.
        recordLateReturn(Begin, Frame->site);
      }
    }
  }
  recordCall(Begin, End, placeIn(Frame));
}

} // namespace

void enterUnmirrored(const SeamscopeSite *Site, SeamscopeFrame *Frame) {
  ThreadState &T = ThisThread;
  const uint32_t Id = loadRelaxed(&Site->id);
  if (!isPlain(T, Id, Frame))
    return enterSlow(idOf(Site), Frame, -1);
  open(T, Place::of(Id, -1), Frame, clock::readTsc);
}

} // namespace seamscope

using namespace seamscope;

SEAMSCOPE_EXPORT void __seamscope_enter_v3(const SeamscopeSite *Site, SeamscopeFrame *Frame) {
  enter(Site, Frame, -1);
}

SEAMSCOPE_EXPORT void __seamscope_region_enter_v3(const SeamscopeSite *Site, SeamscopeFrame *Frame,
                                                  int32_t Thread) {
  enter(Site, Frame, Thread);
}

SEAMSCOPE_EXPORT void __seamscope_exit_v3(SeamscopeFrame *Frame) {
  if (SEAMSCOPE_UNLIKELY(clock::UseMonotonic || !SEAMSCOPE_HAS_TSC))
    return leaveSlow(Frame, 0);
  // First, so that none of the rest is part of the call.
  const uint64_t End = clock::readTsc();
  ThreadState &T = ThisThread;
  const uint64_t Begin = Frame->begin;
  const bool Traced = modes::isTraced(Begin);
  // Neither traced nor profiled: the call began in a mode that has ended, or in the parent process.
  if (SEAMSCOPE_UNLIKELY(T.TopFrame != reinterpret_cast<uint64_t>(Frame) ||
                         (!Traced && !modes::isProfiled(Begin))))
    return leaveSlow(Frame, End);
  OpenCall *Open = T.NextOpen - 1;
  T.TopFrame = Frame->outer;
  T.NextOpen = Open;
  storeRelaxed(&Open->Begin, uint64_t{0});
  if (SEAMSCOPE_LIKELY(Traced))
    record(Begin, End - Begin, placeIn(Frame));
  else
    profile(Begin, End, placeIn(Frame));
}

SEAMSCOPE_EXPORT void __seamscope_record_v3(uint64_t Begin, uint64_t Duration, uint64_t Where) {
  recordSlow(Begin, Duration, {Where});
}

SEAMSCOPE_EXPORT int __seamscope_tail_v3(SeamscopeFrame *Frame) {
  const ThreadState &T = ThisThread;
  // Another copy of the library has the list of open calls, so the exit follows the tail call.
  if (TheOtherCopy.Serves || !T.Slot || Frame->begin < TheProcess.ForkTick)
    return 0;
  const uint64_t Address = reinterpret_cast<uint64_t>(Frame);
  // Too deep to be listed, so this is a recursion.
  bool Within = T.TopFrame == (Address | Unlisted);
  for (const OpenCall *Open = T.NextOpen; !Within && Open-- > T.Slot->Live->Open;)
    Within = Open->Site == Frame->site && Open->Frame != Address;
  if (Within)
    __seamscope_exit_v3(Frame);
  return Within;
}

SEAMSCOPE_EXPORT void seamscope_begin(uint32_t Site, SeamscopeFrame *Frame) {
  ThreadState &T = ThisThread;
  // Callers of this function have no gate.
  if (!isPlain(T, Site, Frame) || loadRelaxed(&TheProcess.Mode) == SEAMSCOPE_OFF)
    return beginElsewhere(Site, Frame);
  open(T, Place::of(Site, -1), Frame, clock::readTsc);
}

SEAMSCOPE_EXPORT void seamscope_end(SeamscopeFrame *Frame) {
  if (Frame->outer)
    __seamscope_exit_v3(Frame);
}
