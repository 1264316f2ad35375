//===- Reference.cpp - a plain reading of the same JSON -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reference.h"

#include "Checks.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace seamscope::fuzz {

using namespace tools;
using nlohmann::json;

namespace {

/// The tree; discarded when the text is not JSON or says a key twice.
json parsePlain(std::string_view Text) {
  std::vector<std::set<std::string>> Keys;
  bool Twice = false;
  json Tree = json::parse(
      Text,
      [&](int, json::parse_event_t Event, json &Parsed) {
        if (Event == json::parse_event_t::object_start)
          Keys.emplace_back();
        else if (Event == json::parse_event_t::object_end)
          Keys.pop_back();
        else if (Event == json::parse_event_t::key)
          Twice |= !Keys.back().insert(Parsed.get<std::string>()).second;
        return true;
      },
      /*allow_exceptions=*/false);
  return Twice ? json(json::value_t::discarded) : Tree;
}

/// What a plain reader makes of an event.
enum class Sort {
  Call,   ///< a closed call whose times are small whole numbers: has to be kept as it is
  Other,  ///< no closed call
  Subtle, ///< times that are decimals, texts or large: other tests look at these
};

bool isSmall(const json &Event, const char *Key, int64_t Least) {
  const auto Found = Event.find(Key);
  // Ten years in µs: thousands of calls of that length do not add up to 2^63 ns.
  constexpr int64_t Most = 300000000000000;
  return Found != Event.end() && Found->is_number_integer() && Found->get<int64_t>() >= Least &&
         Found->get<int64_t>() <= Most;
}

Sort sortOf(const json &Event) {
  if (!Event.is_object())
    return Sort::Other;
  const auto Phase = Event.find("ph");
  if (Phase == Event.end() || *Phase != "X") {
    return Sort::Other;
  }
  return isSmall(Event, "ts", -300000000000000) && isSmall(Event, "dur", 0) ? Sort::Call
                                                                            : Sort::Subtle;
}

std::string textOf(const json &Event, const char *Key) {
  const auto Found = Event.find(Key);
  return Found != Event.end() && Found->is_string() ? Found->get<std::string>() : "";
}

/// pid and tid are numbers or words.
std::string labelOf(const json &Event, const char *Key) {
  const auto Found = Event.find(Key);
  if (Found == Event.end() || !Found->is_number_integer() ||
      (Found->is_number_unsigned() && Found->get<uint64_t>() > INT64_MAX))
    return textOf(Event, Key);
  return std::to_string(Found->get<int64_t>());
}

bool isSubtleLabel(const json &Event, const char *Key) {
  const auto Found = Event.find(Key);
  return Found != Event.end() && Found->is_number() &&
         (!Found->is_number_integer() ||
          (Found->is_number_unsigned() && Found->get<uint64_t>() > INT64_MAX));
}

} // namespace

bool checkAgainstTree(std::string_view Text, const Result<Trace> &Read) {
  // To the other library a NUL is the end.
  const json Tree =
      Text.find('\0') == Text.npos ? parsePlain(Text) : json(json::value_t::discarded);
  if (Tree.is_discarded())
    return false;
  const json *Events = &Tree;
  if (Tree.is_object()) {
    const auto Found = Tree.find("traceEvents");
    Events = Found == Tree.end() ? nullptr : &*Found;
  }
  if (!Events || !Events->is_array()) {
    SEAMSCOPE_CHECK(!Read);
    return true;
  }
  // Our own part of the top level may be refused, and with it the file.
  if (Tree.is_object() && Tree.contains("seamscope") && !Read)
    return false;
  std::vector<const json *> Calls;
  __int128 Sum = 0;
  for (const json &Event : *Events) {
    const Sort What = sortOf(Event);
    if (What == Sort::Subtle)
      return false;
    if (What == Sort::Other)
      continue;
    Calls.push_back(&Event);
    Sum += __int128{Event["dur"].get<int64_t>()} * 1000;
  }
  // One without a single call is refused if other events are in it.
  if (!Read) {
    SEAMSCOPE_CHECK(Calls.empty() && !Events->empty());
    return true;
  }
  const Trace &Kept = *Read;
  SEAMSCOPE_CHECK(!Kept.Info.Damage);
  if (Sum > INT64_MAX)
    return false;
  // Calls that are made of a begin and an end, or had no end, stand behind these.
  SEAMSCOPE_CHECK(Kept.Events.size() >= Calls.size());
  for (size_t I = 0; I < Calls.size(); ++I) {
    const json &Event = *Calls[I];
    SEAMSCOPE_CHECK(Kept.Events.BeginNs[I] == Event["ts"].get<int64_t>() * 1000);
    SEAMSCOPE_CHECK(Kept.Events.DurationNs[I] == Event["dur"].get<int64_t>() * 1000);
    const Site &What = Kept.Sites[Kept.Events.Site[I]];
    SEAMSCOPE_CHECK(Kept.text(What.Name) == textOf(Event, "name"));
    SEAMSCOPE_CHECK(Kept.text(What.Category) == textOf(Event, "cat"));
    const Track &Where = Kept.Tracks[Kept.Events.Track[I]];
    if (!isSubtleLabel(Event, "pid"))
      SEAMSCOPE_CHECK(Kept.text(Where.Process) == labelOf(Event, "pid"));
    if (!isSubtleLabel(Event, "tid"))
      SEAMSCOPE_CHECK(Kept.text(Where.Thread) == labelOf(Event, "tid"));
  }
  const bool Halves = std::ranges::any_of(*Events, [](const json &Event) {
    return Event.is_object() && Event.contains("ph") && (Event["ph"] == "E" || Event["ph"] == "B");
  });
  SEAMSCOPE_CHECK(Halves || Kept.Events.size() == Calls.size());
  return true;
}

} // namespace seamscope::fuzz
