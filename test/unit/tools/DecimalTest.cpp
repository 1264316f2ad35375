//===- DecimalTest.cpp - times are read without a loss -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/Decimal.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

TEST(Decimal, ReadsNanosecondsExactly) {
  EXPECT_EQ(nanosecondsFromMicroseconds("0"), 0);
  EXPECT_EQ(nanosecondsFromMicroseconds("1.234"), 1234);
  EXPECT_EQ(nanosecondsFromMicroseconds("-1.234"), -1234);
  EXPECT_EQ(nanosecondsFromMicroseconds("0.001"), 1);
  EXPECT_EQ(nanosecondsFromMicroseconds("12.5"), 12500);
}

TEST(Decimal, KeepsTheLastDigitOfAnEpochTime) {
  // As a double this is off by up to 125 ns.
  EXPECT_EQ(nanosecondsFromMicroseconds("1732152000123456.789"), 1732152000123456789);
}

TEST(Decimal, RoundsHalfAwayFromZero) {
  EXPECT_EQ(nanosecondsFromMicroseconds("1.2344"), 1234);
  EXPECT_EQ(nanosecondsFromMicroseconds("1.2345"), 1235);
  EXPECT_EQ(nanosecondsFromMicroseconds("-1.2345"), -1235);
  EXPECT_EQ(nanosecondsFromMicroseconds("0.9999"), 1000);
}

TEST(Decimal, ReadsExponents) {
  EXPECT_EQ(nanosecondsFromMicroseconds("1.5e3"), 1500000);
  EXPECT_EQ(nanosecondsFromMicroseconds("1.5E+3"), 1500000);
  EXPECT_EQ(nanosecondsFromMicroseconds("1234e-3"), 1234);
  EXPECT_EQ(nanosecondsFromMicroseconds("5e-4"), 1);
  EXPECT_EQ(nanosecondsFromMicroseconds("4e-4"), 0);
  EXPECT_EQ(nanosecondsFromMicroseconds("1e-400"), 0);
  EXPECT_EQ(nanosecondsFromMicroseconds("0e2000000000"), 0);
}

TEST(Decimal, RefusesWhatDoesNotFit) {
  EXPECT_EQ(nanosecondsFromMicroseconds("9223372036854775.807"), INT64_MAX);
  EXPECT_FALSE(nanosecondsFromMicroseconds("9223372036854775.808"));
  EXPECT_FALSE(nanosecondsFromMicroseconds("1e300"));
  EXPECT_FALSE(nanosecondsFromMicroseconds("1e2000000000"));
  EXPECT_FALSE(nanosecondsFromMicroseconds("1e99999999999999999999"));
  EXPECT_FALSE(nanosecondsFromMicroseconds(INT64_MAX));
}

TEST(Decimal, RefusesWhatIsNoNumber) {
  for (const char *Text : {"", "-", ".5", "x", "1.2.3", "1e", "1ex", "0x10", " 1", "1 "})
    EXPECT_FALSE(nanosecondsFromMicroseconds(Text)) << '"' << Text << '"';
}

} // namespace
