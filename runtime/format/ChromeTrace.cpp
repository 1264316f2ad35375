//===- ChromeTrace.cpp - a spool as a Chrome trace -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times stay whole ns until they are printed. A duration is the difference of two rounded ends, so
// that a nested call does not end 1 ns after its caller.
//
//===----------------------------------------------------------------------===//
#include "format/ChromeTrace.h"

#include "format/DeviceTraceText.h"
#include "format/JsonText.h"
#include "format/SampleText.h"
#include "format/SumsText.h"

namespace seamscope::format {
namespace {

/// The parts that are the same in all events of a site, as offsets into SiteTexts::Texts.
struct SiteText {
  bool IsKnown;
  size_t Head, HeadSize;   ///< `"cat":..,"name":..,"pid":..`
  size_t Args, ArgsSize;   ///< members of args, without the thread number
  size_t Group, GroupSize; ///< description of its operators, as a string; size 0: none
};

/// The texts of all sites, each made once.
class SiteTexts {
public:
  /// Returns false if there is no memory.
  bool read(const SpoolFacts &Facts) {
    bool Ok = true;
    const uint32_t Pid = Facts.run().Pid;
    Facts.forEachSite([&](const SiteFacts &Site) { Ok = Ok && add(Site, Pid); });
    return Ok && Texts.ok();
  }

  /// Null: the spool does not describe the site.
  const SiteText *of(uint32_t Site) const {
    return Site < Sites.size() && Sites[Site].IsKnown ? &Sites[Site] : nullptr;
  }
  size_t size() const { return Sites.size(); }
  const char *at(size_t Offset) const { return Texts.data() + Offset; }

private:
  bool add(const SiteFacts &Site, uint32_t Pid) {
    SiteText *const Into = Sites.at(Site.Id);
    if (!Into)
      return false;
    Into->IsKnown = true;
    Into->Head = Texts.size();
    Texts.raw("\"cat\":\"").raw(Site.Category).raw("\",\"name\":").string(Site.Name);
    Texts.raw(",\"pid\":").number(uint64_t{Pid});
    Into->HeadSize = Texts.size() - Into->Head;
    Into->Args = Texts.size();
    if (Site.isOfCode())
      addPlace(Site);
    else
      addInputs(Site);
    Into->ArgsSize = Texts.size() - Into->Args;
    Into->Group = Texts.size();
    if (*Site.Group)
      Texts.string(Site.Group);
    Into->GroupSize = Texts.size() - Into->Group;
    return true;
  }

  void addPlace(const SiteFacts &Site) {
    Texts.raw(Site.Kind == SEAMSCOPE_SITE_SCOPE ? "\"scope\":" : "\"kernel\":");
    Texts.string(Site.Kind == SEAMSCOPE_SITE_SCOPE ? Site.Name : Site.Kernel);
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Texts.member(Key, Site.Field);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) Texts.member(Key, Site.Field);
#include "format/site-arguments.def"
  }

  /// Inputs in the form of torch.profiler, where an empty array stands for no information.
  void addInputs(const SiteFacts &Site) {
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

  JsonText Texts;
  GrowingArray<SiteText> Sites;
};

class Writer {
public:
  Writer(const SpoolReader &Spool, const ChromeTraceOptions &Options, ByteSink Sink)
      : Options(Options), Facts(Spool, Options.Facts), Out(Sink),
        Devices(Facts.devices(), Spool.header(), Out) {}

