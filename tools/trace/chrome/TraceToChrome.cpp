//===- TraceToChrome.cpp - writes the trace model as Chrome trace JSON ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/TraceToChrome.h"
#include "trace/io/JsonParse.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Names may hold any bytes; JSON must be UTF-8.
std::string textOf(const Json &Value) {
  return Value.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}
std::string quoted(std::string_view Text) { return textOf(Json(Text)); }

/// A pid or tid: a number where it is one, which viewers expect.
std::string label(std::string_view Text) {
  int64_t Number;
  const auto [End, Code] = std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  const bool IsNumber = Code == std::errc() && End == Text.data() + Text.size();
  return IsNumber && fmt::to_string(Number) == Text ? std::string(Text) : quoted(Text);
}

/// ns as µs with three decimals.
void appendTime(fmt::memory_buffer &Text, int64_t Ns) {
  const uint64_t Size = Ns < 0 ? -static_cast<uint64_t>(Ns) : static_cast<uint64_t>(Ns);
  fmt::format_to(std::back_inserter(Text), "{}{}.{:03}", Ns < 0 ? "-" : "", Size / 1000,
                 Size % 1000);
}

class ChromeWriting {
public:
  ChromeWriting(const Trace &Source, OutputFile &Out) : Source(Source), Out(Out) {}

  void run() {
    Out.write(R"({"schemaVersion": 1, "displayTimeUnit": "ns")");
    Out.write(",\n\"seamscope\": " + textOf(provenance()));
    const TraceInfo &Info = Source.Info;
    // The blank before the rank is what HolisticTraceAnalysis finds it by.
    if (Info.Rank)
      Out.write(fmt::format(",\n\"distributedInfo\": {{\"rank\": {}, \"world_size\": {}}}",
                            *Info.Rank, Info.WorldSize ? std::to_string(*Info.WorldSize) : "null"));
    if (!Source.Devices.empty()) {
      Json Devices = Json::array();
      for (const Device &Known : Source.Devices)
        Devices.push_back({{"id", Known.Id}, {"name", Source.text(Known.Name)}});
      Out.write(",\n\"deviceProperties\": " + textOf(Devices));
    }
    Out.write(",\n\"traceEvents\": [");
    writeNames();
    prepare();
    writeCalls();
    Out.write("\n]}\n");
  }

private:
  Json provenance() const {
    const TraceInfo &Info = Source.Info;
    Json Ours = {{"version", SEAMSCOPE_VERSION}, {"format", 1}, {"mode", "trace"}};
    if (!Info.Producer.empty())
      Ours["producer"] = Info.Producer;
    if (!Info.CommandLine.empty())
      Ours["command_line"] = Info.CommandLine;
    if (!Info.HostName.empty())
      Ours["host_name"] = Info.HostName;
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
    Json Throttled = Json::array();
    for (const ThrottledCalls &Calls : Source.Throttled) {
      const Site &What = Source.Sites[Calls.Site];
      Json &Entry =
          Throttled.emplace_back(Json::parse('{' + trackText(Source.Tracks[Calls.Track]) + '}'));
      Entry.update({{"cat", Source.text(What.Category)},
                    {"name", Source.text(What.Name)},
                    {"ts", static_cast<double>(Calls.SinceNs) / 1000},
                    {"every", Calls.Every},
                    {"timed", Calls.Timed},
                    {"untimed", Calls.Untimed},
                    {"args", Json::parse('{' + argumentsOf(What) + '}')}});
    }
    if (!Throttled.empty())
      Ours["throttled"] = std::move(Throttled);
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
        Json Arguments = Json::parse('{' + argumentsOf(What) + '}');
        Groups.push_back({{"cat", Source.text(What.Category)},
                          {"name", Source.text(What.Name)},
                          {"args", std::move(Arguments)},
                          {"ops", Source.text(What.Group)}});
      }
    if (!Groups.empty())
      Ours["groups"] = std::move(Groups);
    if (Info.TwoOpenMP)
      Ours["two_openmp_runtimes"] = true;
    if (Info.Recovered)
      Ours["recovered"] = true;
    if (!Info.End.empty())
      Ours["recording_end"] = Info.End;
    return Ours;
  }

  /// Begins an object of the array of events.
  void next() {
    if (std::exchange(Any, true))
      Out.write(",");
    Out.write("\n");
  }

  void writeNames() {
    const auto Name = [&](std::string_view What, const std::string &Of, const char *Key,
                          StringId Text) {
      if (!Text)
        return;
      next();
      Out.write(fmt::format(R"({{"ph":"M","name":"{}",{},"args":{{"{}":{}}}}})", What, Of, Key,
                            quoted(Source.text(Text))));
    };
    for (const Process &Known : Source.Processes) {
      const std::string Of = "\"pid\":" + label(Source.text(Known.Pid));
      Name("process_name", Of, "name", Known.Name);
      Name("process_labels", Of, "labels", Known.Labels);
    }
    for (const Track &Known : Source.Tracks)
      Name("thread_name", trackText(Known), "name", Known.ThreadName);
  }

  std::string trackText(const Track &Known) const {
    return fmt::format(R"("pid":{},"tid":{})", label(Source.text(Known.Process)),
                       label(Source.text(Known.Thread)));
  }

  /// What all events of a site or track have in common is put together once.
  void prepare() {
    for (const Site &Known : Source.Sites) {
      Heads.push_back(fmt::format(R"("cat":{},"name":{})", quoted(Source.text(Known.Category)),
                                  quoted(Source.text(Known.Name))));
      Arguments.push_back(argumentsOf(Known));
    }
    for (const Track &Known : Source.Tracks)
      Tracks.push_back(trackText(Known));
    for (const Correlation &Tie : Source.Correlations)
      if (isWork(Tie.Event))
        Launched.push_back(Tie.Id);
    std::ranges::sort(Launched);
  }

  bool isWork(uint32_t Event) const {
    const Site &What = Source.Sites[Source.Events.Site[Event]];
    return isDeviceWork(What.Kind, What.Device);
  }

  /// Without the braces, which other arguments may follow.
  std::string argumentsOf(const Site &What) const {
    Json Object = Json::object();
    const auto Text = [&](const char *Key, StringId Id) {
      if (Id)
        Object[Key] = Source.text(Id);
    };
    Text("kernel", What.Kernel);
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Text(Key, What.Field);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key)                                                      \
  if (What.Field)                                                                                  \
    Object[Key] = What.Field;
