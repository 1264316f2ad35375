//===- DistributionsTest.cpp - probabilities, by Boost.Math ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace seamscope::tools {
namespace {

void expectClose(double Value, double Expected) {
  EXPECT_NEAR(Value, Expected, 1e-13 * std::abs(Expected)) << Expected;
}

// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2: upper critical values of Student's t.
TEST(Student, PublishedTable) {
  const struct {
    double Degrees, At90, At95, At975, At99, At995, At999;
  } Rows[] = {{1, 3.078, 6.314, 12.706, 31.821, 63.657, 318.309},
              {2, 1.886, 2.920, 4.303, 6.965, 9.925, 22.327},
              {3, 1.638, 2.353, 3.182, 4.541, 5.841, 10.215},
              {5, 1.476, 2.015, 2.571, 3.365, 4.032, 5.893},
              {10, 1.372, 1.812, 2.228, 2.764, 3.169, 4.144},
              {30, 1.310, 1.697, 2.042, 2.457, 2.750, 3.385},
              {100, 1.290, 1.660, 1.984, 2.364, 2.626, 3.174}};
  for (const auto &Row : Rows) {
    const auto Expect = [&](double Quantile, double Value) {
      EXPECT_NEAR(studentCritical(2 * (1 - Quantile), Row.Degrees), Value, 0.0005)
          << Quantile << " of " << Row.Degrees;
      EXPECT_NEAR(studentTails(studentCritical(2 * (1 - Quantile), Row.Degrees), Row.Degrees),
                  2 * (1 - Quantile), 1e-14);
    };
    Expect(0.90, Row.At90);
    Expect(0.95, Row.At95);
    Expect(0.975, Row.At975);
    Expect(0.99, Row.At99);
    Expect(0.995, Row.At995);
    Expect(0.999, Row.At999);
  }
  EXPECT_NEAR(studentCritical(0.05, 1e9), 1.960, 0.0005); // the normal distribution's
}

// Those below are scipy's: 2 * stats.t.sf(t, df) and stats.t.isf(p / 2, df).
TEST(Student, Tails) {
  expectClose(studentTails(1, 1), 0.5);
  expectClose(studentTails(-1, 1), 0.5);
  expectClose(studentTails(2.5, 1.3), 0.19328076715615347);
  expectClose(studentTails(0.1, 7.77), 0.922876200794098);
  expectClose(studentTails(3, 1000.5), 0.002766675387146231);
  expectClose(studentTails(40, 3), 3.4380680789158506e-05);
  expectClose(studentTails(1e-9, 5), 0.9999999992407866);
  expectClose(studentTails(1e6, 2), 9.999999999985001e-13);
  EXPECT_EQ(studentTails(0, 3), 1);
  EXPECT_EQ(studentTails(std::numeric_limits<double>::infinity(), 3), 0);
}

TEST(Student, CriticalValues) {
  expectClose(studentCritical(0.05, 1), 12.706204736174705);
  expectClose(studentCritical(0.05, 2), 4.302652729749464);
  expectClose(studentCritical(0.05, 4.7), 2.6207260753531707);
  expectClose(studentCritical(0.01, 30), 2.749995653567226);
  expectClose(studentCritical(1e-6, 1.5), 8285.391195025039);
  expectClose(studentCritical(0.05, 1e6), 1.9599663568141072);
}

TEST(Student, WithoutAResultItIsNotANumber) {
  const double None = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(studentTails(None, 3)));
  EXPECT_TRUE(std::isnan(studentTails(1, None)));
  EXPECT_TRUE(std::isnan(studentCritical(0.05, 0)));
}

TEST(Binomial, Tails) {
  expectClose(binomialTail(8, 10, 0.5), 56. / 1024);
  expectClose(binomialTail(10, 10, 0.5), 1. / 1024);
  expectClose(binomialTail(3, 5, 0.2), 0.05792);
  expectClose(binomialTail(5, 5, 1. / 64), 1. / (1 << 30));
  EXPECT_EQ(binomialTail(0, 7, 0.3), 1);
  EXPECT_EQ(binomialTail(8, 7, 0.3), 0);
  EXPECT_EQ(binomialTail(3, 7, 1), 1);
  EXPECT_TRUE(std::isnan(binomialTail(3, 7, std::numeric_limits<double>::quiet_NaN())));
}

} // namespace
} // namespace seamscope::tools
