//===- ChromeTrace.cpp - a spool as a Chrome trace -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times stay whole ns until they are printed. A duration is the difference of two rounded ends, not
// rounded itself: else a nested call could stick out of its caller by a ns.
//
//===----------------------------------------------------------------------===//
#include "format/ChromeTrace.h"

#include "format/CallSums.h"
#include "format/DeviceTrace.h"
#include "format/ForwardBackward.h"
#include "format/GrowingArray.h"
#include "format/JsonText.h"
#include "format/SumsText.h"

#include <algorithm>

namespace seamscope::format {
namespace {

/// What an event's arguments call the site's `ops`.
const char *opsMember(uint32_t Kind) {
  return Kind == SEAMSCOPE_SITE_LOOP        ? "inlined_from"
         : Kind == SEAMSCOPE_SITE_TEAM_WAIT ? "construct"
                                            : "ops";
}

/// What of a site's events is the same in all of them; offsets into Writer::Texts.
struct SiteInfo {
  bool Known;
  uint32_t Kind;
  size_t Head, HeadSize; ///< `"cat":..,"name":..,"pid":..`
  size_t Args, ArgsSize; ///< members of args, without the thread number
  int64_t Abandoned;
  bool Inlined;  ///< some of its calls are inlined
  bool Recorded; ///< others were recorded
  size_t Group,
      GroupSize; ///< what it says of its operators, a JSON object as text; size 0: nothing
};

struct ThreadInfo {
  uint32_t Tid;
  uint64_t FrameworkThread;
};

/// A site on a thread that times only some of its calls, and how many began in windows.
struct ThrottledCalls {
  uint64_t Key; ///< see keyOf()
  uint64_t SinceTick, Inside;

  static uint64_t keyOf(uint32_t Site, uint32_t Thread) { return uint64_t{Site} << 32 | Thread; }
};

class Writer {
public:
  Writer(const SpoolReader &Spool, const ChromeTraceOptions &Options, ByteSink Sink)
      : Spool(Spool), Options(Options), Out(Sink) {}

  bool run() {
    if (!readSites() || !readThreads() || !linkBackward() || !sumUpLeftOut() ||
        !countThrottledInWindows() || !Devices.read(Spool, Options.Windows, Options.WindowCount) ||
        (Options.Plan && !Devices.leaveOut(Options.Plan->UntilNs)))
      return false;
    countAbandoned();
    writeTop();
    Out.raw(",\"traceEvents\":[\n");
    writeMetadata();
    Devices.writeEvents(Out);
    forEachCall([&](const CallView &Call) { writeCall(Call); });
    writeOpenCalls();
    Out.raw("\n]}\n");
    return Out.flush() && Texts.ok();
  }

  bool plan(uint64_t MaxBytes, ChromeTracePlan &Plan) {
    if (!readSites() || !Devices.read(Spool, nullptr, 0))
      return false;
    const auto Each = [&](auto Visit) {
      forEachCall(
          [&](const CallView &Call) { Visit(Spool.nsSinceStart(Call.BeginTick), bytesOf(Call)); });
      Devices.forEachEvent(Visit);
    };
    uint64_t First = UINT64_MAX, Last = 0;
    Each([&](uint64_t Ns, uint64_t Bytes) {
      First = Ns < First ? Ns : First;
      Last = Ns > Last ? Ns : Last;
      ++Plan.Calls;
      Plan.Bytes += Bytes;
    });
    Plan.OfDevices = Devices.events();
    if (!MaxBytes || Plan.Bytes <= MaxBytes)
      return true;
    Plan.UntilNs = tickOfWeight(Each, First, Last, MaxBytes);
    Plan.Bytes = 0;
    Each([&](uint64_t Ns, uint64_t Bytes) {
      if (Ns < Plan.UntilNs)
        Plan.Bytes += Bytes;
      else
        ++Plan.LeftOut;
    });
    Plan.Calls -= Plan.LeftOut;
    return true;
  }

private:
  /// How long the event of a call is, about.
  uint64_t bytesOf(const CallView &Call) {
    const bool Known = Call.Site < Sites.size() && Sites[Call.Site].Known;
    return (Known ? Sites[Call.Site].HeadSize + Sites[Call.Site].ArgsSize : 40) + 70 +
           (Call.TeamThread >= 0 ? 12 : 0) + (Call.Sequence >= 0 ? 160 : 0);
  }

