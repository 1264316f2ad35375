//===- CombineSamples.cpp - samples of a trace, as a combined one has them --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CombineSamples.h"

#include "trace/chrome/JsonFields.h"
#include "trace/io/JsonParse.h"
#include "trace/io/JsonText.h"
#include "trace/model/Trace.h"

#include <initializer_list>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Moves a number, if it is one that fits.
void move(Json &Number, const TimeMap &Time) {
  if (const auto Ns = integerOf(nlohmann::json(Number)))
    if (const __int128 Moved = Time.exact(*Ns); Moved >= INT64_MIN && Moved <= INT64_MAX)
      Number = static_cast<int64_t>(Moved);
}

void moveMember(Json &Object, const char *Key, const TimeMap &Time) {
  if (Object.is_object())
    if (const auto Found = Object.find(Key); Found != Object.end())
      move(*Found, Time);
}

Json *columnOf(Json &Entry, const char *Columns, const char *Key) {
  const auto Of = Entry.find(Columns);
  if (Of == Entry.end() || !Of->is_object())
    return nullptr;
  const auto Column = Of->find(Key);
  return Column != Of->end() && Column->is_array() ? &*Column : nullptr;
}

/// Moves a column of differences, the first of which is to 0, and \p Lengths from these times on.
void moveColumn(Json *Column, const TimeMap &Time, std::initializer_list<Json *> Lengths = {}) {
  int64_t Old = 0, New = 0;
  for (size_t I = 0; Column && I < Column->size(); ++I) {
    const auto Step = integerOf(nlohmann::json((*Column)[I]));
    if (!Step || __builtin_add_overflow(Old, *Step, &Old))
      return; // readers give up there, too
    const __int128 Moved = Time.exact(Old);
    if (Moved < INT64_MIN || Moved > INT64_MAX ||
        __builtin_sub_overflow(static_cast<int64_t>(Moved), New, &New))
      return;
    (*Column)[I] = New;
    New = static_cast<int64_t>(Moved);
    for (Json *const Length : Lengths)
      if (Length && I < Length->size())
        if (const auto Ns = integerOf(nlohmann::json((*Length)[I])); Ns && isPlausible(*Ns))
          (*Length)[I] = Time.length(Old, *Ns);
  }
}

} // namespace

std::string movedSamples(std::string_view Text, const InputPlan &Plan) {
  std::string Moved;
  for (Json &Entry : parseJson<Json>(Text)) {
    if (!Entry.is_object())
      continue;
    if (const auto Pid =
            Plan.Pids.find(labelOf(nlohmann::json{{"pid", Entry.value("pid", Json())}}, "pid"));
        Pid != Plan.Pids.end() && Pid->first != Pid->second)
      Entry["pid"] = Pid->second;
    moveMember(Entry, "begin_ns", Plan.Time);
    moveMember(Entry, "until_ns", Plan.Time);
    for (const char *List : {"threads", "modules"})
      if (const auto Found = Entry.find(List); Found != Entry.end() && Found->is_array())
        for (Json &Each : *Found)
          for (const char *Key : {"from_ns", "to_ns"})
            moveMember(Each, Key, Plan.Time);
    moveColumn(columnOf(Entry, "samples", "ns"), Plan.Time);
    moveColumn(columnOf(Entry, "off", "begin_ns"), Plan.Time,
               {columnOf(Entry, "off", "length_ns"), columnOf(Entry, "off", "off_ns")});
    Moved += (Moved.empty() ? "" : ",\n") + jsonText(Entry);
  }
  return Moved;
}

} // namespace seamscope::tools
