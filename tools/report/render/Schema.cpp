//===- Schema.cpp - the JSON Schema of documents -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/JsonWriter.h"
#include "report/render/Render.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// What one place of the JSON may contain.
struct Shape {
  std::string Help;
  std::vector<std::string> Types; ///< of a value without nested values
  bool Nullable = false;
  bool Place = false;    ///< file, line and column of a source
  bool Constant = false; ///< Help is the value itself
  struct Member;
  std::optional<std::vector<Member>> Members; ///< of an object
  std::shared_ptr<Shape> Items;               ///< of an array
};

struct Shape::Member {
  std::string Key;
  Shape Of;
  bool Always = true; ///< every object has it
};

void addType(Shape &To, std::string_view Name) {
  if (std::ranges::find(To.Types, Name) == To.Types.end())
    To.Types.emplace_back(Name);
}

void addTypes(Shape &To, std::string_view Names) {
  for (size_t Begin = 0; Begin < Names.size();) {
    const size_t End = std::min(Names.find('|', Begin), Names.size());
    addType(To, Names.substr(Begin, End - Begin));
    Begin = End + 1;
  }
}

std::string helpOf(const Column &Of) {
  const char *Word = Of.Of == Unit::Ns || Of.Of == Unit::Change ? "ns"
                     : Of.Of == Unit::Bytes                     ? "bytes"
                                                                : nullptr;
  return Word ? fmt::format("{} [{}]", Of.Help, Word) : Of.Help;
}

/// The member \p Path, with dots between objects; an existing one is kept.
Shape::Member &memberAt(Shape &Of, std::string_view Path) {
  const size_t Dot = Path.find('.');
  const std::string_view Key = Path.substr(0, Dot);
  if (!Of.Members)
    Of.Members.emplace();
  auto Found = std::ranges::find(*Of.Members, Key, &Shape::Member::Key);
  if (Found == Of.Members->end()) {
    Of.Members->push_back({std::string(Key), {}, Dot == Path.npos});
    Found = Of.Members->end() - 1;
  }
  return Dot == Path.npos ? *Found : memberAt(Found->Of, Path.substr(Dot + 1));
}

/// Objects on the way to \p Path always exist if this one does.
void needPath(Shape &Of, std::string_view Path) {
  const size_t Dot = Path.find('.');
  Shape::Member &Next = memberAt(Of, Path.substr(0, Dot));
  Next.Always = true;
  if (Dot != Path.npos)
    needPath(Next.Of, Path.substr(Dot + 1));
}

Shape recordShape(const std::vector<Column> &Columns);

Shape shapeOf(const Column &Of) {
  Shape Made;
  Made.Help = helpOf(Of);
  Made.Nullable = Of.Nullable;
  const auto Record = [&] { return Of.Nested ? recordShape(*Of.Nested) : Shape(); };
  switch (Of.Of) {
  case Unit::Place:
    Made.Place = true;
    return Made;
  case Unit::Record:
    if (Of.Nested)
      Made.Members = std::move(Record().Members);
    return Made;
  case Unit::Rows:
    Made.Items = std::make_shared<Shape>(Record());
    addTypes(*Made.Items, Of.Type);
    return Made;
  case Unit::List:
    Made.Items = std::make_shared<Shape>();
    addTypes(*Made.Items, Of.Type.empty() ? jsonTypeOf(Of.Of) : Of.Type);
    return Made;
  default:
    addTypes(Made, Of.Type.empty() ? jsonTypeOf(Of.Of) : Of.Type);
    return Made;
  }
}

Shape recordShape(const std::vector<Column> &Columns) {
  Shape Made;
  Made.Members.emplace();
  for (const Column &Each : Columns) {
    if (!(Each.In & ForJson))
      continue;
    Shape::Member &Known = memberAt(Made, Each.Key);
    Known.Of = shapeOf(Each);
    Known.Always = !Each.Optional;
    if (!Each.Optional)
      needPath(Made, Each.Key);
  }
  return Made;
}

/// If the fact is known, also its type.
Shape factShape(const Fact &Of) {
  Column What = Of.What;
  const Value &Known = Of.Of.Data;
  if (What.Type.empty() && Known.as<double>())
    What.Type = "number";
  What.Nullable = !Known.isKnown();
  return shapeOf(What);
}

Shape shapeOf(const Document &Of) {
  Shape Made;
  memberAt(Made, "schema").Of = {Of.Schema, {"string"}, false, false, true, {}, {}};
  for (const Item *One : dataItems(Of)) {
    if (const Fact *Known = One->as<Fact>()) {
      memberAt(Made, Known->What.Key).Of = factShape(*Known);
      needPath(Made, Known->What.Key);
      continue;
    }
    const Table &Rows = *One->as<Table>();
    Shape Array;
    Array.Help = Rows.Title;
    Array.Items =
        std::make_shared<Shape>(Rows.Plain ? shapeOf(Rows.Columns[0]) : recordShape(Rows.Columns));
    memberAt(Made, Rows.Key).Of = std::move(Array);
    needPath(Made, Rows.Key);
  }
  return Made;
}

