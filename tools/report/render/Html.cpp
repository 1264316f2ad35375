//===- Html.cpp - a document as one page ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/Html.h"

#include "report/render/Blob.h"
#include "report/render/ChartData.h"
#include "report/render/JsonWriter.h"

#include <variant>

#include <fmt/format.h>

namespace seamscope::tools {

extern const std::string_view PageBegin, PageEnd;

namespace {

std::string_view unitName(Unit Of) {
  switch (Of) {
  case Unit::Name:
    return "name";
  case Unit::Count:
    return "count";
  case Unit::Ns:
  case Unit::Change:
    return "ns";
  case Unit::Percent:
    return "percent";
  case Unit::Ratio:
  case Unit::Rate:
    return "ratio";
  case Unit::Bytes:
    return "bytes";
  case Unit::Flop:
    return "flop";
  case Unit::Place:
    return "place";
  case Unit::Flag:
    return "flag";
  case Unit::List:
    return "list";
  case Unit::Spark:
    return "spark";
  default:
    return "text";
  }
}

/// Whether it means most to see how long it is beside the others.
bool hasBar(const Column &Of) { return Of.Of == Unit::Percent || (Of.Of == Unit::Ns && Of.Sums); }

class PageWriter {
public:
  explicit PageWriter(JsonWriter &To) : To(To) {}

  void write(const Document &Of, std::string_view Verb) {
    To.beginObject();
    text("schema", "seamscope.page/1");
    text("title", Of.Title);
    text("verb", Verb);
    text("version", SEAMSCOPE_VERSION);
    To.key("facts");
    To.beginArray();
    for (const Section &Part : Of.Sections)
      for (const Item &One : Part.Items)
        if (const Fact *Known = One.as<Fact>();
            Known && (Known->What.In & ForHtml) && Known->Of.Data.isKnown()) {
          To.beginArray();
          To.value(std::string_view(Known->What.Title));
          To.value(std::string_view(shownCell(Known->What, Known->Of)));
          To.endArray();
        }
    To.endArray();
    To.key("sections");
    To.beginArray();
    for (const Section &Part : Of.Sections)
      section(Part);
    To.endArray();
    To.endObject();
  }

  /// What stands in elements of their own.
  std::vector<std::pair<std::string, const Timeline *>> Timelines;

private:
  void text(std::string_view Key, std::string_view Of) {
    To.key(Key);
    To.value(Of);
  }
  template <typename T> void number(std::string_view Key, T Of) {
    To.key(Key);
    To.value(Of);
  }
  void flag(std::string_view Key, bool Of) {
    To.key(Key);
    To.value(Of);
  }
  template <typename Range, typename Fn>
  void array(std::string_view Key, const Range &Of, Fn Each) {
    To.key(Key);
    To.beginArray();
    for (const auto &One : Of)
      Each(One);
    To.endArray();
  }
  void texts(std::string_view Key, const std::vector<std::string> &Of) {
    array(Key, Of, [&](const std::string &One) { To.value(std::string_view(One)); });
  }
  template <typename T> void numbers(std::string_view Key, const std::vector<T> &Of) {
    array(Key, Of, [&](T One) { To.value(One); });
  }

  static bool isShown(const Item &One) {
    if (const Table *Rows = One.as<Table>())
      return Rows->In & ForHtml;
    if (const Sentence *Line = One.as<Sentence>())
      return (Line->In & ForHtml) && !Line->Text.empty();
    if (const Finding *Found = One.as<Finding>())
      return Found->In & ForHtml;
    return !One.as<Fact>();
  }

  void section(const Section &Part) {
    if (Part.Id != "summary" && std::ranges::none_of(Part.Items, isShown))
      return;
    To.beginObject();
    text("id", Part.Id);
    text("title", Part.Title);
    items("items", Part.Items);
    To.endObject();
  }

  void items(std::string_view Key, const std::vector<Item> &Of) {
    array(Key, Of, [&](const Item &One) {
      if (isShown(One))
        item(One);
    });
  }

  void item(const Item &One) {
    To.beginObject();
    std::visit([&](const auto &Of) { add(Of); }, One.Held);
    To.endObject();
  }

