//===- PageChart.cpp - charts of the page --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/PageChart.h"

#include <optional>
#include <string_view>

namespace seamscope::tools {
namespace {

void writeEnd(PageJson &To, std::string_view Key, std::string_view Label, int64_t Ns) {
  To.key(Key);
  To.beginObject();
  To.member("label", Label);
  To.member("value", Ns);
  To.endObject();
}

class Writer {
public:
  Writer(PageJson &To, const PageParts &Parts) : To(To), Parts(Parts) {}

  void operator()(const Waterfall &Of) {
    begin("waterfall");
    writeEnd(To, "begin", Of.BeginLabel, Of.BeginNs);
    To.array("steps", Of.Steps, [&](const auto &Step) {
      To.beginObject();
      To.member("label", Step.first);
      To.member("value", Step.second);
      To.key("link");
      To.null();
      To.endObject();
    });
    writeEnd(To, "end", Of.EndLabel, Of.EndNs);
    To.endObject();
  }

  void operator()(const Histogram &Of) {
    begin("histogram");
    To.numbers("edges", Of.EdgesNs);
    To.numbers("counts", Of.Counts);
    To.endObject();
  }

  void operator()(const Bars &Of) {
    begin("bars");
    To.member("unit", "ns");
    To.texts("parts", Of.Parts);
    namedNumbers("rows", "label", Of.Rows);
    To.endObject();
  }

  void operator()(const Series &Of) {
    begin("series");
    To.member("unit", "ns");
    To.texts("labels", Of.Labels);
    namedNumbers("series", "name", Of.Lines);
    To.numbers("outliers", Of.Outliers);
    To.key("median");
    To.valueOrNull(Of.MedianNs);
    To.endObject();
  }

  void operator()(const Flame &Of) {
    begin("flame");
    To.array("views", Of.Views, [&](const Flame::View &Each) {
      To.beginObject();
      To.member("title", Each.Title);
      if (const std::string *Id = Parts.idOf(&Each)) {
        To.member("packed", *Id);
      } else {
        To.texts("names", Each.Names);
        To.array("parent", Each.Nodes, [&](const Flame::Node &N) { To.value(N.Parent); });
        To.array("name", Each.Nodes, [&](const Flame::Node &N) { To.value(N.Name); });
        To.array("self", Each.Nodes, [&](const Flame::Node &N) { To.value(N.SelfNs); });
        To.array("count", Each.Nodes, [&](const Flame::Node &N) { To.value(N.Calls); });
      }
      To.endObject();
    });
    To.endObject();
  }

  void operator()(const Timeline &Of) {
    begin("timeline");
    To.member("blob", *Parts.idOf(&Of.Events));
    To.member("begin_ns", 0);
    To.member("end_ns", Of.EndNs);
    if (const std::string *Id = Parts.idOf(&Of.Names)) {
      To.member("packed", *Id);
    } else {
      To.texts("names", Of.Names);
      To.numbers("name_kind", Of.KindOfName);
    }
    To.texts("kinds", Of.Kinds);
    To.array("lanes", Of.Lanes, [&](const Timeline::Lane &Each) {
      To.beginObject();
      To.member("title", Each.Title);
      To.member("group", Each.Group);
      To.member("kind", Each.Kind);
      To.member("events", Each.Events.size());
      To.member("bytes", laneBytes(Of, Each).size());
      To.endObject();
    });
    To.key("left_out");
    Of.LeftOut.empty() ? To.null() : To.value(std::string_view(Of.LeftOut));
    To.endObject();
  }

  void operator()(const Roofline &Of) {
    begin("roofline");
    To.array("roofs", Of.Roofs, [&](const Roofline::Roof &Each) {
      To.beginObject();
      To.member("name", Each.Name);
      To.member(Each.OfMemory ? "bytes_per_s" : "flop_per_s", Each.Peak);
      To.endObject();
    });
    To.array("points", Of.Points, [&](const Roofline::Point &Each) {
      To.beginObject();
      spot(Each);
      To.member("known_calls", Each.KnownCalls);
      optional("unit", Each.Unit);
      optional("roof", Each.Roof);
      optional("percent", Each.Percent);
      To.key("link");
      To.beginObject();
      To.member("table", std::string_view("kernels"));
      To.member("row", Each.Row);
      To.endObject();
      To.endObject();
    });
    To.array("replaced", Of.Operators, [&](const Roofline::Replaced &Each) {
      To.beginObject();
      To.member("point", Each.Point);
      spot(Each);
      To.endObject();
    });
    To.endObject();
  }

  void operator()(const RankBars &Of) {
    begin("ranks");
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
      optional("caused_ns", Each.CausedNs);
      optional("wait_ns", Each.WaitNs);
      To.member("mark", Each.Mark);
      To.endObject();
    });
    To.endObject();
  }

  void operator()(const Spread &Of) {
    begin("spread");
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

private:
  void begin(std::string_view Kind) {
    To.member("kind", Kind);
    To.key("data");
    To.beginObject();
  }

  void namedNumbers(std::string_view Key, std::string_view NameKey,
                    const std::vector<std::pair<std::string, std::vector<int64_t>>> &Rows) {
    To.array(Key, Rows, [&](const auto &Row) {
      To.beginObject();
      To.member(NameKey, Row.first);
      To.numbers("values", Row.second);
      To.endObject();
    });
  }

  /// What a dot is of, and where it is.
  template <typename T> void spot(const T &Of) {
    To.member("name", Of.Name);
    To.member("flop_per_byte", Of.FlopPerByte);
    To.member("flop_per_s", Of.FlopPerS);
    To.member("total_ns", Of.TotalNs);
    To.member("calls", Of.Calls);
  }

  template <typename T> void optional(std::string_view Key, const std::optional<T> &Of) {
    To.key(Key);
    To.valueOrNull(Of);
  }

  PageJson &To;
  const PageParts &Parts;
};

} // namespace

void writeChart(PageJson &To, const Chart &Of, const PageParts &Parts) {
  To.member("id", Of.Id);
  To.member("title", Of.Title);
  std::visit(Writer(To, Parts), Of.Of);
}

} // namespace seamscope::tools
