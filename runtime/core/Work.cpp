//===- Work.cpp - sums of counters of work ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread has entries of the spool for each function with counters that it called. Their words are
// changed by this thread alone, so that a killed process loses only the calls that had not ended.
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

LastWork *makeLast(ThreadSlot &Slot, uint32_t Numbers) {
  const size_t Bytes = sizeof(LastWork) + Numbers * sizeof(uint64_t);
  if (Slot.LastWorkLeft < Bytes) {
    constexpr size_t Many = 65536;
    static_assert(Many >= sizeof(LastWork) +
                              (SEAMSCOPE_WORK_NUMBERS + SEAMSCOPE_WORK_SUMS) * sizeof(uint64_t));
    auto *const New = static_cast<unsigned char *>(allocatePages(Many));
    if (!New)
      return nullptr;
    Slot.LastWorkRoom = New;
    Slot.LastWorkLeft = Many;
  }
  auto *const Last = reinterpret_cast<LastWork *>(Slot.LastWorkRoom);
  Last->Room = Numbers;
  Slot.LastWorkRoom += Bytes;
  Slot.LastWorkLeft -= Bytes;
  return Last;
}

/// Begins the function's next entry on this thread; without a place for it, keeps the old one.
/// \p Inputs: the words of a call.
SEAMSCOPE_COLD WorkEntry *makeEntry(uint32_t Site, uint32_t Words, uint32_t Inputs) {
  SignalBlocker Blocker;
  ThreadState &T = ThisThread;
  if ((!T.Slot && !setUpThread()) || !reserveSite(T.Slot->Works, T.Slot->WorkCount, Site))
    return nullptr;
  ThreadSlot &Slot = *T.Slot;
  LastWork *&Last = Slot.Works[Site];
  if (!Last && !(Last = makeLast(Slot, Words + Inputs)))
    return nullptr;
  WorkEntry *const Old = Last->Entry;
  const size_t Bytes = WorkEntry::bytesFor(Words);
  if (!Slot.WorkBlock || Slot.WorkUsed + Bytes > BlockBytes) {
    BlockHeader *const New = TheProcess.Spool.claim();
    if (!New)
      return Old;
    Slot.WorkBlock = New;
    Slot.WorkUsed = sizeof(BlockHeader);
    storeRelease(&New->Kind, BlockKind::Work);
  }
  auto *const Entry = reinterpret_cast<WorkEntry *>(
      reinterpret_cast<unsigned char *>(Slot.WorkBlock) + Slot.WorkUsed);
  Slot.WorkUsed += Bytes;
  Entry->Thread = T.Index;
  Entry->Words = static_cast<uint16_t>(Words);
  Entry->Number = Old ? Old->Number + 1 : 1;
  storeRelease(&Entry->Site, Site);
  return Last->Entry = Entry;
}

/// Whether each call of the entry had these sums.
bool hasSame(WorkEntry &Entry, const uint64_t *Sums) {
  for (uint32_t I = 0; I < Entry.Words; ++I)
    if (Sums[I] * Entry.Calls != Entry.words()[I])
      return false;
  return !Entry.IsMixed;
}

/// What one call touched of an array.
struct TouchedArray {
  uint64_t Begin, End, Bytes;

  void add(uint64_t From, uint64_t To, uint64_t Of) {
    if (Of - 1 >= (uint64_t{1} << 47) - 1 || To <= From)
      return;
    Begin = From < Begin ? From : Begin;
    End = To > End ? To : End;
    Bytes += Of;
  }
  uint64_t distinct() const { return !Bytes ? 0 : End - Begin < Bytes ? End - Begin : Bytes; }
};

/// In memory order.
unsigned char byteOf(const uint64_t &Word, unsigned Byte) {
  return reinterpret_cast<const unsigned char *>(&Word)[Byte];
}

/// Where a step is in a word, and what it does: late-work.def.
struct Step {
  enum Operation : uint8_t {
#define SEAMSCOPE_LATE(Operation) Operation,
#include "seamscope/late-work.def"
  };

  uint64_t Word;

  Operation what() const { return static_cast<Operation>(Word & 0xff); }
  unsigned bits() const { return Word >> 8 & 0xff; }
  unsigned a() const { return Word >> 16 & 0xffff; }
  unsigned b() const { return Word >> 32 & 0xffff; }
  unsigned c() const { return static_cast<unsigned>(Word >> 48); }
  uint64_t cut(uint64_t Number) const { return Number << (64 - bits()) >> (64 - bits()); }
};

int64_t signedOf(uint64_t Number, unsigned Bits) {
  return static_cast<int64_t>(Number << (64 - Bits)) >> (64 - Bits);
}