  void add(const Fact &) {}
  void add(const Sentence &Of) {
    text("type", "note");
    text("text", Of.Text);
    text("level", Of.Warning ? "warning" : "plain");
  }
  void add(const Finding &Of) {
    text("type", "finding");
    text("kind", Of.Kind);
    text("text", Of.Evidence);
    text("remedy", Of.Remedy);
    number("saving_ns", Of.SavingNs);
    To.key("share");
    Of.Percent ? To.value(*Of.Percent / 100) : To.null();
    To.key("link");
    link(Of.Where);
  }
  void link(const std::optional<Link> &Of) {
    if (!Of)
      return To.null();
    To.beginObject();
    if (Of->Table.empty()) {
      text("section", Of->Section);
    } else {
      text("table", Of->Table);
      number("row", Of->Row);
    }
    To.endObject();
  }
  void add(const std::shared_ptr<const Pair> &Of) {
    text("type", "pair");
    To.key("items");
    To.beginArray();
    item(Of->Left);
    item(Of->Right);
    To.endArray();
  }
  void add(const Code &Of) {
    text("type", "code");
    text("title", Of.Title);
    text("language", Of.Language);
    number("first", Of.First);
    texts("lines", Of.Lines);
    if (!Of.HeatNs.empty())
      array("heat", Of.HeatNs,
            [&](const std::optional<int64_t> &Ns) { Ns ? To.value(*Ns) : To.null(); });
    if (!Of.Marks.empty())
      array("marks", Of.Marks, [&](const std::vector<std::string> &Each) {
        if (Each.empty())
          return To.null();
        To.beginArray();
        for (const std::string &One : Each)
          To.value(std::string_view(One));
        To.endArray();
      });
  }

  /// Whether any row says something there: a column of dashes is none for people.
  static bool isKnown(const Table &Of, size_t Column) {
    for (size_t Row = 0; Row < Of.Count; ++Row)
      if (const Cell What = Of.At(Row, Column); What.Data.isKnown() || What.Shown)
        return true;
    return !Of.Count;
  }

  void add(const Table &Of) {
    text("type", "table");
    text("id", Of.Key);
    text("title", Of.Title);
    std::vector<size_t> Shown;
    for (size_t I = 0; I < Of.Columns.size(); ++I)
      if ((Of.Columns[I].In & ForHtml) && (Shown.empty() || isKnown(Of, I)))
        Shown.push_back(I);
    array("columns", Shown, [&](size_t Index) {
      const Column &Each = Of.Columns[Index];
      To.beginObject();
      text("key", Each.Key);
      text("title", Each.Title);
      text("unit", unitName(Each.Of));
      text("align", Index == Shown[0] || Each.Left || Each.Of == Unit::Name ? "left" : "right");
      text("help", Each.Help);
      text("total", Each.Sums ? "sum" : "none");
      flag("bar", hasBar(Each));
      flag("hidden", Each.Wide);
      To.endObject();
    });
    To.key("rows");
    To.beginArray();
    for (size_t Row = 0; Row < Of.Count; ++Row) {
      To.beginArray();
      for (const size_t Index : Shown)
        cell(Of.Columns[Index], Of.At(Row, Index));
      To.endArray();
    }
    To.endArray();
    rowTexts(Of);
    array("summary", Of.Summaries, [&](const Summary &Each) {
      if (!(Each.In & ForHtml))
        return;
      To.beginObject();
      text("label", Each.Label);
      To.key("cells");
      To.beginObject();
      for (const size_t Index : Shown)
        if (const Cell *Known = Each.find(Of.Columns[Index].Key)) {
          To.key(Of.Columns[Index].Key);
          cell(Of.Columns[Index], *Known);
        }
      To.endObject();
      To.endObject();
    });
    if (Of.Top < Of.Count)
      number("top", Of.Top);
  }

