//===- TableTest.cpp - columns, times and shares for people ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Table.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

TEST(Table, AlignsNumbersRightAndTextLeft) {
  Table T({"Name", "Calls", "Source"}, {2});
  T.add({"a", "1", "x.cpp"});
  T.add({"longer", "1000", "y"});
  EXPECT_EQ(T.text(false), "Name    Calls  Source\n"
                           "a           1  x.cpp\n"
                           "longer   1000  y\n");
}

TEST(Table, ShortLinesAreFilledAndNothingTrails) {
  Table T({"A", "B", "C"});
  T.add({"only"});
  EXPECT_EQ(T.text(false), "A     B  C\nonly\n");
}

TEST(Table, CountsCharactersNotBytes) {
  Table T({"größe", "n"});
  T.add({"ab", "1"});
  EXPECT_EQ(T.text(false), "größe  n\nab     1\n");
}

TEST(Table, ColoursOnlyWhenAsked) {
  Table T({"A"});
  T.add({"x"}, Emphasis::Faint);
  T.add({"y"});
  EXPECT_EQ(T.text(false), "A\nx\ny\n");
  EXPECT_EQ(T.text(true), "\x1b[1mA\x1b[0m\n\x1b[2mx\x1b[0m\ny\n");
}

TEST(Table, TimesHaveTheUnitThatFits) {
  EXPECT_EQ(shownTime(0), "0 ns");
  EXPECT_EQ(shownTime(999), "999 ns");
  EXPECT_EQ(shownTime(-1500), "-1.50 us");
  EXPECT_EQ(shownTime(1234567), "1.235 ms");
  EXPECT_EQ(shownTime(999'994), "999.99 us");
  EXPECT_EQ(shownTime(999'995), "1.000 ms");
  EXPECT_EQ(shownTime(999'999), "1.000 ms");
  EXPECT_EQ(shownTime(999'999'499), "999.999 ms");
  EXPECT_EQ(shownTime(999'999'999), "1.000 s");
  EXPECT_EQ(shownTime(INT64_MIN), "-9223372036.855 s");
  EXPECT_EQ(shownTime(61000000000), "61.000 s");
  EXPECT_EQ(shownTime(INT64_MAX), "9223372036.855 s");
}

TEST(Table, SharesHaveOneDecimal) {
  EXPECT_EQ(shownShare(1, 3), "33.3");
  EXPECT_EQ(shownShare(5, 5), "100.0");
  EXPECT_EQ(shownShare(0, 5), "0.0");
  EXPECT_EQ(shownShare(1, 0), "-");
}

} // namespace
