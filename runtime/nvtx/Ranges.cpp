//===- Ranges.cpp - opens, closes and records ranges ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A range is recorded when it ends. Ranges still open when their thread ends or the process exits
// are recorded as ending then. Open ranges of a process that is killed are lost.
//
//===----------------------------------------------------------------------===//
#include "nvtx/Ranges.h"

#include "core/Message.h"
#include "seamscope/spans.h"

#include <cstdio>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace seamscope::nvtx {
namespace {

struct OpenRange {
  uint64_t Begin; ///< 0: nothing was recorded when it began
  uint32_t Site;
};

/// Part of a stack. It never moves, since the process reads the stacks of all threads at exit.
struct Chunk {
  static constexpr uint32_t Capacity = 1022;
  Chunk *Below, *Above;
  OpenRange Items[Capacity];
};

struct Stack {
  Chunk *Top;
  uint32_t Used;  ///< items of Top
  int32_t Depth;  ///< items of all chunks
  int32_t NoRoom; ///< open ranges above them for which there was no memory
};

} // namespace

struct ThreadRanges {
  ThreadRanges *Next;     ///< in the list of all threads
  ThreadRanges *NextFree; ///< in the list of ended threads
  uint32_t Number;        ///< seamscope_thread()
  KernelFrames Kernels;
  Stack Stacks[MaxDomains];
};

namespace {

Lock ThreadsLock;
ThreadRanges *AllThreads, *FreeThreads;
pthread_key_t ThreadKey;
bool HasKey, Ended;

void record(const OpenRange &Range, uint64_t End, uint32_t Thread) {
  if (!Range.Begin)
    return;
  SeamscopeSpan Span = {};
  Span.begin = Range.Begin;
  Span.end = End > Range.Begin ? End : Range.Begin;
  Span.site = Range.Site;
  Span.thread = Thread;
  Span.sequence = -1;
  seamscope_span(&Span);
}

/// Called after the site was looked up, so that the lookup is not part of the range.
OpenRange beginNow(uint32_t Site, uint32_t Thread) {
  return {Thread && seamscope_mode() != SEAMSCOPE_OFF ? seamscope_now() : 0, Site};
}

ThreadRanges *newThread() {
  // A signal handler that interrupted this function cannot take the lock.
  if (Ended || !ThreadsLock.tryLock())
    return nullptr;
  ThreadRanges *T = FreeThreads;
  if (T) {
    FreeThreads = T->NextFree;
  } else if ((T = static_cast<ThreadRanges *>(pages(sizeof(ThreadRanges))))) {
    T->Next = AllThreads;
    __atomic_store_n(&AllThreads, T, __ATOMIC_RELEASE);
  }
  ThreadsLock.unlock();
  if (!T)
    return nullptr;
  if (HasKey)
    pthread_setspecific(ThreadKey, T);
  This.Ranges = T;
  return T;
}

Stack *stackOf(const Domain &D) {
  if (D.Index >= MaxDomains)
    return nullptr;
  ThreadRanges *T = This.Ranges ? This.Ranges : newThread();
  return T ? &T->Stacks[D.Index] : nullptr;
}

/// Removes and returns the innermost range; there must be one.
OpenRange takeInnermost(Stack &S) {
  const OpenRange Range = S.Top->Items[S.Used - 1];
  __atomic_store_n(&S.Depth, S.Depth - 1, __ATOMIC_RELAXED);
  if (--S.Used == 0 && S.Top->Below) {
    S.Top = S.Top->Below;
    S.Used = Chunk::Capacity;
  }
  return Range;
}

/// Runs when a thread ends.
void closeThread(void *Pointer) {
  auto *T = static_cast<ThreadRanges *>(Pointer);
  const uint64_t Now = seamscope_now();
  for (Stack &S : T->Stacks) {
    while (S.Depth)
      record(takeInnermost(S), Now, 0);
    S.NoRoom = 0;
  }
  T->Kernels.Count = 0;
  This.Ranges = nullptr;
  ThreadsLock.lock();
  T->NextFree = FreeThreads;
  FreeThreads = T;
  ThreadsLock.unlock();
}

/// Ranges that any thread may end, by id.
class Started {
public:
  struct Entry {
    uint64_t Id; ///< 0: free
    uint32_t Thread;
    OpenRange Range;
  };
  Lock Guard;

  bool add(const Entry &New) {
    if (Count * 2 >= Size && !grow())
      return false;
    put(New);
    ++Count;
    return true;
  }

  bool remove(uint64_t Id, Entry &Found) {
    if (!Count)
      return false;
    uint64_t I = placeOf(Id);
    for (; At[I].Id != Id; I = (I + 1) & (Size - 1))
      if (!At[I].Id)
        return false;
    Found = At[I];
    --Count;
    // Close the gap: move up later entries that a search would otherwise not reach.
    for (uint64_t Next = I;;) {
      Next = (Next + 1) & (Size - 1);
      if (!At[Next].Id)
        break;
      if (((Next - placeOf(At[Next].Id)) & (Size - 1)) >= ((Next - I) & (Size - 1))) {
        At[I] = At[Next];
        I = Next;
      }
    }
    At[I].Id = 0;
    return true;
  }

