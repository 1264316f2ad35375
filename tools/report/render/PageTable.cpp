//===- PageTable.cpp - columns and cells of a page's tables --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/PageTable.h"

namespace seamscope::tools {
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

/// Whether comparing its lengths with other rows is what matters most.
bool hasBar(const Column &Of) {
  return Of.Of == Unit::Percent || Of.Of == Unit::Change || (Of.Of == Unit::Ns && Of.Sums);
}

/// Whether any row has a value there: a column of dashes is not shown to people.
bool isKnown(const Table &Of, size_t Column) {
  for (size_t Row = 0; Row < Of.Count; ++Row)
    if (const Cell What = Of.At(Row, Column); What.Data.isKnown() || What.Shown)
      return true;
  return !Of.Count;
}

void writeScalar(PageJson &To, const Value &Of) {
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
  else if (const auto *Each = Of.as<Value::List>())
    To.elements(*Each, [&](const Value &One) { writeScalar(To, One); });
  else
    To.null();
}

/// If a cell is a single text, calls \p Use with it and with whether it lives as long as the trace;
/// false: the cell is more, or something else.
template <typename Fn> bool withText(const Column &Of, const Cell &What, Fn Use) {
  if (const Place *Where = What.Data.as<Place>()) {
    if (Where->File.empty())
      return false;
    Use(std::string_view(shownCell(Of, What)), false);
  } else if (What.Shown) {
    return false;
  } else if (const auto *View = What.Data.as<std::string_view>()) {
    Use(*View, true);
  } else if (const auto *Text = What.Data.as<std::string>()) {
    Use(std::string_view(*Text), false);
  } else if (What.Data.isAbsent()) {
    Use(std::string_view(), true);
  } else {
    return false;
  }
  return true;
}

} // namespace

bool isOnPage(const Item &One) {
  if (const Table *Rows = One.as<Table>())
    return Rows->In & ForHtml;
  if (const Sentence *Line = One.as<Sentence>())
    return (Line->In & ForHtml) && !Line->Text.empty();
  if (const Finding *Found = One.as<Finding>())
    return Found->In & ForHtml;
  return !One.as<Fact>();
}

std::vector<size_t> columnsOnPage(const Table &Of) {
  std::vector<size_t> Shown;
  for (size_t I = 0; I < Of.Columns.size(); ++I)
    if ((Of.Columns[I].In & ForHtml) && (Shown.empty() || isKnown(Of, I)))
      Shown.push_back(I);
  return Shown;
}

void writeColumn(PageJson &To, const Column &Of, bool First, bool Packed) {
  To.beginObject();
  To.member("key", Of.Key);
  To.member("title", Of.Title);
  To.member("unit", unitName(Of.Of));
  To.member("align", First || Of.Left || Of.Of == Unit::Name ? "left" : "right");
  To.member("help", Of.Help);
  To.member("total", Of.Sums ? "sum" : "none");
  if (Of.Good != Better::Neither)
    To.member("better", Of.Good == Better::Less ? "less" : "more");
  To.member("bar", hasBar(Of));
  To.member("hidden", Of.Wide);
  if (Packed && hasTexts(Of))
    To.member("texts", true);
  To.endObject();
}

void writeCell(PageJson &To, const Column &Of, const Cell &What, bool WithText) {
  const bool OwnForm =
      WithText || What.Shown || Of.Of == Unit::Rate || Of.Of == Unit::Change || !isExact(What.Data);
  if (const Place *Where = What.Data.as<Place>()) {
    if (Where->File.empty())
      return To.null();
    To.beginObject();
    To.member("file", Where->File);
    To.member("line", Where->Line);
    To.member("column", Where->Column);
    To.member("s", shownCell(Of, What));
    To.endObject();
  } else if (OwnForm && (What.Shown || What.Data.isKnown())) {
    To.beginObject();
    To.key("v");
    writeScalar(To, What.Data);
    To.member("s", What.Shown ? *What.Shown : shownCell(Of, What));
    To.endObject();
  } else if (What.Data.isAbsent()) {
    To.value(std::string_view());
  } else {
    writeScalar(To, What.Data);
  }
}

bool hasTexts(const Column &Of) {
  return Of.Of == Unit::Name || Of.Of == Unit::Text || Of.Of == Unit::Place;
}

void addTexts(PageTexts &To, const Table &Of) {
  for (const size_t Index : columnsOnPage(Of))
    for (size_t Row = 0; hasTexts(Of.Columns[Index]) && Row < Of.Count; ++Row)
      withText(Of.Columns[Index], Of.At(Row, Index),
               [&](std::string_view Text, bool Lives) { To.add(Text, Lives); });
}

void writeColumns(PageJson &To, const Table &Of, const PageTexts &Texts) {
  To.elements(columnsOnPage(Of), [&](size_t Index) {
    const Column &Each = Of.Columns[Index];
    const bool Numbered = hasTexts(Each);
    To.beginArray();
    for (size_t Row = 0; Row < Of.Count; ++Row) {
      const Cell What = Of.At(Row, Index);
      if (!Numbered || !withText(Each, What, [&](std::string_view Text, bool) {
            To.value(Texts.numberOf(Text));
          }))
        // A single number would mean the number of a text.
        writeCell(To, Each, What, /*WithText=*/Numbered);
    }
    To.endArray();
  });
}

} // namespace seamscope::tools
