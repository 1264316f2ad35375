//===- SpoolFacts.h - what a spool says, as typed facts --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one reading of a spool: names of threads, which calls were left without an exit, what a
// throttled site stands for, which forward call made a backward one. Two sinks take the facts: the
// writer of Chrome JSON (ChromeTrace.h) and the trace model of the tools.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_SPOOLFACTS_H
#define SEAMSCOPE_FORMAT_SPOOLFACTS_H

#include "format/CallSums.h"
#include "format/DeviceTrace.h"
#include "format/ForwardBackward.h"
#include "format/GrowingArray.h"
#include "format/SpoolReader.h"
#include "seamscope/abi.h"
#include "seamscope/seamscope.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace seamscope::format {

/// How a recording ended.
enum class RecordingEnd {
  Exit,           ///< the process wrote its trace itself, or ended by itself
  Killed,         ///< the process was killed, and the moment is known
  LastSignOfLife, ///< the process was killed; until then at least it lived
  Running,        ///< the process still runs
};

/// "exit", "killed", "last sign of life", "running".
const char *recordingEndName(RecordingEnd How);

/// What of a spool goes into a trace that must not get too large: the calls, and the work of GPUs,
/// that began before a moment. Of those that began later the trace has sums.
struct ChromeTracePlan {
  uint64_t Bytes = 0;              ///< of text, about
  uint64_t Calls = 0, LeftOut = 0; ///< closed calls and GPU events: written, and summed
  uint64_t OfDevices = 0;          ///< of both, GPU events
  uint64_t UntilNs = UINT64_MAX;   ///< the moment, since the spool's start
};

/// Which facts are asked for, and what the spool alone does not say.
struct FactOptions {
  RecordingEnd End = RecordingEnd::Exit;
  /// When it ended, in ns since the start, where that is known otherwise than from the spool. Calls
  /// that are open last until then, or the last sign of life if that is later.
  uint64_t EndNs = 0;
  /// Only calls that began in one of these, in order and apart; without sums. Null: all there is.
  const SeamscopeWindow *Windows = nullptr;
  size_t WindowCount = 0;
  /// What is left out; null: nothing. Goes with no windows.
  const ChromeTracePlan *Plan = nullptr;
  /// Whether CallFacts::Link is asked for.
  bool Links = true;

  bool isRecovered() const {
    return End == RecordingEnd::Killed || End == RecordingEnd::LastSignOfLife;
  }
};

/// The `cat` of the events of a site: \p Kind is an enum SeamscopeSiteKind.
const char *categoryOfKind(uint32_t Kind);

/// The run as a whole.
struct RunFacts {
  uint32_t Pid;
  int32_t Rank, WorldSize; ///< -1: none
  bool IsProfile, IsTsc, TwoOpenMP;
  uint64_t StartRealtimeNs, StartMonotonicNs;
  uint64_t TicksPerSecond, StampBiasNs, CallCostPs;
  uint64_t LostEvents;
  std::string_view ProcessName, HostName, CommandLine;
};

/// A site. Texts are never null; empty: it has none.
struct SiteFacts {
  uint32_t Id, Kind;
  bool IsInlined; ///< some of its calls were inlined, and are not recorded
  const char *Category, *Name;
  // Of code alone, not of a framework's operators and spans:
  const char *Kernel; ///< that it belongs to; of a scope marked by hand its own name
  const char *Group;  ///< of kernels: what a fused group says of itself, a JSON object
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) const char *Field;
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) uint32_t Field;
#include "format/site-arguments.def"
  // Of operators alone, each a JSON array:
  const char *Dims, *Types, *Strides, *Values;

  bool isOfCode() const { return Kind < SEAMSCOPE_SITE_OPERATOR || Kind >= SEAMSCOPE_SITE_LAUNCH; }
};

struct ThreadFacts {
  uint32_t Index, Tid;
  char Name[48];
};

struct CallFacts {
  uint64_t BeginNs, EndNs; ///< of a damaged file the end may lie before the begin
  uint32_t Site, Thread;
  int32_t TeamThread;        ///< of regions; -1: none known
  int64_t Sequence;          ///< -1: none
  uint32_t ForwardThread;    ///< 0: this is not a backward call
  ForwardBackward::End Link; ///< of the flow from forward to backward

  uint64_t lengthNs() const { return EndNs > BeginNs ? EndNs - BeginNs : 0; }
};

/// A call that had not ended.
struct OpenFacts {
  uint64_t BeginNs, LengthNs;
  uint32_t Site, Thread;
  int32_t TeamThread; ///< of regions; -1: none known
};

/// The sums of a site on a thread, of mode profile or of calls that were left out.
struct SumsFacts {
  uint32_t Site, Thread;
  int32_t TeamThread; ///< of regions; -1: none known
  CallSumsNs Ns;
  const uint32_t (&Histogram)[HistogramBuckets]; ///< by SpoolFacts::floorNs()
};

/// Calls of a site on a thread that times only some of them. In windows as many were left out as
/// their share of those that were timed.
struct ThrottledFacts {
  uint32_t Site, Thread, Every;
  uint64_t Timed, Untimed, SinceNs;
  uint64_t CallsBefore, BeforeNs; ///< in the sums: calls before, and their time
};