  /// Whether a call that began then is asked for, and not left out by plan.
  bool isWanted(uint64_t Tick) const { return isInWindow(Tick) && !isLeftOut(Tick); }

  bool isLeftOut(uint64_t Tick) const {
    return Options.Plan && Options.Plan->LeftOut &&
           Spool.nsSinceStart(Tick) >= Options.Plan->UntilNs;
  }

  bool isInWindow(uint64_t Tick) const {
    if (!Options.Windows)
      return true;
    size_t Low = 0, High = Options.WindowCount; // the first window that ends behind it
    while (Low < High) {
      const size_t Middle = Low + (High - Low) / 2;
      if (Options.Windows[Middle].end <= Tick)
        Low = Middle + 1;
      else
        High = Middle;
    }
    return Low < Options.WindowCount && Options.Windows[Low].begin <= Tick;
  }

  template <typename FnT> void forEachCall(FnT Visit) {
    Spool.forEachCall(
        [&](const CallView &Call) {
          if (isWanted(Call.BeginTick))
            Visit(Call);
        },
        [](Escape, uint64_t, uint32_t, uint32_t) {});
  }

  bool sumUpLeftOut() {
    bool Ok = true;
    if (Options.Plan && Options.Plan->LeftOut)
      Spool.forEachCall(
          [&](const CallView &Call) {
            if (isLeftOut(Call.BeginTick))
              Ok = Ok && LeftOut.add(Call);
          },
          [](Escape, uint64_t, uint32_t, uint32_t) {});
    return Ok;
  }

  bool readSites() {
    bool Ok = true;
    Spool.forEachSite([&](const SiteView &Site) { Ok = Ok && addSite(Site); });
    return Ok && Texts.ok();
  }

  bool addSite(const SiteView &Site) {
    // Ids are dense; one that so small a file cannot have is damage, and would only cost memory.
    if (Site.Flags & SEAMSCOPE_SITE_COUNT) {
      InlinedMore += Site.Line;
      return true;
    }
    if (!Site.Id || Site.Id > Spool.blocks() * (BlockBytes / sizeof(SiteEntry)))
      return true;
    SiteInfo *Info = Sites.at(Site.Id);
    if (!Info)
      return false;
    Info->Known = true;
    Info->Kind = Site.Kind;
    Info->Inlined = Site.Flags & SEAMSCOPE_SITE_INLINED;
    AnyInlined |= Info->Inlined;
    Info->Head = Texts.size();
    Texts.raw("\"cat\":\"").raw(categoryOfKind(Site.Kind)).raw("\",\"name\":").string(Site.Name);
    Texts.raw(",\"pid\":").number(uint64_t{Spool.header().Pid});
    Info->HeadSize = Texts.size() - Info->Head;
    Info->Args = Texts.size();
    if (!isSiteOfCode(Site.Kind)) {
      addInputs(Site);
      Info->ArgsSize = Texts.size() - Info->Args;
      return true;
    }
    if (Site.Kind == SEAMSCOPE_SITE_SCOPE)
      Texts.raw("\"scope\":").string(Site.Name);
    else
      Texts.raw("\"kernel\":").string(*Site.Kernel ? Site.Kernel : Site.Name);
    if (Site.Kind == SEAMSCOPE_SITE_REGION)
      Texts.member("region", Site.Name);
    Texts.member("file", Site.File);
    if (Site.Line)
      Texts.raw(",\"line\":").number(uint64_t{Site.Line});
    if (Site.Column)
      Texts.raw(",\"column\":").number(uint64_t{Site.Column});
    const bool IsGroup = *Site.Ops == '{';
    if (!IsGroup)
      Texts.member(opsMember(Site.Kind), Site.Ops);
    if (strcmp(Site.LinkageName, Site.Name))
      Texts.member("linkage_name", Site.LinkageName);
    Info->ArgsSize = Texts.size() - Info->Args;
    Info->Group = Texts.size();
    if (IsGroup)
      Texts.string(Site.Ops);
    Info->GroupSize = Texts.size() - Info->Group;
    return true;
  }

  /// As torch.profiler writes them: an empty array where it says nothing.
  void addInputs(const SiteView &Site) {
    const struct {
      const char *Key, *Json;
    } Members[] = {{"Concrete Inputs", Site.Values},
                   {"Input type", Site.Types},
                   {"Input Strides", Site.Strides},
                   {"Input Dims", Site.Dims}};
    const char *Comma = "";
    for (const auto &[Key, Json] : Members)
      if (*Json) {
        Texts.raw(Comma).raw("\"").raw(Key).raw("\":").raw(Json);
        Comma = ",";
      }
  }

