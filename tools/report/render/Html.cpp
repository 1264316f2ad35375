//===- Html.cpp - a document as one page ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/Html.h"

#include "report/render/PageChart.h"
#include "report/render/PageParts.h"
#include "report/render/PageTable.h"

#include <algorithm>
#include <ranges>
#include <variant>

#include <fmt/format.h>

namespace seamscope::tools {

extern const std::string_view PageBegin, PageEnd;

namespace {

class PageWriter {
public:
  PageWriter(PageJson &To, const PageParts &Parts) : To(To), Parts(Parts) {}

  void write(const Document &Of, std::string_view Verb) {
    To.beginObject();
    To.member("schema", "seamscope.page/1");
    To.member("title", Of.Title);
    To.member("verb", Verb);
    To.member("version", SEAMSCOPE_VERSION);
    if (const size_t Count = Parts.texts().size())
      To.member("texts", Count);
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

private:
  void section(const Section &Part) {
    if (Part.Id != "summary" && std::ranges::none_of(Part.Items, isOnPage))
      return;
    To.beginObject();
    To.member("id", Part.Id);
    To.member("title", Part.Title);
    To.key("items");
    items(Part.Items);
    To.endObject();
  }

  void items(const std::vector<Item> &Of) {
    To.elements(Of | std::views::filter(isOnPage), [&](const Item &One) { item(One); });
  }

  void item(const Item &One) {
    To.beginObject();
    std::visit([&](const auto &Of) { add(Of); }, One.Held);
    To.endObject();
  }

  void add(const Fact &) {}
  void add(const Sentence &Of) {
    To.member("type", "note");
    To.member("text", Of.Text);
    To.member("level", Of.Warning ? "warning" : "plain");
  }
  void add(const Finding &Of) {
    To.member("type", "finding");
    To.member("kind", Of.Kind);
    To.member("text", Of.Evidence);
    To.member("remedy", Of.Remedy);
    To.member("saving_ns", Of.SavingNs);
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
      To.member("section", Of->Section);
    } else {
      To.member("table", Of->Table);
      To.member("row", Of->Row);
    }
    To.endObject();
  }
  void add(const std::shared_ptr<const Pair> &Of) {
    To.member("type", "pair");
    To.key("items");
    To.beginArray();
    item(Of->Left);
    item(Of->Right);
    To.endArray();
  }
  void add(const Code &Of) {
    To.member("type", "code");
    To.member("title", Of.Title);
    To.member("language", Of.Language);
    To.member("first", Of.First);
    To.texts("lines", Of.Lines);
    if (!Of.HeatNs.empty())
      To.array("heat", Of.HeatNs, [&](const std::optional<int64_t> &Ns) { To.valueOrNull(Ns); });
    if (!Of.Work.empty())
      To.array("work", Of.Work, [&](const std::optional<CodeWork> &Its) {
        if (!Its)
          return To.null();
        To.beginArray();
        for (const std::string &Text : {Its->Flop, Its->Read, Its->Written, Its->Math})
          To.value(Text);
        To.endArray();
      });
    if (!Of.Roofs.empty())
      To.texts("roofs", Of.Roofs);
    if (!Of.Samples.empty())
      To.array("samples", Of.Samples, [&](const std::optional<LineSamples> &Its) {
        if (!Its)
          return To.null();
        To.beginObject();
        To.member("samples", Its->Count);
        To.member("share", Its->Share);
        To.member("low", Its->Low);
        To.member("high", Its->High);
        To.endObject();
      });
  }
  void add(const Chart &Of) {
    To.member("type", "chart");
    writeChart(To, Of, Parts);
  }

  void add(const Table &Of) {
    To.member("type", "table");
    To.member("id", Of.Key);
    To.member("title", Of.Title);
    const std::string *Packed = Parts.idOf(&Of);
    const std::vector<size_t> Shown = columnsOnPage(Of);
    To.array("columns", Shown,
             [&](size_t Index) { writeColumn(To, Of.Columns[Index], Index == Shown[0], Packed); });
    if (Packed) {
      To.member("packed", *Packed);
      To.member("count", Of.Count);
    } else {
      To.key("rows");
      To.beginArray();
      for (size_t Row = 0; Row < Of.Count; ++Row)
        To.elements(Shown,
                    [&](size_t Index) { writeCell(To, Of.Columns[Index], Of.At(Row, Index)); });
      To.endArray();
    }
    byRow(Of);
    To.array("summary", Of.Summaries | std::views::filter([](const Summary &Each) {
                          return Each.In & ForHtml;
                        }),
             [&](const Summary &Each) {
               To.beginObject();
               To.member("label", Each.Label);
               To.key("cells");
               To.beginObject();
               for (const size_t Index : Shown)
                 if (const Cell *Known = Each.find(Of.Columns[Index].Key)) {
                   To.key(Of.Columns[Index].Key);
                   writeCell(To, Of.Columns[Index], *Known);
                 }
               To.endObject();
               To.endObject();
             });
    if (Of.Top < Of.Count)
      To.member("top", Of.Top);
  }

  /// Data of single rows, by row number.
  void byRow(const Table &Of) {
    if (Of.Depth) {
      std::vector<size_t> Depths;
      for (size_t Row = 0; Row < Of.Count; ++Row)
        Depths.push_back(Of.Depth(Row));
      if (std::ranges::any_of(Depths, [](size_t Depth) { return Depth != 0; }))
        To.numbers("depth", Depths);
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
            To.elements(Lines, [&](const std::string &Line) { To.value(std::string_view(Line)); });
          });
    if (Of.Details)
      ByRow(
          "details", [&](size_t Row) { return Unless(Of.Details(Row)); },
          [&](const std::vector<Item> &Each) { items(Each); });
  }

  PageJson &To;
  const PageParts &Parts;
};

/// JSON in which an HTML parser finds no markup.
void writeInScript(std::string_view Text, const WriteText &Write) {
  while (!Text.empty()) {
    const size_t Plain = std::min(Text.find_first_of("<>&"), Text.size());
    if (Plain)
      Write(Text.substr(0, Plain));
    Text.remove_prefix(Plain);
    if (!Text.empty()) {
      Write(fmt::format("\\u{:04x}", static_cast<unsigned>(Text[0])));
      Text.remove_prefix(1);
    }
  }
}

} // namespace

void renderHtml(const Document &Of, std::string_view Verb, const WriteText &Write,
                size_t MostInline) {
  const PageParts Parts(Of, MostInline);
  Write(PageBegin);
  Write("<script type=\"application/json\" id=\"document\">");
  {
    const WriteText Inner = [&](std::string_view Text) { writeInScript(Text, Write); };
    PageJson To(Inner);
    PageWriter(To, Parts).write(Of, Verb);
    To.end();
  }
  Write("</script>\n");
  Parts.write(Write);
  Write(PageEnd);
}

} // namespace seamscope::tools
