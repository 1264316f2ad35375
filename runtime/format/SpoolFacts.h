//===- SpoolFacts.h - contents of a spool, as typed facts ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only walk over a spool. It finds the names of threads, the calls that were left without an
// exit, the calls that a throttled site stands for, and the forward call of each backward call. Two
// sinks take the facts: the writer of Chrome JSON (ChromeTrace.h) and the tools' trace model.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_SPOOLFACTS_H
#define SEAMSCOPE_FORMAT_SPOOLFACTS_H

#include "format/CallSums.h"
#include "format/DeviceTrace.h"
#include "format/ForwardBackward.h"
#include "format/GrowingArray.h"
#include "format/SampleFacts.h"
#include "format/SpoolReader.h"
#include "seamscope/abi.h"
#include "seamscope/seamscope.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace seamscope::format {

/// How a recording ended.
enum class RecordingEnd {
  Exit,           ///< the process wrote its trace or ended by itself
  Killed,         ///< the process was killed at a known moment
  LastSignOfLife, ///< the process was killed; it lived at least until then
  Running,        ///< the process still runs
};

/// "exit", "killed", "last sign of life", "running".
const char *recordingEndName(RecordingEnd How);

/// The part of a spool that goes into a trace of limited size: the calls and the work of GPUs that
/// began before a moment. The trace has sums of those that began later.
struct ChromeTracePlan {
  uint64_t Bytes = 0;              ///< approximate bytes of text
  uint64_t Calls = 0, LeftOut = 0; ///< closed calls and GPU events: written, and summed
  uint64_t OfDevices = 0;          ///< GPU events in Calls and LeftOut together
  uint64_t UntilNs = UINT64_MAX;   ///< the moment, in ns since the spool's start
};

/// The requested facts, and information that the spool alone does not have.
struct FactOptions {
  RecordingEnd End = RecordingEnd::Exit;
  /// The end in ns since the start, if it is known from elsewhere. Open calls last until then, or
  /// until the last sign of life if that is later.
  uint64_t EndNs = 0;
  /// Only calls that began in one of these windows, which are ordered and do not overlap; no sums.
  /// Null: all calls.
  const SeamscopeWindow *Windows = nullptr;
  size_t WindowCount = 0;
  /// What to leave out; null: nothing. Cannot be combined with windows.
  const ChromeTracePlan *Plan = nullptr;
  /// Whether to compute CallFacts::Link.
  bool Links = true;

  bool isRecovered() const {
    return End == RecordingEnd::Killed || End == RecordingEnd::LastSignOfLife;
  }
};

/// The `cat` of a site's events. \p Kind is an enum SeamscopeSiteKind.
const char *categoryOfKind(uint32_t Kind);

/// The run as a whole.
struct RunFacts {
  uint32_t Pid;
  int32_t Rank, WorldSize; ///< -1: none
  uint32_t Processors;     ///< that the process might run on; 0: unknown
  bool IsProfile, IsTsc, TwoOpenMP;
  uint64_t StartRealtimeNs, StartMonotonicNs;
  uint64_t TicksPerSecond, StampBiasNs, CallCostPs;
  uint64_t LostEvents;
  std::string_view ProcessName, HostName, CommandLine;
};

/// A site. Texts are never null; empty: none.
struct SiteFacts {
  uint32_t Id, Kind;
  bool IsInlined; ///< some of its calls were inlined and are not recorded
  const char *Category, *Name;
  // Only for code, not for operators and spans of a framework:
  const char *Kernel; ///< the kernel to which it belongs; for a scope marked by hand, its own name
  const char *Group;  ///< kernels: description of a fused group, a JSON object
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) const char *Field;
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) uint32_t Field;
#include "format/site-arguments.def"
  // Only for operators, each a JSON array:
  const char *Dims, *Types, *Strides, *Values;

  bool isOfCode() const { return Kind < SEAMSCOPE_SITE_OPERATOR || Kind >= SEAMSCOPE_SITE_LAUNCH; }
};

struct ThreadFacts {
  uint32_t Index, Tid;
  char Name[48];
};

struct CallFacts {
  uint64_t BeginNs, EndNs; ///< in a damaged file the end may be before the begin
  uint32_t Site, Thread;
  int32_t TeamThread;        ///< of regions; -1: unknown
  int64_t Sequence;          ///< -1: none
  uint32_t ForwardThread;    ///< 0: not a backward call
  ForwardBackward::End Link; ///< of the flow from forward to backward

