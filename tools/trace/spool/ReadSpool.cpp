//===- ReadSpool.cpp - reads a spool as a trace ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/spool/ReadSpool.h"

#include "format/SpoolFacts.h"
#include "trace/io/SeededHash.h"
#include "trace/model/GroupText.h"
#include "trace/model/TraceBuilder.h"
#include "trace/spool/DeviceEvents.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <unordered_map>

namespace seamscope::tools {

using namespace format;

namespace {

constexpr auto MostNs = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

/// Puts the facts of a spool into the trace model.
class SpoolReading {
public:
  SpoolReading(const SpoolFile &File, const ReadOptions &Keep)
      : File(File), Keep(Keep), Facts(File.reader(), optionsOf(File, Keep)) {}

  Trace run(const std::string &Path) {
    if (!Facts.read())
      throw std::bad_alloc();
    describe(Path);
    Facts.forEachSite([&](const SiteFacts &Of) { addSite(Of); });
    Facts.forEachThread([&](const ThreadFacts &Of) {
      if (*Of.Name)
        Builder.nameThread(trackOf(Of.Index), text(Of.Name));
    });
    Refused += DeviceEvents(Facts.devices(), Keep, Builder).add(text(Facts.run().ProcessName));
    Facts.forEachCall([&](const CallFacts &Of) { Refused += !addCall(Of); });
    Facts.forEachOpen([&](const OpenFacts &Of) {
      Refused +=
          std::max(Of.BeginNs, Of.LengthNs) > MostNs ||
          !Builder.addOpen(static_cast<int64_t>(Of.BeginNs), static_cast<int64_t>(Of.LengthNs),
                           siteOf(Of.Site), trackOf(Of.Thread), Of.TeamThread);
    });
    Facts.forEachSums([&](const SumsFacts &Of) { Refused += Of.Ns.Calls && !addSums(Of); });
    Facts.forEachThrottled([&](const ThrottledFacts &Of) {
      Refused +=
          Of.SinceNs > MostNs ||
          !Builder.addThrottled({siteOf(Of.Site), trackOf(Of.Thread), Of.Every, Of.Timed,
                                 Of.Untimed, static_cast<int64_t>(Of.SinceNs), Of.CallsBefore,
                                 static_cast<int64_t>(std::min(Of.BeforeNs, MostNs))});
    });
    Facts.forEachAbandoned([&](uint32_t Site, uint64_t Calls) {
      Refused += !Builder.addAbandoned(Sites[Site].What.Name, Calls);
    });
    const bool HasRoom = Facts.forEachWork([&](const WorkFacts &Of) {
      std::vector<WorkRun> Runs;
      for (const format::WorkRun &Run : Of.Runs) {
        WorkRun &To = Runs.emplace_back(WorkRun{trackOf(Run.Thread), Run.IsMixed, Run.Calls, {}});
        for (size_t I = 0; I < Run.words(); ++I)
          To.Words.push_back(Run.word(I));
      }
      CountedWork Work;
      Work.Name = Of.Site.Name;
      Work.Kernel = Of.Site.Kernel;
      Work.LinkageName = Of.LinkageName;
      Work.File = Of.Site.File;
      Work.KernelFile = Of.Site.KernelFile;
      Work.KernelLine = Of.Site.KernelLine;
      Work.Line = Of.Site.Line;
      Work.Counts = Of.Description;
      Work.Calls = Of.Calls;
      Work.Words.assign(Of.Words.begin(), Of.Words.end());
      Work.Runs = std::move(Runs);
      Refused += !Builder.addWork(std::move(Work));
    });
    const DeviceTrace &Devices = Facts.devices();
    Devices.forEachCountedKernel([&](const DeviceCountedKernel &Of) {
      char Id[CountsIdBytes];
      CountedWork Work;
      Work.Name = Work.Kernel = Devices.text(Of.Name);
      Work.LinkageName = Devices.text(Of.LinkageName);
      Work.File = Devices.text(Of.File);
      Work.Line = Of.Line;
      Work.Counts = Devices.text(Of.Counts);
      Work.Id = countsId(Of.Id, Id);
      Refused += !Builder.addWork(std::move(Work));
    });
    if (!HasRoom)
      throw std::bad_alloc();
    addSampling();
    if (Refused)
      Builder.note(fmt::format("{} records with impossible times were left out", Refused));
    return Builder.finish();
  }

private:
  /// A site gets its number with its first event: a registered site that never ran is not in the
  /// trace.
  struct NumberedSite {
    Site What;
    std::optional<SiteId> Id;
  };

  static FactOptions optionsOf(const SpoolFile &File, const ReadOptions &Keep) {
    FactOptions Options;
    Options.End = File.end();
    Options.EndNs = File.endNs();
    Options.Links = Keep.Autograd;
    return Options;
  }

