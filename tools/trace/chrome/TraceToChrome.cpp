//===- TraceToChrome.cpp - writes the trace model as Chrome trace JSON ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/TraceToChrome.h"
#include "format/SampleText.h"
#include "trace/chrome/DetailText.h"
#include "trace/chrome/SamplesJson.h"
#include "trace/chrome/SiteText.h"
#include "trace/io/Decimal.h"
#include "trace/io/JsonText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

class ChromeWriting {
public:
  ChromeWriting(const Trace &Source, const std::function<void(std::string_view)> &Write)
      : Source(Source), Write(Write), Details(Source) {}

  void run() {
    Write(R"({"schemaVersion": 1, "displayTimeUnit": "ns")");
    Write(",\n\"seamscope\": " + provenance());
    const TraceInfo &Info = Source.Info;
    if (Info.BaseNs)
      Write(fmt::format(",\n\"baseTimeNanoseconds\": {}", *Info.BaseNs));
    // The blank before the rank is what HolisticTraceAnalysis finds it by.
    if (Info.Rank)
      Write(fmt::format(",\n\"distributedInfo\": {{\"rank\": {}, \"world_size\": {}{}}}",
                        *Info.Rank, Info.WorldSize ? std::to_string(*Info.WorldSize) : "null",
                        groupsText()));
    if (!Source.Devices.empty())
      Write(",\n\"deviceProperties\": " + jsonText(devices()));
    if (const std::string Samples = samplesText(Source); !Samples.empty())
      Write(fmt::format(",\n\"{}\": {}", format::SamplesMember, Samples));
    Write(",\n\"traceEvents\": [");
    nameProcesses();
    prepare();
    writeCalls();
    for (const FlowEnd &End : Source.Details.Flows)
      flow(End);
    for (const MemoryChange &Change : Source.Details.Memory)
      memory(Change);
    for (TrackId Id = 0; Id < Source.Tracks.size(); ++Id)
      nameThread(Id);
    Write("\n]}\n");
  }

private:
  std::string provenance() const {
    const TraceInfo &Info = Source.Info;
    Json Ours = {{"version", SEAMSCOPE_VERSION}, {"format", 1}};
    if (!Info.Mode.empty())
      Ours["mode"] = "trace";
    if (!Info.Producer.empty())
      Ours["producer"] = Info.Producer;
    if (!Info.CommandLine.empty())
      Ours["command_line"] = Info.CommandLine;
    if (!Info.HostName.empty())
      Ours["host_name"] = Info.HostName;
    if (Info.Processors)
      Ours["processors"] = Info.Processors;
    Ours["lost_events"] = Info.LostEvents;
    if (Info.CallCostNs > 0) {
      Ours["call_cost_ns"] = Info.CallCostNs;
      Ours["stamp_bias_ns"] = Info.StampBiasNs;
    }
    if (!Source.Abandoned.empty()) {
      Json Left = Json::array();
      for (const AbandonedCalls &Calls : Source.Abandoned)
        Left.push_back(
            {{"name", Source.text(Source.Sites[Calls.Site].Name)}, {"calls", Calls.Calls}});
      Ours["abandoned"] = std::move(Left);
    }
    if (!Info.Inlined.empty()) {
      Json List = Json::array();
      for (const InlinedKernels::Kernel &K : Info.Inlined.named()) {
        List.push_back({{"name", K.Name}, {"file", K.File}});
        if (K.Line)
          List.back()["line"] = K.Line;
      }
      Ours["inlined"] = std::move(List);
    }
    if (Info.Inlined.unnamed())
      Ours["inlined_more"] = Info.Inlined.unnamed();
    Json Groups = Json::array();
    for (const Site &What : Source.Sites)
      if (What.Group) {
        Json Entry = Json::parse(siteEntry(Source, What));
        Entry["ops"] = Source.text(What.Group);
        Groups.push_back(std::move(Entry));
      }
    if (!Groups.empty())
      Ours["groups"] = std::move(Groups);
    if (Info.TwoOpenMP)
      Ours["two_openmp_runtimes"] = true;
    if (Info.Recovered)
      Ours["recovered"] = true;
    if (!Info.End.empty())
      Ours["recording_end"] = Info.End;
    if (!Source.Work.empty())
      Ours["work"] = workEntries(Source);
    std::string Text = jsonText(Ours);
    // As text: a double holds no time of day in ns.
    if (const std::string Throttled = throttledText(Source); !Throttled.empty())
      Text.insert(Text.size() - 1, ",\"throttled\":" + Throttled);
    return Text;
  }

