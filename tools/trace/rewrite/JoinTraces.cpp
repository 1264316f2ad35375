//===- JoinTraces.cpp - reads several traces as one -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/JoinTraces.h"

#include "trace/ReadTrace.h"
#include "trace/chrome/EventScanner.h"
#include "trace/chrome/TraceFrame.h"
#include "trace/io/JsonParse.h"
#include "trace/model/LinkNumbers.h"
#include "trace/model/TraceBuilder.h"
#include "trace/rewrite/Repeats.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Which sites events are of. Others stand for what the trace lacks: the common trace may have it.
std::vector<bool> usedSites(const Trace &Input) {
  std::vector<bool> Used(Input.Sites.size());
  for (const SiteId Id : Input.Events.Site)
    Used[Id] = true;
  return Used;
}

/// What `combine` finds in the text of a trace, of what the model has.
TraceSurvey surveyOf(Trace &Input, const std::vector<bool> &Used) {
  TraceSurvey Survey;
  for (const Process &Known : Input.Processes)
    Survey.Pids[std::string(Input.text(Known.Pid))].Named |= Known.Name != 0;
  std::vector<bool> HasEvents(Input.Tracks.size());
  for (const TrackId Id : Input.Events.Track)
    HasEvents[Id] = true;
  for (TrackId Id = 0; Id < Input.Tracks.size(); ++Id)
    Survey.Pids[std::string(Input.text(Input.Tracks[Id].Process))].HasEvents |= HasEvents[Id];
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    if (Used[Id] && Input.Sites[Id].Device >= 0)
      Survey.Devices.insert(Input.Sites[Id].Device);
  visitLinkNumbers(Input, [&](int64_t Id, TrackId) {
    if (Id >= HashNumbers || Id <= -HashNumbers)
      return;
    Survey.FirstId = std::min(Id, Survey.FirstId.value_or(Id));
    Survey.LastId = std::max(Id, Survey.LastId.value_or(Id));
  });
  const auto NoteBegin = [&](int64_t Ns) {
    Survey.FirstNs = std::min(Ns, Survey.FirstNs.value_or(Ns));
  };
  std::ranges::for_each(Input.Events.BeginNs, NoteBegin);
  Survey.BaseNs = Input.Info.BaseNs;
  Survey.Rank = Input.Info.Rank;
  return Survey;
}

