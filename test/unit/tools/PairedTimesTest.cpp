//===- PairedTimesTest.cpp - ratios with their intervals -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PairedTimes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

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
  // Runs differ even where their steps do not: t(4) = 2.776 times 5 % times sqrt(2).
  EXPECT_NEAR(Times.ratio()->Low, 2 * std::exp(-0.196325), 1e-4);
  EXPECT_NEAR(Times.ratio()->High, 2 * std::exp(0.196325), 1e-4);
  EXPECT_TRUE(Times.ratio()->differs());
  Times.ofOneRun();
  EXPECT_EQ(Times.ratio()->Low, 2);
  EXPECT_EQ(Times.ratio()->High, 2);
  PairedTimes Nothing;
  for (int I = 0; I < 5; ++I)
    Nothing.add(5, 0);
  EXPECT_FALSE(Nothing.ratio());
}

TEST(PairedTimes, ByHand) {
  // Means 12 and 6, R = 2; residuals e / 12 - c / 6: 1/6, 0, -1/6; s^2 = 1/36, SE = 1/6 / sqrt(3);
  // t(2) = 4.3027.
  PairedTimes Times;
  Times.ofOneRun();
  Times.add(14, 6);
  Times.add(10, 5);
  Times.add(12, 7);
  ASSERT_TRUE(Times.ratio());
  EXPECT_DOUBLE_EQ(Times.ratio()->Value, 2);
  EXPECT_NEAR(Times.ratio()->Low, 2 * std::exp(-4.3027 / 6 / std::sqrt(3)), 1e-4);
  EXPECT_NEAR(Times.ratio()->High, 2 * std::exp(4.3027 / 6 / std::sqrt(3)), 1e-4);
}

TEST(PairedTimes, ATenthAtEachEndIsTrimmed) {
  PairedTimes Times;
  Times.ofOneRun();
  for (const int64_t Eager : {500, 100, 1'000'000, 300, 800, 200, 900, 400, 700, 600})
    Times.add(Eager, 100);
  EXPECT_EQ(Times.meanEagerNs(), 550); // of 200 to 900
  EXPECT_EQ(Times.meanCompiledNs(), 100);
  // Winsorised: 200, 200, 300, ..., 900, 900; their variance is 73888.9, and 8 are left of 10.
  const double Error = std::sqrt(73888.889 * 9 / (8 * 7)) / 550;
  EXPECT_NEAR(Times.ratio()->High, 5.5 * std::exp(2.36462 * Error), 1e-3); // t(7)
}

