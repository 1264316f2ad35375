//===- OwnCompilerTest.cpp - beside torch's own compiler -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/OwnCompiler.h"

#include <gtest/gtest.h>

#include <random>

using namespace seamscope::tools;

namespace {

/// \p Count steps of \p Mean ms and a scatter of a tenth, and of \p Other ms in the other run.
PairedTimes steps(std::mt19937_64 &Random, int Count, double Other, double Mean) {
  std::normal_distribution<double> Scatter(1, 0.1);
  PairedTimes Times;
  for (int I = 0; I < Count; ++I)
    Times.add(static_cast<int64_t>(Other * 1e6 * Scatter(Random)),
              static_cast<int64_t>(Mean * 1e6 * Scatter(Random)));
  return Times;
}

} // namespace

TEST(OwnCompiler, TheIntervalOfItsSpeedupHoldsTheTruth) {
  std::mt19937_64 Random(7);
  int Held = 0;
  constexpr int Trials = 2000;
  for (int I = 0; I < Trials; ++I) {
    const auto Here = steps(Random, 20, 50, 40).ratio();
    const OwnCompiler Own{steps(Random, 12, 36, 40), 0, 0};
    const auto There = Own.speedup(Here.value());
    ASSERT_TRUE(There);
    Held += There->Low <= 50.0 / 36 && 50.0 / 36 <= There->High;
  }
  EXPECT_GT(Held, Trials * 0.93);
  EXPECT_LT(Held, Trials * 0.985);
}

TEST(OwnCompiler, ADifferenceInsideItsIntervalIsNone) {
  OwnCompiler Own;
  for (const int64_t Ns : {90, 110, 100, 95, 105})
    Own.Steps.add(200 - Ns, Ns);
  EXPECT_FALSE(Own.matters());
  EXPECT_NE(Own.text(std::nullopt).find("no difference"), std::string::npos);
  EXPECT_EQ(Own.text(std::nullopt).find("eager"), std::string::npos);

  OwnCompiler Slower;
  for (const int64_t Ns : {100, 101, 99, 100})
    Slower.Steps.add(2 * Ns, Ns);
  EXPECT_TRUE(Slower.matters());
  EXPECT_NE(Slower.text(RatioEstimate{3, 2.9, 3.1}).find("3.00x here, 1.50x"), std::string::npos);

  // By less than is worth a word.
  OwnCompiler Near;
  for (const int64_t Ns : {10000, 10001, 9999, 10000})
    Near.Steps.add(Ns + 100, Ns);
  EXPECT_FALSE(Near.matters());
}

TEST(OwnCompiler, FewStepsSayNothing) {
  OwnCompiler Own;
  Own.Steps.add(300, 100);
  EXPECT_FALSE(Own.matters());
  EXPECT_NE(Own.text(RatioEstimate{3, 2.9, 3.1}).find("(1 step: too few"), std::string::npos);
  EXPECT_FALSE(Own.speedup({3, 2.9, 3.1}));
}