  /// What belongs to single rows, by number.
  void rowTexts(const Table &Of) {
    if (Of.Depth) {
      std::vector<size_t> Depths;
      for (size_t Row = 0; Row < Of.Count; ++Row)
        Depths.push_back(Of.Depth(Row));
      if (std::ranges::any_of(Depths, [](size_t Depth) { return Depth != 0; }))
        numbers("depth", Depths);
    }
    const auto ByRow = [&](std::string_view Key, auto Has, auto Emit) {
      bool Any = false;
      for (size_t Row = 0; Row < Of.Count; ++Row) {
        auto What = Has(Row);
        if (!What)
          continue;
        if (!Any) {
          To.key(Key);
          To.beginObject();
        }
        Any = true;
        To.key(fmt::to_string(Row));
        Emit(*What);
      }
      if (Any)
        To.endObject();
    };
    using Word = std::optional<std::string_view>;
    if (Of.Stands)
      ByRow(
          "emphasis",
          [&](size_t Row) -> Word {
            const Emphasis How = Of.Stands(Row);
            return How == Emphasis::None ? Word() : How == Emphasis::Strong ? "strong" : "faint";
          },
          [&](std::string_view How) { To.value(How); });
    const auto Unless = [](auto Made) {
      return Made.empty() ? std::nullopt : std::optional(std::move(Made));
    };
    if (Of.Notes)
      ByRow(
          "notes", [&](size_t Row) { return Unless(Of.Notes(Row)); },
          [&](const std::vector<std::string> &Lines) {
            To.beginArray();
            for (const std::string &Line : Lines)
              To.value(std::string_view(Line));
            To.endArray();
          });
    if (Of.Details)
      ByRow(
          "details", [&](size_t Row) { return Unless(Of.Details(Row)); },
          [&](const std::vector<Item> &Each) {
            To.beginArray();
            for (const Item &One : Each)
              if (isShown(One))
                item(One);
            To.endArray();
          });
  }

  /// A number or text as it is; with its own text where the unit's form is not it.
  void cell(const Column &Of, const Cell &What) {
    const bool OwnForm =
        What.Shown || Of.Of == Unit::Rate || Of.Of == Unit::Change || !isExact(What.Data);
    if (const Place *Where = What.Data.as<Place>()) {
      if (Where->File.empty())
        return To.null();
      To.beginObject();
      text("file", Where->File);
      number("line", Where->Line);
      number("column", Where->Column);
      text("s", shownCell(Of, What));
      To.endObject();
    } else if (OwnForm && (What.Shown || What.Data.isKnown())) {
      To.beginObject();
      To.key("v");
      scalar(What.Data);
      text("s", What.Shown ? *What.Shown : shownCell(Of, What));
      To.endObject();
    } else if (What.Data.isAbsent()) {
      To.value(std::string_view());
    } else {
      scalar(What.Data);
    }
  }

  void scalar(const Value &Of) {
    if (const auto *Flag = Of.as<bool>())
      To.value(*Flag);
    else if (const auto *Signed = Of.as<int64_t>())
      To.value(*Signed);
    else if (const auto *Unsigned = Of.as<uint64_t>())
      To.value(*Unsigned);
    else if (const auto *Real = Of.as<double>())
      To.value(*Real);
    else if (const auto *View = Of.as<std::string_view>())
      To.value(*View);
    else if (const auto *Text = Of.as<std::string>())
      To.value(std::string_view(*Text));
    else if (const auto *Each = Of.as<Value::List>()) {
      To.beginArray();
      for (const Value &One : *Each)
        scalar(One);
      To.endArray();
    } else
      To.null();
  }

