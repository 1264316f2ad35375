//===- CombineSurvey.cpp - what a trace has that others may have, too -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CombineSurvey.h"

#include "trace/chrome/JsonFields.h"
#include "trace/chrome/TraceOutline.h"
#include "trace/io/Decimal.h"
#include "trace/io/JsonParse.h"
#include "trace/model/TraceBuilder.h"
#include "trace/rewrite/EventJson.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace seamscope::tools {
namespace {

using nlohmann::json;

std::optional<int32_t> deviceNumber(__int128 Id) {
  if (Id < 0 || Id > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return static_cast<int32_t>(Id);
}

class Surveying : public OutlineHandler {
public:
  TraceSurvey Found;

  void member(const std::string &Key, const std::string &Json) override {
    if (!json::accept(Json) || !json::accept('"' + Key + '"')) {
      Found.LargeMembers.push_back(Key);
      return;
    }
    Found.Members.emplace_back(Key, Json);
    if (Key == "baseTimeNanoseconds")
      Found.BaseNs = integerOf(parseJson(Json));
    else if (Key == "distributedInfo")
      Found.Distributed = parseJson(Json);
    else if (Key == "deviceProperties" || Key == "computeProperties")
      Found.DeviceProperties = parseJson(Json);
    else if (Key == "seamscope")
      Found.Seamscope = parseJson(Json);
    else if (Key == "host_name")
      if (const json Name = parseJson(Json); Name.is_string())
        Found.Host = Name.get<std::string>();
  }

  void otherElement(uint64_t Offset) override { leaveOut(Offset); }

  void event(std::string_view Text, uint64_t Offset) override {
    if (!Event.parse(Text) || !makeJson(Event))
      return leaveOut(Offset);
    ++Found.Events;
    const EventText::Member *Phase = Event.member("ph");
    const std::string_view Ph = Phase ? Phase->Text : "";
    TraceSurvey::PidUse &Process = Found.Pids[pidOf(Event)];
    if (Ph == "M") {
      const EventText::Member *Name = Event.member("name");
      Process.Named |= Name && Name->Text == "process_name";
    } else {
      Process.HasEvents = true;
    }
    if (Ph == "X" || Ph == "B") {
      ++Found.Calls;
      noteBegin();
    }
    if (const auto Device = workDeviceOf(Event))
      Found.Devices.insert(*Device);
    for (const EventText::Member &Argument : Event.arguments()) {
      if (const auto Device = deviceArgument(Event, Argument))
        Found.Devices.insert(*Device);
      if (const auto Id = Argument.id(); Id && isIdArgument(Argument.Key, *Id))
        noteId(*Id);
    }
    for (const EventText::Member &Member : Event.members())
      if (Member.Key == "id" || Member.Key == "bind_id")
        if (const auto Id = eventId(Member))
          noteId(*Id);
    if (const EventText::Member *Both = Event.member("id2"))
      for (const std::string &Id : scopedIds(*Both))
        if (const auto Number = eventId({"", "", Id, EventText::Type::String}))
          noteId(*Number);
  }

private:
  static std::vector<std::string> scopedIds(const EventText::Member &Both) {
    std::vector<std::string> Ids;
    const json Value = parseJson(Both.Json);
    if (Value.is_object())
      for (const json &Id : Value)
        if (Id.is_string())
          Ids.push_back(Id.get<std::string>());
    return Ids;
  }

  void leaveOut(uint64_t Offset) {
    if (!Found.LeftOut++)
      Found.LeftOutOffset = Offset;
  }

  void noteBegin() {
    const EventText::Member *Ts = Event.member("ts");
    const auto Ns = Ts ? nanosecondsFromMicroseconds(Ts->Text) : std::nullopt;
    if (Ns)
      Found.FirstNs = std::min(*Ns, Found.FirstNs.value_or(*Ns));
  }

  void noteId(__int128 Id) {
    if (Id >= HashNumbers || Id <= -HashNumbers)
      return;
    const auto Small = static_cast<int64_t>(Id);
    Found.FirstId = std::min(Small, Found.FirstId.value_or(Small));
    Found.LastId = std::max(Small, Found.LastId.value_or(Small));
  }

  EventText Event;
};

} // namespace

std::string pidOf(const EventText::Member &Pid) {
  if (const auto Number = Pid.integer(); Number && *Number <= std::numeric_limits<int64_t>::max())
    return std::to_string(static_cast<int64_t>(*Number));
  return std::string(Pid.Kind == EventText::Type::Number ? withoutFraction(Pid.Text) : Pid.Text);
}

std::string pidOf(const EventText &Event) {
  const EventText::Member *Pid = Event.member("pid");
  return Pid ? pidOf(*Pid) : std::string();
}

std::optional<int32_t> workDeviceOf(const EventText &Event) {
  const EventText::Member *Category = Event.member("cat");
  if (!Category || Category->Text.empty())
    return std::nullopt;
  const SiteKind Kind = kindOfCategory(Category->Text);
  if (Kind != SiteKind::Kernel && Kind != SiteKind::Copy)
    return std::nullopt;
  if (const EventText::Member *Device = Event.argument("device"))
    if (const auto Id = Device->id())
      return deviceNumber(*Id).value_or(0);
  const std::string Pid = pidOf(Event);
  int32_t Id = 0;
  const auto [End, Code] = std::from_chars(Pid.data(), Pid.data() + Pid.size(), Id);
  return Code == std::errc() && End == Pid.data() + Pid.size() && Id >= 0 ? Id : 0;
}

std::optional<int32_t> deviceArgument(const EventText &Event, const EventText::Member &Argument) {
  if (Argument.Key == "Device Id") {
    // Memory of the host is of type 0.
    const EventText::Member *Type = Event.argument("Device Type");
    if (!Type || Type->id().value_or(0) == 0)
      return std::nullopt;
  } else if (Argument.Key != "device") {
    return std::nullopt;
  }
  const auto Id = Argument.id();
  return Id ? deviceNumber(*Id) : std::nullopt;
}

bool isIdArgument(std::string_view Key, __int128 Id) {
  // Where there is nothing to link to, writers put 0 or -1.
  if (Key == "correlation")
    return Id != 0 && Id != -1;
  static constexpr std::string_view Keys[] = {"External id",
                                              "external id",
                                              "Record function id",
                                              "Sequence number",
                                              "Ev Idx",
                                              "Profiler Event Index",
                                              "Python id",
                                              "Python parent id",
                                              "Python module id",
                                              "wait_on_cuda_event_record_corr_id",
                                              "wait_on_cuda_event_id"};
  // Of other layers than torch's: "External id, custom1".
  return Id >= 0 &&
         (Key.starts_with("External id, ") || std::ranges::find(Keys, Key) != std::end(Keys));
}

std::optional<__int128> eventId(const EventText::Member &Id) {
  if (Id.Kind != EventText::Type::String)
    return Id.integer();
  std::string_view Digits = Id.Text;
  if (Digits.starts_with("0x") || Digits.starts_with("0X"))
    Digits.remove_prefix(2);
  uint64_t Number = 0;
  const auto [End, Code] =
      std::from_chars(Digits.data(), Digits.data() + Digits.size(), Number, 16);
  if (Code != std::errc() || End != Digits.data() + Digits.size())
    return std::nullopt;
  return Number;
}

Result<TraceSurvey> surveyTrace(ByteSource &Source, const std::string &Path) {
  Surveying Handler;
  if (const auto Failure = walkTrace(Source, Path, Handler))
    return *Failure;
  TraceSurvey &Found = Handler.Found;
  if (Found.Distributed.is_object() && Found.Distributed.contains("rank"))
    Found.Rank = integerOf(Found.Distributed["rank"]);
  if (Found.Seamscope.is_object()) {
    const json &Ours = Found.Seamscope;
    if (const auto Format = Ours.find("format"); Format == Ours.end() || *Format != 1)
      return Error{Path, {}, "\"seamscope\": its format is not known; this tool reads format 1"};
    if (Ours.contains("part"))
      return Error{Path,
                   {},
                   "has sums of calls that were left out of it (SEAMSCOPE_OUT_LIMIT); `combine` "
                   "needs them all: convert the spool that was left next to it"};
    if (Ours.value("mode", json()) == "profile")
      return Error{Path, {}, "holds sums of mode profile, not calls; `combine` needs mode trace"};
    if (const auto Name = Ours.find("host_name"); Name != Ours.end() && Name->is_string())
      Found.Host = Name->get<std::string>();
  }
  return std::move(Found);
}

} // namespace seamscope::tools