  bool readThreads() {
    bool Ok = true;
    Spool.forEachThread([&](uint32_t Index, const ThreadEntry &Entry) {
      ThreadInfo *Info = Threads.at(Index);
      Ok = Ok && Info;
      if (Info)
        *Info = {Entry.Tid, __atomic_load_n(&Entry.FrameworkThread, __ATOMIC_RELAXED)};
    });
    return Ok;
  }

  void countAbandoned() {
    const auto Add = [&](uint32_t Site, int64_t Calls) {
      if (Site < Sites.size() && Sites[Site].Known &&
          __builtin_add_overflow(Sites[Site].Abandoned, Calls, &Sites[Site].Abandoned))
        Sites[Site].Abandoned = INT64_MAX;
    };
    Spool.forEachCall([](const CallView &) {},
                      [&](Escape Kind, uint64_t Begin, uint32_t Value, uint32_t) {
                        if (!isInWindow(Begin))
                          return;
                        if (Kind == EscapeAbandoned)
                          Add(Value, 1);
                        else if (Kind == EscapeReturned)
                          Add(Value, -1);
                      });
    if (Options.Windows)
      return;
    Spool.forEachProfile([&](const SiteProfile &P) {
      Add(P.Site, P.Abandoned > INT64_MAX ? INT64_MAX : static_cast<int64_t>(P.Abandoned));
    });
  }

  ForwardBackward::Key keyOf(const CallView &Call) {
    uint64_t Thread = Call.ForwardThread;
    if (!Thread && Call.Thread < Threads.size())
      Thread = Threads[Call.Thread].FrameworkThread;
    return {Thread, Call.Sequence};
  }

  bool linkBackward() {
    bool Ok = true;
    forEachCall([&](const CallView &Call) {
      if (Call.Sequence >= 0 && Call.ForwardThread)
        Ok = Ok && Links.addBackward(keyOf(Call), Call);
    });
    if (Links.empty())
      return Ok;
    forEachCall([&](const CallView &Call) {
      if (Call.Sequence >= 0 && !Call.ForwardThread)
        Links.addForward(keyOf(Call), Call);
    });
    return Ok;
  }

  uint64_t tid(uint32_t Thread) {
    // Without its entry (lost to a truncation) a thread still has a track of its own.
    return Thread < Threads.size() && Threads[Thread].Tid ? Threads[Thread].Tid
                                                          : uint64_t{0x80000000u} + Thread;
  }

  void writeTop() {
    const SpoolHeader &H = Spool.header();
    Out.raw("{\"schemaVersion\":1,\"displayTimeUnit\":\"ns\",\"baseTimeNanoseconds\":");
    Out.number(Spool.startRealtimeNs());
    Out.raw(",\"traceName\":").string(Options.TraceName);
    if (H.Rank >= 0) {
      // The blank is what HolisticTraceAnalysis finds the rank by.
      Out.raw(",\"distributedInfo\":{\"rank\": ").number(int64_t{H.Rank});
      if (H.WorldSize >= 0)
        Out.raw(",\"world_size\":").number(int64_t{H.WorldSize});
      Out.raw("}");
    }
    const bool Profile = __atomic_load_n(&H.Mode, __ATOMIC_RELAXED) == 1;
    Devices.writeProperties(Out);
    Out.raw(",\"seamscope\":{\"version\":").string(Options.Version);
    Out.raw(",\"format\":1,\"mode\":\"").raw(Profile ? "profile" : "trace");
    Out.raw("\",\"clock\":\"").raw(H.Clock == ClockSource::Tsc ? "tsc" : "monotonic");
    Out.raw("\",\"tick_hz\":").number(Spool.ticksPerSecond());
    Out.raw(",\"stamp_bias_ns\":").number(Spool.nsOf(H.StampBiasTicks));
    if (const uint64_t Cost = Spool.callCostPs())
      Out.raw(",\"call_cost_ns\":").thousandths(Cost);
    Out.raw(",\"monotonic_base_ns\":").number(H.First.MonotonicNs);
    Out.raw(",\"command_line\":").string(H.CommandLine, sizeof(H.CommandLine));
    Out.raw(",\"host_name\":").string(H.HostName, sizeof(H.HostName));
    Out.raw(",\"pid\":").number(uint64_t{H.Pid});
    Out.raw(",\"lost_events\":").number(__atomic_load_n(&H.LostEvents, __ATOMIC_RELAXED));
    Out.raw(",\"abandoned\":[");
    bool Comma = false;
    for (size_t I = 0; I < Sites.size(); ++I)
      if (Sites[I].Abandoned > 0) {
        Out.raw(Comma ? ",{" : "{").raw(Texts.data() + Sites[I].Head, Sites[I].HeadSize);
        Out.raw(",\"calls\":").number(Sites[I].Abandoned).raw("}");
        Comma = true;
      }
    Out.raw("]");
    writeInlined();
    Out.raw(",\"two_openmp_runtimes\":");
    Out.raw(__atomic_load_n(&H.Flags, __ATOMIC_RELAXED) & SpoolTwoOpenMP ? "true" : "false");
    Out.raw(",\"recovered\":").raw(Options.Recovered ? "true" : "false");
    Out.raw(",\"recording_end\":\"").raw(recordingEndName(Options.End)).raw("\"");
    if (Options.Plan && Options.Plan->LeftOut) {
      Out.raw(",\"part\":{\"calls\":").number(Options.Plan->Calls);
      Out.raw(",\"left_out\":").number(Options.Plan->LeftOut);
      Out.raw(",\"until_ns\":").number(Options.Plan->UntilNs);
      Out.raw(",\"all_in\":").string(Options.AllIn).raw("}");
    }
    Devices.writeSummary(Out);
    writeGroups();
    writeProfiles();
    writeThrottled();
    Out.raw("}");
  }

