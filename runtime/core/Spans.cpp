//===- Spans.cpp - calls timed by other libraries ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "seamscope/spans.h"

#include "core/Clock.h"
#include "core/Fork.h"
#include "core/OtherCopy.h"
#include "core/Record.h"
#include "core/Threads.h"
#include "format/SpoolReader.h"

#include <algorithm>

namespace seamscope {

using namespace format;

namespace {

/// Stores the framework's number of the thread, by which backward operators name their forward
/// thread.
void nameThread(const SeamscopeSpan &Span) {
  if (uint64_t &Number = ThisThread.Slot->Entry->FrameworkThread;
      SEAMSCOPE_UNLIKELY(!loadRelaxed(&Number)))
    storeRelaxed(&Number, uint64_t{Span.framework_thread});
}

/// For a thread that is not set up, and for a call that began on another thread or lies next to a
/// block's end.
SEAMSCOPE_COLD void spanSlow(const SeamscopeSpan &Span) {
  ThreadState &T = ThisThread;
  {
    SignalBlocker Blocker;
    if (!T.Slot && !setUpThread()) {
      if (TheProcess.Spool.isOpen())
        countLost();
      return;
    }
  }
  const Place Where = Place::of(Span.site, -1);
  if (modes::at(Span.begin) != SEAMSCOPE_TRACE)
    return profile(Span.begin, Span.end, Where);
  CallExtra Extra;
  Extra.Sequence = Span.sequence;
  Extra.ForwardThread = Span.forward_thread;
  if (Span.thread)
    Extra.Thread = Span.thread - 1;
  if (Extra.Thread == UINT32_MAX || Extra.Thread == T.Index)
    nameThread(Span);
  recordSlow(Span.begin, Span.end - Span.begin, Where, Extra);
}

} // namespace
} // namespace seamscope

using namespace seamscope;

SEAMSCOPE_EXPORT uint64_t seamscope_now(void) {
  SEAMSCOPE_FORWARD(seamscope_now);
  return clock::now();
}

SEAMSCOPE_EXPORT uint32_t seamscope_thread(void) {
  SEAMSCOPE_FORWARD(seamscope_thread);
  checkForFork();
  if (SEAMSCOPE_LIKELY(ThisThread.Slot != nullptr))
    return ThisThread.Index + 1;
  if (loadRelaxed(&TheProcess.Mode) == SEAMSCOPE_OFF)
    return 0;
  // Set up before the first begin: no time lies before the clock's first reading.
  SignalBlocker Blocker;
  return setUpThread() ? ThisThread.Index + 1 : 0;
}

SEAMSCOPE_EXPORT int seamscope_in_kernel(void) {
  SEAMSCOPE_FORWARD(seamscope_in_kernel);
  checkForFork();
  return ThisThread.Slot && ThisThread.TopFrame != NoFrame;
}

SEAMSCOPE_EXPORT uint32_t seamscope_span_site(const SeamscopeSpanSite *Site) {
  if (!Site || !Site->name || !*Site->name || Site->kind < SEAMSCOPE_SITE_OPERATOR ||
      Site->kind > SEAMSCOPE_SITE_WAIT)
    return 0;
  SEAMSCOPE_FORWARD(seamscope_span_site, Site);
  checkForFork();
  const auto Array = [](const char *Json) {
    return Json && format::isJsonArray(Json) ? Json : nullptr;
  };
  SiteText Text = {};
  Text.Kind = Site->kind;
  Text.Name = Site->name;
  Text.Dims = Array(Site->dims);
  Text.Types = Array(Site->types);
  Text.Strides = Array(Site->strides);
  Text.Values = Array(Site->values);
  prefault(Text.Name); // the arrays were read above
  SignalBlocker Blocker;
  SpinGuard Guard(TheProcess.Lock);
  return TheProcess.Sites.intern(Text, TheProcess.Spool);
}