  uint64_t lengthNs() const { return EndNs > BeginNs ? EndNs - BeginNs : 0; }
};

/// A call that had not ended.
struct OpenFacts {
  uint64_t BeginNs, LengthNs;
  uint32_t Site, Thread;
  int32_t TeamThread; ///< of regions; -1: unknown
};

/// Sums of a site on a thread, from mode profile or of calls that were left out.
struct SumsFacts {
  uint32_t Site, Thread;
  int32_t TeamThread; ///< of regions; -1: unknown
  CallSumsNs Ns;
  const uint32_t (&Histogram)[HistogramBuckets]; ///< by SpoolFacts::floorNs()
};

/// Calls of a site on a thread that times only some of them. With windows, the untimed calls are
/// estimated by the share of the timed ones.
struct ThrottledFacts {
  uint32_t Site, Thread, Every;
  uint64_t Timed, Untimed, SinceNs;
  uint64_t CallsBefore, BeforeNs; ///< calls in the sums before, and their time
};

/// The counters of work of a function, over all calls on all threads that ended.
/// Calls of a function on one thread that followed one another.
struct WorkRun {
  uint32_t Thread; ///< index from 0
  bool IsMixed;    ///< otherwise each has the same words
  uint64_t Calls;
  const WorkEntry *Entry;

  uint64_t word(size_t I) const { return __atomic_load_n(Entry->words() + I, __ATOMIC_RELAXED); }
  size_t words() const { return Entry->Words; }
};

struct WorkFacts {
  SiteFacts Site;          ///< of the function
  const char *LinkageName; ///< also where it equals the name
  const char *Description; ///< of the words: JSON, if the file is not damaged
  uint64_t Calls;
  const GrowingList<uint64_t> &Words;
  /// What they are the sum of: by thread, in the order in which the thread made the calls.
  const GrowingList<WorkRun> &Runs;
};

class SpoolFacts {
public:
  /// \p Spool must be valid and outlive this object.
  SpoolFacts(const SpoolReader &Spool, const FactOptions &Options)
      : Spool(Spool), Options(Options) {}

  /// Must be called before all functions below. Returns false if there is no memory.
  bool read();

  RunFacts run() const;
  const DeviceTrace &devices() const { return Devices; }
  Sampling sampling() const { return {Spool, Options.Windows, Options.WindowCount}; }

  /// The system's number of a thread. A thread whose entry is lost gets a number of its own.
  uint64_t tid(uint32_t Thread) const {
    return Thread < Threads.size() && Threads[Thread].Tid ? Threads[Thread].Tid
                                                          : uint64_t{0x80000000u} + Thread;
  }

  /// Calls Visit(const SiteFacts &) for each site that was registered, in order.
  template <typename FnT> void forEachSite(FnT Visit) const {
    Spool.forEachSite([&](const SiteView &View) {
      if (isSite(View))
        Visit(siteFacts(View));
    });
  }
  /// One more than the largest id of those sites.
  size_t siteEnd() const { return Sites.size(); }

  /// Functions in headers, in addition to those with a site, whose calls were inlined.
  uint64_t inlinedMore() const { return InlinedMore; }
  /// Calls Visit(const SiteFacts &) for each kernel without records because its calls were inlined.
  /// Returns false if there is no memory.
  template <typename FnT> bool forEachInlined(FnT Visit);

  /// Calls Visit(const ThreadFacts &) for each thread.
  template <typename FnT> void forEachThread(FnT Visit) const {
    Spool.forEachThread(
        [&](uint32_t Index, const ThreadEntry &Entry) { Visit(threadFacts(Index, Entry)); });
  }

  /// Calls Visit(const CallFacts &) for each closed call that is asked for and not left out.
  template <typename FnT> void forEachCall(FnT Visit) {
    forEachWanted([&](const CallView &Call) {
      Visit(
          CallFacts{Spool.nsSinceStart(Call.BeginTick),
                    Spool.nsSinceStart(Call.BeginTick + Call.DurationTicks), Call.Site, Call.Thread,
                    teamThread(Call.Site, Call.TeamThread), Call.Sequence, Call.ForwardThread,
                    Call.Sequence >= 0 ? Links.endAt(keyOf(Call), Call) : ForwardBackward::End()});
    });
  }

