//===- Record.h - stores closed calls ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call is recorded when it ends: as {begin, duration, site} or in its site's sums, depending on
// the mode in which it began. A signal handler may run between any two instructions here and record
// calls itself, so a record's slot is claimed by one instruction.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_RECORD_H
#define SEAMSCOPE_CORE_RECORD_H

#include "core/ModeHistory.h"
#include "core/Throttle.h"

namespace seamscope {

/// The end of the thread's block. Read it before claiming a record: after the claim, a signal
/// handler may begin a new block, whose end says nothing about the record.
inline format::Record *endOfBlock() {
  return *const_cast<format::Record *volatile *>(&ThisThread.End);
}

/// Claims \p Count consecutive records, which may lie past the end. A signal cannot interrupt the
/// claim.
template <unsigned Count = 1> inline format::Record *claimRecord() {
#if defined(__x86_64__)
  uint64_t Step = Count * sizeof(format::Record);
  asm volatile("xaddq %0, %1" : "+r"(Step), "+m"(ThisThread.Cursor));
  return reinterpret_cast<format::Record *>(Step);
#else
  auto *const Cursor = reinterpret_cast<AliasedWord *>(&ThisThread.Cursor);
  return reinterpret_cast<format::Record *>(
      __atomic_fetch_add(Cursor, Count * sizeof(format::Record), __ATOMIC_RELAXED));
#endif
}

/// A site and, for a region, the thread's number in its team, else -1. The two are neighbours in
/// the frame and in the list of open calls, and are copied as one word.
struct Place {
  uint64_t Bits;

  static Place of(uint32_t Site, int32_t Team) {
    return {static_cast<uint64_t>(static_cast<uint32_t>(Team)) << 32 | Site};
  }
  uint32_t site() const { return static_cast<uint32_t>(Bits); }
  int32_t team() const { return static_cast<int32_t>(Bits >> 32); }
  bool inTeam() const { return static_cast<int64_t>(Bits) >= 0; }
};

inline void fill(format::Record *R, uint64_t Begin, uint32_t Duration, uint32_t Site) {
  storeWord(&R->Duration, static_cast<uint64_t>(Site) << 32 | Duration);
  storeRelease(&R->Begin, Begin);
}

/// Counts an event of this thread that found no room.
void countLost();

/// An escape record. Only under SignalBlocker.
void writeEscape(format::Escape Kind, uint64_t Begin, uint32_t Value);

/// Data that only some calls have, in addition to times and place.
struct CallExtra {
  int64_t Sequence = -1;        ///< -1: none
  uint32_t ForwardThread = 0;   ///< valid with Sequence
  uint32_t Thread = UINT32_MAX; ///< index of the thread on which it began, if that is another one
};

/// Stores a call that needs a new block, or escapes before it.
SEAMSCOPE_COLD void recordSlow(uint64_t Begin, uint64_t Duration, Place Where);
SEAMSCOPE_COLD void recordSlow(uint64_t Begin, uint64_t Duration, Place Where,
                               const CallExtra &Extra);

/// Adds a call to its sums, and creates them if needed.
SEAMSCOPE_COLD void profileSlow(uint64_t Begin, uint64_t End, Place Where);

inline void record(uint64_t Begin, uint64_t Duration, Place Where) {
  ThreadState &T = ThisThread;
  if (SEAMSCOPE_UNLIKELY(Duration >> 32 || (Where.inTeam() && Where.team() != T.TeamThread)))
    return recordSlow(Begin, Duration, Where);
  const format::Record *End = endOfBlock();
  format::Record *R = claimRecord();
  if (SEAMSCOPE_UNLIKELY(R >= End))
    return recordSlow(Begin, Duration, Where);
  fill(R, Begin, static_cast<uint32_t>(Duration), Where.site());
}

/// Adds a call to its sums. Only this thread writes these words; a handler in between may lose one
/// update of the same site's sums, and nothing else.
inline void add(format::SiteProfile &P, uint64_t Begin, uint64_t End, Place Where) {
  const uint64_t Duration = End - Begin;
  storeRelaxed(&P.Calls, P.Calls + 1);
  storeRelaxed(&P.SumTicks, P.SumTicks + Duration);
  if (Duration < P.MinTicks)
    storeRelaxed(&P.MinTicks, Duration);
  if (Duration > P.MaxTicks)
    storeRelaxed(&P.MaxTicks, Duration);
  storeRelaxed(&P.LastTick, End);
  storeRelaxed(&P.TeamThread, Where.team());
  uint32_t &Bucket = P.Histogram[format::histogramBucket(Duration)];
  storeRelaxed(&Bucket, Bucket + 1);
}

inline void profile(uint64_t Begin, uint64_t End, Place Where) {
  const ThreadSlot &Slot = *ThisThread.Slot;
  if (SEAMSCOPE_LIKELY(Where.site() < Slot.ProfileCount))
    if (format::SiteProfile *P = Slot.Profiles[Where.site()]; SEAMSCOPE_LIKELY(P != nullptr)) {
      add(*P, Begin, End, Where);
      if (SEAMSCOPE_UNLIKELY(P->Calls % CallsPerCheck == 0))
        throttleBySums(*P, End);
      return;
    }
  profileSlow(Begin, End, Where);
}

/// Records a call that began before the mode last changed.
SEAMSCOPE_COLD void recordOfPastMode(uint64_t Begin, uint64_t End, Place Where);

/// Always inline, so that hooks do not pay for a call.
__attribute__((always_inline)) inline void recordCall(uint64_t Begin, uint64_t End, Place Where) {
  if (SEAMSCOPE_LIKELY(modes::isTraced(Begin)))
    record(Begin, End - Begin, Where);
  else if (SEAMSCOPE_LIKELY(modes::isProfiled(Begin)))
    profile(Begin, End, Where);
  else
    recordOfPastMode(Begin, End, Where);
}

} // namespace seamscope
#endif // SEAMSCOPE_CORE_RECORD_H