  void recordAll(uint64_t End) {
    for (uint64_t I = 0; I < Size; ++I)
      if (At[I].Id)
        record(At[I].Range, End, At[I].Thread);
  }

private:
  uint64_t placeOf(uint64_t Id) const { return (Id * 0x9E3779B97F4A7C15u >> 20) & (Size - 1); }
  void put(const Entry &New) {
    uint64_t I = placeOf(New.Id);
    while (At[I].Id)
      I = (I + 1) & (Size - 1);
    At[I] = New;
  }
  bool grow() {
    const uint64_t OldSize = Size;
    Entry *const Old = At;
    auto *Grown = static_cast<Entry *>(pages((OldSize ? OldSize * 2 : 256) * sizeof(Entry)));
    if (!Grown)
      return false;
    At = Grown;
    Size = OldSize ? OldSize * 2 : 256;
    for (uint64_t I = 0; I < OldSize; ++I)
      if (Old[I].Id)
        put(Old[I]);
    if (Old)
      munmap(Old, OldSize * sizeof(Entry));
    return true;
  }
  Entry *At;
  uint64_t Size, Count;
};

Started AllStarted[16];
uint64_t LastId;

Started &startedOf(uint64_t Id) { return AllStarted[Id % 16]; }

void beforeFork() {
  lockNames();
  ThreadsLock.lock();
  for (Started &S : AllStarted)
    S.Guard.lock();
}

void afterFork() {
  for (Started &S : AllStarted)
    S.Guard.unlock();
  ThreadsLock.unlock();
  unlockNames();
}

/// The child has only the forking thread. seamscope_span drops ranges that began in the parent.
void afterForkInChild() {
  afterFork();
  FreeThreads = nullptr;
  AllThreads = This.Ranges;
  if (This.Ranges)
    This.Ranges->Next = nullptr;
}

} // namespace

int push(const Domain &D, uint32_t Site) {
  Stack *S = stackOf(D);
  if (!S) {
    countLost();
    return -2;
  }
  if (!S->Top || S->Used == Chunk::Capacity) {
    Chunk *Above = S->Top ? S->Top->Above : nullptr;
    if (!Above && !S->NoRoom && (Above = static_cast<Chunk *>(pages(sizeof(Chunk))))) {
      Above->Below = S->Top;
      if (S->Top)
        S->Top->Above = Above;
    }
    if (!Above || S->NoRoom) {
      countLost();
      return S->Depth + S->NoRoom++;
    }
    S->Top = Above;
    S->Used = 0;
  }
  OpenRange &Range = S->Top->Items[S->Used++];
  const int Before = S->Depth;
  This.Ranges->Number = seamscope_thread();
  Range = beginNow(Site, This.Ranges->Number);
  __atomic_store_n(&S->Depth, Before + 1, __ATOMIC_RELEASE);
  return Before;
}

int pop(const Domain &D) {
  const uint64_t Now = seamscope_now();
  Stack *S = stackOf(D);
  if (!S || (!S->Depth && !S->NoRoom))
    return -2;
  if (S->NoRoom)
    return S->Depth + --S->NoRoom;
  const OpenRange Range = takeInnermost(*S);
  record(Range, Now, 0);
  return S->Depth;
}

uint64_t start(uint32_t Site, uint64_t Id) {
  // Far from the ids of other tools.
  if (!Id)
    Id = (uint64_t{0x5EA} << 52) + __atomic_add_fetch(&LastId, 1, __ATOMIC_RELAXED);
  Started &S = startedOf(Id);
  if (!S.Guard.tryLock()) {
    countLost();
    return Id;
  }
  const uint32_t Thread = seamscope_thread();
  if (!S.add({Id, Thread, beginNow(Site, Thread)}))
    countLost();
  S.Guard.unlock();
  return Id;
}

void end(uint64_t Id) {
  const uint64_t Now = seamscope_now();
  Started &S = startedOf(Id);
  Started::Entry Found;
  if (!Id || !S.Guard.tryLock())
    return;
  const bool WasOpen = S.remove(Id, Found);
  S.Guard.unlock();
  if (WasOpen)
    record(Found.Range, Now, Found.Thread);
}

void mark(uint32_t Site) {
  const OpenRange Moment = beginNow(Site, seamscope_thread());
  record(Moment, Moment.Begin, 0);
}

KernelFrames *kernelFrames() {
  ThreadRanges *T = This.Ranges ? This.Ranges : newThread();
  return T ? &T->Kernels : nullptr;
}

void watchThreads() {
  static uint32_t Done;
  if (__atomic_exchange_n(&Done, 1, __ATOMIC_ACQ_REL))
    return;
  HasKey = pthread_key_create(&ThreadKey, closeThread) == 0;
  pthread_atfork(beforeFork, afterFork, afterForkInChild);
}

/// Runs before libseamscope's destructor, which writes the trace, since this library depends on it.
__attribute__((destructor)) static void finish() {
  Ended = true;
  const uint64_t Now = seamscope_now();
  const uint32_t Here = seamscope_thread();
  // Threads that still run may change their stacks meanwhile, so that a range that has just ended
  // may be taken for an open one.
  for (ThreadRanges *T = __atomic_load_n(&AllThreads, __ATOMIC_ACQUIRE); T; T = T->Next) {
    const uint32_t Thread = T == This.Ranges ? Here : T->Number;
    for (Stack &S : T->Stacks) {
      int32_t Left = __atomic_load_n(&S.Depth, __ATOMIC_ACQUIRE);
      uint32_t Used = S.Used;
      for (Chunk *C = S.Top; C && Left > 0; C = C->Below, Used = Chunk::Capacity)
        for (; Used && Left > 0; --Left)
          record(C->Items[--Used], Now, Thread);
    }
  }
  for (Started &S : AllStarted)
    if (S.Guard.tryLock()) {
      S.recordAll(Now);
      S.Guard.unlock();
    }
  if (const uint64_t Lost = lostEvents())
    warn("%llu NVTX ranges were not recorded: more than %u domains, out of memory, or made by a "
         "signal handler within NVTX",
         static_cast<unsigned long long>(Lost), MaxDomains);
}

} // namespace seamscope::nvtx