  /// Calls Visit(const OpenFacts &) for each open call. Returns when these ended, in ns since the
  /// start; 0: there was none.
  template <typename FnT> uint64_t forEachOpen(FnT Visit) const {
    uint64_t End = 0;
    Spool.forEachOpen([&](uint32_t Thread, const OpenCall &Open) {
      if (!isInWindow(Open.Begin))
        return;
      if (!End) {
        End = Spool.nsSinceStart(Spool.lastSignOfLife());
        End = Options.EndNs > End ? Options.EndNs : End;
      }
      const uint64_t Begin = Spool.nsSinceStart(Open.Begin);
      Visit(OpenFacts{Begin, End > Begin ? End - Begin : 0, Open.Site, Thread,
                      teamThread(Open.Site, Open.TeamThread)});
    });
    return End;
  }

  /// Calls Visit(uint32_t Site, uint64_t Calls) for each site with calls that were left without an
  /// exit.
  template <typename FnT> void forEachAbandoned(FnT Visit) {
    countAbandoned();
    for (uint32_t Id = 0; Id < Sites.size(); ++Id)
      if (Sites[Id].Abandoned > 0)
        Visit(Id, static_cast<uint64_t>(Sites[Id].Abandoned));
  }

  /// Calls Visit(const SumsFacts &) for each sum.
  template <typename FnT> void forEachSums(FnT Visit) const {
    if (Options.Windows)
      return;
    const auto WithSums = [&](const SiteProfile &P) {
      const CallSumsNs Ns = {P.Calls,
                             Spool.nsOf(P.SumTicks),
                             P.Calls ? Spool.nsOf(P.MinTicks) : 0,
                             Spool.nsOf(P.MaxTicks),
                             Spool.nsSinceStart(P.FirstTick),
                             Spool.nsSinceStart(P.LastTick),
                             P.Abandoned};
      Visit(SumsFacts{P.Site, P.Thread, teamThread(P.Site, P.TeamThread), Ns, P.Histogram});
    };
    Spool.forEachProfile(WithSums);
    LeftOut.forEach(WithSums);
  }
  /// The least duration in ns of a bucket of a histogram.
  uint64_t floorNs(uint32_t Bucket) const { return Spool.nsOf(histogramFloor(Bucket)); }

  /// Calls Visit(const ThrottledFacts &) for each throttled site on each thread.
  template <typename FnT> void forEachThrottled(FnT Visit) const {
    Spool.forEachThrottle([&](uint32_t Thread, const ThrottleEntry &Entry) {
      if (const ThrottledFacts Of = throttledFacts(Thread, Entry); Of.Timed || Of.Untimed)
        Visit(Of);
    });
  }

  /// Calls Visit(const WorkFacts &) for each function with counters that ran. With windows, for
  /// none: the counters do not say when. Returns false if there is no memory.
  template <typename FnT> bool forEachWork(FnT Visit) const;

private:
  struct SiteState {
    bool IsKnown, IsInlined, IsRecorded, IsRegion;
    int64_t Abandoned;
  };
  struct ThreadState {
    uint32_t Tid;
    uint64_t FrameworkThread;
  };
  /// A site on a thread that times only some of its calls, and how many of these began in windows.
  struct ThrottledCalls {
    uint64_t Key; ///< see keyOf()
    uint64_t SinceTick, Inside;

    static uint64_t keyOf(uint32_t Site, uint32_t Thread) { return uint64_t{Site} << 32 | Thread; }
  };

  /// Whether a call that began then is asked for and not left out.
  bool isWanted(uint64_t Tick) const { return isInWindow(Tick) && !isLeftOut(Tick); }
  bool isLeftOut(uint64_t Tick) const {
    return Options.Plan && Options.Plan->LeftOut &&
           Spool.nsSinceStart(Tick) >= Options.Plan->UntilNs;
  }
  bool isInWindow(uint64_t Tick) const;
  /// Ids are dense: an id that a file of this size cannot have is damage, and would only cost
  /// memory.
  bool isSite(const SiteView &View) const {
    return !(View.Flags & SEAMSCOPE_SITE_COUNT) && View.Kind != SEAMSCOPE_SITE_WORK && View.Id &&
           View.Id <= Spool.blocks() * (BlockBytes / sizeof(SiteEntry));
  }
  static SiteFacts siteFacts(const SiteView &View);
  /// Returns -1 if the site is not a region: its calls have the number of the region around them.
  int32_t teamThread(uint32_t Site, int32_t Recorded) const {
    return Site < Sites.size() && Sites[Site].IsRegion ? Recorded : -1;
  }
  ThreadFacts threadFacts(uint32_t Index, const ThreadEntry &Entry) const;
  ThrottledFacts throttledFacts(uint32_t Thread, const ThrottleEntry &Entry) const;
  const ThrottledCalls *findThrottled(uint32_t Site, uint32_t Thread) const;
  ForwardBackward::Key keyOf(const CallView &Call) const {
    uint64_t Thread = Call.ForwardThread;
    if (!Thread && Call.Thread < Threads.size())
      Thread = Threads[Call.Thread].FrameworkThread;
    return {Thread, Call.Sequence};
  }

