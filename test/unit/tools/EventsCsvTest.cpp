//===- EventsCsvTest.cpp - the events of a trace, one a line ------------------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFile.h"
#include "report/render/Render.h"
#include "report/sections/Documents.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace seamscope::tools;

namespace {

TEST(EventsCsv, FormulasAreQuotedAndNegativeNumbersAreNot) {
  EXPECT_EQ(csvField("-1"), "-1");
  EXPECT_EQ(csvField("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(csvField("-"), "'-");
  EXPECT_EQ(csvField("-1+cmd()"), "'-1+cmd()");
  EXPECT_EQ(csvField("=1"), "'=1");
  EXPECT_EQ(csvField("+1"), "'+1");
  EXPECT_EQ(csvField("@a"), "'@a");
}

TEST(EventsCsv, ComesInPieces) {
  std::string Json = "[";
  constexpr int Count = 5000;
  for (int I = 0; I < Count; ++I)
    Json += (I ? "," : "") + eventText("cpu_op", "aten::add", -1, I, 1);
  const Trace Source = traceOf(Json + "]");
  size_t Largest = 0, Pieces = 0;
  std::string All;
  renderCsv(eventsDocument(Source), [&](std::string_view Piece) {
    Largest = std::max(Largest, Piece.size());
    ++Pieces;
    All += Piece;
  });
  EXPECT_GT(Pieces, 1u);
  EXPECT_LT(Largest, 100000u);
  EXPECT_EQ(std::ranges::count(All, '\n'), Count + 1);
  EXPECT_TRUE(All.ends_with("4999000,1000,cpu_op,aten::add,1,-1,,,,,\r\n"))
      << All.substr(All.size() - 80);
}

} // namespace
