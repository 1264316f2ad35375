//===- CombineEvent.cpp - moves an event into a common trace --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CombineEvent.h"

#include "trace/io/Decimal.h"
#include "trace/io/JsonParse.h"
#include "trace/io/JsonText.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace seamscope::tools {
namespace {

using nlohmann::json;

bool isNumber(const std::string &Pid) {
  int64_t Number = 0;
  const auto [End, Code] = std::from_chars(Pid.data(), Pid.data() + Pid.size(), Number);
  return !Pid.empty() && Code == std::errc() && End == Pid.data() + Pid.size();
}

std::string digits(__int128 Number) {
  if (Number >= 0)
    return fmt::to_string(static_cast<uint64_t>(Number));
  return fmt::to_string(static_cast<int64_t>(Number));
}

/// Words are kept apart by the input's label, numbers by being moved.
std::string movedId(const EventText::Member &Id, const InputPlan &Plan) {
  const auto Number = eventId(Id);
  if (Id.Kind != EventText::Type::String)
    return Number ? digits(Plan.id(*Number)) : std::string(Id.Json);
  if (!Number)
    return quotedText(Plan.Label + ": " + std::string(Id.Text));
  return fmt::format("\"0x{:x}\"", static_cast<uint64_t>(Plan.id(*Number)));
}

/// "id2": {"local": "0x1"} or {"global": "0x1"}.
std::string movedScopedId(const EventText::Member &Both, const InputPlan &Plan) {
  json Value = parseJson(Both.Json);
  if (!Value.is_object())
    return std::string(Both.Json);
  for (json &Id : Value)
    if (Id.is_string()) {
      const auto Text = Id.get<std::string>();
      Id = json::parse(movedId({"", "", Text, EventText::Type::String}, Plan));
    } else if (!Id.is_primitive()) {
      return std::string(Both.Json);
    }
  return jsonText(Value);
}

void movePid(EventText &Event, const InputPlan &Plan) {
  const auto Moved = [&](const std::string &Pid) {
    const auto Found = Plan.Pids.find(Pid);
    return Found == Plan.Pids.end() ? Pid : Found->second;
  };
  bool Any = false;
  for (const EventText::Member &Member : Event.members()) {
    if (Member.Key != "pid")
      continue;
    Any = true;
    const std::string Old = pidOf(Member), New = Moved(Old);
    if (New != Old)
      Event.replace(
          Member, Member.Kind != EventText::Type::String && isNumber(New) ? New : quotedText(New));
  }
  if (const std::string New = Moved(""); !Any && !New.empty())
    Event.addMember("pid", New);
}

void moveTime(EventText &Event, const InputPlan &Plan) {
  if (!Plan.Time.changesTimes())
    return;
  const auto Fits = [](__int128 Ns) { return Ns >= INT64_MIN && Ns <= INT64_MAX; };
  std::optional<int64_t> Begin;
  for (const EventText::Member &Member : Event.members()) {
    if (Member.Key != "ts")
      continue;
    const auto Old = nanosecondsFromMicroseconds(Member.Text);
    // What is no time here is none there.
    if (!Old || !Fits(Plan.Time.exact(*Old)))
      continue;
    Begin = Old;
    Event.replace(Member, microsecondsText(Plan.Time(*Old)));
  }
  if (!Begin || !Plan.Time.Rate)
    return;
  for (const EventText::Member &Member : Event.members())
    if (Member.Key == "dur")
      if (const auto Old = nanosecondsFromMicroseconds(Member.Text);
          Old && Fits(__int128{*Begin} + *Old))
        Event.replace(Member, microsecondsText(Plan.Time.length(*Begin, *Old)));
}

void moveDevice(EventText &Event, const InputPlan &Plan) {
  const auto Moved = [&](int32_t Old) {
    const auto Found = Plan.Devices.find(Old);
    return Found == Plan.Devices.end() ? Old : Found->second;
  };
  const EventText::Member *Device = Event.argument("device");
  const auto Work = workDeviceOf(Event);
  for (const EventText::Member &Argument : Event.arguments()) {
    if (&Argument == Device && Work)
      continue;
    if (const auto Old = deviceArgument(Event, Argument); Old && Moved(*Old) != *Old)
      Event.replace(Argument, fmt::to_string(Moved(*Old)));
  }
  if (!Work)
    return;
  // Without the argument readers take the pid for the device, and that has changed.
  const std::string New = fmt::to_string(Moved(*Work));
  if (!Device)
    Event.addArgument("device", New);
  else if (Device->Text != New)
    Event.replace(*Device, New);
}

void nameProcess(EventText &Event, const InputPlan &Plan) {
  const EventText::Member *What = Event.member("name");
  if (!What || What->Text != "process_name")
    return;
  for (const EventText::Member &Argument : Event.arguments())
    if (Argument.Key == "name" && Argument.Kind == EventText::Type::String)
      Event.replace(Argument, quotedText(fmt::format("[{}] {}", Plan.Label, Argument.Text)));
}

} // namespace

void moveEvent(EventText &Event, const InputPlan &Plan) {
  const EventText::Member *Phase = Event.member("ph");
  const bool IsMetadata = Phase && Phase->Text == "M";
  movePid(Event, Plan);
  if (IsMetadata)
    return nameProcess(Event, Plan);
  moveTime(Event, Plan);
  moveDevice(Event, Plan);
  for (const EventText::Member &Member : Event.members())
    if (Member.Key == "id" || Member.Key == "bind_id")
      Event.replace(Member, movedId(Member, Plan));
    else if (Member.Key == "id2")
      Event.replace(Member, movedScopedId(Member, Plan));
  for (const EventText::Member &Argument : Event.arguments())
    if (const auto Id = Argument.id(); Id && isIdArgument(Argument.Key, *Id))
      Event.replace(Argument, digits(Plan.id(*Id)));
}

std::string namedProcess(const InputPlan &Plan, const std::string &Pid) {
  const auto Found = Plan.Pids.find(Pid);
  const std::string &New = Found == Plan.Pids.end() ? Pid : Found->second;
  return fmt::format(
      R"({{"ph": "M", "name": "process_name", "pid": {}, "tid": 0, "args": {{"name": {}}}}})",
      isNumber(New) ? New : quotedText(New),
      quotedText(fmt::format("[{}] process {}", Plan.Label, Pid)));
}

} // namespace seamscope::tools