  StringId text(std::string_view Text) { return Builder.strings().intern(Text); }

  void describe(const std::string &Path) {
    const RunFacts Run = Facts.run();
    TraceInfo &Info = Builder.info();
    Info.Path = Path;
    Info.Bytes = File.bytes();
    Info.Producer = SpoolProducer;
    Info.Mode = Run.IsProfile ? "profile" : "trace";
    Info.CommandLine = Run.CommandLine;
    Info.HostName = Run.HostName;
    Info.Processors = Run.Processors;
    if (Run.Rank >= 0)
      Info.Rank = Run.Rank;
    if (Run.WorldSize >= 0)
      Info.WorldSize = Run.WorldSize;
    Info.BaseNs = static_cast<int64_t>(Run.StartRealtimeNs);
    Info.LostEvents = Run.LostEvents;
    Info.CallCostNs = static_cast<double>(Run.CallCostPs) / 1000;
    Info.StampBiasNs = static_cast<int64_t>(std::min<uint64_t>(Run.StampBiasNs, 1'000'000'000));
    Info.TwoOpenMP = Run.TwoOpenMP;
    Info.End = recordingEndName(File.end());
    Info.Recovered = optionsOf(File, Keep).isRecovered();
    if (File.damage())
      Info.Damage = *File.damage();
    if (!Facts.forEachInlined(
            [&](const SiteFacts &Of) { Info.Inlined.add(Of.Name, Of.File, Of.Line); }))
      throw std::bad_alloc();
    Info.Inlined.addUnnamed(Facts.inlinedMore());
    Pid = text(std::to_string(Run.Pid));
    Process &Of = Builder.process(Pid);
    Of.Name = text(Run.ProcessName);
    if (Run.Rank >= 0)
      Of.Labels = text(fmt::format("rank {}", Run.Rank));
  }

  void addSite(const SiteFacts &Of) {
    Site What;
    What.Name = text(Of.Name);
    What.Category = text(Of.Category);
    What.Kernel = text(Of.Kernel);
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) What.Field = text(Of.Field);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) What.Field = Of.Field;
#include "format/site-arguments.def"
    if (*Of.Group)
      setOperators(What, Of.Group, Builder.strings());
    if (*Of.Dims) {
      What.InputDims = text(Of.Dims);
      What.InputTypes = text(Of.Types);
      What.InputStrides = text(Of.Strides);
      What.InputValues = text(Of.Values);
    }
    if (Sites.size() <= Of.Id)
      Sites.resize(Facts.siteEnd());
    Sites[Of.Id] = {What, std::nullopt};
  }

  SiteId siteOf(uint32_t Id) {
    if (Id < Sites.size() && Sites[Id].What.Category) {
      NumberedSite &Known = Sites[Id];
      if (!Known.Id)
        Known.Id = Builder.site(Known.What);
      return *Known.Id;
    }
    const auto [Known, IsNew] = Undescribed.try_emplace(Id);
    if (IsNew) {
      Site What;
      What.Name = What.Kernel = text(fmt::format("site {}", Id));
      What.Category = text("cpu_op");
      Known->second = Builder.site(What);
    }
    return Known->second;
  }

  TrackId trackOf(uint32_t Thread) {
    if (Thread == LastThread)
      return LastTrack;
    LastThread = Thread;
    return LastTrack = Builder.track(Pid, text(std::to_string(Facts.tid(Thread))));
  }

  bool addCall(const CallFacts &Of) {
    const SiteId Site = siteOf(Of.Site);
    const TrackId Track = trackOf(Of.Thread);
    if (Of.EndNs < Of.BeginNs || Of.EndNs > MostNs ||
        !Builder.addCall(static_cast<int64_t>(Of.BeginNs), static_cast<int64_t>(Of.lengthNs()),
                         Site, Track, Of.TeamThread))
      return false;
    if (!Keep.Autograd || Of.Sequence < 0)
      return true;
    if (const SiteKind Kind = Builder.kind(Site);
        Kind == SiteKind::Operator || Kind == SiteKind::Span || Kind == SiteKind::Kernel)
      Builder.add(SequenceNumber{0, Of.Sequence, Of.ForwardThread});
    return !Of.Link.Id ||
           Builder.addFlow({static_cast<int64_t>(Of.Link.Id), static_cast<int64_t>(Of.BeginNs),
                            Track, !Of.Link.IsForward});
  }

