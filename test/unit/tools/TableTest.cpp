//===- TableTest.cpp - tables: columns, what is cut, what is added up ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/model/Numbers.h"
#include "report/render/TextTable.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace seamscope::tools;

namespace {

struct Row {
  std::string Name;
  std::optional<int64_t> Calls;
  std::string Source;
};

Table tableOf(std::vector<Row> Rows, const char *Title = "Name") {
  return makeTable<Row>(
      "rows", "Rows", std::move(Rows),
      {{Column("name", Title, Unit::Name, "its name").cut(20), [](const Row &R) { return R.Name; }},
       {Column("calls", "Calls", Unit::Count, "calls").sum(), [](const Row &R) { return R.Calls; }},
       {Column("source", "Source", Unit::Name, "where").left(),
        [](const Row &R) { return R.Source; }}});
}

std::string textOf(const Table &Rows, TextStyle Style = {}) {
  std::string Text;
  writeTextTable(Rows, Style, [&](std::string_view Piece) { Text += Piece; });
  return Text;
}

Document documentOf(std::vector<Item> Items) {
  return {"test/1", "test", {{"part", "Part", std::move(Items)}}, "rows"};
}

TEST(Table, AlignsNumbersRightAndTextLeft) {
  EXPECT_EQ(textOf(tableOf({{"a", 1, "x.cpp"}, {"longer", 1000, "y"}, {"z", {}, ""}})),
            "Name    Calls  Source\n"
            "a           1  x.cpp\n"
            "longer   1000  y\n"
            "z           -\n");
}

TEST(Table, CountsCharactersNotBytes) {
  EXPECT_EQ(textOf(tableOf({{"ab", 1, ""}}, "größe")), "größe  Calls  Source\nab         1\n");
}

TEST(Table, ColoursOnlyWhenAsked) {
  Table T = tableOf({{"x", 1, ""}, {"y", 2, ""}});
  T.Stands = [](size_t Row) { return Row ? Emphasis::None : Emphasis::Faint; };
  EXPECT_EQ(textOf(T), "Name  Calls  Source\nx         1\ny         2\n");
  EXPECT_EQ(textOf(T, {true}),
            "\x1b[1mName  Calls  Source\x1b[0m\n\x1b[2mx         1\x1b[0m\ny         2\n");
}

TEST(Table, RowsBeyondTheTopAreAddedUp) {
  Table T = tableOf({{"a", 1, "x"}, {"b", 20, "y"}, {"c", 300, "z"}, {"d", {}, "z"}});
  T.Top = 1;
  T.Data = 2;
  T.Summaries.push_back({"[all]", {{"calls", 321}}});
  EXPECT_EQ(textOf(T), "Name      Calls  Source\n"
                       "a             1  x\n"
                       "[3 more]    320\n"
                       "[all]       321\n");
  EXPECT_EQ(rendered(renderCsv, documentOf({T})), "name,calls,source\r\na,1,x\r\nb,20,y\r\n");
}

TEST(Table, TreesAreIndentedAndNotesStandBelow) {
  Table T = tableOf({{"kernel", 1, ""}, {"loop", 2, ""}});
  T.Depth = [](size_t Row) { return Row; };
  T.Notes = [](size_t Row) {
    return Row ? std::vector<std::string>{"note"} : std::vector<std::string>();
  };
  EXPECT_EQ(textOf(T), "Name      Calls  Source\nkernel        1\n  loop        2\n    note\n");
}

TEST(Table, NamesAreCutWhereTheyAreTheSame) {
  const std::string Same(30, 'n');
  const Table T = tableOf({{Same + "_first", 1, ""}, {Same + "_second", 2, ""}});
  const std::string Text = textOf(T);
  EXPECT_NE(Text.find("_first  "), Text.npos) << Text;
  EXPECT_NE(Text.find("_second"), Text.npos) << Text;
  EXPECT_EQ(Text.find(Same), Text.npos);
  EXPECT_NE(textOf(T, {false, AnyWidth}).find(Same + "_first"), Text.npos);
}

TEST(Table, JsonHasRecordsInRecordsAndObjectsOfDots) {
  struct Outer {
    std::vector<Row> Inner;
    bool HasGap;
  };
  const std::vector<Outer> Rows = {{{{"in", 7, ""}}, true}, {{}, false}};
  Fields<Row> Inner = {{{"name", "", Unit::Name, ""}, [](const Row &R) { return R.Name; }}};
  const Table T = makeTable<Outer>(
      "a.rows", "", std::span(Rows),
      {rowsField<Outer>("inner", "", Inner, [](const Outer &O) { return std::span(O.Inner); }),
       {{"gap.ns", "", Unit::Ns, ""},
        [](const Outer &O) { return O.HasGap ? Value(5) : Value(Absent()); }},
       {{"gap.why", "", Unit::Text, ""},
        [](const Outer &O) { return O.HasGap ? Value() : Value(Absent()); }},
       {{"place", "", Unit::Place, ""}, [](const Outer &) { return Place{"k.cpp", 3, 0}; }}});
  const auto Json = nlohmann::json::parse(
      rendered(renderJson, documentOf({Fact{{"a.first", "", Unit::Ratio, ""}, 0.5}, T,
                                       Fact{{"none", "", Unit::Text, ""}, Value(Absent())}})));
  EXPECT_EQ(Json, nlohmann::json::parse(R"({"schema": "test/1", "a": {"first": 0.5, "rows": [
    {"inner": [{"name": "in"}], "gap": {"ns": 5, "why": null},
     "place": {"file": "k.cpp", "line": 3, "column": null}},
    {"inner": [], "place": {"file": "k.cpp", "line": 3, "column": null}}]}})"));
}

