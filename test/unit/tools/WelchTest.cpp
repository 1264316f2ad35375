//===- WelchTest.cpp - how far means of few measurements can be told apart ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Welch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace seamscope::tools {
namespace {

void expectClose(double Value, double Expected, double Relative = 1e-10) {
  EXPECT_NEAR(Value, Expected, Relative * std::abs(Expected)) << Expected;
}

// Constants of this file are scipy's: stats.ttest_ind(b, a, equal_var=False) with its
// confidence_interval(), and for ratios the roots of the p value of
// ttest_ind(b, r * a, equal_var=False) less 0.05.

struct Known {
  std::vector<int64_t> First, Second;
  double Probability, Degrees;
  double Low;                 ///< of the ratio
  std::optional<double> High; ///< of the ratio
};

TEST(Welch, AsScipyHasIt) {
  const Known Cases[] = {
      {{1000, 1010, 990, 1005},
       {1100, 1090, 1120, 1095},
       4.311991169885328e-05,
       5.148139018979541,
       1.0796850366046205,
       1.1202105322499025},
      {{1000, 1010, 990, 1005},
       {1030, 1090, 1010, 1060},
       0.07390135361299842,
       3.355881937579438,
       0.9922038319395401,
       1.0999080610599579},
      {{5000, 5000, 5000},
       {5100, 5130, 5090},
       0.012458560242611705,
       2,
       1.010991043308249,
       1.031675623358418},
      // Runs so far apart, and so few, that no ratio is too large.
      {{100, 140}, {150, 230}, 0.29919423250533633, 1.4705882352941178, 0, {}},
      {{1000, 3000, 200}, {900, 2500, 100}, 0.8414290371828284, 3.895010845986985, 0, {}},
  };
  for (const Known &Case : Cases) {
    const Sample First = sampleOf(Case.First), Second = sampleOf(Case.Second);
    const auto Test = welchTest(First, Second);
    ASSERT_TRUE(Test);
    expectClose(Test->Probability, Case.Probability);
    expectClose(Test->Degrees, Case.Degrees);
    const auto Ratio = ratioInterval(First, Second, 0.95);
    ASSERT_TRUE(Ratio);
    expectClose(Ratio->Low, Case.Low, 1e-9);
    ASSERT_EQ(Ratio->High.has_value(), Case.High.has_value());
    if (Case.High)
      expectClose(*Ratio->High, *Case.High, 1e-9);
  }
}

TEST(Welch, WithoutSpreadThereIsNone) {
  const std::vector<int64_t> One{5}, Equal{7, 7, 7}, Others{8, 8};
  EXPECT_FALSE(welchTest(sampleOf(One), sampleOf(Equal)));
  EXPECT_FALSE(ratioInterval(sampleOf(Equal), sampleOf(One), 0.95));
  const auto Test = welchTest(sampleOf(Equal), sampleOf(Others));
  EXPECT_EQ(Test->Probability, 0);
  EXPECT_EQ(welchTest(sampleOf(Equal), sampleOf(Equal))->Probability, 1);
  const auto Ratio = ratioInterval(sampleOf(Equal), sampleOf(Others), 0.95);
  EXPECT_EQ(Ratio->Low, 8. / 7);
  EXPECT_EQ(*Ratio->High, 8. / 7);
}

TEST(Welch, WhatIsGoneIsGone) {
  const std::vector<int64_t> Some{10, 20, 15}, None{0, 0, 0};
  const auto Ratio = ratioInterval(sampleOf(Some), sampleOf(None), 0.95);
  ASSERT_TRUE(Ratio);
  EXPECT_EQ(Ratio->Low, 0);
  EXPECT_NEAR(*Ratio->High, 0, 1e-12);
  EXPECT_FALSE(ratioInterval(sampleOf(None), sampleOf(Some), 0.95));
}

TEST(Welch, LargeNumbersLoseNothing) {
  std::vector<int64_t> First, Second;
  for (const int64_t Off : {1000, 1010, 990, 1005})
    First.push_back(Off * (int64_t{1} << 50));
  for (const int64_t Off : {1100, 1090, 1120, 1095})
    Second.push_back(Off * (int64_t{1} << 50));
  expectClose(welchTest(sampleOf(First), sampleOf(Second))->Probability, 4.311991169885328e-05);
}

/// The true ratio lies in 95 of 100 intervals.
TEST(Welch, IntervalsHoldTheTruth) {
  std::mt19937_64 Random(11);
  const auto Draw = [&](double Mean, double Spread, size_t Count) {
    std::normal_distribution<double> Normal(Mean, Spread);
    std::vector<int64_t> Values;
    for (size_t I = 0; I < Count; ++I)
      Values.push_back(std::llround(Normal(Random)));
    return sampleOf(Values);
  };
  for (const auto &[FirstCount, SecondCount, FirstSpread, SecondSpread] :
       {std::tuple(5, 5, 20e3, 20e3), {4, 10, 5e3, 60e3}, {10, 10, 1e3, 80e3}}) {
    constexpr int Tries = 2000;
    int Held = 0;
    for (int I = 0; I < Tries; ++I) {
      const auto Interval =
          ratioInterval(Draw(1e6, FirstSpread, static_cast<size_t>(FirstCount)),
                        Draw(1.07e6, SecondSpread, static_cast<size_t>(SecondCount)), 0.95);
      Held += Interval->Low <= 1.07 && (!Interval->High || *Interval->High >= 1.07);
    }
    EXPECT_NEAR(Held, 0.95 * Tries, 0.02 * Tries) << FirstCount << " and " << SecondCount;
  }
}

} // namespace
} // namespace seamscope::tools