  template <typename FnT> void forEachWanted(FnT Visit) const {
    Spool.forEachCall(
        [&](const CallView &Call) {
          if (isWanted(Call.BeginTick))
            Visit(Call);
        },
        [](Escape, uint64_t, uint32_t, uint32_t) {});
  }

  bool readSites();
  bool readThreads();
  bool linkBackward();
  bool sumUpLeftOut();
  bool countThrottledInWindows();
  void countAbandoned();
  /// The sites with records, in the order of recordedLess().
  bool findRecorded(GrowingList<SiteView> &Recorded);
  static bool recordedLess(const SiteView &A, const SiteView &B);

  const SpoolReader &Spool;
  const FactOptions Options;
  GrowingArray<SiteState> Sites;
  GrowingArray<ThreadState> Threads;
  ForwardBackward Links;
  DeviceTrace Devices;
  CallSums LeftOut;
  GrowingList<ThrottledCalls> Throttled; ///< sorted by key; only with windows
  bool AnyInlined = false, AbandonedCounted = false;
  uint64_t InlinedMore = 0;
};

template <typename FnT> bool SpoolFacts::forEachWork(FnT Visit) const {
  if (Options.Windows)
    return true;
  GrowingList<const WorkEntry *> Entries;
  bool Ok = true;
  Spool.forEachWork([&](const WorkEntry &Entry) { Ok = Ok && Entries.add(&Entry); });
  std::sort(Entries.begin(), Entries.end(), [](const WorkEntry *A, const WorkEntry *B) {
    if (A->Site != B->Site || A->Thread != B->Thread)
      return A->Site != B->Site ? A->Site < B->Site : A->Thread < B->Thread;
    return A->Number < B->Number;
  });
  Spool.forEachSite([&](const SiteView &View) {
    if (!Ok || View.Kind != SEAMSCOPE_SITE_WORK)
      return;
    const auto *At =
        std::lower_bound(Entries.begin(), Entries.end(), View.Id,
                         [](const WorkEntry *Entry, uint32_t Site) { return Entry->Site < Site; });
    uint64_t Calls = 0;
    GrowingList<uint64_t> Words;
    GrowingList<WorkRun> Runs;
    for (; At != Entries.end() && (*At)->Site == View.Id; ++At) {
      const uint64_t More = __atomic_load_n(&(*At)->Calls, __ATOMIC_RELAXED);
      Calls += More;
      Ok = Ok && Runs.add({(*At)->Thread, (*At)->IsMixed != 0, More, *At});
      for (size_t I = 0; I < (*At)->Words && Ok; ++I) {
        if (I == Words.size())
          Ok = Words.add(0);
        if (Ok)
          Words[I] += __atomic_load_n((*At)->words() + I, __ATOMIC_RELAXED);
      }
    }
    if (Ok && Calls)
      Visit(WorkFacts{siteFacts(View), View.LinkageName, View.Ops, Calls, Words, Runs});
  });
  return Ok;
}

template <typename FnT> bool SpoolFacts::forEachInlined(FnT Visit) {
  if (!AnyInlined)
    return true;
  GrowingList<SiteView> Recorded;
  if (!findRecorded(Recorded))
    return false;
  Spool.forEachSite([&](const SiteView &View) {
    // Another file may have calls of the same function that were not inlined.
    if (isSite(View) && Sites[View.Id].IsInlined &&
        !std::binary_search(Recorded.begin(), Recorded.end(), View, recordedLess))
      Visit(siteFacts(View));
  });
  return true;
}

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_SPOOLFACTS_H