  void add(const Chart &Of) {
    text("type", "chart");
    text("id", Of.Id);
    text("title", Of.Title);
    std::visit([&](const auto &Kind) { chart(Of, Kind); }, Of.Of);
  }
  void begin(std::string_view Kind) {
    text("kind", Kind);
    To.key("data");
    To.beginObject();
  }
  void end(std::string_view Key, std::string_view Label, int64_t Ns) {
    To.key(Key);
    To.beginObject();
    text("label", Label);
    number("value", Ns);
    To.endObject();
  }
  void chart(const Chart &, const Waterfall &Of) {
    begin("waterfall");
    end("begin", Of.BeginLabel, Of.BeginNs);
    array("steps", Of.Steps, [&](const auto &Step) {
      To.beginObject();
      text("label", Step.first);
      number("value", Step.second);
      To.key("link");
      To.null();
      To.endObject();
    });
    end("end", Of.EndLabel, Of.EndNs);
    To.endObject();
  }
  void chart(const Chart &, const Histogram &Of) {
    begin("histogram");
    numbers("edges", Of.EdgesNs);
    numbers("counts", Of.Counts);
    To.endObject();
  }
  void chart(const Chart &, const Bars &Of) {
    begin("bars");
    text("unit", "ns");
    texts("parts", Of.Parts);
    array("rows", Of.Rows, [&](const auto &Row) {
      To.beginObject();
      text("label", Row.first);
      numbers("values", Row.second);
      To.endObject();
    });
    To.endObject();
  }
  void chart(const Chart &, const Series &Of) {
    begin("series");
    text("unit", "ns");
    texts("labels", Of.Labels);
    array("series", Of.Lines, [&](const auto &Line) {
      To.beginObject();
      text("name", Line.first);
      numbers("values", Line.second);
      To.endObject();
    });
    numbers("outliers", Of.Outliers);
    To.key("median");
    Of.MedianNs ? To.value(*Of.MedianNs) : To.null();
    To.endObject();
  }
  void chart(const Chart &, const Flame &Of) {
    begin("flame");
    array("views", Of.Views, [&](const Flame::View &Each) {
      To.beginObject();
      text("title", Each.Title);
      texts("names", Each.Names);
      array("parent", Each.Nodes, [&](const Flame::Node &N) { To.value(N.Parent); });
      array("name", Each.Nodes, [&](const Flame::Node &N) { To.value(N.Name); });
      array("self", Each.Nodes, [&](const Flame::Node &N) { To.value(N.SelfNs); });
      array("count", Each.Nodes, [&](const Flame::Node &N) { To.value(N.Calls); });
      To.endObject();
    });
    To.endObject();
  }
  /// What ChartData knows.
  void chart(const Chart &, const auto &Of) {
    text("kind", chartKind(Of));
    To.key("data");
    writeChart(To, Of);
  }
  void chart(const Chart &Whole, const Timeline &Of) {
    const std::string Blob = Whole.Id + "-events";
    Timelines.emplace_back(Blob, &Of);
    begin("timeline");
    text("blob", Blob);
    number("begin_ns", 0);
    number("end_ns", Of.EndNs);
    texts("names", Of.Names);
    numbers("name_kind", Of.KindOfName);
    texts("kinds", Of.Kinds);
    array("lanes", Of.Lanes, [&](const Timeline::Lane &Each) {
      To.beginObject();
      text("title", Each.Title);
      text("group", Each.Group);
      text("kind", Each.Kind);
      number("events", Each.Events.size());
      number("bytes", laneBytes(Of, Each).size());
      To.endObject();
    });
    To.key("left_out");
    Of.LeftOut.empty() ? To.null() : To.value(std::string_view(Of.LeftOut));
    To.endObject();
  }

  JsonWriter &To;
};

/// JSON in which no HTML parser finds markup.
void writeInScript(std::string_view Text, const WriteText &Write) {
  std::string Safe;
  Safe.reserve(Text.size());
  for (const char C : Text)
    if (C == '<' || C == '>' || C == '&')
      Safe += fmt::format("\\u{:04x}", static_cast<unsigned>(C));
    else
      Safe += C;
  Write(Safe);
}

} // namespace

void renderHtml(const Document &Of, std::string_view Verb, const WriteText &Write) {
  Write(PageBegin);
  Write("<script type=\"application/json\" id=\"document\">");
  std::vector<std::pair<std::string, const Timeline *>> Timelines;
  {
    const WriteText Inner = [&](std::string_view Text) { writeInScript(Text, Write); };
    JsonWriter To(Inner, /*Indents=*/false);
    PageWriter Page(To);
    Page.write(Of, Verb);
    To.end();
    Timelines = std::move(Page.Timelines);
  }
  Write("</script>\n");
  for (const auto &[Id, What] : Timelines) {
    Write(fmt::format("<script type=\"application/octet-stream\" id=\"{}\">", Id));
    writeBlob(*What, Write);
    Write("</script>\n");
  }
  Write(PageEnd);
}

} // namespace seamscope::tools