  static Json workEntries(const Trace &Source) {
    Json All = Json::array();
    for (const CountedWork &Of : Source.Work) {
      Json &Entry = All.emplace_back(Json::object());
      Entry["function"] = Of.Name;
      for (const auto &[Key, Text] :
           {std::pair("kernel", &Of.Kernel), std::pair("linkage_name", &Of.LinkageName),
            std::pair("file", &Of.File), std::pair("kernel_source", &Of.KernelFile)})
        if (!Text->empty())
          Entry[Key] = *Text;
      for (const auto &[Key, Line] : {std::pair("kernel_line", Of.KernelLine), {"line", Of.Line}})
        if (Line)
          Entry[Key] = Line;
      Entry["calls"] = Of.Calls;
      Entry["words"] = Of.Words;
      Entry["counts"] = Of.Counts;
      if (!Of.Id.empty())
        Entry["id"] = Of.Id;
      const auto Write = [&](Json &To, const WorkRun &Run) {
        To["pid"] = Source.text(Source.Tracks[Run.Track].Process);
        To["tid"] = Source.text(Source.Tracks[Run.Track].Thread);
        if (Run.IsMixed)
          To["mixed"] = true;
      };
      if (Of.Runs.size() == 1)
        Write(Entry, Of.Runs.front());
      else
        for (const WorkRun &Run : Of.Runs) {
          Json &To = Entry["runs"].emplace_back(Json::object());
          Write(To, Run);
          To["calls"] = Run.Calls;
          To["words"] = Run.Words;
        }
    }
    return All;
  }

  std::string groupsText() const {
    if (Source.Info.Groups.empty())
      return {};
    Json Groups = Json::array();
    for (const ProcessGroup &Group : Source.Info.Groups) {
      Json Entry = Json::object();
      Entry["pg_name"] = Group.Name;
      if (Group.Size)
        Entry["pg_size"] = *Group.Size;
      Groups.push_back(std::move(Entry));
    }
    return ", \"pg_config\": " + jsonText(Groups);
  }

  Json devices() const {
    Json Devices = Json::array();
    for (const Device &Known : Source.Devices) {
      Json Entry = {{"id", Known.Id}, {"name", Source.text(Known.Name)}};
      const SmLimits &Has = Known.Limits;
      for (const auto &[Key, Number] : {std::pair("computeMajor", Has.Major),
                                        {"computeMinor", Has.Minor},
                                        {"numSms", Has.Sms},
                                        {"warpSize", Has.WarpSize},
                                        {"maxThreadsPerMultiprocessor", Has.Threads},
                                        {"regsPerMultiprocessor", Has.Registers},
                                        {"sharedMemPerMultiprocessor", Has.SharedBytes}})
        if (Number)
          Entry[Key] = Number;
      Devices.push_back(std::move(Entry));
    }
    return Devices;
  }

  /// Begins an object of the array of events.
  void next() { Write(std::exchange(Any, true) ? ",\n" : "\n"); }

  void name(std::string_view What, const std::string &Of, const char *Key, StringId Text) {
    if (!Text)
      return;
    next();
    Write(fmt::format(R"({{"ph":"M","name":"{}",{},"args":{{"{}":{}}}}})", What, Of, Key,
                      quotedText(Source.text(Text))));
  }

  void nameProcesses() {
    for (const Process &Known : Source.Processes) {
      const std::string Of = "\"pid\":" + labelText(Source.text(Known.Pid));
      name("process_name", Of, "name", Known.Name);
      name("process_labels", Of, "labels", Known.Labels);
    }
  }

  /// Before the first event of the track, so that the reader numbers tracks in their order.
  void nameThread(TrackId Id) {
    if (IsNamed[Id])
      return;
    IsNamed[Id] = true;
    name("thread_name", Tracks[Id], "name", Source.Tracks[Id].ThreadName);
  }

  /// What all events of a site or track have in common is put together once.
  void prepare() {
    for (const Site &Known : Source.Sites) {
      Heads.push_back(fmt::format(R"("cat":{},"name":{})", quotedText(Source.text(Known.Category)),
                                  quotedText(Source.text(Known.Name))));
      Arguments.push_back(siteArguments(Source, Known));
    }
    for (const Track &Known : Source.Tracks)
      Tracks.push_back(trackText(Source, Known));
    IsNamed.resize(Source.Tracks.size());
    for (const Correlation &Tie : Source.Correlations)
      if (isWork(Tie.Event))
        Launched.push_back(Tie.Id);
    std::ranges::sort(Launched);
  }

