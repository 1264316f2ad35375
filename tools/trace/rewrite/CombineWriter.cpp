//===- CombineWriter.cpp - writes several traces as one -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CombineWriter.h"

#include "format/SampleText.h"
#include "trace/chrome/CutText.h"
#include "trace/chrome/TraceOutline.h"
#include "trace/io/JsonText.h"
#include "trace/rewrite/CombineEvent.h"
#include "trace/rewrite/CombineSamples.h"
#include "trace/rewrite/EventJson.h"

#include <fmt/format.h>

#include <algorithm>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Members that are made anew.
bool isOurs(std::string_view Key) {
  static constexpr std::string_view Keys[] = {
      "schemaVersion",      "displayTimeUnit", "baseTimeNanoseconds", "traceName",
      "seamscope",          "traceEvents",     "deviceProperties",    "computeProperties",
      "seamscope_combined", CutMember,         "distributedInfo",     format::SamplesMember};
  return std::ranges::find(Keys, Key) != std::end(Keys);
}

const std::string *memberOf(const TraceSurvey &Survey, std::string_view Key) {
  for (const auto &[Name, Text] : Survey.Members)
    if (Name == Key)
      return &Text;
  return nullptr;
}

/// Whether all inputs have the member with one text.
bool isCommon(const std::vector<TraceSurvey> &Surveys, std::string_view Key) {
  const std::string *First = memberOf(Surveys[0], Key);
  return First && std::ranges::all_of(Surveys, [&](const TraceSurvey &Survey) {
           const std::string *Its = memberOf(Survey, Key);
           return Its && *Its == *First;
         });
}

/// The entry that describes a device, or null. Traces of AMD number their devices otherwise than
/// they describe them: where all are alike any will do.
const nlohmann::json *propertiesOf(const TraceSurvey &Survey, int32_t Device) {
  const nlohmann::json &All = Survey.DeviceProperties;
  if (!All.is_array() || All.empty())
    return nullptr;
  for (const nlohmann::json &Entry : All)
    if (Entry.is_object() && Entry.contains("id") && Entry["id"] == Device)
      return &Entry;
  const auto NameOf = [](const nlohmann::json &Entry) {
    return Entry.is_object() ? Entry.value("name", nlohmann::json()) : nlohmann::json();
  };
  const bool Alike = std::ranges::all_of(All, [&](const nlohmann::json &Entry) {
    return Entry.is_object() && NameOf(Entry) == NameOf(All[0]);
  });
  return Alike ? &All[0] : nullptr;
}

class Adding : public OutlineHandler {
public:
  Adding(OutputFile &Out, const InputPlan &Plan, bool &HasEvents)
      : Out(Out), Plan(Plan), HasEvents(HasEvents) {}

  uint64_t Events = 0;

  void member(const std::string &, const std::string &) override {}
  void otherElement(uint64_t) override {}

  void event(std::string_view Text, uint64_t) override {
    if (!Event.parse(Text) || !makeJson(Event))
      return;
    ++Events;
    Written = HasEvents ? ",\n" : "\n";
    HasEvents = true;
    moveEvent(Event, Plan);
    Event.write(Written);
    Out.write(Written);
  }

private:
  OutputFile &Out;
  const InputPlan &Plan;
  bool &HasEvents;
  EventText Event;
  std::string Written;
};

} // namespace

void CombineWriter::member(std::string_view Key, std::string_view Text) {
  Out.write(HasMembers ? ",\n\"" : "{\n\"");
  Out.write(Key);
  Out.write("\": ");
  Out.write(Text);
  HasMembers = true;
}

void CombineWriter::begin() {
  member("schemaVersion", "1");
  writeDevices();
  writeDistributed();
  writeCommonMembers();
  if (Plan.BaseNs)
    member("baseTimeNanoseconds", fmt::to_string(*Plan.BaseNs));
  member("displayTimeUnit", isCommon(Surveys, "displayTimeUnit")
                                ? *memberOf(Surveys[0], "displayTimeUnit")
                                : "\"ms\"");
  writeOurs();
  writeSamples();
  writeInputs();
  member("traceEvents", "[");
}

void CombineWriter::writeCommonMembers() {
  std::set<std::string_view> Done;
  for (const auto &[Key, Text] : Surveys[0].Members)
    if (!isOurs(Key) && Done.insert(Key).second && isCommon(Surveys, Key))
      member(Key, Text);
}

