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

template <typename T> void member(PageJson &To, std::string_view Key, const std::optional<T> &Of) {
  To.key(Key);
  To.valueOrNull(Of);
}

} // namespace

void writeData(PageJson &To, const Roofline &Of) {
  To.beginObject();
  To.array("roofs", Of.Roofs, [&](const Roofline::Roof &Each) {
    To.beginObject();
    To.member("name", Each.Name);
    To.member(Each.OfMemory ? "bytes_per_s" : "flop_per_s", Each.Peak);
    To.endObject();
  });
  To.array("points", Of.Points, [&](const Roofline::Point &Each) {
    To.beginObject();
    To.member("name", Each.Name);
    To.member("flop_per_byte", Each.FlopPerByte);
    To.member("flop_per_s", Each.FlopPerS);
    To.member("total_ns", Each.TotalNs);
    To.member("calls", Each.Calls);
    To.member("known_calls", Each.KnownCalls);
    member(To, "unit", Each.Unit);
    member(To, "roof", Each.Roof);
    member(To, "percent", Each.Percent);
    To.key("link");
    To.beginObject();
    To.member("table", std::string_view("kernels"));
    To.member("row", Each.Row);
    To.endObject();
    To.endObject();
  });
  To.endObject();
}

void writeData(PageJson &To, const RankBars &Of) {
  To.beginObject();
  To.texts("parts", Of.Parts);
  To.array("rows", Of.Rows, [&](const RankBars::Row &Each) {
    To.beginObject();
    To.member("label", Each.Label);
    To.member("wall_ns", Each.WallNs);
    To.key("values");
    if (Each.PartsNs.empty()) {
      To.null();
    } else {
      To.elements(Each.PartsNs, [&](int64_t Ns) { To.value(Ns); });
    }
    member(To, "caused_ns", Each.CausedNs);
    member(To, "wait_ns", Each.WaitNs);
    To.member("mark", Each.Mark);
    To.endObject();
  });
  To.endObject();
}

void writeData(PageJson &To, const Spread &Of) {
  To.beginObject();
  To.member("begin_ns", Of.BeginNs);
  To.member("end_ns", Of.EndNs);
  To.member("count", Of.Count);
  const auto Numbers = [&](std::string_view Key, auto Member) {
    To.array(Key, Of.Classes, [&](const Spread::Class &Each) { To.value(Each.*Member); });
  };
  Numbers("at", &Spread::Class::At);
  Numbers("calls", &Spread::Class::Calls);
  Numbers("least", &Spread::Class::LeastNs);
  Numbers("median", &Spread::Class::MedianNs);
  Numbers("most", &Spread::Class::MostNs);
  To.endObject();
}

} // namespace seamscope::tools
