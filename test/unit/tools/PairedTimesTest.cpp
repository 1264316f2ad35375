//===- PairedTimesTest.cpp - ratios with their intervals -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PairedTimes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace seamscope::tools {
namespace {

TEST(PairedTimes, FewStepsHaveNoInterval) {
  PairedTimes Times;
  EXPECT_FALSE(Times.ratio());
  Times.add(2, 1);
  Times.add(2, 1);
  EXPECT_FALSE(Times.ratio());
  Times.add(2, 1);
  ASSERT_TRUE(Times.ratio());
  EXPECT_EQ(Times.ratio()->Value, 2);
  EXPECT_EQ(Times.ratio()->Low, 2);
  EXPECT_EQ(Times.ratio()->High, 2);
  EXPECT_TRUE(Times.ratio()->differs());
  PairedTimes Nothing;
  for (int I = 0; I < 5; ++I)
    Nothing.add(5, 0);
  EXPECT_FALSE(Nothing.ratio());
}

TEST(PairedTimes, ByHand) {
  // Means 12 and 6, R = 2; residuals e - 2c: 2, 0, -2; s^2 = 4, SE = sqrt(4 / 3) / 6 = 0.19245;
  // t(2) = 4.303.
  PairedTimes Times;
  Times.add(14, 6);
  Times.add(10, 5);
  Times.add(12, 7);
  ASSERT_TRUE(Times.ratio());
  EXPECT_DOUBLE_EQ(Times.ratio()->Value, 2);
  EXPECT_NEAR(Times.ratio()->Low, 2 - 4.303 * 0.1924501, 1e-6);
  EXPECT_NEAR(Times.ratio()->High, 2 + 4.303 * 0.1924501, 1e-6);
}

TEST(PairedTimes, StepsOfTwoRunsAreAsThoseOfOne) {
  std::mt19937 Random(1);
  PairedTimes Whole, First, Second;
  for (int I = 0; I < 40; ++I) {
    const auto Eager = static_cast<int64_t>(Random() % 1000 + 500);
    const auto Compiled = static_cast<int64_t>(Random() % 300 + 100);
    Whole.add(Eager, Compiled);
    (I < 15 ? First : Second).add(Eager, Compiled);
  }
  First.addSteps(Second);
  EXPECT_EQ(First.steps(), 40u);
  EXPECT_NEAR(First.ratio()->Value, Whole.ratio()->Value, 1e-12);
  EXPECT_NEAR(First.ratio()->Low, Whole.ratio()->Low, 1e-12);
}

/// Of 95 intervals in 100 the true ratio is inside, whatever the scatter.
TEST(PairedTimes, TheIntervalCoversTheTruth) {
  std::mt19937 Random(7);
  for (const double Scatter : {0.02, 0.2}) {
    int Inside = 0, Said = 0;
    for (int Trial = 0; Trial < 2000; ++Trial) {
      std::normal_distribution<double> Noise(1, Scatter);
      PairedTimes Times, Beside, Same;
      for (int Step = 0; Step < 20; ++Step) {
        Times.add(static_cast<int64_t>(0.6e6 * Noise(Random)),
                  static_cast<int64_t>(0.4e6 * Noise(Random)));
        Beside.add(static_cast<int64_t>(0.9e6 * Noise(Random)),
                   static_cast<int64_t>(0.6e6 * Noise(Random)));
        Same.add(static_cast<int64_t>(1e6 * Noise(Random)),
                 static_cast<int64_t>(1e6 * Noise(Random)));
      }
      Times.addBeside(Beside);
      Inside += Times.ratio()->Low <= 1.5 && Times.ratio()->High >= 1.5;
      Said += Same.ratio()->differs();
    }
    EXPECT_GT(Inside, 2000 * 0.93);
    EXPECT_LT(Inside, 2000 * 0.97);
    EXPECT_LT(Said, 2000 * 0.07);
  }
}

} // namespace
} // namespace seamscope::tools
