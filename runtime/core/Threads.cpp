//===- Threads.cpp - what the runtime holds of each thread -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Threads.h"

#include "core/Clock.h"
#include "core/Helper.h"
#include "core/Recording.h"
#include "core/Throttle.h"

#include <cstring>
#include <sys/prctl.h>

namespace seamscope {

using namespace format;

__thread ThreadState ThisThread = {};

namespace {

/// Slots of dead threads, and the blocks that thread tables are made in.
struct Threads {
  SpinLock Lock;
  ThreadSlot *Free;
  ThreadSlot *Pool; ///< never used slots
  uint32_t PoolLeft;
  BlockHeader *Entries;
  uint32_t EntriesUsed; ///< in Entries
  uint32_t Count;       ///< thread indices given
  uint32_t Running;     ///< threads that are set up
  BlockHeader *Lives;
  uint32_t LivesUsed;
  pthread_key_t Key;
  bool HaveKey;
} All;

template <typename T> T *entryOf(BlockHeader *Block, uint32_t Index) {
  return reinterpret_cast<T *>(Block + 1) + Index;
}

/// The next entry of a table that grows by blocks.
template <typename T>
T *nextEntry(BlockHeader *&Block, uint32_t &Used, size_t PerBlock, BlockKind Kind) {
  if (!Block || Used == PerBlock) {
    BlockHeader *New = TheProcess.Spool.claim();
    if (!New)
      return nullptr;
    Block = New;
    Used = 0;
    storeRelease(&Block->Kind, Kind);
  }
  return entryOf<T>(Block, Used++);
}

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

/// Runs when a thread ends; a hook after it sets the thread up anew.
void endThread(void *Pointer) {
  SignalBlocker Blocker;
  auto *Slot = static_cast<ThreadSlot *>(Pointer);
  ThreadState &T = ThisThread;
  if (T.Slot != Slot)
    return; // a fork's child: not this process's slot
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
  // The sums of the slot's last thread stay its own.
  if (Slot->ProfileCount)
    memset(static_cast<void *>(Slot->Profiles), 0, Slot->ProfileCount * sizeof(SiteProfile *));
  T.Slot = Slot;
  T.Cursor = Slot->Cursor;
  T.End = Slot->End;
  if (T.Cursor < T.End) {
    // The rest of a dead thread's block: say whose it is now.
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

OpenCall *openEnd() {
  const ThreadState &T = ThisThread;
  OpenCall *First = T.Slot->Live->Open;
  return clock::UseMonotonic || isMirrored() ? First : First + MaxOpenCalls;
}

bool makeRoom(unsigned Count) {
  ThreadState &T = ThisThread;
  if (T.End && T.Cursor + Count <= T.End)
    return true;
  throttleByRecords();
  BlockHeader *Block = TheProcess.Spool.claim();
  wakeHelper();
  if (!Block) {
    T.Cursor = T.End = nullptr;
    return false;
  }
  Block->Thread = T.Index;
  Block->Sequence = T.Slot->Sequence++;
  Block->Tick = clock::now();
  storeRelease(&Block->Kind, BlockKind::Events);
  T.Cursor = entryOf<Record>(Block, 0);
  T.End = T.Cursor + RecordsPerBlock;
  T.TeamThread = -1;
  return true;
}

SiteProfile *profileOf(uint32_t Site) {
  ThreadSlot &Slot = *ThisThread.Slot;
  if (Site >= Slot.ProfileCount) {
    uint32_t Count = Slot.ProfileCount ? Slot.ProfileCount : 512;
    while (Count <= Site)
      Count *= 2;
    auto **Bigger = static_cast<SiteProfile **>(allocatePages(Count * sizeof(SiteProfile *)));
    if (!Bigger)
      return nullptr;
    if (Slot.ProfileCount)
      memcpy(Bigger, Slot.Profiles, Slot.ProfileCount * sizeof(SiteProfile *));
    // The old array stays: a handler below us on this stack may be reading it.
    Slot.Profiles = Bigger;
    Slot.ProfileCount = Count;
  }
  if (SiteProfile *Profile = Slot.Profiles[Site])
    return Profile;
  auto *Profile = nextEntry<SiteProfile>(Slot.ProfileBlock, Slot.ProfileUsed, ProfilesPerBlock,
                                         BlockKind::Profile);
  if (!Profile)
    return nullptr;
  Profile->Thread = ThisThread.Index;
  Profile->TeamThread = -1;
  Profile->MinTicks = UINT64_MAX;
  storeRelease(&Profile->Site, Site);
  Slot.Profiles[Site] = Profile;
  return Profile;
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