#include "format/site-arguments.def"
    if (What.Device >= 0)
      Object["device"] = What.Device;
    for (const auto &[Key, Array] : {std::pair("Input Dims", What.InputDims),
                                     {"Input type", What.InputTypes},
                                     {"Input Strides", What.InputStrides},
                                     {"Concrete Inputs", What.InputValues}})
      if (Json Value = parseJson<Json>(Source.text(Array)); !Value.is_discarded())
        Object[Key] = std::move(Value);
    std::string Result = textOf(Object);
    return Result.substr(1, Result.size() - 2);
  }

  void begin(std::string_view Phase, SiteId Site, TrackId Track, int64_t BeginNs) {
    next();
    Line.clear();
    fmt::format_to(std::back_inserter(Line), R"({{"ph":"{}",{},{},"ts":)", Phase, Heads[Site],
                   Tracks[Track]);
    appendTime(Line, BeginNs);
  }

  /// \p OpenNs: how long an open call lasted; -1: it had ended.
  void arguments(SiteId Site, int32_t TeamThread, const Correlation *Tie, int64_t OpenNs) {
    const auto Into = std::back_inserter(Line);
    const std::string &Fixed = Arguments[Site];
    if (!Fixed.empty() || TeamThread >= 0 || Tie || OpenNs >= 0) {
      fmt::format_to(Into, ",\"args\":{{{}", Fixed);
      const char *Comma = Fixed.empty() ? "" : ",";
      if (TeamThread >= 0) {
        fmt::format_to(Into, "{}\"thread\":{}", Comma, TeamThread);
        Comma = ",";
      }
      if (Tie)
        fmt::format_to(Into, "{}\"correlation\":{}", std::exchange(Comma, ","), Tie->Id);
      if (OpenNs >= 0)
        fmt::format_to(Into, "{}\"open\":true,\"open_ns\":{}", Comma, OpenNs);
      Line.push_back('}');
    }
    Line.push_back('}');
    Out.write({Line.data(), Line.size()});
  }

  /// An arrow from a call to the work that it launched, for viewers.
  void arrow(bool End, uint32_t Event, int64_t Id) {
    next();
    Line.clear();
    fmt::format_to(std::back_inserter(Line),
                   R"({{"ph":"{}",{}"cat":"ac2g","name":"ac2g","id":{},{},"ts":)", End ? "f" : "s",
                   End ? R"("bp":"e",)" : "", Id, Tracks[Source.Events.Track[Event]]);
    appendTime(Line, Source.Events.BeginNs[Event]);
    Line.push_back('}');
    Out.write({Line.data(), Line.size()});
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
      begin(IsOpen ? "B" : "X", Events.Site[I], Events.Track[I], Events.BeginNs[I]);
      if (IsOpen) {
        ++Open;
      } else {
        fmt::format_to(std::back_inserter(Line), ",\"dur\":");
        appendTime(Line, Events.DurationNs[I]);
      }
      arguments(Events.Site[I], Events.teamThread(I), Tied ? &*Tie : nullptr,
                IsOpen ? Events.DurationNs[I] : -1);
      if (!Tied)
        continue;
      if (isWork(I))
        arrow(/*End=*/true, I, Tie->Id);
      else if (std::ranges::binary_search(Launched, Tie->Id))
        arrow(/*End=*/false, I, Tie->Id);
    }
  }

  const Trace &Source;
  OutputFile &Out;
  bool Any = false;
  fmt::memory_buffer Line;
  std::vector<std::string> Heads, Arguments, Tracks;
  std::vector<int64_t> Launched; ///< correlations of work
};

} // namespace

void writeChrome(const Trace &Source, OutputFile &Out) { ChromeWriting(Source, Out).run(); }

} // namespace seamscope::tools
