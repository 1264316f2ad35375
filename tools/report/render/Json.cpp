//===- Json.cpp - a document for scripts --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/JsonWriter.h"
#include "report/render/Render.h"

#include <algorithm>
#include <variant>

namespace seamscope::tools {

static void writeRecord(JsonWriter &To, const Table &Of, size_t Row);

static void writeValue(JsonWriter &To, const Value &What) {
  struct Visitor {
    JsonWriter &To;
    void operator()(std::monostate) const { To.null(); }
    void operator()(const Absent &) const { To.null(); }
    void operator()(bool Is) const { To.value(Is); }
    void operator()(int64_t Number) const { To.value(Number); }
    void operator()(uint64_t Number) const { To.value(Number); }
    void operator()(double Number) const { To.value(Number); }
    void operator()(std::string_view Text) const { To.value(Text); }
    void operator()(const std::string &Text) const { To.value(std::string_view(Text)); }
    void operator()(const Place &Where) const {
      To.beginObject();
      To.key("file");
      Where.File.empty() ? To.null() : To.value(Where.File);
      To.key("line");
      Where.Line ? To.value(uint64_t{Where.Line}) : To.null();
      To.key("column");
      Where.Column ? To.value(uint64_t{Where.Column}) : To.null();
      To.endObject();
    }
    void operator()(const Value::List &Values) const {
      To.beginArray();
      for (const Value &Each : Values)
        writeValue(To, Each);
      To.endArray();
    }
    void operator()(const Value::Rows &Nested) const {
      To.beginArray();
      for (size_t Row = 0; Row < Nested->dataRows(); ++Row)
        writeRecord(To, *Nested, Row);
      To.endArray();
    }
    void operator()(const Value::Record &Nested) const { writeRecord(To, *Nested.Only, 0); }
  };
  std::visit(Visitor{To}, What.Held);
}

static void writeRecord(JsonWriter &To, const Table &Of, size_t Row) {
  To.beginObject();
  JsonPath Path(To);
  for (size_t I = 0; I < Of.Columns.size(); ++I) {
    if (!(Of.Columns[I].In & ForJson))
      continue;
    const Value What = Of.At(Row, I).Data;
    if (What.isAbsent())
      continue;
    Path.to(Of.Columns[I].Key);
    writeValue(To, What);
  }
  Path.close();
  To.endObject();
}

std::string jsonText(const Value &What) {
  std::string Text;
  const WriteText Write = [&](std::string_view Piece) { Text += Piece; };
  {
    JsonWriter To(Write, /*Indents=*/false);
    writeValue(To, What);
  }
  return Text;
}

std::vector<const Item *> dataItems(const Document &Of) {
  std::vector<std::pair<size_t, const Item *>> Numbered;
  const auto Add = [&](const Item &One, std::string_view Key) {
    Key = Key.substr(0, Key.find('.'));
    Numbered.emplace_back(std::ranges::find(Of.Keys, Key) - Of.Keys.begin(), &One);
  };
  for (const Section &Part : Of.Sections)
    for (const Item &One : Part.Items)
      if (const Fact *Known = One.as<Fact>();
          Known && (Known->What.In & ForJson) && !Known->Of.Data.isAbsent())
        Add(One, Known->What.Key);
      else if (const Table *Rows = One.as<Table>(); Rows && (Rows->In & ForJson))
        Add(One, Rows->Key);
  std::ranges::stable_sort(Numbered, {}, [](const auto &Each) { return Each.first; });
  std::vector<const Item *> Items;
  for (const auto &[Number, One] : Numbered)
    Items.push_back(One);
  return Items;
}

void renderJson(const Document &Of, const WriteText &Write) {
  JsonWriter To(Write);
  To.beginObject();
  JsonPath Path(To);
  Path.to("schema");
  To.value(std::string_view(Of.Schema));
  for (const Item *One : dataItems(Of)) {
    if (const Fact *Known = One->as<Fact>()) {
      Path.to(Known->What.Key);
      writeValue(To, Known->Of.Data);
      continue;
    }
    const Table &Rows = *One->as<Table>();
    Path.to(Rows.Key);
    To.beginArray(Rows.Dense);
    for (size_t Row = 0; Row < Rows.dataRows(); ++Row)
      if (Rows.Plain)
        writeValue(To, Rows.At(Row, 0).Data);
      else
        writeRecord(To, Rows, Row);
    To.endArray();
  }
  Path.close();
  To.endObject();
  To.end();
}

} // namespace seamscope::tools
