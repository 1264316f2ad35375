//===- StepDiffTest.cpp - steps of two compiled runs -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepDiff.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

/// Steps of a function, of fused kernels and overhead of these times.
StepsAlone stepsOf(const std::string &Name, std::vector<std::pair<int64_t, int64_t>> Times) {
  StepsAlone All;
  for (const auto &[Fused, Overhead] : Times) {
    StepTimes &Step = All.Steps.emplace_back();
    Step.Name = Name;
    Step.CompiledNs = Fused + Overhead;
    PartTimes &Part = Step.Of[static_cast<size_t>(StepPart::Fused)];
    Part.CompiledNs = Fused;
    Part.Kernels = 3;
    Step.Of[static_cast<size_t>(StepPart::Overhead)].CompiledNs = Overhead;
  }
  return All;
}

TEST(StepDiff, PartsAddUpAndRatiosHaveIntervals) {
  const StepDiff Result = compareSteps(stepsOf("f", {{100, 10}, {110, 12}, {90, 8}, {100, 10}}),
                                       stepsOf("f", {{200, 10}, {220, 10}, {180, 10}}));
  ASSERT_EQ(Result.NotCompared, "");
  ASSERT_EQ(Result.Rows.size(), 3u);
  int64_t First = 0, Second = 0;
  for (const StepDiffRow &Row : Result.Rows)
    if (Row.Part) {
      First += Row.FirstNs;
      Second += Row.SecondNs;
    }
  const StepDiffRow &Whole = Result.Rows.back(), &Fused = Result.Rows[0];
  EXPECT_FALSE(Whole.Part);
  EXPECT_EQ(Whole.FirstNs, First);
  EXPECT_EQ(Whole.SecondNs, Second);
  ASSERT_TRUE(Fused.Part);
  EXPECT_EQ(*Fused.Part, StepPart::Fused);
  // Of 4 and of 3 steps: the means count.
  EXPECT_DOUBLE_EQ(*Fused.Change.Percent, 100);
  ASSERT_TRUE(Fused.Change.LowPercent && Fused.Change.HighPercent);
  EXPECT_GT(*Fused.Change.LowPercent, 0);
  EXPECT_GT(*Fused.Change.HighPercent, 100);
  EXPECT_EQ(Fused.FirstCalls, 12u);
  EXPECT_EQ(Fused.SecondCalls, 9u);
}

TEST(StepDiff, OtherStepsAreNotCompared) {
  const StepsAlone F = stepsOf("f", {{1, 1}, {1, 1}}), G = stepsOf("g", {{1, 1}});
  EXPECT_NE(compareSteps(F, G).NotCompared, "");
  EXPECT_NE(compareSteps(F, {}).NotCompared, "");
  StepsAlone Marked = F;
  Marked.By = StepsBy::Mark;
  EXPECT_NE(compareSteps(F, Marked).NotCompared, "");
  // Two of f and one of g are no mean step of one of each.
  StepsAlone Both = F, Equal = F;
  Both.Steps.push_back(G.Steps[0]);
  Equal.Steps[1] = G.Steps[0];
  EXPECT_NE(compareSteps(Both, Equal).NotCompared, "");
  EXPECT_TRUE(compareSteps(Both, Equal).Rows.empty());
  EXPECT_EQ(compareSteps(Both, Both).NotCompared, "");
}

} // namespace