/// Of the devices that events name.
void CombineWriter::writeDevices() {
  Json All = Json::array();
  std::set<int32_t> Done;
  bool Any = false;
  for (size_t I = 0; I < Surveys.size(); ++I) {
    Any |= !Surveys[I].DeviceProperties.is_null();
    for (const auto &[Old, New] : Plan.Inputs[I].Devices) {
      const nlohmann::json *Known = propertiesOf(Surveys[I], Old);
      if (!Done.insert(New).second)
        continue;
      // Without an entry readers would guess by the others'.
      Json Entry = {{"id", New}, {"name", ""}};
      if (Known)
        for (const auto &[Key, Value] : Known->items())
          if (Key != "id" && Value.is_primitive())
            Entry[Key] = Value;
      All.push_back(std::move(Entry));
    }
  }
  if (Any)
    member("deviceProperties", jsonText(All));
}

/// In what the inputs agree. A rank of all there is none when theirs differ.
void CombineWriter::writeDistributed() {
  Json Common = Json::object();
  const nlohmann::json &First = Surveys[0].Distributed;
  if (First.is_object())
    for (const auto &[Key, Value] : First.items())
      if (Value.is_primitive() &&
          std::ranges::all_of(Surveys, [&, Name = Key, &Wanted = Value](const TraceSurvey &Survey) {
            const nlohmann::json &Its = Survey.Distributed;
            return Its.is_object() && Its.contains(Name) && Its[Name] == Wanted;
          }))
        Common[Key] = Value;
  if (!Common.empty())
    member("distributedInfo", jsonText(Common));
}

/// Changes the process of an object outside of the events, if it has one.
static void movePid(nlohmann::json &Of, const InputPlan &Plan) {
  if (!Of.is_object() || !Of.contains("pid"))
    return;
  const std::string Pid = Of["pid"].is_string() ? Of["pid"].get<std::string>() : Of["pid"].dump();
  if (const auto Found = Plan.Pids.find(Pid); Found != Plan.Pids.end())
    Of["pid"] = Found->second;
}

/// What Seamscope's own traces say of losses holds for the whole, too.
void CombineWriter::writeOurs() {
  uint64_t Lost = 0;
  bool Any = false, TwoOpenMP = false, Recovered = false;
  Json Abandoned = Json::array(), Inlined = Json::array(), Groups = Json::array(),
       Work = Json::array();
  uint64_t InlinedMore = 0;
  std::string Throttled;
  for (size_t I = 0; I < Surveys.size(); ++I) {
    const nlohmann::json &Ours = Surveys[I].Seamscope;
    if (!Ours.is_object())
      continue;
    Any = true;
    const auto IsTrue = [&](const char *Key) {
      return Ours.contains(Key) && Ours[Key].is_boolean() && Ours[Key].get<bool>();
    };
    if (Ours.contains("lost_events") && Ours["lost_events"].is_number_unsigned())
      Lost += Ours["lost_events"].get<uint64_t>();
    TwoOpenMP |= IsTrue("two_openmp_runtimes");
    Recovered |= IsTrue("recovered");
    // Ranks of one program list the same ones.
    if (Ours.contains("inlined") && Ours["inlined"].is_array())
      for (const nlohmann::json &Entry : Ours["inlined"])
        if (std::ranges::find(Inlined, Json(Entry)) == Inlined.end())
          Inlined.push_back(Json(Entry));
    if (Ours.contains("groups") && Ours["groups"].is_array())
      for (nlohmann::json Entry : Ours["groups"]) {
        if (!Entry.is_object())
          continue;
        Entry.erase("pid");
        if (std::ranges::find(Groups, Json(Entry)) == Groups.end())
          Groups.push_back(Json(Entry));
      }
    // They have the process, thread and time of events.
    if (Ours.contains("throttled") && Ours["throttled"].is_array())
      for (const nlohmann::json &Entry : Ours["throttled"])
        if (EventText Text; Text.parse(jsonText(Entry)) && makeJson(Text)) {
          moveEvent(Text, Plan.Inputs[I]);
          Throttled += Throttled.empty() ? "[" : ",";
          Text.write(Throttled);
        }
    if (Ours.contains("work") && Ours["work"].is_array())
      for (nlohmann::json Entry : Ours["work"]) {
        movePid(Entry, Plan.Inputs[I]);
        if (Entry.is_object() && Entry.contains("runs") && Entry["runs"].is_array())
          for (nlohmann::json &Run : Entry["runs"])
            movePid(Run, Plan.Inputs[I]);
        Work.push_back(Json(Entry));
      }
    if (Ours.contains("inlined_more") && Ours["inlined_more"].is_number_unsigned())
      InlinedMore = std::max(InlinedMore, Ours["inlined_more"].get<uint64_t>());
    if (!Ours.contains("abandoned") || !Ours["abandoned"].is_array())
      continue;
    for (const nlohmann::json &Entry : Ours["abandoned"])
      if (Entry.is_object() && Entry.contains("name") && Entry["name"].is_string() &&
          Entry.contains("calls") && Entry["calls"].is_number_unsigned())
        Abandoned.push_back({{"name", Entry["name"]}, {"calls", Entry["calls"]}});
  }
  if (!Any)
    return;
  Json Ours = {
      {"version", SEAMSCOPE_VERSION}, {"format", 1}, {"mode", "trace"}, {"lost_events", Lost}};
  if (!Abandoned.empty())
    Ours["abandoned"] = std::move(Abandoned);
  if (!Groups.empty())
    Ours["groups"] = std::move(Groups);
  if (!Inlined.empty())
    Ours["inlined"] = std::move(Inlined);
  if (InlinedMore)
    Ours["inlined_more"] = InlinedMore;
  if (!Work.empty())
    Ours["work"] = std::move(Work);
  if (TwoOpenMP)
    Ours["two_openmp_runtimes"] = true;
  if (Recovered)
    Ours["recovered"] = true;
  std::string Text = jsonText(Ours);
  if (!Throttled.empty()) {
    Text.pop_back(); // the brace
    Text += ",\"throttled\":" + Throttled + "]}";
  }
  member("seamscope", Text);
}