  bool addSums(const SumsFacts &Of) {
    ProfileRow Row;
    Row.Site = siteOf(Of.Site);
    Row.Track = trackOf(Of.Thread);
    Row.TeamThread = Of.TeamThread;
    Row.Calls = Of.Ns.Calls;
    Row.TotalNs = static_cast<int64_t>(Of.Ns.TotalNs);
    Row.MinNs = static_cast<int64_t>(Of.Ns.MinNs);
    Row.MaxNs = static_cast<int64_t>(Of.Ns.MaxNs);
    Row.FirstNs = static_cast<int64_t>(Of.Ns.FirstNs);
    Row.LastNs = static_cast<int64_t>(Of.Ns.LastNs);
    for (uint32_t Bucket = 0; Bucket < HistogramBuckets; ++Bucket)
      if (Of.Histogram[Bucket])
        Row.HistogramNs.emplace_back(static_cast<int64_t>(Facts.floorNs(Bucket)),
                                     Of.Histogram[Bucket]);
    return Row.TotalNs >= 0 && Row.MinNs >= 0 && Row.MaxNs >= 0 && Builder.addProfile(Row);
  }

  TrackId trackOfTid(uint32_t Tid) {
    if (Tid != LastTid) {
      LastTid = Tid;
      LastTidTrack = Builder.track(Pid, text(std::to_string(Tid)));
    }
    return LastTidTrack;
  }

  void addSampling() {
    const Sampling From = Facts.sampling();
    SampleBuilder &To = Builder.samples();
    const SampleStatus &Status = From.status();
    SampleState State;
    State.Process = Pid;
    State.State = Status.State == SamplesOn        ? SampleState::Kind::On
                  : Status.State == SamplesRefused ? SampleState::Kind::Refused
                                                   : SampleState::Kind::Off;
    const auto Count = [](uint64_t Number) {
      return static_cast<int64_t>(std::min(Number, MostNs));
    };
    State.Why = From.why();
    State.AskedRate = Status.AskedRate;
    State.Rate = Status.Rate;
    State.SampleCostNs = Status.SampleCostNs;
    State.SwitchCostNs = Status.SwitchCostNs;
    State.Switches = Count(Status.Switches);
    State.Lost = Count(Status.Lost);
    State.Dropped = Count(Status.Dropped);
    const bool IsOn = Status.State == SamplesOn;
    if (IsOn && isPlausible(From.beginNs()) && isPlausible(From.untilNs())) {
      State.BeginNs = From.beginNs();
      State.UntilNs = From.untilNs();
    }
    To.addState(std::move(State));
    if (!IsOn)
      return;
    From.forEachThread([&](const SampledThreadFacts &Of) {
      const TrackId Track = trackOfTid(Of.Tid);
      if (!Builder.isNamed(Track) && !Of.Name.empty())
        Builder.nameThread(Track, text(Of.Name));
      Refused += !To.addSpan({Track, Of.FromNs, Of.ToNs});
    });
    From.forEachModule([&](const ModuleFacts &Of) {
      std::string BuildId;
      for (uint32_t I = 0; I < Of.BuildIdSize; ++I)
        BuildId += fmt::format("{:02x}", Of.BuildId[I]);
      Refused += !To.addModule(
          {Pid, text(Of.Path), text(BuildId), Of.Begin, Of.End, Of.Offset, Of.FromNs});
    });
    From.forEachWait([&](const WaitFacts &Of) {
      ThreadWait Wait;
      Wait.SystemCall = Of.SystemCall;
      std::ranges::copy(Of.Arguments, Wait.Arguments.begin());
      Wait.Sp = Of.Sp;
      Wait.Pc = Of.Pc;
      Wait.Stack = Of.Stack;
      To.addWait(Pid, Of.Id, std::move(Wait));
    });
    From.forEachSample([&](const SampleFacts &Of) {
      Refused += !To.addSample(Of.Ns, trackOfTid(Of.Tid), Of.Address);
    });
    From.forEachOff([&](const OffFacts &Of) {
      const auto Kind = static_cast<OffKind>(static_cast<uint8_t>(Of.Kind) -
                                             static_cast<uint8_t>(SampleKind::Blocked));
      Refused += !To.addOff(Of.BeginNs, Of.BeginNs + Of.LengthNs, Of.OffNs, trackOfTid(Of.Tid),
                            Kind, To.waitOf(Pid, Of.Wait));
    });
  }

  const SpoolFile &File;
  const ReadOptions &Keep;
  SpoolFacts Facts;
  TraceBuilder Builder;
  StringId Pid = 0;
  std::vector<NumberedSite> Sites;                              ///< by id
  std::unordered_map<uint32_t, SiteId, SeededHash> Undescribed; ///< by id
  uint32_t LastThread = UINT32_MAX;
  TrackId LastTrack = 0;
  uint32_t LastTid = 0;
  TrackId LastTidTrack = 0;
  uint64_t Refused = 0;
};

} // namespace

Trace readSpool(const SpoolFile &File, const std::string &Path, const ReadOptions &Keep) {
  return SpoolReading(File, Keep).run(Path);
}

} // namespace seamscope::tools