TEST(Table, JsonLooksAsNlohmannWritesIt) {
  const Document Made = documentOf({tableOf({{"a", 1, "\xff\u202e\n"}, {"b", {}, ""}})});
  const std::string Text = rendered(renderJson, Made);
  EXPECT_EQ(Text, nlohmann::ordered_json::parse(Text).dump(2, ' ', true) + '\n');
}

TEST(Table, MarkdownHoldsNoMarkupOfNames) {
  const std::string Text =
      rendered(renderMarkdown, documentOf({tableOf({{"<b>|`x`*[l](u)*@me", 1, ""}})}));
  EXPECT_NE(Text.find("| &lt;b\\>\\|\\`x\\`\\*\\[l\\]\\(u\\)\\*&#64;me | 1 |"), Text.npos) << Text;
}

TEST(Table, TimesHaveTheUnitThatFits) {
  EXPECT_EQ(shownTime(int64_t{0}), "0 ns");
  EXPECT_EQ(shownTime(int64_t{999}), "999 ns");
  EXPECT_EQ(shownTime(int64_t{-1500}), "-1.50 us");
  EXPECT_EQ(shownTime(int64_t{1234567}), "1.235 ms");
  EXPECT_EQ(shownTime(int64_t{999'994}), "999.99 us");
  EXPECT_EQ(shownTime(int64_t{999'995}), "1.000 ms");
  EXPECT_EQ(shownTime(int64_t{999'999}), "1.000 ms");
  EXPECT_EQ(shownTime(int64_t{999'999'499}), "999.999 ms");
  EXPECT_EQ(shownTime(int64_t{999'999'999}), "1.000 s");
  EXPECT_EQ(shownTime(INT64_MIN), "-9223372036.855 s");
  EXPECT_EQ(shownTime(int64_t{61000000000}), "61.000 s");
  EXPECT_EQ(shownTime(INT64_MAX), "9223372036.855 s");
}

TEST(Table, SharesHaveOneDecimal) {
  EXPECT_EQ(shownShare(1, 3), "33.3");
  EXPECT_EQ(shownShare(5, 5), "100.0");
  EXPECT_EQ(shownShare(0, 5), "0.0");
  EXPECT_EQ(shownShare(1, 0), "-");
}

} // namespace
