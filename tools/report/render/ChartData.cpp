//===- ChartData.cpp - the data of single charts, as the page reads them -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/ChartData.h"

#include <optional>
#include <string>

namespace seamscope::tools {
namespace {

void value(JsonWriter &To, const std::string &Of) { To.value(std::string_view(Of)); }
template <typename T> void value(JsonWriter &To, T Of) { To.value(Of); }
template <typename T> void value(JsonWriter &To, const std::optional<T> &Of) {
  Of ? To.value(*Of) : To.null();
}

template <typename T> void member(JsonWriter &To, std::string_view Key, const T &Of) {
  To.key(Key);
  value(To, Of);
}

template <typename Range, typename Fn>
void array(JsonWriter &To, std::string_view Key, const Range &Of, Fn Each) {
  To.key(Key);
  To.beginArray();
  for (const auto &One : Of)
    Each(One);
  To.endArray();
}

} // namespace

void writeChart(JsonWriter &To, const Roofline &Of) {
  To.beginObject();
  array(To, "roofs", Of.Roofs, [&](const Roofline::Roof &Each) {
    To.beginObject();
    member(To, "name", Each.Name);
    member(To, Each.OfMemory ? "bytes_per_s" : "flop_per_s", Each.Peak);
    To.endObject();
  });
  array(To, "points", Of.Points, [&](const Roofline::Point &Each) {
    To.beginObject();
    member(To, "name", Each.Name);
    member(To, "flop_per_byte", Each.FlopPerByte);
    member(To, "flop_per_s", Each.FlopPerS);
    member(To, "total_ns", Each.TotalNs);
    member(To, "calls", Each.Calls);
    member(To, "known_calls", Each.KnownCalls);
    member(To, "unit", Each.Unit);
    member(To, "roof", Each.Roof);
    member(To, "percent", Each.Percent);
    To.key("link");
    To.beginObject();
    member(To, "table", std::string_view("kernels"));
    member(To, "row", Each.Row);
    To.endObject();
    To.endObject();
  });
  To.endObject();
}

void writeChart(JsonWriter &To, const RankBars &Of) {
  To.beginObject();
  array(To, "parts", Of.Parts, [&](const std::string &Each) { value(To, Each); });
  array(To, "rows", Of.Rows, [&](const RankBars::Row &Each) {
    To.beginObject();
    member(To, "label", Each.Label);
    member(To, "wall_ns", Each.WallNs);
    To.key("values");
    if (Each.PartsNs.empty()) {
      To.null();
    } else {
      To.beginArray();
      for (const int64_t Ns : Each.PartsNs)
        To.value(Ns);
      To.endArray();
    }
    member(To, "caused_ns", Each.CausedNs);
    member(To, "wait_ns", Each.WaitNs);
    member(To, "mark", Each.Mark);
    To.endObject();
  });
  To.endObject();
}

void writeChart(JsonWriter &To, const Spread &Of) {
  To.beginObject();
  member(To, "begin_ns", Of.BeginNs);
  member(To, "end_ns", Of.EndNs);
  member(To, "count", Of.Count);
  const auto Numbers = [&](std::string_view Key, auto Member) {
    array(To, Key, Of.Classes, [&](const Spread::Class &Each) { value(To, Each.*Member); });
  };
  Numbers("at", &Spread::Class::At);
  Numbers("calls", &Spread::Class::Calls);
  Numbers("least", &Spread::Class::LeastNs);
  Numbers("median", &Spread::Class::MedianNs);
  Numbers("most", &Spread::Class::MostNs);
  To.endObject();
}

} // namespace seamscope::tools