  bool isWork(uint32_t Event) const {
    const Site &What = Source.Sites[Source.Events.Site[Event]];
    return isDeviceWork(What.Kind, What.Device);
  }

  template <typename... ArgTs> void append(fmt::format_string<ArgTs...> Form, ArgTs &&...Args) {
    fmt::format_to(std::back_inserter(Line), Form, std::forward<ArgTs>(Args)...);
  }
  void flush() {
    next();
    Write({Line.data(), Line.size()});
    Line.clear();
  }

  /// \p OpenNs: how long an open call lasted; -1: it had ended.
  void arguments(uint32_t Event, const Correlation *Tie, int64_t OpenNs) {
    const SiteId Site = Source.Events.Site[Event];
    EventArguments All(Line);
    All.addAll(Arguments[Site]);
    if (const int32_t Thread = Source.Events.teamThread(Event); Thread >= 0)
      All.add("thread", Thread);
    if (Tie)
      All.add(linkArgument(Source.text(Source.Sites[Site].Category)), Tie->Id);
    if (OpenNs >= 0) {
      All.add("open", true);
      All.add("open_ns", OpenNs);
    }
    Details.addOf(Event, All);
    All.end();
  }

  /// An arrow from a call to the work that it launched, for viewers.
  void arrow(bool End, uint32_t Event, int64_t Id) {
    append(R"({{"ph":"{}",{}"cat":"ac2g","name":"ac2g","id":{},{},"ts":{}}})", End ? "f" : "s",
           End ? R"("bp":"e",)" : "", Id, Tracks[Source.Events.Track[Event]],
           microsecondsText(Source.Events.BeginNs[Event]));
    flush();
  }

  void flow(const FlowEnd &End) {
    nameThread(End.Track);
    append(R"({{"ph":"{}",{}"cat":"fwdbwd","name":"fwdbwd","id":{},{},"ts":{}}})",
           End.IsTarget ? "f" : "s", End.IsTarget ? R"("bp":"e",)" : "", End.Id, Tracks[End.Track],
           microsecondsText(End.Ns));
    flush();
  }

  void memory(const MemoryChange &Change) {
    nameThread(Change.Track);
    append(R"({{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]",{},"ts":{})",
           Tracks[Change.Track], microsecondsText(Change.Ns));
    EventArguments All(Line);
    addMemory(Change, All);
    All.end();
    append("}}");
    flush();
  }

  void writeCalls() {
    const EventColumns &Events = Source.Events;
    auto Tie = Source.Correlations.begin();
    auto Open = Source.Open.begin();
    for (uint32_t I = 0; I < Events.size(); ++I) {
      while (Tie != Source.Correlations.end() && Tie->Event < I)
        ++Tie;
      const bool Tied = Tie != Source.Correlations.end() && Tie->Event == I;
      const bool IsOpen = Open != Source.Open.end() && Open->Event == I;
      nameThread(Events.Track[I]);
      append(R"({{"ph":"{}",{},{},"ts":{})", IsOpen ? "B" : "X", Heads[Events.Site[I]],
             Tracks[Events.Track[I]], microsecondsText(Events.BeginNs[I]));
      if (IsOpen)
        ++Open;
      else
        append(",\"dur\":{}", microsecondsText(Events.DurationNs[I]));
      arguments(I, Tied ? &*Tie : nullptr, IsOpen ? Events.DurationNs[I] : -1);
      append("}}");
      flush();
      if (!Tied)
        continue;
      if (isWork(I))
        arrow(/*End=*/true, I, Tie->Id);
      else if (std::ranges::binary_search(Launched, Tie->Id))
        arrow(/*End=*/false, I, Tie->Id);
    }
  }

  const Trace &Source;
  const std::function<void(std::string_view)> &Write;
  DetailTexts Details;
  bool Any = false;
  fmt::memory_buffer Line;
  std::vector<std::string> Heads, Arguments, Tracks;
  std::vector<bool> IsNamed;     ///< by track
  std::vector<int64_t> Launched; ///< correlations of work
};

} // namespace

void writeChrome(const Trace &Source, const std::function<void(std::string_view)> &Write) {
  ChromeWriting(Source, Write).run();
}

} // namespace seamscope::tools
