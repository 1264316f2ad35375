//===- KeyIndexTest.cpp - keys, and the tables that they are in ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/KeyIndex.h"
#include "trace/model/SlotTable.h"
#include "trace/model/TextStore.h"

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

TEST(TextStore, KeepsTextsOfAnySizeInPlace) {
  TextStore Store;
  std::vector<std::pair<std::string, std::string_view>> All;
  for (size_t I = 0; I < 3000; ++I) {
    // Some fill a block of their own.
    const std::string Text(I % 100 ? I % 40 : 50 * I, static_cast<char>('a' + I % 26));
    All.emplace_back(Text, Store.keep(Text));
  }
  TextStore Moved = std::move(Store);
  Store = TextStore();
  for (size_t I = 0; I < 3000; ++I)
    Moved.keep("xxxxxxxx");
  for (const auto &[Text, Kept] : All)
    EXPECT_EQ(Kept, Text);
}

TEST(TextStore, WritesNothingIntoBlocksThatWereMovedAway) {
  TextStore Store;
  Store.keep("one");
  TextStore Moved = std::move(Store);
  const std::string Long(5000, 'y');
  EXPECT_EQ(Store.keep(Long), Long); // NOLINT: a moved one is empty
  const std::string_view Two = Moved.keep("two");
  EXPECT_EQ(Store.keep("three"), "three");
  EXPECT_EQ(Two, "two");
}

TEST(SlotTable, NumbersInOrderAndFindsThemAgain) {
  SlotTable Table;
  std::vector<std::string> Names;
  const auto Add = [&](const std::string &Name) {
    return Table.add(
        SeededHash()(Name), [&](uint32_t Other) { return Names[Other] == Name; },
        [&] { Names.push_back(Name); });
  };
  for (uint32_t Round = 0; Round < 2; ++Round)
    for (uint32_t I = 0; I < 10000; ++I)
      EXPECT_EQ(Add(std::to_string(I)), std::pair(I, Round == 0));
}

TEST(SlotTable, TellsEqualHashesApartByTheCaller) {
  SlotTable Table;
  for (uint32_t I = 0; I < 200; ++I)
    EXPECT_EQ(Table.add(7, [](uint32_t) { return false; }, [] {}), std::pair(I, true));
  EXPECT_EQ(
      Table.add(7, [](uint32_t Number) { return Number == 150; }, [] {}), std::pair(150u, false));
}

TEST(SlotTable, StaysAsItWasWhereMakingFails) {
  SlotTable Table;
  const auto Nothing = [](uint32_t) { return false; };
  for (uint32_t I = 0; I < 300; ++I) {
    EXPECT_THROW(Table.add(I, Nothing, [] { throw std::bad_alloc(); }), std::bad_alloc);
    EXPECT_EQ(Table.add(I, Nothing, [] {}), std::pair(I, true));
  }
}

TEST(KeyIndex, HasNoKeyWithoutANumber) {
  KeyIndex<1, 0> Index;
  EXPECT_THROW(Index.of({{"a"}, {}}, []() -> uint32_t { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(Index.of({{"b"}, {}}, [] { return 5u; }), 5u);
  EXPECT_EQ(Index.of({{"a"}, {}}, [] { return 6u; }), 6u);
}

TEST(KeyIndex, TellsTextsNumbersAndTheirPlacesApart) {
  KeyIndex<2, 1> Index;
  uint32_t Next = 0;
  const auto Of = [&](std::string_view A, std::string_view B, int64_t Number) {
    return Index.of({{A, B}, {Number}}, [&] { return Next++; });
  };
  for (int Round = 0; Round < 2; ++Round) {
    EXPECT_EQ(Of("ab", "", 0), 0u);
    EXPECT_EQ(Of("", "ab", 0), 1u);
    EXPECT_EQ(Of("a", "b", 0), 2u);
    EXPECT_EQ(Of("a", "b", 1), 3u);
    EXPECT_EQ(Of("", "", 0), 4u);
  }
}

} // namespace
} // namespace seamscope::tools