  ThrottledCalls *findThrottled(uint32_t Site, uint32_t Thread) {
    const uint64_t Key = ThrottledCalls::keyOf(Site, Thread);
    ThrottledCalls *const Found =
        std::lower_bound(Throttled.begin(), Throttled.end(), Key,
                         [](const ThrottledCalls &Each, uint64_t Of) { return Each.Key < Of; });
    return Found != Throttled.end() && Found->Key == Key ? Found : nullptr;
  }

  /// In one pass over the calls.
  bool countThrottledInWindows() {
    bool Ok = true;
    if (Options.Windows)
      Spool.forEachThrottle([&](uint32_t Thread, const ThrottleEntry &Entry) {
        Ok = Ok && Throttled.add({ThrottledCalls::keyOf(Entry.Site, Thread), Entry.SinceTick, 0});
      });
    if (!Throttled.size())
      return Ok;
    std::sort(Throttled.begin(), Throttled.end(),
              [](const ThrottledCalls &A, const ThrottledCalls &B) { return A.Key < B.Key; });
    forEachCall([&](const CallView &Call) {
      if (ThrottledCalls *const Found = findThrottled(Call.Site, Call.Thread))
        Found->Inside += Call.BeginTick >= Found->SinceTick;
    });
    return Ok;
  }

  /// Sites of which a thread timed only some calls. Of windows in time it is not known how many
  /// fell into them: as many as of those that were timed.
  void writeThrottled() {
    bool Any = false;
    Spool.forEachThrottle([&](uint32_t Thread, const ThrottleEntry &Entry) {
      uint64_t Timed = Entry.timed(), Untimed = Entry.untimed();
      if (Options.Windows) {
        const ThrottledCalls *const Found = findThrottled(Entry.Site, Thread);
        const uint64_t Inside = Found ? Found->Inside : 0;
        Untimed =
            Timed ? static_cast<uint64_t>(static_cast<unsigned __int128>(Untimed) * Inside / Timed)
                  : 0;
        Timed = Inside;
      }
      if (!Timed && !Untimed)
        return;
      Out.raw(Any ? ",\n{" : ",\"throttled\":[\n{");
      Any = true;
      writeHead(Entry.Site);
      Out.raw(",\"tid\":").number(tid(Thread));
      Out.raw(",\"ts\":").thousandths(Spool.nsSinceStart(Entry.SinceTick));
      Out.raw(",\"every\":").number(uint64_t{Entry.Every});
      Out.raw(",\"timed\":").number(Timed);
      Out.raw(",\"untimed\":").number(Untimed);
      if (Entry.CallsBefore) {
        Out.raw(",\"calls_before\":").number(Entry.CallsBefore);
        Out.raw(",\"total_ns_before\":").number(Spool.nsOf(Entry.TicksBefore));
      }
      writeArgs(Entry.Site, -1);
      Out.raw("}");
    });
    if (Any)
      Out.raw("]");
  }