class SpoolFacts {
public:
  /// \p Spool must be valid, and live as long.
  SpoolFacts(const SpoolReader &Spool, const FactOptions &Options)
      : Spool(Spool), Options(Options) {}

  /// False when there is no memory. Before it nothing below may be asked.
  bool read();

  RunFacts run() const;
  const DeviceTrace &devices() const { return Devices; }

  /// The system's number of a thread. One whose entry is lost still has a number of its own.
  uint64_t tid(uint32_t Thread) const {
    return Thread < Threads.size() && Threads[Thread].Tid ? Threads[Thread].Tid
                                                          : uint64_t{0x80000000u} + Thread;
  }

  /// Visit(const SiteFacts &) for each site that was registered, in order.
  template <typename FnT> void forEachSite(FnT Visit) const {
    Spool.forEachSite([&](const SiteView &View) {
      if (isSite(View))
        Visit(siteFacts(View));
    });
  }
  /// One more than the largest id of those sites.
  size_t siteEnd() const { return Sites.size(); }

  /// Functions of headers, beyond those with a site, whose calls were inlined.
  uint64_t inlinedMore() const { return InlinedMore; }
  /// Visit(const SiteFacts &) for each kernel of which nothing was recorded since its calls were
  /// inlined. False when there is no memory.
  template <typename FnT> bool forEachInlined(FnT Visit);

  /// Visit(const ThreadFacts &).
  template <typename FnT> void forEachThread(FnT Visit) const {
    Spool.forEachThread(
        [&](uint32_t Index, const ThreadEntry &Entry) { Visit(threadFacts(Index, Entry)); });
  }

  /// Visit(const CallFacts &) for each closed call that is asked for and not left out.
  template <typename FnT> void forEachCall(FnT Visit) {
    forEachWanted([&](const CallView &Call) {
      Visit(
          CallFacts{Spool.nsSinceStart(Call.BeginTick),
                    Spool.nsSinceStart(Call.BeginTick + Call.DurationTicks), Call.Site, Call.Thread,
                    teamThread(Call.Site, Call.TeamThread), Call.Sequence, Call.ForwardThread,
                    Call.Sequence >= 0 ? Links.endAt(keyOf(Call), Call) : ForwardBackward::End()});
    });
  }

  /// Visit(const OpenFacts &). Returns when they ended, in ns since the start; 0: there was none.
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

  /// Visit(uint32_t Site, uint64_t Calls) for each site with calls that were left without an exit.
  template <typename FnT> void forEachAbandoned(FnT Visit) {
    countAbandoned();
    for (uint32_t Id = 0; Id < Sites.size(); ++Id)
      if (Sites[Id].Abandoned > 0)
        Visit(Id, static_cast<uint64_t>(Sites[Id].Abandoned));
  }

  /// Visit(const SumsFacts &).
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
  /// From where on a call's length is of that bucket of a histogram.
  uint64_t floorNs(uint32_t Bucket) const { return Spool.nsOf(histogramFloor(Bucket)); }

  /// Visit(const ThrottledFacts &).
  template <typename FnT> void forEachThrottled(FnT Visit) const {
    Spool.forEachThrottle([&](uint32_t Thread, const ThrottleEntry &Entry) {
      if (const ThrottledFacts Of = throttledFacts(Thread, Entry); Of.Timed || Of.Untimed)
        Visit(Of);
    });
  }

private:
  struct SiteState {
    bool IsKnown, IsInlined, IsRecorded, IsRegion;
    int64_t Abandoned;
  };
  struct ThreadState {
    uint32_t Tid;
    uint64_t FrameworkThread;
  };
  /// A site on a thread that times only some of its calls, and how many began in windows.
  struct ThrottledCalls {
    uint64_t Key; ///< see keyOf()
    uint64_t SinceTick, Inside;

    static uint64_t keyOf(uint32_t Site, uint32_t Thread) { return uint64_t{Site} << 32 | Thread; }
  };

  /// Whether a call that began then is asked for, and not left out by plan.
  bool isWanted(uint64_t Tick) const { return isInWindow(Tick) && !isLeftOut(Tick); }
  bool isLeftOut(uint64_t Tick) const {
    return Options.Plan && Options.Plan->LeftOut &&
           Spool.nsSinceStart(Tick) >= Options.Plan->UntilNs;
  }
  bool isInWindow(uint64_t Tick) const;
  /// Ids are dense: one that so small a file cannot have is damage, and would only cost memory.
  bool isSite(const SiteView &View) const {
    return !(View.Flags & SEAMSCOPE_SITE_COUNT) && View.Id &&
           View.Id <= Spool.blocks() * (BlockBytes / sizeof(SiteEntry));
  }
  static SiteFacts siteFacts(const SiteView &View);
  /// Others than regions have the number of the region that they run in.
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
  /// The sites of which something was recorded, in the order of recordedLess().
  bool findRecorded(GrowingList<SiteView> &Recorded);
  static bool recordedLess(const SiteView &A, const SiteView &B);

  const SpoolReader &Spool;
  const FactOptions Options;
  GrowingArray<SiteState> Sites;
  GrowingArray<ThreadState> Threads;
  ForwardBackward Links;
  DeviceTrace Devices;
  CallSums LeftOut;
  GrowingList<ThrottledCalls> Throttled; ///< by key; only where there are windows
  bool AnyInlined = false, AbandonedCounted = false;
  uint64_t InlinedMore = 0;
};

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