/// The sums of a call with these \p Words, of at most SEAMSCOPE_WORK_NUMBERS numbers.
void findSums(const SeamscopeWork &Work, const uint64_t *Words, uint64_t *Sums) {
  for (unsigned I = 0; I < Work.counters; ++I)
    Sums[I] = 0;
  // On the stack, which may be small.
  auto *const N =
      static_cast<uint64_t *>(__builtin_alloca((Work.words + Work.length) * sizeof(uint64_t)));
  for (unsigned I = 0; I < Work.words; ++I)
    N[I] = Words[I];
  TouchedArray Arrays[SEAMSCOPE_WORK_ARRAYS];
  for (unsigned I = 0; I < Work.arrays; ++I)
    Arrays[I] = {UINT64_MAX, 0, 0};
  const auto *const Code = reinterpret_cast<const uint64_t *>(&Work + 1);
  for (unsigned At = 0; At < Work.length; ++At) {
    const Step S = {Code[At]};
    uint64_t &Result = N[Work.words + At];
    const auto Signed = [&](unsigned Of) { return signedOf(N[Of], S.bits()); };
    switch (S.what()) {
    case Step::Literal:
      Result = Code[++At];
      break;
    case Step::Add:
      Result = S.cut(N[S.a()] + N[S.b()]);
      break;
    case Step::Mul:
      Result = S.cut(N[S.a()] * N[S.b()]);
      break;
    case Step::Divide:
      Result = N[S.b()] ? N[S.a()] / N[S.b()] : 0;
      break;
    case Step::Cut:
      Result = S.cut(N[S.a()]);
      break;
    case Step::Extend:
      Result = S.cut(static_cast<uint64_t>(signedOf(N[S.a()], S.b())));
      break;
    case Step::Least:
      Result = N[S.a()] < N[S.b()] ? N[S.a()] : N[S.b()];
      break;
    case Step::Most:
      Result = N[S.a()] > N[S.b()] ? N[S.a()] : N[S.b()];
      break;
    case Step::SignedLeast:
      Result = Signed(S.a()) < Signed(S.b()) ? N[S.a()] : N[S.b()];
      break;
    case Step::SignedMost:
      Result = Signed(S.a()) > Signed(S.b()) ? N[S.a()] : N[S.b()];
      break;
    case Step::Equal:
      Result = N[S.a()] == N[S.b()];
      break;
    case Step::Below:
      Result = N[S.a()] < N[S.b()];
      break;
    case Step::SignedBelow:
      Result = Signed(S.a()) < Signed(S.b());
      break;
    case Step::Choose:
      Result = N[S.a()] ? N[S.b()] : N[S.c()];
      break;
    case Step::Not:
      Result = ~N[S.a()];
      break;
    case Step::Byte:
      Result = byteOf(N[S.a()], S.bits());
      break;
    case Step::Unless:
      At += byteOf(N[S.a()], S.bits()) ? 0 : S.b();
      break;
    case Step::Sum:
      Sums[S.b()] += N[S.a()];
      break;
    case Step::Touch:
      Arrays[S.bits()].add(N[S.a()], N[S.b()], N[S.c()]);
      break;
    }
  }
  for (unsigned I = 0; I < Work.arrays; ++I)
    Sums[Work.counters + I] = Arrays[I].distinct();
}

/// The sums of a call, of which there are \p Count: those of the call before, if its words were the
/// same.
const uint64_t *sumsLike(LastWork &Last, const SeamscopeWork &Work, const uint64_t *Words,
                         uint32_t Count) {
  uint64_t *const Sums = Last.numbers(), *const Its = Sums + Count;
  if (Last.Of == &Work && memcmp(Its, Words, Work.words * sizeof(uint64_t)) == 0)
    return Sums;
  Last.Of = nullptr; // a handler that does not return leaves half of them
  findSums(Work, Words, Sums);
  memcpy(Its, Words, Work.words * sizeof(uint64_t));
  Last.Of = &Work;
  return Sums;
}

void add(uint32_t Id, int Mode, const uint64_t *Sums, uint32_t Count, uint32_t Inputs,
         WorkEntry *Entry) {
  // Equal sites have equal numbers of sums: the site's text describes them.
  if (Entry && Entry->Words != Count)
    return;
  const bool IsSame = Entry && hasSame(*Entry, Sums);
  if (!Entry || (!IsSame && Mode == SEAMSCOPE_TRACE && Entry->Number < MostWorkEntries))
    Entry = makeEntry(Id, Count, Inputs);
  if (!Entry)
    return;
  if (!IsSame && Entry->Calls)
    Entry->IsMixed = 1;
  addTo(Entry->Calls, 1);
  for (uint32_t I = 0; I < Count; ++I)
    if (Sums[I])
      addTo(Entry->words()[I], Sums[I]);
}

} // namespace
} // namespace seamscope

using namespace seamscope;

SEAMSCOPE_EXPORT void __seamscope_add_work_v3(const SeamscopeSite *Site, uint64_t *Words) {
  SEAMSCOPE_FORWARD(__seamscope_add_work_v3, Site, Words);
  checkForFork();
  const auto *const Work = reinterpret_cast<const SeamscopeWork *>(
      reinterpret_cast<const unsigned char *>(Site) + Site->work);
  const uint32_t Id = loadRelaxed(&Site->id), Count = Work->counters + Work->arrays;
  const int Mode = loadRelaxed(&TheProcess.Mode);
  if (!Id || !(Words[0] & 0xff) || Mode == SEAMSCOPE_OFF || Count > SEAMSCOPE_WORK_SUMS ||
      Work->arrays > SEAMSCOPE_WORK_ARRAYS || Work->words + Work->length > SEAMSCOPE_WORK_NUMBERS)
    return;
  const ThreadSlot *const Slot = ThisThread.Slot;
  LastWork *const Last = Slot && Id < Slot->WorkCount ? Slot->Works[Id] : nullptr;
  WorkEntry *const Entry = Last ? Last->Entry : nullptr;
  if (Last && !loadRelaxed(&Last->IsInUse) && Count + Work->words <= Last->Room) {
    storeRelaxed(&Last->IsInUse, uint32_t{1});
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    add(Id, Mode, sumsLike(*Last, *Work, Words, Count), Count, Work->words, Entry);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    storeRelaxed(&Last->IsInUse, uint32_t{0});
  } else {
    uint64_t Sums[SEAMSCOPE_WORK_SUMS];
    findSums(*Work, Words, Sums);
    add(Id, Mode, Sums, Count, Work->words, Entry);
  }
  for (uint32_t I = 0; I < Work->zeroed; ++I)
    Words[I] = 0;
}
