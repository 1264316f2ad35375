//===- CombineSamples.cpp - samples of a trace, as a combined one has them --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CombineSamples.h"

#include "trace/chrome/JsonFields.h"
#include "trace/io/JsonParse.h"
#include "trace/io/JsonText.h"

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Moves a number, if it is one that fits.
void move(Json &Number, int64_t ShiftNs) {
  int64_t Moved;
  if (const auto Ns = integerOf(nlohmann::json(Number));
      Ns && !__builtin_add_overflow(*Ns, ShiftNs, &Moved))
    Number = Moved;
}

void moveMember(Json &Object, const char *Key, int64_t ShiftNs) {
  if (Object.is_object())
    if (const auto Found = Object.find(Key); Found != Object.end())
      move(*Found, ShiftNs);
}

/// Moves a column of differences: the first is to 0.
void moveColumn(Json &Entry, const char *Columns, const char *Key, int64_t ShiftNs) {
  const auto Of = Entry.find(Columns);
  if (Of == Entry.end() || !Of->is_object())
    return;
  if (const auto Column = Of->find(Key);
      Column != Of->end() && Column->is_array() && !Column->empty())
    move((*Column)[0], ShiftNs);
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
    moveMember(Entry, "begin_ns", Plan.ShiftNs);
    moveMember(Entry, "until_ns", Plan.ShiftNs);
    for (const char *List : {"threads", "modules"})
      if (const auto Found = Entry.find(List); Found != Entry.end() && Found->is_array())
        for (Json &Each : *Found)
          for (const char *Key : {"from_ns", "to_ns"})
            moveMember(Each, Key, Plan.ShiftNs);
    moveColumn(Entry, "samples", "ns", Plan.ShiftNs);
    moveColumn(Entry, "off", "begin_ns", Plan.ShiftNs);
    Moved += (Moved.empty() ? "" : ",\n") + jsonText(Entry);
  }
  return Moved;
}

} // namespace seamscope::tools
