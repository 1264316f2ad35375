//===- Threads.cpp - begin and end of threads ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Threads.h"

#include "core/Clock.h"
#include "core/Helper.h"
#include "core/OpenCalls.h"
#include "core/Recording.h"
#include "core/ThreadBlocks.h"

#include <cstring>
#include <sys/prctl.h>

namespace seamscope {

using namespace format;

namespace {

/// Slots of dead threads, and the blocks of the spool's tables of threads.
struct Threads {
  SpinLock Lock;
  ThreadSlot *Free;
  ThreadSlot *Pool; ///< slots that were never used
  uint32_t PoolLeft;
  BlockHeader *Entries;
  uint32_t EntriesUsed; ///< used entries of Entries
  uint32_t Count;       ///< thread indices given
  uint32_t Running;     ///< threads that are set up
  BlockHeader *Lives;
  uint32_t LivesUsed;
  pthread_key_t Key;
  bool HaveKey;
} All;

ThreadSlot *takeSlot() {
  if (ThreadSlot *Slot = All.Free) {
    All.Free = Slot->Next;
    return Slot;
  }
  if (!All.PoolLeft) {
    constexpr uint32_t Batch = 256;
    All.Pool = static_cast<ThreadSlot *>(allocatePages(Batch * sizeof(ThreadSlot)));
    if (!All.Pool)
      return nullptr;
    All.PoolLeft = Batch;
  }
  auto *Live = nextEntry<LiveThread>(All.Lives, All.LivesUsed, LivePerBlock, BlockKind::Live);
  if (!Live)
    return nullptr;
  --All.PoolLeft;
  ThreadSlot *Slot = All.Pool++;
  Slot->Live = Live;
  return Slot;
}

/// Runs when a thread ends; a later hook sets the thread up again.
void endThread(void *Pointer) {
  SignalBlocker Blocker;
  auto *Slot = static_cast<ThreadSlot *>(Pointer);
  ThreadState &T = ThisThread;
  if (T.Slot != Slot)
    return; // a fork's child: the slot is the parent's
  // pthread_exit can leave kernels as longjmp does.
  abandonOpenCalls();
  Slot->Cursor = T.Cursor;
  Slot->End = T.End;
  T = {};
  storeRelease(&Slot->Live->Thread, 0u);
  SpinGuard Guard(All.Lock);
  Slot->Next = All.Free;
  All.Free = Slot;
  if (--All.Running == 0)
    noteLastThread();
}

void fillName(ThreadEntry &Entry) {
  char Name[16] = "";
  if (prctl(PR_GET_NAME, Name, 0, 0, 0) == 0)
    memcpy(Entry.Name, Name, sizeof(Name) - 1);
}

} // namespace

bool setUpThread() {
  {
    SpinGuard Guard(TheProcess.Lock);
    if (!ensureOpen())
      return false;
  }
  ThreadState &T = ThisThread;
  SpinGuard Guard(All.Lock);
  if (!All.HaveKey) {
    if (pthread_key_create(&All.Key, endThread))
      return false;
    All.HaveKey = true;
  }
  ThreadSlot *Slot = takeSlot();
  auto *Entry = Slot ? nextEntry<ThreadEntry>(All.Entries, All.EntriesUsed, ThreadsPerBlock,
                                              BlockKind::Threads)
                     : nullptr;
  if (!Entry) {
    if (Slot) {
      Slot->Next = All.Free;
      All.Free = Slot;
    }
    return false;
  }
  T.Index = All.Count++;
  ++All.Running;
  T.TeamThread = -1;
  Entry->TeamThread = -1;
  Entry->StartTick = clock::now();
  fillName(*Entry);
  storeRelease(&Entry->Tid, currentTid());
  Slot->Entry = Entry;
  // The sums stay with the last thread of the slot.
  if (Slot->ProfileCount)
    memset(static_cast<void *>(Slot->Profiles), 0, Slot->ProfileCount * sizeof(SiteProfile *));
  for (uint32_t I = 0; I < Slot->WorkCount; ++I)
    if (LastWork *const Last = Slot->Works[I]) {
      Last->Entry = nullptr;
      Last->IsInUse = 0;
    }
  T.Slot = Slot;
  T.Cursor = Slot->Cursor;
  T.End = Slot->End;
  if (T.Cursor < T.End) {
    // The rest of a dead thread's block belongs to this one.
    Record *R = T.Cursor++;
    R->Duration = T.Index;
    R->Site = EscapeThread;
    storeRelease(&R->Begin, Entry->StartTick);
  }
  pthread_setspecific(All.Key, Slot);
  storeRelease(&Slot->Live->Thread, T.Index + 1);
  T.TopFrame = NoFrame;
  T.NextOpen = Slot->Live->Open;
  T.OpenEnd = openEnd();
  T.Owner = &Owner;
  return true;
}

void forgetThreads() {
  const pthread_key_t Key = All.Key;
  const bool HaveKey = All.HaveKey;
  memset(static_cast<void *>(&All), 0, sizeof(All));
  All.Key = Key;
  All.HaveKey = HaveKey;
  ThisThread = {};
  if (HaveKey)
    pthread_setspecific(Key, nullptr);
}

} // namespace seamscope
