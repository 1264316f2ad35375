//===- Work.cpp - sums of counters of work ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread has an entry of the spool for each function with counters that it called. The entry's
// words are changed by this thread alone, so that a killed process loses only the calls that had
// not ended.
//
//===----------------------------------------------------------------------===//
#include "core/Fork.h"
#include "core/OtherCopy.h"
#include "core/ThreadBlocks.h"
#include "core/Threads.h"

namespace seamscope {

using namespace format;

namespace {

/// A signal handler may add to the same word between any two instructions.
inline void addTo(uint64_t &Word, uint64_t Amount) {
#if defined(__x86_64__)
  asm volatile("addq %1, %0" : "+m"(Word) : "er"(Amount));
#else
  __atomic_fetch_add(&Word, Amount, __ATOMIC_RELAXED);
#endif
}

SEAMSCOPE_COLD WorkEntry *makeEntry(uint32_t Site, uint32_t Words) {
  SignalBlocker Blocker;
  ThreadState &T = ThisThread;
  if ((!T.Slot && !setUpThread()) || !reserveSite(T.Slot->Works, T.Slot->WorkCount, Site))
    return nullptr;
  ThreadSlot &Slot = *T.Slot;
  if (WorkEntry *const Known = Slot.Works[Site])
    return Known;
  const size_t Bytes = WorkEntry::bytesFor(Words);
  if (!Slot.WorkBlock || Slot.WorkUsed + Bytes > BlockBytes) {
    BlockHeader *const New = TheProcess.Spool.claim();
    if (!New)
      return nullptr;
    Slot.WorkBlock = New;
    Slot.WorkUsed = sizeof(BlockHeader);
    storeRelease(&New->Kind, BlockKind::Work);
  }
  auto *const Entry = reinterpret_cast<WorkEntry *>(
      reinterpret_cast<unsigned char *>(Slot.WorkBlock) + Slot.WorkUsed);
  Slot.WorkUsed += Bytes;
  Entry->Thread = T.Index;
  Entry->Words = Words;
  storeRelease(&Entry->Site, Site);
  Slot.Works[Site] = Entry;
  return Entry;
}

} // namespace
} // namespace seamscope

using namespace seamscope;

SEAMSCOPE_EXPORT void __seamscope_work_v2(const SeamscopeSite *Site, uint64_t *Words,
                                          uint32_t Count) {
  SEAMSCOPE_FORWARD(__seamscope_work_v2, Site, Words, Count);
  checkForFork();
  const uint32_t Id = loadRelaxed(&Site->id);
  const uint32_t Counters = Count & 0xffff, Arrays = Count >> 16;
  if (!Id || !Counters || Counters + Arrays > SEAMSCOPE_WORK_WORDS || !Words[0] ||
      loadRelaxed(&TheProcess.Mode) == SEAMSCOPE_OFF)
    return;
  const ThreadSlot *const Slot = ThisThread.Slot;
  WorkEntry *Entry = Slot && Id < Slot->WorkCount ? Slot->Works[Id] : nullptr;
  if (!Entry)
    Entry = makeEntry(Id, Counters + Arrays);
  // Equal sites have equal numbers of words: the site's text describes them.
  if (!Entry || Entry->Words != Counters + Arrays)
    return;
  addTo(Entry->Calls, 1);
  uint64_t *const Sums = Entry->words();
  for (uint32_t I = 0; I < Counters; ++I) {
    if (Words[I])
      addTo(Sums[I], Words[I]);
    Words[I] = 0;
  }
  for (uint32_t I = 0; I < Arrays; ++I) {
    uint64_t *const Range = Words + Counters + 3 * I;
    const uint64_t Begin = ~Range[0], End = Range[1], Bytes = Range[2];
    if (End > Begin && Bytes)
      addTo(Sums[Counters + I], End - Begin < Bytes ? End - Begin : Bytes);
    Range[0] = Range[1] = Range[2] = 0;
  }
}
