//===- CutText.cpp - what a cut trace says of the whole, in JSON ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/CutText.h"

#include "trace/chrome/ChromeMetadata.h"
#include "trace/chrome/JsonFields.h"
#include "trace/io/JsonText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace seamscope::tools {
namespace {

using nlohmann::json;
using Json = nlohmann::ordered_json;

template <typename T> Json orNull(const std::optional<T> &Value) {
  return Value ? Json(*Value) : Json();
}

Json healthJson(const TraceHealth &Health) {
  Json Found = Json::array();
  for (const HealthFinding &Each : Health.Found) {
    Json Events = Json::array();
    for (const HealthExample &Event : Each.Events)
      Events.push_back({{"name", Event.Name},
                        {"begin_ns", orNull(Event.BeginNs)},
                        {"duration_ns", orNull(Event.DurationNs)},
                        {"offset", orNull(Event.Offset)}});
    Found.push_back({{"name", nameOf(Each.Check)},
                     {"count", Each.Count},
                     {"ns", Each.Ns},
                     {"events", std::move(Events)},
                     {"consequence", Each.Consequence}});
  }
  return Found;
}

Json splitJson(const SourceSplit &Split) {
  Json Devices = Json::array();
  for (const auto &[Mark, Numbers] : Split.Devices)
    for (const auto &[Old, New] : Numbers)
      Devices.push_back({Mark, Old, New});
  return {{"mark", Split.Mark}, {"ids", Split.Ids}, {"devices", std::move(Devices)}};
}

/// The numbers of tracks in the member.
std::map<TrackId, size_t> numbersOfTracks(const Trace &Source) {
  std::map<TrackId, size_t> Numbers;
  std::vector<bool> Has(Source.Tracks.size());
  for (const TrackId Id : Source.Events.Track)
    Has[Id] = true;
  for (TrackId Id = 0; Id < Has.size(); ++Id)
    if (Has[Id])
      Numbers.emplace(Id, Numbers.size());
  return Numbers;
}

std::optional<HealthCheck> checkOf(std::string_view Name) {
  for (int Check = 0; Check <= static_cast<int>(HealthCheck::FailedRun); ++Check)
    if (Name == nameOf(static_cast<HealthCheck>(Check)))
      return static_cast<HealthCheck>(Check);
  return std::nullopt;
}

TraceHealth healthOf(const json &Value) {
  TraceHealth Health;
  for (const json &Entry : member(Value, "health")) {
    const auto Check = checkOf(textOf(Entry, "name"));
    if (!Check)
      continue;
    HealthFinding &Found = Health.Found.emplace_back();
    Found.Check = *Check;
    Found.Count = countOf(Entry, "count");
    Found.Ns = integerOf(Entry, "ns").value_or(0);
    Found.Consequence = textOf(Entry, "consequence");
    for (const json &Event : member(Entry, "events")) {
      HealthExample &Example = Found.Events.emplace_back();
      Example.Name = textOf(Event, "name");
      Example.BeginNs = integerOf(Event, "begin_ns");
      Example.DurationNs = integerOf(Event, "duration_ns");
      if (integerOf(Event, "offset"))
        Example.Offset = countOf(Event, "offset");
    }
  }
  for (const json &Device : member(Value, "skewed_devices"))
    if (const auto Id = integerOf(Device);
        Id && *Id >= 0 && *Id <= std::numeric_limits<int32_t>::max())
      Health.SkewedDevices.push_back(static_cast<int32_t>(*Id));
  return Health;
}

std::optional<SourceSplit> splitOf(const json &Value) {
  const auto Mark = integerOf(Value, "mark");
  if (!Mark || *Mark < 0 || *Mark > 9)
    return std::nullopt;
  SourceSplit Split;
  Split.Mark = static_cast<uint32_t>(*Mark);
  Split.Ids = member(Value, "ids") == json(true);
  const auto Number = [](const json &Entry) {
    const int64_t Id = integerOf(Entry).value_or(-1);
    return Id > std::numeric_limits<int32_t>::max() ? -1 : static_cast<int32_t>(Id);
  };
  for (const json &Entry : member(Value, "devices")) {
    if (!Entry.is_array() || Entry.size() != 3 || !Entry[0].is_string())
      continue;
    const auto &Source = Entry[0].get_ref<const std::string &>();
    const int32_t Old = Number(Entry[1]), New = Number(Entry[2]);
    if (Old < 0 || New < 0)
      continue;
    if (Split.Devices.empty() || Split.Devices.back().first != Source)
      Split.Devices.emplace_back(Source, std::map<int32_t, int32_t>());
    Split.Devices.back().second[Old] = New;
  }
  return Split;
}

std::vector<CutMark> marksOf(const json &List, const std::vector<TrackId> &Tracks) {
  constexpr int64_t Most = int64_t{1} << 62;
  std::vector<CutMark> Marks;
  for (const json &Entry : List) {
    if (!Entry.is_array() || Entry.size() < 3 || Entry.size() > 5)
      continue;
    std::array<int64_t, 5> Numbers{};
    bool Fits = true;
    for (size_t I = 0; I < Entry.size(); ++I) {
      const auto Number = integerOf(Entry[I]);
      Fits &= Number && *Number > -Most && *Number < Most;
      Numbers[I] = Number.value_or(0);
    }
    const auto &[Track, BeginNs, Nth, EndNs, ClipNs] = Numbers;
    if (Fits && Track >= 0 && static_cast<size_t>(Track) < Tracks.size() && Nth >= 0 &&
        Nth <= std::numeric_limits<uint32_t>::max())
      Marks.push_back(
          {Tracks[static_cast<size_t>(Track)], BeginNs, static_cast<uint32_t>(Nth), EndNs, ClipNs});
  }
  return Marks;
}

/// Of siteEntry().
Site siteOfEntry(const json &Entry, StringTable &Strings) {
  Site What = siteOf(Entry, Strings);
  const auto Amount = [&](const char *Key, double Unit) {
    const json &Value = member(member(Entry, "args"), Key);
    const double Number = Value.is_number() ? Value.get<double>() * Unit : 0;
    return Number > 0 && Number < 0x1p62 ? std::llround(Number) : -1;
  };
  What.Flop = Amount("kernel_flop", 1);
  What.Bytes = Amount("kernel_num_gb", 1e9);
  if (const json &Inputs = member(Entry, "inputs"); Inputs.is_array() && Inputs.size() == 4)
    for (size_t I = 0; StringId *const Text :
                       {&What.InputDims, &What.InputTypes, &What.InputStrides, &What.InputValues})
      if (const json &Each = Inputs[I++]; Each.is_string())
        *Text = Strings.intern(Each.get_ref<const std::string &>());
  return What;
}

} // namespace