  bool run() {
    if (!Facts.read() || !Sites.read(Facts))
      return false;
    Run = Facts.run();
    if (!writeTop())
      return false;
    writeSamples();
    Out.raw(",\"traceEvents\":[\n");
    writeMetadata();
    Devices.writeEvents();
    Facts.forEachCall([&](const CallFacts &Call) { writeCall(Call); });
    writeOpenCalls();
    Out.raw("\n]}\n");
    return Out.flush();
  }

private:
  bool writeTop() {
    Out.raw("{\"schemaVersion\":1,\"displayTimeUnit\":\"ns\",\"baseTimeNanoseconds\":");
    Out.number(Run.StartRealtimeNs);
    Out.raw(",\"traceName\":").string(Options.TraceName);
    if (Run.Rank >= 0) {
      // HolisticTraceAnalysis finds the rank by the blank.
      Out.raw(",\"distributedInfo\":{\"rank\": ").number(int64_t{Run.Rank});
      if (Run.WorldSize >= 0)
        Out.raw(",\"world_size\":").number(int64_t{Run.WorldSize});
      Out.raw("}");
    }
    Devices.writeProperties();
    Out.raw(",\"seamscope\":{\"version\":").string(Options.Version);
    Out.raw(",\"format\":1,\"mode\":\"").raw(Run.IsProfile ? "profile" : "trace");
    Out.raw("\",\"clock\":\"").raw(Run.IsTsc ? "tsc" : "monotonic");
    Out.raw("\",\"tick_hz\":").number(Run.TicksPerSecond);
    Out.raw(",\"stamp_bias_ns\":").number(Run.StampBiasNs);
    if (Run.CallCostPs)
      Out.raw(",\"call_cost_ns\":").thousandths(Run.CallCostPs);
    Out.raw(",\"monotonic_base_ns\":").number(Run.StartMonotonicNs);
    Out.raw(",\"command_line\":").string(Run.CommandLine.data(), Run.CommandLine.size());
    Out.raw(",\"host_name\":").string(Run.HostName.data(), Run.HostName.size());
    Out.raw(",\"pid\":").number(uint64_t{Run.Pid});
    if (Run.Processors)
      Out.raw(",\"processors\":").number(uint64_t{Run.Processors});
    Out.raw(",\"lost_events\":").number(Run.LostEvents);
    Out.raw(",\"abandoned\":[");
    bool Comma = false;
    Facts.forEachAbandoned([&](uint32_t Site, uint64_t Calls) {
      Out.raw(Comma ? ",{" : "{");
      writeHead(Site);
      Out.raw(",\"calls\":").number(Calls).raw("}");
      Comma = true;
    });
    Out.raw("]");
    if (!writeInlined())
      return false;
    Out.raw(",\"two_openmp_runtimes\":").raw(Run.TwoOpenMP ? "true" : "false");
    Out.raw(",\"recovered\":").raw(Options.Facts.isRecovered() ? "true" : "false");
    Out.raw(",\"recording_end\":\"").raw(recordingEndName(Options.Facts.End)).raw("\"");
    if (const ChromeTracePlan *Plan = Options.Facts.Plan; Plan && Plan->LeftOut) {
      Out.raw(",\"part\":{\"calls\":").number(Plan->Calls);
      Out.raw(",\"left_out\":").number(Plan->LeftOut);
      Out.raw(",\"until_ns\":").number(Plan->UntilNs);
      Out.raw(",\"all_in\":").string(Options.AllIn).raw("}");
    }
    Devices.writeSummary();
    writeGroups();
    writeSums();
    writeThrottled();
    const bool Ok = writeWork();
    Out.raw("}");
    return Ok;
  }

  void writeSamples() {
    JsonText Pid;
    Pid.number(uint64_t{Run.Pid});
    Out.raw(",\n\"").raw(SamplesMember).raw("\":[");
    writeSampling(Out, Facts.sampling(), {Pid.data(), Pid.size()});
    Out.raw("]");
  }

  bool writeInlined() {
    bool Any = false;
    const bool Ok = Facts.forEachInlined([&](const SiteFacts &Site) {
      Out.raw(Any ? ",{" : ",\"inlined\":[{").raw("\"name\":").string(Site.Name);
      Out.member("file", Site.File);
      if (Site.Line)
        Out.raw(",\"line\":").number(uint64_t{Site.Line});
      Out.raw("}");
      Any = true;
    });
    if (Any)
      Out.raw("]");
    if (Facts.inlinedMore())
      Out.raw(",\"inlined_more\":").number(Facts.inlinedMore());
    return Ok;
  }

