//===- EventTables.cpp - the events of a trace as tables ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "columns/EventTables.h"
#include "analysis/core/HostNesting.h"
#include "trace/model/StepName.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace seamscope::tools {
namespace {

/// By SiteKind.
constexpr const char *Kinds[] = {"kernel",     "region",   "loop", "task",   "team_wait",
                                 "annotation", "operator", "copy", "launch", "span",
                                 "python",     "wait",     "other"};

using Type = ArrowType;

ArrowTable table(const char *Name, std::vector<ArrowColumn> Columns, size_t Rows,
                 const std::shared_ptr<const ArrowTexts> &Names) {
  for (ArrowColumn &Each : Columns)
    Each.reserve(Rows);
  return {Name, std::move(Columns), Names};
}

/// Adds the values of a row, in the order of the columns.
class Row {
public:
  explicit Row(ArrowTable &To) : To(To) {}

  Row &number(int64_t Value) {
    next().add(Value);
    return *this;
  }
  Row &orNull(std::optional<int64_t> Value) {
    Value ? next().add(*Value) : next().addNull();
    return *this;
  }
  /// Null: \p Value is below 0.
  Row &fromZero(int64_t Value) { return orNull(Value < 0 ? std::nullopt : std::optional(Value)); }
  /// Null: \p Value is NoEvent.
  Row &event(uint32_t Value) {
    return orNull(Value == NoEvent ? std::nullopt : std::optional<int64_t>(Value));
  }
  /// Null: the text is empty, whose number is 0.
  Row &name(StringId Text) { return orNull(Text ? std::optional<int64_t>(Text) : std::nullopt); }
  Row &text(std::string_view Value) {
    Value.empty() ? next().addNull() : next().add(Value);
    return *this;
  }

private:
  ArrowColumn &next() { return To.Columns[Column++]; }

  ArrowTable &To;
  size_t Column = 0;
};

/// What lies inside each other, and how deep.
struct Depths {
  HostNesting Nested;
  std::vector<int32_t> Depth;
  std::vector<int64_t> OwnNs; ///< without the time of what lies directly inside
};

Depths depthsOf(const Trace &Source) {
  Depths Made{nestCalls(Source, std::vector<bool>(Source.Sites.size(), true)), {}, {}};
  Made.Depth.resize(Source.Events.size());
  Made.OwnNs = Source.Events.DurationNs;
  for (const uint32_t Event : Made.Nested.Order)
    if (const uint32_t Outer = Made.Nested.Parent[Event]; Outer != NoEvent) {
      Made.Depth[Event] = Made.Depth[Outer] + 1;
      // What reaches beyond the end of what is around it counts there as far as it lies inside.
      const int64_t Inside = std::min(Source.Events.endNs(Event), Source.Events.endNs(Outer)) -
                             std::max(Source.Events.BeginNs[Event], Source.Events.BeginNs[Outer]);
      Made.OwnNs[Outer] = std::max<int64_t>(0, Made.OwnNs[Outer] - std::max<int64_t>(0, Inside));
    }
  return Made;
}

/// What may be the reason for most of a gap.
constexpr std::pair<int64_t IdleReasons::*, const char *> Causes[] = {
    {&IdleReasons::SyncNs, "synchronisation"},
    {&IdleReasons::HostNs, "host"},
    {&IdleReasons::InitNs, "initialisation"},
    {&IdleReasons::LatencyNs, "latency"},
    {&IdleReasons::UnknownNs, "unknown"}};

/// The index in Causes of the largest part of a gap.
size_t causeOf(const IdleReasons &Why) {
  return static_cast<size_t>(
      std::ranges::max_element(Causes, {}, [&](const auto &Each) { return Why.*Each.first; }) -
      std::begin(Causes));
}

} // namespace