  /// What fused groups of operators say of themselves: once, not with each call.
  void writeGroups() {
    bool Any = false;
    for (size_t I = 0; I < Sites.size(); ++I) {
      const SiteInfo &Info = Sites[I];
      if (!Info.GroupSize)
        continue;
      Out.raw(Any ? ",{" : ",\"groups\":[{").raw(Texts.data() + Info.Head, Info.HeadSize);
      Out.raw(",\"args\":{").raw(Texts.data() + Info.Args, Info.ArgsSize);
      Out.raw("},\"ops\":").raw(Texts.data() + Info.Group, Info.GroupSize).raw("}");
      Any = true;
    }
    if (Any)
      Out.raw("]");
  }

  /// Kernels of which nothing was recorded since their calls were inlined.
  void writeInlined() {
    if (!AnyInlined && !InlinedMore)
      return;
    const auto Mark = [&](uint32_t Site) {
      if (Site < Sites.size())
        Sites[Site].Recorded = true;
    };
    Spool.forEachCall([&](const CallView &Call) { Mark(Call.Site); },
                      [](Escape, uint64_t, uint32_t, uint32_t) {});
    Spool.forEachOpen([&](uint32_t, const OpenCall &Open) { Mark(Open.Site); });
    Spool.forEachProfile([&](const SiteProfile &P) { Mark(P.Site); });
    // Another file may have calls of the same function that were not.
    const auto Less = [&](const SiteInfo *A, const SiteInfo *B) {
      if (A->HeadSize != B->HeadSize || A->ArgsSize != B->ArgsSize)
        return A->HeadSize != B->HeadSize ? A->HeadSize < B->HeadSize : A->ArgsSize < B->ArgsSize;
      const int Order = memcmp(Texts.data() + A->Head, Texts.data() + B->Head, A->HeadSize);
      return Order ? Order < 0
                   : memcmp(Texts.data() + A->Args, Texts.data() + B->Args, A->ArgsSize) < 0;
    };
    GrowingList<const SiteInfo *> Recorded; // by text
    for (size_t I = 0; I < Sites.size(); ++I)
      if (Sites[I].Recorded && !Recorded.add(&Sites[I]))
        return;
    std::sort(Recorded.begin(), Recorded.end(), Less);
    const auto IsRecorded = [&](const SiteInfo &Kernel) {
      return std::binary_search(Recorded.begin(), Recorded.end(), &Kernel, Less);
    };
    bool Comma = false;
    Spool.forEachSite([&](const SiteView &Site) {
      if (Site.Id >= Sites.size() || !Sites[Site.Id].Inlined || IsRecorded(Sites[Site.Id]))
        return;
      Out.raw(Comma ? ",{" : ",\"inlined\":[{").raw("\"name\":").string(Site.Name);
      Out.member("file", Site.File);
      if (Site.Line)
        Out.raw(",\"line\":").number(uint64_t{Site.Line});
      Out.raw("}");
      Comma = true;
    });
    if (Comma)
      Out.raw("]");
    if (InlinedMore)
      Out.raw(",\"inlined_more\":").number(InlinedMore);
  }

  void writeProfiles() {
    if (Options.Windows)
      return;
    bool Any = false;
    const auto Write = [&](const SiteProfile &P) {
      beginSums(Out, Any);
      writeHead(P.Site);
      Out.raw(",\"tid\":").number(tid(P.Thread));
      writeSums(Out, {P.Calls, Spool.nsOf(P.SumTicks), P.Calls ? Spool.nsOf(P.MinTicks) : 0,
                      Spool.nsOf(P.MaxTicks), Spool.nsSinceStart(P.FirstTick),
                      Spool.nsSinceStart(P.LastTick), P.Abandoned});
      writeArgs(P.Site, P.TeamThread);
      endSums(Out, P.Histogram, [&](uint32_t I) { return Spool.nsOf(histogramFloor(I)); });
    };
    Spool.forEachProfile(Write);
    LeftOut.forEach(Write);
    Devices.writeSums(Out, Any);
    if (Any)
      Out.raw("]");
  }