  /// Descriptions of fused groups of operators: once, not with each call.
  void writeGroups() {
    bool Any = false;
    for (uint32_t Id = 0; Id < Sites.size(); ++Id) {
      const SiteText *const Site = Sites.of(Id);
      if (!Site || !Site->GroupSize)
        continue;
      Out.raw(Any ? ",{" : ",\"groups\":[{").raw(Sites.at(Site->Head), Site->HeadSize);
      Out.raw(",\"args\":{").raw(Sites.at(Site->Args), Site->ArgsSize);
      Out.raw("},\"ops\":").raw(Sites.at(Site->Group), Site->GroupSize).raw("}");
      Any = true;
    }
    if (Any)
      Out.raw("]");
  }

  void writeSums() {
    bool Any = false;
    Facts.forEachSums([&](const SumsFacts &Of) {
      beginSums(Out, Any);
      writeHead(Of.Site);
      Out.raw(",\"tid\":").number(Facts.tid(Of.Thread));
      format::writeSums(Out, Of.Ns);
      writeArgs(Of.Site, Of.TeamThread);
      endSums(Out, Of.Histogram, [&](uint32_t Bucket) { return Facts.floorNs(Bucket); });
    });
    Devices.writeSums(Any);
    if (Any)
      Out.raw("]");
  }

  void writeThrottled() {
    bool Any = false;
    Facts.forEachThrottled([&](const ThrottledFacts &Of) {
      Out.raw(Any ? ",\n{" : ",\"throttled\":[\n{");
      Any = true;
      writeHead(Of.Site);
      Out.raw(",\"tid\":").number(Facts.tid(Of.Thread));
      Out.raw(",\"ts\":").thousandths(Of.SinceNs);
      Out.raw(",\"every\":").number(uint64_t{Of.Every});
      Out.raw(",\"timed\":").number(Of.Timed);
      Out.raw(",\"untimed\":").number(Of.Untimed);
      if (Of.CallsBefore) {
        Out.raw(",\"calls_before\":").number(Of.CallsBefore);
        Out.raw(",\"total_ns_before\":").number(Of.BeforeNs);
      }
      writeArgs(Of.Site, -1);
      Out.raw("}");
    });
    if (Any)
      Out.raw("]");
  }

  bool writeWork() {
    bool Any = false;
    const bool Ok = Facts.forEachWork([&](const WorkFacts &Of) {
      Out.raw(Any ? ",\n{" : ",\"work\":[\n{").raw("\"function\":").string(Of.Site.Name);
      Any = true;
      Out.member("kernel", Of.Site.Kernel).member("linkage_name", Of.LinkageName);
      Out.member("file", Of.Site.File).member("kernel_source", Of.Site.KernelFile);
      Out.member("kernel_line", Of.Site.KernelLine).member("line", Of.Site.Line);
      Out.raw(",\"calls\":").number(Of.Calls).raw(",\"words\":[");
      for (size_t I = 0; I < Of.Words.size(); ++I)
        Out.raw(I ? "," : "").number(Of.Words[I]);
      Out.raw("],\"counts\":").string(Of.Description);
      writeRuns(Of);
      Out.raw("}");
    });
    // Each launch has its own words.
    Facts.devices().forEachCountedKernel([&](const DeviceCountedKernel &Of) {
      const DeviceTrace &In = Facts.devices();
      char Id[CountsIdBytes];
      Out.raw(Any ? ",\n{" : ",\"work\":[\n{").raw("\"function\":").string(In.text(Of.Name));
      Any = true;
      Out.member("id", countsId(Of.Id, Id)).member("kernel", In.text(Of.Name));
      Out.member("linkage_name", In.text(Of.LinkageName));
      Out.member("file", In.text(Of.File)).member("line", Of.Line);
      Out.raw(",\"calls\":0,\"words\":[],\"counts\":").string(In.text(Of.Counts)).raw("}");
    });
    if (Any)
      Out.raw("]");
    return Ok;
  }

