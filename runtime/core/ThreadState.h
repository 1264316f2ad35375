//===- ThreadState.h - the runtime's state of a thread ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_THREADSTATE_H
#define SEAMSCOPE_CORE_THREADSTATE_H

#include "core/ModeHistory.h"
#include "core/Process.h"

namespace seamscope {

/// The work of a function's last call on a thread: most calls have the words of the one before, and
/// so its sums. These follow, and then the words.
struct LastWork {
  format::WorkEntry *Entry; ///< null: none of this thread
  const SeamscopeWork *Of;  ///< by which the sums were found; null: there are none
  uint32_t Room;            ///< so many numbers have room
  uint32_t IsInUse;         ///< 1: a signal handler that interrupted its use leaves it alone

  uint64_t *numbers() { return reinterpret_cast<uint64_t *>(this + 1); }
};

/// State that outlives a thread: the slot of a dead thread, with the rest of its block, serves the
/// next one.
struct ThreadSlot {
  format::LiveThread *Live;
  format::Record *Cursor, *End; ///< kept here between two threads
  format::ThreadEntry *Entry;
  uint64_t Sequence;
  uint64_t LostBefore;            ///< lost events that no EscapeLost has counted yet
  format::SiteProfile **Profiles; ///< by site id; null: mode profile was never on
  uint32_t ProfileCount;
  format::BlockHeader *ProfileBlock;
  uint32_t ProfileUsed;
  LastWork **Works; ///< by site id
  uint32_t WorkCount;
  format::BlockHeader *WorkBlock;
  size_t WorkUsed;             ///< bytes of it
  unsigned char *LastWorkRoom; ///< for new ones
  size_t LastWorkLeft;         ///< bytes of it
  ThreadSlot *Next;
};

/// The state that the hooks see (seamscope/thread.def), and the runtime's own. It is in static TLS,
/// so keep it small: a library that is loaded late must find room. All zero: the thread is not set
/// up and takes the slow paths.
struct ThreadState {
  uint64_t TopFrame;          ///< address of the innermost open call's frame; NoFrame: none is open
  format::OpenCall *NextOpen; ///< where the next call is listed
  format::OpenCall *OpenEnd;  ///< from here on, calls do not begin on the fast path
  format::Record *Cursor;     ///< next free record
  format::Record *End;        ///< first one past the block; null: every record takes the slow path
  const OwnerPage *Owner;     ///< the page of the process, once the thread is set up
  unsigned char *Throttles;   ///< the thread's countdowns (Throttle.h); null: none
  int32_t TeamThread;         ///< number in the last EscapeTeamThread of this block; -1: none
  uint32_t Mirrored;          ///< which mirrors are notified of kernels that begin here
  ThreadSlot *Slot;           ///< null: the thread is not set up
  uint32_t Index;             ///< thread index of the spool
};
static_assert(sizeof(ThreadState) <= 80, "initial-exec TLS is scarce");

#define SEAMSCOPE_THREAD_WORD(type, field, Field)                                                  \
  static_assert(offsetof(ThreadState, Field) == offsetof(SeamscopeThread, field) &&                \
                sizeof(ThreadState::Field) == sizeof(SeamscopeThread::field));
#define SEAMSCOPE_THREAD_HALF(type, field, Field) SEAMSCOPE_THREAD_WORD(type, field, Field)
#include "seamscope/thread.def"
static_assert(sizeof(format::OpenCall) == sizeof(SeamscopeOpenCall) &&
              offsetof(format::OpenCall, Begin) == offsetof(SeamscopeOpenCall, begin) &&
              offsetof(format::OpenCall, Frame) == offsetof(SeamscopeOpenCall, frame) &&
              offsetof(format::OpenCall, Site) == offsetof(SeamscopeOpenCall, site) &&
              offsetof(format::OpenCall, TeamThread) == offsetof(SeamscopeOpenCall, thread));
static_assert(sizeof(format::Record) == sizeof(SeamscopeRecord) &&
              offsetof(format::Record, Begin) == offsetof(SeamscopeRecord, begin) &&
              offsetof(format::Record, Duration) == offsetof(SeamscopeRecord, duration) &&
              offsetof(format::Record, Site) == offsetof(SeamscopeRecord, site));
static_assert(offsetof(OwnerPage, Mask) == offsetof(SeamscopeOwner, mask) &&
              offsetof(OwnerPage, NotBeforeStamped) == offsetof(SeamscopeOwner, not_before_trace));

/// Values of ThreadState::Mirrored.
enum : uint32_t {
  MirroredByAll = 0,  ///< the mirror of all threads, if there is one
  MirroredThread = 1, ///< also the mirror of threads that ask for it
  MirroredNever = 2,  ///< none: these calls do not belong to the program
};

/// In TopFrame: no call is open. Every frame has a lower address.
constexpr uint64_t NoFrame = UINT64_MAX;
/// In TopFrame: the call was too deep to be listed. Frames are aligned, so their lowest bits are
/// free.
constexpr uint64_t Unlisted = 1;
/// In TopFrame: a mirror was notified of the call, which must end on the slow path.
constexpr uint64_t MirrorNotified = 2;

/// Hooks in the program's modules know it by the name in the asm label.
extern __thread ThreadState ThisThread asm("__seamscope_thread_v3")
    __attribute__((tls_model("initial-exec"), visibility("default")));

/// Whether a mirror is notified of calls that begin on this thread.
inline bool isMirrored() {
  const uint32_t Mirrored = ThisThread.Mirrored;
  return Mirrored == MirroredThread ||
         (Mirrored == MirroredByAll && loadRelaxed(&TheProcess.MirrorAll));
}

/// The value for OpenEnd: the end of the list of open calls, or its begin if every call must take
/// the slow path. The thread must be set up.
format::OpenCall *openEnd();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_THREADSTATE_H