  void writeMetadata() {
    const SpoolHeader &H = Spool.header();
    const auto Begin = [&](const char *Name, uint64_t Tid) {
      Out.raw(FirstEvent ? "" : ",\n").raw("{\"ph\":\"M\",\"name\":\"").raw(Name);
      Out.raw("\",\"pid\":")
          .number(uint64_t{H.Pid})
          .raw(",\"tid\":")
          .number(Tid)
          .raw(",\"args\":{");
      FirstEvent = false;
    };
    Begin("process_name", H.Pid);
    Out.raw("\"name\":").string(H.ProcessName, sizeof(H.ProcessName)).raw("}}");
    if (H.Rank >= 0) {
      Begin("process_labels", H.Pid);
      Out.raw("\"labels\":\"rank ").number(int64_t{H.Rank}).raw("\"}}");
    }
    Begin("process_sort_index", H.Pid);
    Out.raw("\"sort_index\":").number(H.Rank >= 0 ? int64_t{H.Rank} : int64_t{H.Pid}).raw("}}");
    Spool.forEachThread([&](uint32_t Index, const ThreadEntry &Entry) {
      const int32_t Team = __atomic_load_n(&Entry.TeamThread, __ATOMIC_RELAXED);
      Begin("thread_name", Entry.Tid);
      Out.raw("\"name\":");
      if (Entry.Tid == H.Pid)
        Out.raw("\"main\"");
      else if (Team > 0)
        Out.raw("\"OpenMP worker ").number(int64_t{Team}).raw("\"");
      else
        Out.string(Entry.Name, sizeof(Entry.Name));
      Out.raw("}}");
      Begin("thread_sort_index", Entry.Tid);
      Out.raw("\"sort_index\":").number(uint64_t{Index}).raw("}}");
    });
  }

  void writeHead(uint32_t Site) {
    if (Site < Sites.size() && Sites[Site].Known)
      Out.raw(Texts.data() + Sites[Site].Head, Sites[Site].HeadSize);
    else
      Out.raw("\"cat\":\"cpu_op\",\"name\":\"site ")
          .number(uint64_t{Site})
          .raw("\",\"pid\":")
          .number(uint64_t{Spool.header().Pid});
  }

  void beginArgs(uint32_t Site, int32_t Team, int64_t Sequence = -1, uint32_t Forward = 0) {
    Out.raw(",\"args\":{");
    if (Sequence >= 0) {
      Out.raw("\"Sequence number\":").number(Sequence);
      Out.raw(",\"Fwd thread id\":").number(uint64_t{Forward});
    }
    if (Site < Sites.size() && Sites[Site].Known) {
      if (Sequence >= 0 && Sites[Site].ArgsSize)
        Out.raw(",");
      Out.raw(Texts.data() + Sites[Site].Args, Sites[Site].ArgsSize);
      if (Sites[Site].Kind == SEAMSCOPE_SITE_REGION && Team >= 0)
        Out.raw(",\"thread\":").number(int64_t{Team});
    }
  }

  void writeArgs(uint32_t Site, int32_t Team, int64_t Sequence = -1, uint32_t Forward = 0) {
    beginArgs(Site, Team, Sequence, Forward);
    Out.raw("}");
  }

  void beginEvent(const char *Phase, uint32_t Site, uint32_t Thread, uint64_t BeginNs) {
    Out.raw(FirstEvent ? "{\"ph\":\"" : ",\n{\"ph\":\"").raw(Phase).raw("\",");
    FirstEvent = false;
    writeHead(Site);
    Out.raw(",\"tid\":").number(tid(Thread)).raw(",\"ts\":").thousandths(BeginNs);
  }

  void writeCall(const CallView &Call) {
    const uint64_t Begin = Spool.nsSinceStart(Call.BeginTick);
    const uint64_t End = Spool.nsSinceStart(Call.BeginTick + Call.DurationTicks);
    beginEvent("X", Call.Site, Call.Thread, Begin);
    Out.raw(",\"dur\":").thousandths(End > Begin ? End - Begin : 0);
    writeArgs(Call.Site, Call.TeamThread, Call.Sequence, Call.ForwardThread);
    Out.raw("}");
    if (Call.Sequence >= 0)
      if (const ForwardBackward::End End = Links.endAt(keyOf(Call), Call); End.Id)
        writeLink(Call, End, Begin);
  }