  void writeRuns(const WorkFacts &Of) {
    const auto Write = [&](const char *Begin, const WorkRun &Of) {
      Out.raw(Begin).raw("\"pid\":").number(uint64_t{Run.Pid});
      Out.raw(",\"tid\":").number(Facts.tid(Of.Thread));
      if (Of.IsMixed)
        Out.raw(",\"mixed\":true");
    };
    // The words of one alone are those of the function.
    if (Of.Runs.size() == 1)
      return Write(",", Of.Runs[0]);
    for (size_t I = 0; I < Of.Runs.size(); ++I) {
      const WorkRun &Each = Of.Runs[I];
      Write(I ? ",{" : ",\"runs\":[{", Each);
      Out.raw(",\"calls\":").number(Each.Calls).raw(",\"words\":[");
      for (size_t Word = 0; Word < Each.words(); ++Word)
        Out.raw(Word ? "," : "").number(Each.word(Word));
      Out.raw("]}");
    }
    Out.raw("]");
  }

  void writeMetadata() {
    const auto Begin = [&](const char *Name, uint64_t Tid) {
      Out.raw(FirstEvent ? "" : ",\n").raw("{\"ph\":\"M\",\"name\":\"").raw(Name);
      Out.raw("\",\"pid\":").number(uint64_t{Run.Pid});
      Out.raw(",\"tid\":").number(Tid).raw(",\"args\":{");
      FirstEvent = false;
    };
    Begin("process_name", Run.Pid);
    Out.raw("\"name\":").string(Run.ProcessName.data(), Run.ProcessName.size()).raw("}}");
    if (Run.Rank >= 0) {
      Begin("process_labels", Run.Pid);
      Out.raw("\"labels\":\"rank ").number(int64_t{Run.Rank}).raw("\"}}");
    }
    Begin("process_sort_index", Run.Pid);
    Out.raw("\"sort_index\":").number(Run.Rank >= 0 ? int64_t{Run.Rank} : int64_t{Run.Pid});
    Out.raw("}}");
    Facts.forEachThread([&](const ThreadFacts &Thread) {
      Begin("thread_name", Thread.Tid);
      Out.raw("\"name\":").string(Thread.Name).raw("}}");
      Begin("thread_sort_index", Thread.Tid);
      Out.raw("\"sort_index\":").number(uint64_t{Thread.Index}).raw("}}");
    });
  }

  void writeHead(uint32_t Site) {
    if (const SiteText *Known = Sites.of(Site))
      Out.raw(Sites.at(Known->Head), Known->HeadSize);
    else
      Out.raw("\"cat\":\"cpu_op\",\"name\":\"site ")
          .number(uint64_t{Site})
          .raw("\",\"pid\":")
          .number(uint64_t{Run.Pid});
  }

  /// Returns whether there are any arguments.
  bool beginArgs(uint32_t Site, int32_t Team, int64_t Sequence = -1, uint32_t Forward = 0) {
    Out.raw(",\"args\":{");
    if (Sequence >= 0) {
      Out.raw("\"Sequence number\":").number(Sequence);
      Out.raw(",\"Fwd thread id\":").number(uint64_t{Forward});
    }
    const SiteText *const Known = Sites.of(Site);
    const bool IsPlaced = !Known || Known->ArgsSize;
    if (Sequence >= 0 && IsPlaced)
      Out.raw(",");
    if (Known)
      Out.raw(Sites.at(Known->Args), Known->ArgsSize);
    else
      Out.raw("\"kernel\":\"site ").number(uint64_t{Site}).raw("\"");
    if (Team >= 0)
      Out.raw(",\"thread\":").number(int64_t{Team});
    return Sequence >= 0 || IsPlaced;
  }

  void writeArgs(uint32_t Site, int32_t Team, int64_t Sequence = -1, uint32_t Forward = 0) {
    beginArgs(Site, Team, Sequence, Forward);
    Out.raw("}");
  }

  void beginEvent(const char *Phase, uint32_t Site, uint32_t Thread, uint64_t BeginNs) {
    Out.raw(FirstEvent ? "{\"ph\":\"" : ",\n{\"ph\":\"").raw(Phase).raw("\",");
    FirstEvent = false;
    writeHead(Site);
    Out.raw(",\"tid\":").number(Facts.tid(Thread)).raw(",\"ts\":").thousandths(BeginNs);
  }