EventTables::EventTables(const EventInput &Given) : From(Given) {
  Trace &Source = *From.Source;
  for (const char *const Each : Kinds)
    KindNames.push_back(word(Each));
  numberProcesses();
  fillArgs();
  for (const auto &[Part, Name] : Causes)
    CauseNames.push_back(word(Name));
  LaunchName = word("launch");
  for (PathId Path = 0; Path < From.Modules->tree().size(); ++Path)
    ModuleNames.push_back(Path ? word(From.Modules->text(Path)) : 0);
  auto Made = std::make_shared<ArrowTexts>();
  for (StringId Id = 0; Id < Source.Strings.size(); ++Id)
    Made->add(Source.text(Id));
  Names = std::move(Made);
}

void EventTables::numberProcesses() {
  const Trace &Source = *From.Source;
  std::unordered_map<StringId, int32_t> Known;
  const auto Number = [&](StringId Pid) {
    const auto [Found, New] = Known.try_emplace(Pid, static_cast<int32_t>(Pids.size()));
    if (New)
      Pids.push_back(Pid);
    return Found->second;
  };
  for (const Process &Each : Source.Processes)
    Number(Each.Pid);
  for (const Track &Each : Source.Tracks)
    ProcessOf.push_back(Number(Each.Process));
  std::map<std::string_view, std::optional<int64_t>> OfPid;
  for (const RankInput &Each : From.Ranks)
    for (const std::string &Pid : Each.Pids)
      OfPid[Pid] = Each.Rank;
  for (const StringId Pid : Pids) {
    const auto Its = OfPid.find(Source.text(Pid));
    const std::optional<int64_t> Rank = From.Ranks.empty()   ? Source.Info.Rank
                                        : Its == OfPid.end() ? std::nullopt
                                                             : Its->second;
    RankOf.push_back(static_cast<int32_t>(Rank && *Rank >= 0 && *Rank <= INT32_MAX ? *Rank : -1));
  }
}

void EventTables::fillArgs() {
  Trace &Source = *From.Source;
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
    const Site What = Source.Sites[Id];
    const auto Text = [&](const char *Key, StringId Value) {
      if (Value)
        Args.push_back({Id, word(Key), Value, 0});
    };
    const auto Number = [&](const char *Key, int64_t Value) {
      Args.push_back({Id, word(Key), 0, Value});
    };
    Text("kernel", What.Kernel);
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Text(Key, What.Field);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key)                                                      \
  if (What.Field)                                                                                  \
    Number(Key, What.Field);
#include "format/site-arguments.def"
    Text("Input Dims", What.InputDims);
    Text("Input type", What.InputTypes);
    Text("Input Strides", What.InputStrides);
    Text("Concrete Inputs", What.InputValues);
    if (What.Flop >= 0)
      Number("kernel_flop", What.Flop);
  }
}

struct EventTables::Maker {
  const char *Name;
  ArrowTable (EventTables::*Make)() const;

  static std::span<const Maker> all() {
    static constexpr Maker All[] = {
        {"trace", &EventTables::trace},   {"process", &EventTables::process},
        {"thread", &EventTables::thread}, {"track", &EventTables::track},
        {"slice", &EventTables::slice},   {"args", &EventTables::args},
        {"flow", &EventTables::flow},     {"memory_change", &EventTables::memoryChange}};
    return All;
  }
};

std::vector<std::string> EventTables::names() {
  std::vector<std::string> Names;
  for (const Maker &Each : Maker::all())
    Names.emplace_back(Each.Name);
  return Names;
}

std::shared_ptr<const ArrowTable> EventTables::make(std::string_view Name) const {
  for (const Maker &Each : Maker::all())
    if (Each.Name == Name)
      return std::make_shared<const ArrowTable>((this->*Each.Make)());
  return nullptr;
}