/// Merges both: what either may contain.
void merge(Shape &To, const Shape &From) {
  if (To.Help.empty())
    To.Help = From.Help;
  To.Nullable |= From.Nullable;
  for (const std::string &Each : From.Types)
    addType(To, Each);
  if (From.Items) {
    if (To.Items)
      merge(*To.Items, *From.Items);
    else
      To.Items = From.Items;
  }
  if (!From.Members)
    return;
  // If a record is null in one of them, the other has its members.
  if (!To.Members) {
    To.Members = From.Members;
    return;
  }
  for (Shape::Member &Each : *To.Members)
    Each.Always &=
        std::ranges::find(*From.Members, Each.Key, &Shape::Member::Key) != From.Members->end();
  size_t At = 0; // after the member that precedes it in From
  for (const Shape::Member &Each : *From.Members) {
    const auto Found = std::ranges::find(*To.Members, Each.Key, &Shape::Member::Key);
    if (Found == To.Members->end()) {
      To.Members->insert(To.Members->begin() + static_cast<ptrdiff_t>(At++), Each);
      (*To.Members)[At - 1].Always = false;
      continue;
    }
    Found->Always &= Each.Always;
    merge(Found->Of, Each.Of);
    At = static_cast<size_t>(Found - To.Members->begin()) + 1;
  }
}

void write(JsonWriter &To, const Shape &Of);

void writeTypes(JsonWriter &To, const std::vector<std::string> &Names, bool Nullable) {
  To.key("type");
  if (Names.size() == 1 && !Nullable)
    return To.value(std::string_view(Names[0]));
  To.beginArray();
  for (const std::string &Each : Names)
    To.value(std::string_view(Each));
  if (Nullable)
    To.value(std::string_view("null"));
  To.endArray();
}

void writeMembers(JsonWriter &To, const std::vector<Shape::Member> &Members) {
  To.key("properties");
  To.beginObject();
  for (const Shape::Member &Each : Members) {
    To.key(Each.Key);
    write(To, Each.Of);
  }
  To.endObject();
  To.key("required");
  To.beginArray();
  for (const Shape::Member &Each : Members)
    if (Each.Always)
      To.value(std::string_view(Each.Key));
  To.endArray();
  To.key("additionalProperties");
  To.value(false);
}

/// The keywords of \p Of, inside an object.
void writeInside(JsonWriter &To, const Shape &Of) {
  if (Of.Constant) {
    To.key("const");
    return To.value(std::string_view(Of.Help));
  }
  if (!Of.Help.empty()) {
    To.key("description");
    To.value(std::string_view(Of.Help));
  }
  std::vector<std::string> Types = Of.Types;
  if (Of.Items)
    Types.emplace_back("array");
  if (Of.Members)
    Types.emplace_back("object");
  if (Of.Place) {
    To.key("$ref");
    return To.value(std::string_view("#/$defs/place"));
  }
  if (!Types.empty())
    writeTypes(To, Types, Of.Nullable);
  if (Of.Items) {
    To.key("items");
    write(To, *Of.Items);
  }
  if (Of.Members)
    writeMembers(To, *Of.Members);
}

void write(JsonWriter &To, const Shape &Of) {
  To.beginObject();
  writeInside(To, Of);
  To.endObject();
}

bool hasPlace(const Shape &Of) {
  return Of.Place || (Of.Items && hasPlace(*Of.Items)) ||
         (Of.Members && std::ranges::any_of(*Of.Members, [](const Shape::Member &Each) {
            return hasPlace(Each.Of);
          }));
}

Shape placeShape() {
  Shape Made;
  Made.Help = "a place in a source file";
  for (const auto &[Key, Type, Help] :
       {std::tuple("file", "string", "its name, as the compiler was given it"),
        {"line", "integer", "from 1"},
        {"column", "integer", "from 1"}}) {
    Shape &Part = memberAt(Made, Key).Of;
    Part.Help = Help;
    Part.Types = {Type};
    Part.Nullable = true;
  }
  return Made;
}

} // namespace

std::string_view jsonTypeOf(Unit Of) {
  switch (Of) {
  case Unit::Name:
  case Unit::Text:
  case Unit::List: // of its values
    return "string";
  case Unit::Count:
  case Unit::Ns:
  case Unit::Change:
  case Unit::Bytes:
  case Unit::Flop:
    return "integer";
  case Unit::Percent:
  case Unit::Ratio:
  case Unit::Rate:
    return "number";
  case Unit::Flag:
    return "boolean";
  case Unit::Place:
  case Unit::Spark:
  case Unit::Rows:
  case Unit::Record:
    break;
  }
  return "";
}

void renderSchema(std::span<const Document> Examples, const WriteText &Write) {
  Shape All = shapeOf(Examples[0]);
  for (const Document &Each : Examples.subspan(1))
    merge(All, shapeOf(Each));
  const std::string &Name = Examples[0].Schema;
  JsonWriter To(Write);
  To.beginObject();
  const auto Add = [&](const char *Key, std::string_view Text) {
    To.key(Key);
    To.value(Text);
  };
  Add("$schema", "https://json-schema.org/draft/2020-12/schema");
  std::string Id = "urn:" + Name;
  std::ranges::replace(Id, '/', ':');
  std::ranges::replace(Id, '.', ':');
  Add("$id", Id);
  Add("title", Name);
  Add("description", "null means not known. docs/stability.md says what may change.");
  if (hasPlace(All)) {
    To.key("$defs");
    To.beginObject();
    To.key("place");
    write(To, placeShape());
    To.endObject();
  }
  writeInside(To, All);
  To.endObject();
  To.end();
}

} // namespace seamscope::tools