void CombineWriter::writeSamples() {
  std::string All;
  for (size_t I = 0; I < Surveys.size(); ++I)
    if (const std::string *const Text = memberOf(Surveys[I], format::SamplesMember))
      if (const std::string Moved = movedSamples(*Text, Plan.Inputs[I]); !Moved.empty())
        All += (All.empty() ? "" : ",\n") + Moved;
  if (!All.empty())
    member(format::SamplesMember, "[" + All + "]");
}

void CombineWriter::writeInputs() {
  const std::string Clocks = !Plan.NotAligned.empty()            ? Plan.NotAligned
                             : Plan.ByCollectives                ? "aligned by collectives"
                             : Options.Align == Alignment::Start ? "first calls begin together"
                                                                 : "aligned";
  std::string Text = fmt::format("{{\"version\": \"{}\", \"clocks\": {}, \"inputs\": [",
                                 SEAMSCOPE_VERSION, jsonText(Json(Clocks)));
  for (size_t I = 0; I < Surveys.size(); ++I) {
    const TraceSurvey &Survey = Surveys[I];
    const InputPlan &Its = Plan.Inputs[I];
    Json Entry;
    Entry["path"] = Paths[I];
    Entry["label"] = Its.Label;
    Entry["rank"] = Survey.Rank ? Json(*Survey.Rank) : Json();
    Entry["host"] = Survey.Host.empty() ? Json() : Json(Survey.Host);
    Entry["events"] = Survey.Events;
    Entry["left_out"] = Survey.LeftOut;
    Entry["shift_ns"] = Its.Time.ShiftNs;
    if (Plan.ByCollectives) {
      Entry["clock_error_ns"] = Its.ClockErrorNs ? Json(*Its.ClockErrorNs) : Json();
      Entry["clock_rate_ppm"] = Its.Time.ratePpm();
      Entry["clock_origin_ns"] = Its.Time.OriginNs;
    }
    Entry["id_shift"] = Its.IdShift;
    Entry["pids"] = Json::object();
    for (const auto &[Old, New] : Its.Pids)
      if (Old != New)
        Entry["pids"][Old] = New;
    Entry["devices"] = Json::object();
    for (const auto &[Old, New] : Its.Devices)
      if (Old != New)
        Entry["devices"][fmt::to_string(Old)] = New;
    std::string Head = jsonText(Entry);
    Head.pop_back();
    Text += (I ? ",\n" : "\n") + Head + ", \"metadata\": {";
    // As written: it may be large, and deeper than we would like to follow.
    bool Any = false;
    for (const auto &[Key, Value] : Survey.Members) {
      if (Key == format::SamplesMember)
        continue; // all of it is above
      ((((Text += Any ? ", \"" : "\"") += Key) += "\": ") += Value);
      Any = true;
    }
    Text += "}}";
  }
  member("seamscope_combined", Text + "]}");
}

std::optional<Error> CombineWriter::add(size_t Input, ByteSource &Source) {
  const InputPlan &Its = Plan.Inputs[Input];
  const TraceSurvey &Survey = Surveys[Input];
  Adding Handler(Out, Its, HasEvents);
  if (const auto Failure = walkTrace(Source, Paths[Input], Handler))
    return Failure;
  if (Handler.Events != Survey.Events)
    return Error{Paths[Input], {}, "the file changed while it was read; try again"};
  for (const auto &[Pid, Use] : Survey.Pids) {
    if (Use.Named || !Use.HasEvents || Pid.empty())
      continue;
    Out.write(HasEvents ? ",\n" : "\n");
    HasEvents = true;
    Out.write(namedProcess(Its, Pid));
  }
  return std::nullopt;
}

void CombineWriter::end() { Out.write("\n]}\n"); }

} // namespace seamscope::tools