std::string cutText(const Trace &Source, const TraceCut &Cut,
                    const std::vector<std::string> &Sites) {
  const std::map<TrackId, size_t> Numbers = numbersOfTracks(Source);
  Json Value = {{"version", SEAMSCOPE_VERSION}, {"format", 1}};
  if (!Cut.Producer.empty())
    Value["producer"] = Cut.Producer;
  Value["notes"] = Cut.Notes;
  Value["health"] = healthJson(Cut.Health);
  if (!Cut.Health.SkewedDevices.empty())
    Value["skewed_devices"] = Cut.Health.SkewedDevices;
  if (Cut.SkippedEvents) {
    Value["skipped_events"] = Cut.SkippedEvents;
    for (const SkippedEvent &Each : Cut.Skipped)
      Value["skipped"].push_back({{"offset", Each.Offset}, {"reason", Each.Reason}});
  }
  if (Cut.Split)
    Value["split"] = splitJson(*Cut.Split);
  for (const auto &[Pid, EndNs] : Cut.OpenUntil)
    Value["open_until"].push_back({Pid, EndNs});
  Value["tracks"] = Json::array();
  for (const auto &[Id, Number] : Numbers)
    Value["tracks"].push_back(
        {Source.text(Source.Tracks[Id].Process), Source.text(Source.Tracks[Id].Thread)});
  const auto Add = [&](const char *Key, const std::vector<CutMark> &Marks, bool WithEnds) {
    for (const CutMark &Each : Marks) {
      Json Entry = {Numbers.at(Each.Track), Each.BeginNs, Each.Nth};
      if (WithEnds) {
        Entry.push_back(Each.EndNs);
        Entry.push_back(Each.ClipNs);
      }
      Value[Key].push_back(std::move(Entry));
    }
  };
  Add("served", Cut.Served, false);
  Add("initialises", Cut.Initialises, false);
  Add("clipped", Cut.Clipped, true);
  std::string Text = jsonText(Value);
  if (!Sites.empty())
    Text.insert(Text.size() - 1, fmt::format(",\"sites\":[{}]", fmt::join(Sites, ",")));
  return Text;
}

bool readCut(const json &Value, TraceBuilder &Builder) {
  if (!Value.is_object() || integerOf(Value, "format") != 1)
    return false;
  StringTable &Strings = Builder.strings();
  std::vector<TrackId> Tracks;
  for (const json &Entry : member(Value, "tracks")) {
    if (!Entry.is_array() || Entry.size() != 2 || !Entry[0].is_string() || !Entry[1].is_string())
      return false;
    Tracks.push_back(Builder.track(Strings.intern(Entry[0].get_ref<const std::string &>()),
                                   Strings.intern(Entry[1].get_ref<const std::string &>())));
  }
  for (const json &Entry : member(Value, "sites"))
    if (Entry.is_object())
      Builder.site(siteOfEntry(Entry, Strings));
  TraceCut Cut;
  Cut.Producer = textOf(Value, "producer");
  for (const json &Note : member(Value, "notes"))
    if (Note.is_string())
      Cut.Notes.push_back(Note.get<std::string>());
  Cut.SkippedEvents = countOf(Value, "skipped_events");
  for (const json &Entry : member(Value, "skipped"))
    Cut.Skipped.push_back({countOf(Entry, "offset"), textOf(Entry, "reason")});
  Cut.Health = healthOf(Value);
  Cut.Split = splitOf(member(Value, "split"));
  for (const json &Entry : member(Value, "open_until"))
    if (Entry.is_array() && Entry.size() == 2 && Entry[0].is_string())
      if (const auto EndNs = integerOf(Entry[1]))
        Cut.OpenUntil.emplace_back(Entry[0].get<std::string>(), *EndNs);
  Cut.Served = marksOf(member(Value, "served"), Tracks);
  Cut.Initialises = marksOf(member(Value, "initialises"), Tracks);
  Cut.Clipped = marksOf(member(Value, "clipped"), Tracks);
  Builder.info().Cut = std::move(Cut);
  return true;
}

} // namespace seamscope::tools