  void writeCall(const CallFacts &Call) {
    beginEvent("X", Call.Site, Call.Thread, Call.BeginNs);
    Out.raw(",\"dur\":").thousandths(Call.lengthNs());
    writeArgs(Call.Site, Call.TeamThread, Call.Sequence, Call.ForwardThread);
    Out.raw("}");
    if (Call.Link.Id)
      writeLink(Call);
  }

  /// One end of the arrow from a forward operator to its backward one.
  void writeLink(const CallFacts &Call) {
    Out.raw(",\n{\"ph\":\"").raw(Call.Link.IsForward ? "s" : "f").raw("\",\"id\":");
    Out.number(Call.Link.Id).raw(",\"pid\":").number(uint64_t{Run.Pid});
    Out.raw(",\"tid\":").number(Facts.tid(Call.Thread)).raw(",\"ts\":").thousandths(Call.BeginNs);
    Out.raw(",\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\"");
    Out.raw(Call.Link.IsForward ? "}" : ",\"bp\":\"e\"}");
  }

  void writeOpenCalls() {
    const uint64_t End = Facts.forEachOpen([&](const OpenFacts &Open) {
      beginEvent("B", Open.Site, Open.Thread, Open.BeginNs);
      Out.raw(beginArgs(Open.Site, Open.TeamThread) ? "," : "").raw("\"open\":true,\"open_ns\":");
      Out.number(Open.LengthNs).raw("}}");
    });
    if (!End)
      return;
    // Viewers draw a begin without an end up to the last event of the trace.
    Out.raw(",\n{\"ph\":\"i\",\"s\":\"p\",\"cat\":\"seamscope\",\"name\":\"end of recording: ");
    Out.raw(recordingEndName(Options.Facts.End)).raw("\",\"pid\":").number(uint64_t{Run.Pid});
    Out.raw(",\"tid\":").number(uint64_t{Run.Pid}).raw(",\"ts\":").thousandths(End).raw("}");
  }

  const ChromeTraceOptions Options;
  SpoolFacts Facts;
  RunFacts Run{};
  SiteTexts Sites;
  JsonText Out;
  DeviceTraceText Devices;
  bool FirstEvent = true;
};

} // namespace

bool planChromeTrace(const SpoolReader &Spool, uint64_t MaxBytes, ChromeTracePlan &Plan) {
  Plan = {};
  FactOptions All;
  All.Links = false;
  SpoolFacts Facts(Spool, All);
  SiteTexts Sites;
  if (!Facts.read() || !Sites.read(Facts))
    return false;
  // The approximate length of a call's event.
  const auto BytesOf = [&](const CallView &Call) {
    const SiteText *const Site = Sites.of(Call.Site);
    return (Site ? Site->HeadSize + Site->ArgsSize : 40) + 70 + (Call.TeamThread >= 0 ? 12 : 0) +
           (Call.Sequence >= 0 ? 160 : 0);
  };
  const auto Each = [&](auto Visit) {
    Spool.forEachCall(
        [&](const CallView &Call) { Visit(Spool.nsSinceStart(Call.BeginTick), BytesOf(Call)); },
        [](Escape, uint64_t, uint32_t, uint32_t) {});
    Facts.devices().forEachSize(Visit);
  };
  uint64_t First = UINT64_MAX, Last = 0;
  Each([&](uint64_t Ns, uint64_t Bytes) {
    First = Ns < First ? Ns : First;
    Last = Ns > Last ? Ns : Last;
    ++Plan.Calls;
    Plan.Bytes += Bytes;
  });
  Plan.OfDevices = Facts.devices().events();
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

bool writeChromeTrace(const SpoolReader &Spool, const ChromeTraceOptions &Options, ByteSink Sink) {
  return Writer(Spool, Options, Sink).run();
}

} // namespace seamscope::format