SEAMSCOPE_EXPORT uint64_t seamscope_last_end(void) {
  SEAMSCOPE_FORWARD(seamscope_last_end);
  checkForFork();
  const ThreadState &T = ThisThread;
  if (!T.End || !loadRelaxed(&Owner.NotBeforeTrace))
    return 0;
  // A claim may lie past the end, and the first record of a block may be the second half of a call.
  const Record *Next = std::min<const Record *>(T.Cursor, T.End);
  if (Next - (T.End - RecordsPerBlock) < 2)
    return 0;
  const Record &Last = Next[-1], &Other = Next[-2];
  if (!Last.Begin)
    return 0;
  if (Last.Site == EscapeLongRest && Other.Site == EscapeLong)
    return Other.Begin + Other.Duration + ((Last.Begin - 1) << 32);
  return Last.Site < EscapeFirst ? Last.Begin + Last.Duration : 0;
}

SEAMSCOPE_EXPORT void seamscope_span(const SeamscopeSpan *Span) {
  SEAMSCOPE_FORWARD(seamscope_span, Span);
  checkForFork();
  Process &P = TheProcess;
  const uint64_t Begin = Span->begin, End = Span->end;
  const bool Traced = modes::isTraced(Begin);
  if (SEAMSCOPE_UNLIKELY(!Begin || End < Begin || Begin < P.ForkTick ||
                         (!Traced && modes::at(Begin) == SEAMSCOPE_OFF)))
    return;
  ThreadState &T = ThisThread;
  if (SEAMSCOPE_UNLIKELY(!Span->site)) {
    // The site had no room.
    if (P.Spool.isOpen())
      countLost();
    return;
  }
  const bool Here = !Span->thread || Span->thread == T.Index + 1;
  if (SEAMSCOPE_UNLIKELY(!T.Slot || !Here || (End - Begin) >> 32))
    return spanSlow(*Span);
  const Place Where = Place::of(Span->site, -1);
  if (Span->sequence < 0 || (!Traced && modes::at(Begin) != SEAMSCOPE_TRACE))
    return recordCall(Begin, End, Where);
  nameThread(*Span);
  const format::Record *BlockEnd = endOfBlock();
  format::Record *R = claimRecord<2>();
  if (SEAMSCOPE_UNLIKELY(R + 2 > BlockEnd))
    return spanSlow(*Span);
  fill(R, 1 + static_cast<uint64_t>(Span->sequence), Span->forward_thread, format::EscapeSequence);
  fill(R + 1, Begin, static_cast<uint32_t>(End - Begin), Span->site);
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_mirror(const SeamscopeMirror *Mirror) {
  SEAMSCOPE_FORWARD(seamscope_set_mirror, Mirror);
  checkForFork();
  if (Mirror && (!Mirror->begin || !Mirror->end))
    return SEAMSCOPE_ERROR_ARGUMENT;
  storeRelease(&TheProcess.Mirror, Mirror);
  // A bridge attributes the time of kernels to its operators.
  if (Mirror)
    timeAllCalls();
  return SEAMSCOPE_OK;
}

SEAMSCOPE_EXPORT void seamscope_mirror_thread(int On) {
  SEAMSCOPE_FORWARD(seamscope_mirror_thread, On);
  checkForFork();
  ThreadState &T = ThisThread;
  T.Mirrored = On ? MirroredThread : MirroredByAll;
  // If there is no room to list a call, the hooks take the slow path, which notifies the mirror.
  if (T.Slot)
    T.OpenEnd = openEnd();
  if (On)
    endThrottles();
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_mirror_all(const SeamscopeMirror *Mirror) {
  SEAMSCOPE_FORWARD(seamscope_mirror_all, Mirror);
  if (Mirror && (!Mirror->begin || !Mirror->end))
    return SEAMSCOPE_ERROR_ARGUMENT;
  storeRelease(&TheProcess.MirrorAll, Mirror);
  return SEAMSCOPE_OK;
}

SEAMSCOPE_EXPORT void seamscope_set_rank(int Rank, int WorldSize) {
  SEAMSCOPE_FORWARD(seamscope_set_rank, Rank, WorldSize);
  checkForFork();
  Process &P = TheProcess;
  SignalBlocker Blocker;
  SpinGuard Guard(P.Lock);
  // The environment, if read later, would replace this.
  if (!P.Configured)
    return;
  P.Settings.Rank = Rank;
  P.Settings.WorldSize = WorldSize;
  if (!P.Spool.isOpen())
    return;
  P.Spool.header()->Rank = Rank;
  P.Spool.header()->WorldSize = WorldSize;
}
