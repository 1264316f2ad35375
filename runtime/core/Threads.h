//===- Threads.h - what the runtime holds of each thread -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_THREADS_H
#define SEAMSCOPE_CORE_THREADS_H

#include "core/Process.h"

namespace seamscope {

/// What outlives a thread: a dead thread's slot, with the rest of its block, serves the next one.
struct ThreadSlot {
  format::LiveThread *Live;
  format::Record *Cursor, *End; ///< kept here between threads
  format::ThreadEntry *Entry;
  uint64_t Sequence;
  uint64_t LostBefore;            ///< events lost that no EscapeLost tells of yet
  format::SiteProfile **Profiles; ///< by site id; null: mode profile was never on
  uint32_t ProfileCount;
  format::BlockHeader *ProfileBlock;
  uint32_t ProfileUsed;
  ThreadSlot *Next;
};

/// In static TLS, so that a library loaded late still finds room: keep it small.
struct ThreadState {
  format::Record *Cursor;   ///< next free record
  format::Record *End;      ///< first one past the block; null: every record takes the slow path
  format::LiveThread *Live; ///< open calls; null: the thread is not set up
  ThreadSlot *Slot;
  uint32_t Index;     ///< thread index of the spool
  int32_t TeamThread; ///< last EscapeTeamThread in this block; -1: none
  uint32_t Busy;      ///< a slow path of this thread is at work
};
static_assert(sizeof(ThreadState) <= 64, "initial-exec TLS is scarce");

extern __thread ThreadState ThisThread __attribute__((tls_model("initial-exec")));

/// Gives this thread its slot. Null when nothing can be recorded. Only under Quiet.
format::LiveThread *setUpThread();

/// Makes room for \p Count records in a row. False when there is none. Only under Quiet.
bool makeRoom(unsigned Count);

/// The sums of \p Site on this thread, or null when there is no room. Only under Quiet.
format::SiteProfile *profileOf(uint32_t Site);

/// In a fork's child: the parent's slots are not ours.
void forgetThreads();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_THREADS_H