  /// One end of the arrow from a forward operator to its backward one.
  void writeLink(const CallView &Call, const ForwardBackward::End &End, uint64_t BeginNs) {
    Out.raw(",\n{\"ph\":\"").raw(End.IsForward ? "s" : "f").raw("\",\"id\":").number(End.Id);
    Out.raw(",\"pid\":").number(uint64_t{Spool.header().Pid});
    Out.raw(",\"tid\":").number(tid(Call.Thread)).raw(",\"ts\":").thousandths(BeginNs);
    Out.raw(",\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\"").raw(End.IsForward ? "}" : ",\"bp\":\"e\"}");
  }

  void writeOpenCalls() {
    uint64_t End = 0;
    Spool.forEachOpen([&](uint32_t Thread, const OpenCall &Open) {
      if (!isInWindow(Open.Begin))
        return;
      if (!End) {
        End = Spool.nsSinceStart(Spool.lastSignOfLife());
        End = Options.EndNs > End ? Options.EndNs : End;
      }
      writeOpen(Thread, Open, End);
    });
    if (!End)
      return;
    // Viewers draw a begin without an end up to the last event of the trace.
    Out.raw(",\n{\"ph\":\"i\",\"s\":\"p\",\"cat\":\"seamscope\",\"name\":\"end of recording: ");
    Out.raw(recordingEndName(Options.End)).raw("\",\"pid\":").number(uint64_t{Spool.header().Pid});
    Out.raw(",\"tid\":")
        .number(uint64_t{Spool.header().Pid})
        .raw(",\"ts\":")
        .thousandths(End)
        .raw("}");
  }

  void writeOpen(uint32_t Thread, const OpenCall &Open, uint64_t EndNs) {
    const uint64_t Begin = Spool.nsSinceStart(Open.Begin);
    beginEvent("B", Open.Site, Thread, Begin);
    beginArgs(Open.Site, Open.TeamThread);
    const bool Any =
        Open.Site < Sites.size() && Sites[Open.Site].Known && Sites[Open.Site].ArgsSize;
    Out.raw(Any ? "," : "").raw("\"open\":true,\"open_ns\":");
    Out.number(EndNs > Begin ? EndNs - Begin : 0).raw("}}");
  }

  const SpoolReader &Spool;
  const ChromeTraceOptions Options;
  JsonText Out;
  JsonText Texts;
  GrowingArray<SiteInfo> Sites;
  GrowingArray<ThreadInfo> Threads;
  ForwardBackward Links;
  DeviceTrace Devices;
  CallSums LeftOut;
  bool FirstEvent = true;
  GrowingList<ThrottledCalls> Throttled; ///< by key; only where there are windows

  bool AnyInlined = false;
  uint64_t InlinedMore = 0; ///< of headers, beyond those with a site
};

} // namespace

const char *categoryOfKind(uint32_t Kind) {
  switch (Kind) {
  case SEAMSCOPE_SITE_REGION:
    return "omp_region";
  case SEAMSCOPE_SITE_SCOPE:
  case SEAMSCOPE_SITE_ANNOTATION:
    return "user_annotation";
  case SEAMSCOPE_SITE_WAIT:
    return "wait";
  case SEAMSCOPE_SITE_LAUNCH:
    return "cuda_launch";
  case SEAMSCOPE_SITE_LOOP:
    return "loop";
  case SEAMSCOPE_SITE_TEAM_WAIT:
    return "omp_wait";
  case SEAMSCOPE_SITE_TASK:
    return "omp_task";
  default:
    return "cpu_op";
  }
}

bool isSiteOfCode(uint32_t Kind) {
  return Kind < SEAMSCOPE_SITE_OPERATOR || Kind >= SEAMSCOPE_SITE_LAUNCH;
}

const char *recordingEndName(RecordingEnd How) {
  switch (How) {
  case RecordingEnd::Exit:
    return "exit";
  case RecordingEnd::Killed:
    return "killed";
  case RecordingEnd::LastSignOfLife:
    return "last sign of life";
  case RecordingEnd::Running:
    return "running";
  }
  return "";
}

bool planChromeTrace(const SpoolReader &Spool, uint64_t MaxBytes, ChromeTracePlan &Plan) {
  Plan = {};
  return Writer(Spool, {}, {}).plan(MaxBytes, Plan);
}

bool writeChromeTrace(const SpoolReader &Spool, const ChromeTraceOptions &Options, ByteSink Sink) {
  return Writer(Spool, Options, Sink).run();
}

} // namespace seamscope::format
