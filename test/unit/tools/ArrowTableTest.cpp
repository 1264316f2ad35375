//===- ArrowTableTest.cpp - columns as Arrow has them ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "columns/ArrowTable.h"
#include "columns/ReportTables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

using namespace seamscope::tools;

namespace {

std::string textsOf(std::string_view Text) {
  ArrowTexts Texts;
  Texts.add(Text);
  return {Texts.data(), static_cast<size_t>(Texts.offsets()[1])};
}

TEST(ArrowTexts, AreUtf8) {
  for (const char *const Good : {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                                 "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(textsOf(Good), Good);
  const std::string Not = "\xEF\xBF\xBD";
  EXPECT_EQ(textsOf("a\xFF"
                    "b"),
            "a" + Not + "b");
  EXPECT_EQ(textsOf("\xC0\x80"), Not + Not);                     // longer than needed
  EXPECT_EQ(textsOf("\xE0\x80\x80"), Not + Not + Not);           // longer, of three bytes
  EXPECT_EQ(textsOf("\xED\xA0\x80"), Not + Not + Not);           // half of a pair
  EXPECT_EQ(textsOf("\xF4\x90\x80\x80"), Not + Not + Not + Not); // beyond the last
  EXPECT_EQ(textsOf("\xE2\x82"), Not + Not);                     // cut off
  EXPECT_EQ(textsOf(std::string_view("a\0b", 3)), std::string("a\0b", 3));
}

/// A table of \p Rows rows: the number, and a text that is null in each third row.
std::shared_ptr<const ArrowTable> sample(int64_t Rows) {
  auto Made = std::make_shared<ArrowTable>();
  Made->Name = "sample";
  Made->Columns.emplace_back("number", ArrowType::Int64, "a number");
  Made->Columns.emplace_back("text", ArrowType::Name, "a text");
  auto Names = std::make_shared<ArrowTexts>();
  Names->add("none");
  Names->add("one");
  Made->Names = Names;
  for (int64_t I = 0; I < Rows; ++I) {
    Made->Columns[0].add(I);
    I % 3 ? Made->Columns[1].add(int64_t{1}) : Made->Columns[1].addNull();
  }
  return Made;
}

/// Rows and nulls in the batches of a stream.
struct Seen {
  std::vector<int64_t> Batches;
  int64_t Sum = 0, Nulls = 0;
};

Seen read(ArrowArrayStream &Stream) {
  Seen Found;
  for (;;) {
    ArrowArray Batch;
    EXPECT_EQ(Stream.get_next(&Stream, &Batch), 0);
    if (!Batch.release)
      break;
    Found.Batches.push_back(Batch.length);
    // A child may outlive the others.
    ArrowArray Texts = *Batch.children[1];
    Batch.children[1]->release = nullptr;
    const ArrowArray &Numbers = *Batch.children[0];
    for (int64_t I = 0; I < Batch.length; ++I)
      Found.Sum += static_cast<const int64_t *>(Numbers.buffers[1])[Numbers.offset + I];
    Batch.release(&Batch);
    EXPECT_EQ(Batch.release, nullptr);
    const auto *Valid = static_cast<const uint8_t *>(Texts.buffers[0]);
    for (int64_t I = Texts.offset; Valid && I < Texts.offset + Texts.length; ++I)
      Found.Nulls += !(Valid[I / 8] >> I % 8 & 1);
    EXPECT_EQ(Texts.dictionary->length, 2);
    Texts.release(&Texts);
  }
  return Found;
}

TEST(ArrowTable, StreamsBatches) {
  ArrowArrayStream Stream;
  streamTable(sample(10), Stream, 4);
  ArrowSchema Schema;
  ASSERT_EQ(Stream.get_schema(&Stream, &Schema), 0);
  EXPECT_STREQ(Schema.format, "+s");
  ASSERT_EQ(Schema.n_children, 2);
  EXPECT_STREQ(Schema.children[0]->name, "number");
  EXPECT_STREQ(Schema.children[0]->format, "l");
  EXPECT_STREQ(Schema.children[1]->format, "i");
  EXPECT_STREQ(Schema.children[1]->dictionary->format, "u");
  Schema.release(&Schema);
  const Seen Found = read(Stream);
  EXPECT_EQ(Found.Batches, (std::vector<int64_t>{4, 4, 2}));
  EXPECT_EQ(Found.Sum, 45);
  EXPECT_EQ(Found.Nulls, 4);
  Stream.release(&Stream);
  EXPECT_EQ(Stream.release, nullptr);
}

TEST(ArrowTable, WithoutRowsHasOneBatch) {
  ArrowArrayStream Stream;
  streamTable(sample(0), Stream);
  EXPECT_EQ(read(Stream).Batches, (std::vector<int64_t>{0}));
  Stream.release(&Stream);
  streamTable(sample(8), Stream, 4);
  EXPECT_EQ(read(Stream).Batches, (std::vector<int64_t>{4, 4}));
  Stream.release(&Stream);
}

TEST(ArrowColumn, CountsNulls) {
  ArrowColumn Column("c", ArrowType::Double, "");
  for (int I = 0; I < 20; ++I)
    Column.add(1.0 * I);
  EXPECT_EQ(Column.valid(), nullptr);
  Column.addNull();
  Column.add(21.0);
  EXPECT_EQ(Column.nulls(), 1);
  for (size_t I = 0; I < Column.size(); ++I)
    EXPECT_EQ(Column.valid()[I / 8] >> I % 8 & 1, I != 20) << I;
}

/// The rows of a column as texts.
std::vector<std::string> valuesOf(const ArrowTable &Of, std::string_view Name) {
  std::vector<std::string> Found;
  for (const ArrowColumn &Each : Of.Columns)
    for (size_t I = 0; Each.Name == Name && I < Each.size(); ++I) {
      const bool IsNull = Each.valid() && !(Each.valid()[I / 8] >> I % 8 & 1);
      if (IsNull)
        Found.emplace_back("null");
      else if (Each.Type == ArrowType::Int64)
        Found.push_back(std::to_string(static_cast<const int64_t *>(Each.values())[I]));
      else if (Each.Type == ArrowType::Double)
        Found.push_back(std::to_string(static_cast<const double *>(Each.values())[I]));
      else if (Each.Type == ArrowType::Int32)
        Found.push_back(std::to_string(static_cast<const int32_t *>(Each.values())[I]));
      else {
        const auto *Ends = static_cast<const int32_t *>(Each.values());
        Found.emplace_back(Each.bytes() + Ends[I], static_cast<size_t>(Ends[I + 1] - Ends[I]));
      }
    }
  return Found;
}

struct Inner {
  std::string Name;
  double Share;
};

struct Outer {
  int64_t Calls;
  std::vector<Inner> Parts;
  uint64_t Large;
};

TEST(ReportTables, NestedRowsAreTables) {
  const Fields<Inner> Within = {{{"name", Unit::Name, "its name"}, &Inner::Name},
                                {{"gap.share", Unit::Ratio, "its share"}, &Inner::Share}};
  const auto Make = [&](std::vector<Outer> Rows, bool Known) {
    Document Doc{"", "", {}, "all"};
    Section &To = Doc.Sections.emplace_back(Section{"s", "S"});
    To.fact({"all.sum", Unit::Count, "a sum"}, Known ? Cell(7) : Cell());
    To.fact({"all.flag", Unit::Flag, "a flag"}, true);
    To.add(makeTable<Outer>(
        "rows", "", std::move(Rows),
        {{{"calls", Unit::Count, "calls"}, &Outer::Calls},
         rowsField<Outer, Inner>("parts", "parts", Within, &Outer::Parts),
         {{"large", Unit::Count, "large"}, &Outer::Large},
         {{"place", Unit::Place, "where"}, [](const Outer &) { return Place{"a.cpp", 3, 0}; }},
         {{"list", Unit::List, "a list"},
          [](const Outer &Of) { return listOf(std::vector{Of.Calls, Of.Calls}); }}}));
    return Doc;
  };
  const auto Tables = reportTables(
      Make({{1, {{"x", 0.5}, {"y", NAN}}, 5}, {2, {}, UINT64_MAX}, {3, {{"z", 1}}, 6}}, true),
      Make({}, false));
  ASSERT_EQ(Tables.size(), 3u);
  EXPECT_EQ(Tables[0]->Name, "report");
  EXPECT_EQ(valuesOf(*Tables[0], "all_sum"), (std::vector<std::string>{"7"}));
  EXPECT_EQ(valuesOf(*Tables[0], "all_flag"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(valuesOf(*Tables[1], "calls"), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(valuesOf(*Tables[1], "large"), (std::vector<std::string>{"5", "null", "6"}));
  EXPECT_EQ(valuesOf(*Tables[1], "place_line"), (std::vector<std::string>{"3", "3", "3"}));
  EXPECT_EQ(valuesOf(*Tables[1], "place_column"), (std::vector<std::string>(3, "null")));
  EXPECT_EQ(valuesOf(*Tables[1], "list"), (std::vector<std::string>{"[1,1]", "[2,2]", "[3,3]"}));
  EXPECT_EQ(Tables[2]->Name, "rows_parts");
  EXPECT_EQ(valuesOf(*Tables[2], "rows_row"), (std::vector<std::string>{"0", "0", "2"}));
  EXPECT_EQ(valuesOf(*Tables[2], "name"), (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(valuesOf(*Tables[2], "gap_share"),
            (std::vector<std::string>{"0.500000", "null", "1.000000"}));
}

} // namespace