ArrowTable EventTables::trace() const {
  ArrowTable Made = table("trace",
                          {{"path", Type::Text, "as it was opened"},
                           {"bytes", Type::Int64, "size of the file as stored"},
                           {"producer", Type::Text, "program that wrote it"},
                           {"mode", Type::Text, "trace or profile"},
                           {"command_line", Type::Text, "of the traced process"},
                           {"host_name", Type::Text, "machine that it ran on"},
                           {"rank", Type::Int64, "of a distributed run"},
                           {"world_size", Type::Int64, "ranks of that run"},
                           {"base_ns", Type::Int64, "time of day of ts 0, in ns since 1970"},
                           {"lost_events", Type::Int64, "that the recorder dropped"},
                           {"skipped_events", Type::Int64, "that could not be read"},
                           {"damage", Type::Text, "why the end of the trace is missing"},
                           {"seamscope_version", Type::Text, "of the reader"}},
                          From.Infos.size(), Names);
  for (const TraceInfo &Each : From.Infos)
    Row(Made)
        .text(Each.Path)
        .number(static_cast<int64_t>(Each.Bytes))
        .text(Each.Producer)
        .text(Each.Mode)
        .text(Each.CommandLine)
        .text(Each.HostName)
        .orNull(Each.Rank)
        .orNull(Each.WorldSize)
        .orNull(Each.BaseNs)
        .number(static_cast<int64_t>(Each.LostEvents))
        .number(static_cast<int64_t>(Each.SkippedEvents))
        .text(Each.Damage ? Each.Damage->message() : std::string())
        .text(SEAMSCOPE_VERSION);
  return Made;
}

ArrowTable EventTables::process() const {
  ArrowTable Made = table("process",
                          {{"upid", Type::Int32, "number of the process in this table"},
                           {"pid", Type::Name, "as the trace has it, mostly a number"},
                           {"name", Type::Name, "name"},
                           {"labels", Type::Name, "labels"},
                           {"rank", Type::Int32, "of a distributed run"}},
                          Pids.size(), Names);
  std::unordered_map<StringId, const Process *> Known;
  for (const Process &Each : From.Source->Processes)
    Known.emplace(Each.Pid, &Each);
  for (size_t I = 0; I < Pids.size(); ++I) {
    const auto Its = Known.find(Pids[I]);
    Row(Made)
        .number(static_cast<int64_t>(I))
        .name(Pids[I])
        .name(Its == Known.end() ? 0 : Its->second->Name)
        .name(Its == Known.end() ? 0 : Its->second->Labels)
        .fromZero(RankOf[I]);
  }
  return Made;
}

ArrowTable EventTables::thread() const {
  const Trace &Source = *From.Source;
  ArrowTable Made = table("thread",
                          {{"utid", Type::Int32, "number of the thread in this table"},
                           {"tid", Type::Name, "as the trace has it, or the number of a stream"},
                           {"name", Type::Name, "name"},
                           {"upid", Type::Int32, "its process"}},
                          Source.Tracks.size(), Names);
  for (TrackId Id = 0; Id < Source.Tracks.size(); ++Id)
    Row(Made)
        .number(Id)
        .name(Source.Tracks[Id].Thread)
        .name(Source.Tracks[Id].ThreadName)
        .number(ProcessOf[Id]);
  return Made;
}

ArrowTable EventTables::track() const {
  const Trace &Source = *From.Source;
  std::vector<int32_t> Device(Source.Tracks.size(), -1);
  for (size_t I = 0; I < Source.Events.size(); ++I)
    if (const int32_t Its = Source.Sites[Source.Events.Site[I]].Device; Its >= 0)
      Device[Source.Events.Track[I]] = Its;
  ArrowTable Made = table("track",
                          {{"track_id", Type::Int32, "number of the track in this table"},
                           {"name", Type::Name, "of the thread"},
                           {"utid", Type::Int32, "its thread"},
                           {"upid", Type::Int32, "its process"},
                           {"device", Type::Int32, "whose work it has"}},
                          Source.Tracks.size(), Names);
  for (TrackId Id = 0; Id < Source.Tracks.size(); ++Id)
    Row(Made)
        .number(Id)
        .name(Source.Tracks[Id].ThreadName)
        .number(Id)
        .number(ProcessOf[Id])
        .fromZero(Device[Id]);
  return Made;
}