/// The trace with its numbers moved, in the form in which a builder takes it; strings are \p
/// Input's.
TraceBuilder::Part movedPart(Trace &Input, const std::vector<bool> &Used, const InputPlan &Plan) {
  TraceBuilder::Part Part;
  std::vector<SiteId> NewSites(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    if (!Used[Id])
      continue;
    NewSites[Id] = static_cast<SiteId>(Part.Sites.size());
    Site &What = Part.Sites.emplace_back(Input.Sites[Id]);
    if (What.Device >= 0)
      What.Device = Plan.Devices.at(What.Device);
  }
  const auto MovedPid = [&](StringId Pid) {
    return Input.Strings.intern(Plan.Pids.at(std::string(Input.text(Pid))));
  };
  for (Process &Known : Input.Processes) {
    if (Known.Name)
      Known.Name = Input.Strings.intern(fmt::format("[{}] {}", Plan.Label, Input.text(Known.Name)));
    Part.Processes.push_back({MovedPid(Known.Pid), Known.Name, Known.Labels});
  }
  std::vector<StringId> Named;
  for (const Process &Known : Input.Processes)
    if (Known.Name)
      Named.push_back(Known.Pid);
  for (TrackId Id = 0; Id < Input.Tracks.size(); ++Id) {
    const Track &Its = Input.Tracks[Id];
    Part.Tracks.push_back({MovedPid(Its.Process), Its.Thread, 0});
    if (Its.ThreadName)
      Part.ThreadNames.emplace_back(Id, Its.ThreadName);
    if (Its.Process && std::ranges::find(Named, Its.Process) == Named.end()) {
      Named.push_back(Its.Process);
      Part.Processes.push_back({MovedPid(Its.Process),
                                Input.Strings.intern(fmt::format("[{}] process {}", Plan.Label,
                                                                 Input.text(Its.Process))),
                                0});
    }
  }
  visitLinkNumbers(Input, [&](int64_t &Id, TrackId) { Id = static_cast<int64_t>(Plan.id(Id)); });
  for (FlowEnd &End : Input.Details.Flows)
    End.Ns = Plan.Time(End.Ns);
  for (MemoryChange &Change : Input.Details.Memory) {
    Change.Ns = Plan.Time(Change.Ns);
    if (const auto Found = Plan.Devices.find(Change.Device);
        Change.DeviceType && Found != Plan.Devices.end())
      Change.Device = Found->second;
  }
  for (DeviceSync &Of : Input.Details.Syncs)
    if (const auto Found = Plan.Devices.find(Of.Device); Found != Plan.Devices.end())
      Of.Device = Found->second;
  Part.Events = std::move(Input.Events);
  for (size_t I = 0; I < Part.Events.size(); ++I) {
    int64_t &Begin = Part.Events.BeginNs[I], &Duration = Part.Events.DurationNs[I];
    Duration = Plan.Time.length(Begin, Duration);
    Begin = Plan.Time(Begin);
  }
  for (SiteId &Id : Part.Events.Site)
    Id = NewSites[Id];
  for (const int64_t Ns : Part.Events.DurationNs)
    Part.SumNs += Ns;
  Part.Correlations = std::move(Input.Correlations);
  Part.Details = std::move(Input.Details);
  Part.Open = std::move(Input.Open);
  Part.SkippedEvents = Input.Info.SkippedEvents;
  for (const SkippedEvent &Event : Input.Info.Skipped)
    Part.Skipped.push_back({Event.Offset, fmt::format("{}: {}", Plan.Label, Event.Reason)});
  for (StringId Id = 0; Id < Input.Strings.size(); ++Id)
    Part.Strings.push_back(Input.text(Id));
  return Part;
}

/// Whether moving the trace leaves times that a trace can have.
bool fitsWhenMoved(const Trace &Input, const TimeMap &Time) {
  const auto Fits = [&](int64_t Ns) { return isPlausible(Time.exact(Ns)); };
  for (size_t I = 0; I < Input.Events.size(); ++I)
    if (!Fits(Input.Events.BeginNs[I]) || !Fits(Input.Events.endNs(I)))
      return false;
  return std::ranges::all_of(Input.Details.Flows, Fits, &FlowEnd::Ns) &&
         std::ranges::all_of(Input.Details.Memory, Fits, &MemoryChange::Ns);
}

/// What all inputs say alike; nothing where they differ.
template <typename T>
std::optional<T> common(const std::vector<Trace> &Inputs, std::optional<T> TraceInfo::*Field) {
  const std::optional<T> First = Inputs[0].Info.*Field;
  const bool Same =
      std::ranges::all_of(Inputs, [&](const Trace &Input) { return Input.Info.*Field == First; });
  return Same ? First : std::nullopt;
}

/// What holds of the whole.
void describe(TraceInfo &Info, const std::vector<Trace> &Inputs) {
  bool AnyOurs = false, AnyTorch = false;
  for (const Trace &Input : Inputs) {
    const TraceInfo &Its = Input.Info;
    AnyOurs |= !Its.Mode.empty();
    AnyTorch |= Its.Producer == "torch.profiler";
    Info.Bytes += Its.Bytes;
    Info.LostEvents += Its.LostEvents;
    Info.NegativeDurations += Its.NegativeDurations;
    Info.TwoOpenMP |= Its.TwoOpenMP;
    Info.Recovered |= Its.Recovered;
  }
  Info.Producer = AnyOurs ? "seamscope " SEAMSCOPE_VERSION : AnyTorch ? "torch.profiler" : "";
  Info.Mode = AnyOurs ? "trace" : "";
  Info.Rank = common(Inputs, &TraceInfo::Rank);
  Info.WorldSize = common(Inputs, &TraceInfo::WorldSize);
  if (std::ranges::all_of(
          Inputs, [&](const Trace &Input) { return Input.Info.Groups == Inputs[0].Info.Groups; }))
    Info.Groups = Inputs[0].Info.Groups;
}

