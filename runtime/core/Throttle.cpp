//===- Throttle.cpp - times only some calls of hot sites -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that throttles a site has one block of the spool, with an entry for each site that any
// thread throttles; SeamscopeSite::throttle is the offset of the countdown in the block. A
// countdown has a random length, so that the timed calls do not fall into step with the program.
//
//===----------------------------------------------------------------------===//
#include "core/Throttle.h"

#include "core/Clock.h"

#include <cstring>

namespace seamscope {

using namespace format;

namespace {

/// Recording may take 1 / Share of a thread's time. A site is throttled only if its calls take less
/// than Share times the cost of recording them. For calls back to back, the two limits are the
/// same.
constexpr uint64_t Share = 50;
/// How many of a block's records are looked at, evenly spread.
constexpr size_t Samples = 1024;
/// How many of these must be of one site to throttle it. A program of many small functions, none of
/// which stands out, passes too: the other sites fill the blocks that follow.
constexpr uint32_t LeastSamples = Samples / 128;

/// Sites that are never throttled, as far as there is room.
uint32_t Refused[256];
uint32_t RefusedCount;

/// Throttled sites, in the order in which they were first throttled. Only under Process::Lock.
uint32_t Throttled[ThrottlesPerBlock];
uint32_t ThrottledCount;

constexpr uint32_t offsetOf(uint32_t Index) {
  return static_cast<uint32_t>(sizeof(BlockHeader) + Index * sizeof(ThrottleEntry) +
                               offsetof(ThrottleEntry, Countdown));
}

/// Whether hooks count the calls of a site. All calls of regions and launches are timed, since
/// other figures are computed from their times.
bool isCounted(const SeamscopeSite &Site) {
  return Site.kind == SEAMSCOPE_SITE_KERNEL || Site.kind == SEAMSCOPE_SITE_LOOP ||
         (Site.kind == SEAMSCOPE_SITE_TEAM_WAIT && (Site.flags & SEAMSCOPE_SITE_COUNTED));
}

/// Gives a site its offset, the same in all modules; 0: no room, or hooks do not count its calls.
uint32_t offsetFor(uint32_t Site) {
  SpinGuard Guard(TheProcess.Lock);
  if (const uint32_t Known = throttleOf(Site))
    return Known;
  if (ThrottledCount == ThrottlesPerBlock || !loadRelaxed(&TheProcess.Settings.Throttle))
    return 0;
  const uint32_t Offset = offsetOf(ThrottledCount);
  bool Any = false;
  for (SeamscopeModule *Module = TheProcess.Modules; Module; Module = Module->next)
    for (SeamscopeSite *Each = Module->sites; Each < Module->sites_end; ++Each)
      if (loadRelaxed(&Each->id) == Site && isCounted(*Each)) {
        storeRelaxed(&Each->throttle, Offset);
        Any = true;
      }
  if (!Any)
    return 0;
  Throttled[ThrottledCount++] = Site;
  return Offset;
}

/// Calls of a recursive site that are timed in a row. A single timed call would not show which part
/// of its time is that of calls inside, nor whether it is inside another.
constexpr uint32_t RecursiveBurst = 256;

/// Calls Visit(ticks, whether calls of the site are inside) for a block's calls of \p Site. The
/// ticks are without calls of the same site inside, which are recorded first.
template <typename FnT> void forEachOwn(uint32_t Site, const Record *First, FnT Visit) {
  struct Ended {
    uint64_t Begin, Ticks;
  };
  constexpr size_t Most = 256;
  Ended Stack[Most]; // calls that no later one contained so far
  size_t Depth = 0;
  for (size_t I = 0; I < RecordsPerBlock; ++I) {
    if (First[I].Site != Site || !First[I].Begin)
      continue;
    uint64_t Own = First[I].Duration;
    bool HasInner = false;
    for (; Depth && Stack[Depth - 1].Begin > First[I].Begin; --Depth, HasInner = true)
      Own -= Stack[Depth - 1].Ticks < Own ? Stack[Depth - 1].Ticks : Own;
    if (Depth == Most) {
      Depth = Most / 2; // those that ended long ago are probably in no other
      memmove(Stack, Stack + Most / 2, sizeof(Stack) / 2);
    }
    Stack[Depth++] = {First[I].Begin, First[I].Duration};
    Visit(Own, HasInner);
  }
}

bool isRecursive(uint32_t Site, const Record *First) {
  bool Any = false;
  forEachOwn(Site, First, [&](uint64_t, bool HasInner) { Any |= HasInner; });
  return Any;
}

/// Whether a few of a block's calls of \p Site take a large part of the sum, which a sample would
/// miss. The two longest are ignored, since any call may be interrupted.
bool isUneven(uint32_t Site, const Record *First) {
  constexpr uint64_t Long = 8, Part = 4; // multiple of the mean; fraction of the sum
  uint64_t Count = 0, Sum = 0, Longest = 0, Second = 0;
  forEachOwn(Site, First, [&](uint64_t Ticks, bool) {
    ++Count;
    Sum += Ticks;
    if (Ticks > Longest) {
      Second = Longest;
      Longest = Ticks;
    } else if (Ticks > Second) {
      Second = Ticks;
    }
  });
  Sum -= Longest + Second;
  if (Count < 3)
    return false;
  const uint64_t Limit = Long * Sum / (Count - 2);
  uint64_t InLong = 0;
  forEachOwn(Site, First, [&](uint64_t Ticks, bool) { InLong += Ticks > Limit ? Ticks : 0; });
  InLong -= Longest > Limit ? Longest : 0;
  InLong -= Second > Limit ? Second : 0;
  return InLong * Part > Sum;
}

/// Only under Process::Lock.
bool isAmongRefused(uint32_t Site) {
  for (uint32_t I = 0; I < RefusedCount; ++I)
    if (Refused[I] == Site)
      return true;
  return false;
}

bool isRefused(uint32_t Site) {
  SpinGuard Guard(TheProcess.Lock);
  return isAmongRefused(Site);
}

void refuse(uint32_t Site) {
  SpinGuard Guard(TheProcess.Lock);
  if (!isAmongRefused(Site) && RefusedCount < sizeof(Refused) / sizeof(Refused[0]))
    Refused[RefusedCount++] = Site;
}

/// How many calls come before the next timed one: in a burst none. After a burst, a random number
/// that is uniform from 0 to twice its mean, Every - 1 for each call of a burst.
int32_t draw(uint32_t Site, uint32_t Number, uint32_t Every, uint32_t Burst) {
  if (Number % Burst)
    return 0;
  uint32_t X = Site * 2654435761u ^ Number * 2246822519u;
  X = (X ^ X >> 15) * 739982445u; // a mixer like that of splitmix
  X = (X ^ X >> 12) * 695872825u;
  X ^= X >> 15;
  return static_cast<int32_t>(uint64_t{X} * (2 * uint64_t{Every - 1} * Burst + 1) >> 32);
}

void throttle(uint32_t Site, uint32_t Burst, uint64_t CallsBefore, uint64_t TicksBefore) {
  ThreadState &T = ThisThread;
  const uint32_t Every = loadRelaxed(&TheProcess.Settings.Throttle);
  if (!Every)
    return;
  const uint32_t Offset = offsetFor(Site);
  if (!Offset)
    return refuse(Site);
  if (!T.Throttles) {
    BlockHeader *Block = TheProcess.Spool.claim();
    if (!Block)
      return;
    Block->Thread = T.Index;
    storeRelease(&Block->Kind, BlockKind::Throttles);
    T.Throttles = reinterpret_cast<unsigned char *>(Block);
  }
  ThrottleEntry &Entry = throttleEntryAt(Offset);
  if (Entry.Site)
    return; // the site was throttled after this call began
  Entry.Every = Every;
  Entry.Burst = Burst;
  Entry.Drawn[0] = 1; // no call yet
  Entry.Countdown = 0;
  Entry.SinceTick = clock::now();
  Entry.CallsBefore = CallsBefore;
  Entry.TicksBefore = TicksBefore;
  beginCountdown(Entry, Site);
  storeRelease(&Entry.Site, Site);
}

/// The cost of recording a call, in 1/1024 ticks; 0: do not throttle.
uint64_t callCost() {
  if (!loadRelaxed(&TheProcess.Settings.Throttle) || isMirrored())
    return 0;
  return loadRelaxed(&TheProcess.Spool.header()->CallCost);
}

} // namespace

void beginCountdown(ThrottleEntry &Entry, uint32_t Site) {
  uint64_t Old = loadRelaxed(&Entry.Countdown), New;
  do {
    ThrottleEntry Before = Entry;
    Before.Countdown = Old;
    const uint32_t Number = Before.begun() + 1;
    const auto Left =
        static_cast<uint32_t>(draw(Site, Number, Entry.Every, static_cast<uint32_t>(Entry.Burst)));
    storeRelaxed(&Entry.Drawn[Number & 1], Before.calls() + 1 + Left);
    New = uint64_t{Number} << 32 | Left;
  } while (!__atomic_compare_exchange_n(&Entry.Countdown, &Old, New, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

uint32_t throttleOf(uint32_t Site) {
  for (uint32_t I = 0; I < ThrottledCount; ++I)
    if (Throttled[I] == Site)
      return offsetOf(I);
  return 0;
}

void throttleByRecords() {
  const ThreadState &T = ThisThread;
  const uint64_t Cost = callCost();
  if (!Cost || !T.End)
    return;
  const Record *const First = T.End - RecordsPerBlock;
  const uint64_t Taken = clock::now() - (reinterpret_cast<const BlockHeader *>(First) - 1)->Tick;
  if (RecordsPerBlock * Cost / 1024 * Share < Taken)
    return;
  struct SampledSite {
    uint32_t Site, Count;
    uint64_t Ticks;
  };
  constexpr uint32_t Places = 4 * Samples / LeastSamples, Probes = 8;
  SampledSite Found[Places] = {};
  for (size_t I = 0; I < Samples; ++I) {
    const Record &R = First[I * RecordsPerBlock / Samples];
    if (!R.Begin || !R.Site || R.Site >= EscapeFirst)
      continue;
    // A site that finds its places taken waits for the next block.
    for (uint32_t Probe = 0; Probe < Probes; ++Probe) {
      SampledSite &Place = Found[((R.Site * 2654435761u >> 16) + Probe) & (Places - 1)];
      if (Place.Count && Place.Site != R.Site)
        continue;
      Place.Site = R.Site;
      ++Place.Count;
      Place.Ticks += R.Duration;
      break;
    }
  }
  for (const auto &[Site, Count, Ticks] : Found)
    if (Count >= LeastSamples && Ticks < Count * Cost / 1024 * Share && !isRefused(Site)) {
      if (isUneven(Site, First))
        refuse(Site);
      else
        throttle(Site, isRecursive(Site, First) ? RecursiveBurst : 1, 0, 0);
    }
}

void timeAllCalls() {
  if (TheProcess.Settings.ThrottleGiven)
    return;
  SignalBlocker Blocker;
  SpinGuard Guard(TheProcess.Lock);
  storeRelaxed(&TheProcess.Settings.Throttle, uint32_t{0});
  ThrottledCount = 0;
  for (SeamscopeModule *Module = TheProcess.Modules; Module; Module = Module->next)
    for (SeamscopeSite *Each = Module->sites; Each < Module->sites_end; ++Each)
      storeRelaxed(&Each->throttle, uint32_t{0});
}

void throttleBySums(const SiteProfile &Sums, uint64_t Now) {
  const uint64_t Cost = callCost();
  const uint64_t Recording = Sums.Calls * Cost / 1024;
  if (!Cost || Recording * Share < Now - Sums.FirstTick || Sums.SumTicks >= Recording * Share)
    return;
  SignalBlocker Blocker;
  throttle(Sums.Site, 1, Sums.Calls, Sums.SumTicks);
}

} // namespace seamscope