TEST(PairedTimes, OneOutlierDoesNotHideADifference) {
  PairedTimes Times;
  for (int I = 0; I < 398; ++I)
    Times.add(2500, I == 200 ? 45'000 : 54);
  ASSERT_TRUE(Times.ratio());
  EXPECT_NEAR(Times.ratio()->Value, 2500 / 54., 0.01);
  EXPECT_GT(Times.ratio()->Low, 35);
  EXPECT_LT(Times.ratio()->High, 60);
}

TEST(PairedTimes, KindsScatterAboutTheirOwnMeans) {
  PairedTimes Apart, Mixed;
  Apart.ofOneRun();
  Mixed.ofOneRun();
  for (int I = 0; I < 40; ++I) {
    const int64_t Jitter = I % 4 < 2 ? 1 : -1;
    const bool Large = I % 2 == 0;
    const int64_t Eager = Large ? 4000 + Jitter : 100 + Jitter, Compiled = Large ? 1000 : 100;
    Apart.add(Eager, Compiled, Large);
    Mixed.add(Eager, Compiled);
  }
  EXPECT_NEAR(Apart.ratio()->Value, 4100 / 1100., 0.01);
  EXPECT_NEAR(Apart.ratio()->Value, Mixed.ratio()->Value, 0.01);
  EXPECT_LT(Apart.ratio()->High / Apart.ratio()->Low, Mixed.ratio()->High / Mixed.ratio()->Low);
  // Calls whose inputs are all of other shapes are one kind.
  PairedTimes EachItsOwn;
  for (uint32_t I = 0; I < 12; ++I)
    EachItsOwn.add(200 + I, 100, I);
  EXPECT_TRUE(EachItsOwn.ratio());
}

TEST(PairedTimes, WhatIsOfOneStepAddsUp) {
  PairedTimes First, Second;
  First.addStep(0, 10, 5);
  First.addStep(2, 30, 15);
  Second.addStep(1, 20, 10);
  Second.addStep(2, 3, 1);
  First.addBeside(Second);
  EXPECT_EQ(First.steps(), 3u);
  EXPECT_EQ(First.meanEagerNs(), 21);
  EXPECT_NEAR(First.meanCompiledNs(), 31 / 3., 1e-12);
  // As many steps of another run, which is the third.
  First.addSteps(Second, 2);
  EXPECT_EQ(First.runs(), 3u);
  EXPECT_EQ(First.steps(), 5u);
}

TEST(PairedTimes, SmallRatiosAreShownWithTheirDigits) {
  EXPECT_EQ(shownRatio(1.5678), "1.57");
  EXPECT_EQ(shownRatio(0.0031234), "0.00312");
  EXPECT_EQ(shownRatio(0), "0.00");
}

/// Steps of runs that differ, each drawn by \p Draw(its mean).
template <typename Fn>
double coverage(unsigned Runs, unsigned Steps, double BetweenSd, double Truth, Fn Draw) {
  std::mt19937 Random(7);
  std::normal_distribution<double> Between(0, BetweenSd);
  constexpr int Trials = 1000;
  int Inside = 0;
  for (int Trial = 0; Trial < Trials; ++Trial) {
    PairedTimes All;
    for (unsigned Run = 0; Run < Runs; ++Run) {
      PairedTimes Times;
      const double Eager = 1e6 * Truth * std::exp(Between(Random)),
                   Compiled = 1e6 * std::exp(Between(Random));
      for (unsigned Step = 0; Step < Steps; ++Step)
        Times.add(std::llround(Eager * Draw(Random)), std::llround(Compiled * Draw(Random)));
      All.addSteps(Times);
    }
    if (!BetweenSd)
      All.ofOneRun();
    const auto Ratio = All.ratio();
    Inside += Ratio->Low <= Truth && Truth <= Ratio->High;
  }
  return static_cast<double>(Inside) / Trials;
}

/// Of 95 intervals in 100 the true ratio is inside, whatever the scatter.
TEST(PairedTimes, TheIntervalCoversTheTruth) {
  const auto Normal = [](double Scatter) {
    return [=](std::mt19937 &Random) {
      return std::max(0.01, std::normal_distribution<double>(1, Scatter)(Random));
    };
  };
  for (const double Scatter : {0.02, 0.2})
    for (const unsigned Steps : {5u, 20u, 200u}) {
      const double Covered = coverage(1, Steps, 0, 1.5, Normal(Scatter));
      EXPECT_GT(Covered, 0.93) << Scatter << ' ' << Steps;
      EXPECT_LT(Covered, 0.97) << Scatter << ' ' << Steps;
    }
  // Tails: now and then a step takes a hundred times as long; or a logarithm scatters.
  const auto Outliers = [](std::mt19937 &Random) {
    return (Random() % 100 ? 1 : 100) * std::lognormal_distribution<double>(0, 0.05)(Random);
  };
  const auto LogNormal = [](std::mt19937 &Random) {
    return std::lognormal_distribution<double>(0, 1)(Random);
  };
  const auto Pareto = [](std::mt19937 &Random) {
    return std::pow(std::uniform_real_distribution<double>(1e-9, 1)(Random), -1 / 1.2);
  };
  for (const unsigned Steps : {20u, 100u, 400u}) {
    EXPECT_GT(coverage(1, Steps, 0, 1.5, Outliers), 0.92) << Steps;
    EXPECT_GT(coverage(1, Steps, 0, 1.5, LogNormal), 0.92) << Steps;
    EXPECT_GT(coverage(1, Steps, 0, 1.5, Pareto), 0.92) << Steps;
  }
}

/// A machine that is busy for some steps, and then not.
TEST(PairedTimes, TheIntervalCoversTheTruthWhereNeighboursAreAlike) {
  for (const unsigned Steps : {60u, 400u}) {
    double Level = 0;
    const double Covered = coverage(1, Steps, 0, 1.5, [&](std::mt19937 &Random) {
      // Of both runs in turn; each is of every second value.
      Level = 0.8 * Level + std::normal_distribution<double>(0, 0.03)(Random);
      return std::exp(Level);
    });
    EXPECT_GT(Covered, 0.9) << Steps;
  }
}

TEST(PairedTimes, TheIntervalCoversTheTruthWhereRunsDiffer) {
  const auto Draw = [](std::mt19937 &Random) {
    return std::lognormal_distribution<double>(0, 0.02)(Random);
  };
  EXPECT_GT(coverage(1, 20, BetweenRuns, 1.5, Draw), 0.95);
  EXPECT_GT(coverage(3, 20, 0.10, 1.5, Draw), 0.9);
  EXPECT_GT(coverage(5, 20, 0.20, 1.5, Draw), 0.9);
}

TEST(PairedTimes, WithoutADifferenceOneIsSaidInFiveOfAHundred) {
  std::mt19937 Random(3);
  std::normal_distribution<double> Noise(1, 0.05);
  int Said = 0;
  for (int Trial = 0; Trial < 1000; ++Trial) {
    PairedTimes Same;
    Same.ofOneRun();
    for (int Step = 0; Step < 20; ++Step)
      Same.add(std::llround(1e6 * Noise(Random)), std::llround(1e6 * Noise(Random)));
    Said += Same.ratio()->differs();
  }
  EXPECT_LT(Said, 70);
}

} // namespace
} // namespace seamscope::tools