SmLimits limitsOf(const Trace &Input, int32_t Device) {
  const auto Found = std::ranges::find(Input.Devices, Device, &tools::Device::Id);
  return Found == Input.Devices.end() ? SmLimits() : Found->Limits;
}

/// The devices that events name, under their new numbers.
void addDevices(TraceBuilder &Builder, const std::vector<Trace> &Inputs,
                const std::vector<InputPlan> &Plans) {
  if (std::ranges::all_of(Inputs, [](const Trace &Input) { return Input.Devices.empty(); }))
    return;
  std::set<int32_t> Done;
  for (size_t I = 0; I < Inputs.size(); ++I)
    for (const auto &[Old, New] : Plans[I].Devices)
      if (Done.insert(New).second)
        // Without an entry its name would be guessed by those of others.
        Builder.addDevice(New, Builder.strings().intern(Inputs[I].text(deviceName(Inputs[I], Old))),
                          limitsOf(Inputs[I], Old));
}

/// Looks at the members before the events.
class HeadReading final : TraceFrame {
public:
  /// \p Whole: also at those behind, where the rank is not before.
  HeadReading(ByteSource &Source, const std::string &Path, bool Whole)
      : TraceFrame(Source, Path), Whole(Whole) {}

  void run() { walk(); }

  std::optional<int64_t> Rank;
  bool ReachedEvents = false;

private:
  void readMember(const std::string &Key, const std::string &) override {
    const bool Wanted = Key == "distributedInfo";
    constexpr size_t Limit = 1 << 20;
    std::string Text;
    if (!Cursor.value(Wanted ? &Text : nullptr, Limit))
      return cutOff();
    if (!Wanted)
      return;
    const auto Info = parseJson(Text);
    if (const auto Found = Info.is_object() ? Info.find("rank") : Info.end();
        Info.is_object() && Found != Info.end() && Found->is_number_integer())
      Rank = Found->get<int64_t>();
  }
  void readEvents() override {
    const int First = Cursor.peek();
    ReachedEvents = First == '{' || First == ']';
    if (!Whole || Rank)
      return fail("not read any further");
    EventScanner Scanner;
    for (std::string_view Chunk; !Scanner.ended() && !(Chunk = Source.chunk()).empty();) {
      const uint64_t Before = Scanner.scanned();
      Scanner.scan(Chunk);
      const auto Looked = static_cast<size_t>(Scanner.scanned() - Before);
      Source.take(Scanner.ended() ? Looked + 1 : Looked);
    }
  }

  const bool Whole;
};

} // namespace