ArrowTable EventTables::slice() const {
  Trace &Source = *From.Source;
  const EventColumns &Events = Source.Events;
  const size_t Count = Events.size();
  ArrowTable Made = table(
      "slice",
      {{"id", Type::Int64, "number of the event in this table"},
       {"ts", Type::Int64, "begin in ns, on the trace's clock"},
       {"dur", Type::Int64, "in ns"},
       {"track_id", Type::Int32, "its track"},
       {"parent_id", Type::Int64, "innermost event around it on its track"},
       {"depth", Type::Int32, "events around it on its track"},
       {"name", Type::Name, "name"},
       {"category", Type::Name, "as the trace has it"},
       {"kind", Type::Name, "what it is, for the report"},
       {"arg_set_id", Type::Int32, "rows of args"},
       {"own_ns", Type::Int64, "dur without the events directly inside, on its track"},
       {"kernel", Type::Name, "kernel that it belongs to"},
       {"file", Type::Name, "source file"},
       {"line", Type::Int32, "line there"},
       {"thread", Type::Int32, "OpenMP thread number"},
       {"device", Type::Int32, "device that ran it"},
       {"stream", Type::Int64, "stream of a device"},
       {"correlation", Type::Int64, "number that work and its launch share"},
       {"launch_id", Type::Int64, "event that launched this work of a device"},
       {"operator_id", Type::Int64, "innermost operator around the launch"},
       {"gap_ns", Type::Int64, "time before it in which its device had no work"},
       {"gap_cause", Type::Name, "largest part of that time"},
       {"flop", Type::Int64, "operations, as in operators and kernels of the report"},
       {"bytes", Type::Int64, "bytes read and written, as in operators and kernels of the report"},
       {"step", Type::Name, "step of the program's profiler around it or around its launch"},
       {"module", Type::Name, "nn.Module that it ran for, outermost first"},
       {"open", Type::Int32, "1: it had not ended when the recording ended"},
       {"rank", Type::Int32, "of a distributed run"}},
      Count, Names);
  const Depths Nested = depthsOf(Source);
  std::vector<bool> IsStep(Source.Sites.size());
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id)
    IsStep[Id] = Source.Sites[Id].Device < 0 && isStepName(Source.text(Source.Sites[Id].Name));
  const std::vector<uint32_t> StepOf = Nested.Nested.innermost(
      [&](uint32_t Event) { return IsStep[Events.Site[Event]] ? Event : NoEvent; });
  std::vector<const Origin *> LinkOf(Count);
  for (const Origin &Each : From.Links)
    LinkOf[Each.Work] = &Each;
  std::unordered_map<uint32_t, IdleReasons> GapOf;
  for (const IdleGap &Each : From.Gaps) // work may end several stretches
    GapOf[Each.Work].add(Each.Why);
  std::unordered_map<uint32_t, int64_t> StreamOf;
  for (const LaunchShape &Each : Source.Details.Launches)
    if (Each.Stream >= 0)
      StreamOf.emplace(Each.Event, Each.Stream);
  size_t NextCorrelation = 0, NextOpen = 0;
  for (uint32_t I = 0; I < Count; ++I) {
    const SiteId Id = Events.Site[I];
    const Site &What = Source.Sites[Id];
    while (NextCorrelation < Source.Correlations.size() &&
           Source.Correlations[NextCorrelation].Event < I)
      ++NextCorrelation;
    const bool IsCorrelated = NextCorrelation < Source.Correlations.size() &&
                              Source.Correlations[NextCorrelation].Event == I;
    while (NextOpen < Source.Open.size() && Source.Open[NextOpen].Event < I)
      ++NextOpen;
    const bool IsOpen = NextOpen < Source.Open.size() && Source.Open[NextOpen].Event == I;
    const Origin *const Link = LinkOf[I];
    const auto Gap = GapOf.find(I);
    const auto Stream = StreamOf.find(I);
    const uint32_t Step = Link && Link->Launch != NoEvent ? StepOf[Link->Launch] : StepOf[I];
    const bool HasWork =
        What.Kind == SiteKind::Operator || What.Device >= 0 || What.Kind == SiteKind::Kernel;
    const CallWork Work = HasWork ? From.Work->of(I) : CallWork();
    Row(Made)
        .number(I)
        .number(Events.BeginNs[I])
        .number(Events.DurationNs[I])
        .number(Events.Track[I])
        .event(Nested.Nested.Parent[I])
        .number(Nested.Depth[I])
        .name(What.Name)
        .name(What.Category)
        .name(KindNames[static_cast<size_t>(What.Kind)])
        .number(Id)
        .number(Nested.OwnNs[I])
        .name(What.Kernel)
        .name(What.File)
        .orNull(What.Line ? std::optional<int64_t>(What.Line) : std::nullopt)
        .fromZero(Events.teamThread(I))
        .fromZero(What.Device)
        .orNull(Stream == StreamOf.end() ? std::nullopt : std::optional(Stream->second))
        .orNull(IsCorrelated ? std::optional(Source.Correlations[NextCorrelation].Id)
                             : std::nullopt)
        .event(Link ? Link->Launch : NoEvent)
        .event(Link ? Link->Operator : NoEvent)
        .orNull(Gap == GapOf.end() ? std::nullopt : std::optional(Gap->second.insideNs()))
        .name(Gap == GapOf.end() ? 0 : CauseNames[causeOf(Gap->second)])
        .orNull(Work.Flop)
        .orNull(Work.Bytes)
        .name(Step == NoEvent ? 0 : Source.Sites[Events.Site[Step]].Name)
        .name(ModuleNames[Link ? From.Modules->ofWork(*Link) : From.Modules->of(I)])
        .number(IsOpen)
        .fromZero(RankOf[static_cast<size_t>(ProcessOf[Events.Track[I]])]);
  }
  return Made;
}

ArrowTable EventTables::args() const {
  ArrowTable Made = table("args",
                          {{"arg_set_id", Type::Int32, "of slices"},
                           {"key", Type::Name, "as in the events of a trace"},
                           {"string_value", Type::Name, "if it is a text"},
                           {"int_value", Type::Int64, "if it is a number"}},
                          Args.size(), Names);
  for (const Arg &Each : Args)
    Row(Made).number(Each.Set).name(Each.Key).name(Each.Text).orNull(
        Each.Text ? std::nullopt : std::optional(Each.Number));
  return Made;
}

ArrowTable EventTables::flow() const {
  ArrowTable Made = table("flow",
                          {{"slice_out", Type::Int64, "id of the launch"},
                           {"slice_in", Type::Int64, "id of the work of a device"},
                           {"name", Type::Name, "launch"}},
                          From.Links.size(), Names);
  for (const Origin &Each : From.Links)
    if (Each.Launch != NoEvent)
      Row(Made).number(Each.Launch).number(Each.Work).name(LaunchName);
  return Made;
}

ArrowTable EventTables::memoryChange() const {
  const std::vector<MemoryChange> &Changes = From.Source->Details.Memory;
  ArrowTable Made = table("memory_change",
                          {{"ts", Type::Int64, "in ns, on the trace's clock"},
                           {"track_id", Type::Int32, "thread that asked for it"},
                           {"bytes", Type::Int64, "below 0: freed"},
                           {"allocated", Type::Int64, "bytes on the device after it"},
                           {"reserved", Type::Int64, "bytes by the allocator, from the device"},
                           {"address", Type::Int64, "of the memory"},
                           {"device_type", Type::Int32, "as c10 numbers them: 0 the host, 1 CUDA"},
                           {"device", Type::Int32, "number among devices of its type"}},
                          Changes.size(), Names);
  for (const MemoryChange &Each : Changes)
    Row(Made)
        .number(Each.Ns)
        .number(Each.Track)
        .number(Each.Bytes)
        .fromZero(Each.Allocated)
        .fromZero(Each.Reserved)
        .orNull(Each.Address ? std::optional(Each.Address) : std::nullopt)
        .number(Each.DeviceType)
        .fromZero(Each.Device);
  return Made;
}

} // namespace seamscope::tools