Result<JoinedTrace> joinTraces(const std::vector<std::string> &Paths, const ReadOptions &Keep,
                               const CorrectJoined &Correct) {
  ReadOptions WithProcesses = Keep;
  WithProcesses.Processes = true;
  JoinedTrace Result;
  std::vector<Trace> Inputs;
  std::vector<std::string> ReadPaths;
  for (const std::string &Path : Paths) {
    auto Read = readTrace(Path, WithProcesses);
    if (!Read) {
      Result.Unread.push_back(Read.error());
      continue;
    }
    if (!Read->Profile.empty() || Read->Info.Mode == "profile")
      return Error{Path, {}, "holds sums of mode profile, not calls"};
    Inputs.push_back(std::move(*Read));
    ReadPaths.push_back(Path);
  }
  if (Inputs.empty())
    return Result.Unread.at(0);
  Result.Notes = dropRepeats(Inputs, ReadPaths);

  std::vector<std::vector<bool>> Used;
  std::vector<TraceSurvey> Surveys;
  size_t Events = 0;
  for (Trace &Input : Inputs) {
    Used.push_back(usedSites(Input));
    Surveys.push_back(surveyOf(Input, Used.back()));
    Events += Input.Events.size();
  }
  auto Plan = planCombination(Surveys, ReadPaths, {});
  if (!Plan)
    return Plan.error();
  if (Correct)
    if (auto Failure = Correct(Inputs, *Plan))
      return *Failure;
  Result.NotAligned = Plan->NotAligned;

  TraceBuilder Builder;
  describe(Builder.info(), Inputs);
  addDevices(Builder, Inputs, Plan->Inputs);
  bool HasRoom = false;
  for (size_t I = 0; I < Inputs.size(); ++I) {
    Trace &Input = Inputs[I];
    const InputPlan &Its = Plan->Inputs[I];
    if (!fitsWhenMoved(Input, Its.Time))
      return Error{ReadPaths[I], {}, "lies too far from the other traces in time"};
    for (const AbandonedCalls &Left : Input.Abandoned)
      if (!Builder.addAbandoned(Builder.strings().intern(Input.text(Input.Sites[Left.Site].Name)),
                                Left.Calls))
        return Error{ReadPaths[I], {}, "too many calls together with the other traces"};
    Builder.info().Inlined.add(Input.Info.Inlined);
    for (const std::string &Note : Input.Info.Notes)
      Builder.note(fmt::format("{}: {}", Its.Label, Note));
    Numbering Numbers;
    if (!Builder.absorb(movedPart(Input, Used[I], Its), Numbers))
      return Error{ReadPaths[I], {}, "durations add up to over 2^63 ns with the other traces'"};
    for (ThrottledCalls Calls : Input.Throttled) {
      Calls.Site = Numbers.Sites[Calls.Site];
      Calls.Track = Numbers.Tracks[Calls.Track];
      Calls.SinceNs = Its.Time(Calls.SinceNs);
      if (!Builder.addThrottled(Calls))
        return Error{ReadPaths[I], {}, "too many calls together with the other traces"};
    }
    for (CountedWork &Work : Input.Work) {
      for (WorkRun &Run : Work.Runs)
        Run.Track = Numbers.Tracks[Run.Track];
      if (!Builder.addWork(std::move(Work)))
        return Error{ReadPaths[I], {}, "counts more work than fits together with the other traces"};
    }
    const auto MovedPid = [&](StringId Pid) {
      const auto Found = Its.Pids.find(std::string(Input.text(Pid)));
      return Builder.strings().intern(Found == Its.Pids.end() ? Input.text(Pid)
                                                              : std::string_view(Found->second));
    };
    if (!Builder.samples().absorb(Input, Numbers, Its.Time, MovedPid))
      return Error{ReadPaths[I], {}, "lies too far from the other traces in time"};
    JoinedInput &Done = Result.Inputs.emplace_back();
    Done.Info = std::move(Input.Info);
    Done.Label = Its.Label;
    for (const auto &[Old, New] : Its.Pids)
      Done.Pids.push_back(New);
    Input = Trace(); // its memory is that of the next
    if (!HasRoom && Builder.events()) {
      Builder.reserve(static_cast<double>(Events) / static_cast<double>(Builder.events()));
      HasRoom = true;
    }
  }
  Result.Whole = Builder.finish();
  return Result;
}

std::optional<int64_t> rankOfTrace(const std::string &Path, bool Whole) {
  auto Source = ByteSource::openRegular(Path);
  if (!Source)
    return std::nullopt;
  HeadReading Head(**Source, Path, Whole);
  Head.run();
  return Head.Rank;
}

bool beginsLikeTrace(const std::string &Path) {
  auto Source = ByteSource::openRegular(Path);
  if (!Source)
    return false;
  HeadReading Head(**Source, Path, /*Whole=*/false);
  Head.run();
  return Head.ReachedEvents;
}

} // namespace seamscope::tools
