//===- StepsAloneTest.cpp - where the time of compiled steps went ---------------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepsAlone.h"
#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

using Events = std::vector<std::string>;

Trace traceWith(const Events &All) { return traceOf(fmt::format("[{}]", fmt::join(All, ",\n"))); }

std::string scope(const char *Name, int64_t Begin, int64_t Duration, int Thread = 1) {
  return eventText("user_annotation", Name, Thread, Begin, Duration);
}
std::string operatorText(const char *Name, int64_t Begin, int64_t Duration) {
  return eventText("cpu_op", Name, 1, Begin, Duration);
}

int64_t partNs(const StepTimes &Step, StepPart Which) {
  return Step.Of[static_cast<size_t>(Which)].CompiledNs;
}

/// Calls of 10 us each 100 us, each with a product in it and, with \p Backward, one behind it.
Events loop(int Turns, bool Backward) {
  Events All;
  for (int64_t I = 0; I < Turns; ++I) {
    const int64_t At = 100 * I;
    All.push_back(scope("seamscope.compiled f", At, 10));
    All.push_back(operatorText("aten::mm", At + 2, 3));
    if (Backward) {
      All.push_back(operatorText("autograd::engine::evaluate_function: MmBackward0", At + 20, 30));
      All.push_back(operatorText("aten::mm", At + 22, 20));
    }
    All.push_back(operatorText("aten::add_", At + 60, 5));
  }
  return All;
}

TEST(StepsAlone, WithoutABackwardPassStepsAreCalls) {
  const StepsAlone Found = stepsAlone(traceWith(loop(5, false)), {});
  EXPECT_EQ(Found.By, StepsBy::Call);
  ASSERT_EQ(Found.Steps.size(), 5u);
  EXPECT_EQ(Found.Steps[0].Name, "f");
  EXPECT_EQ(Found.Steps[0].CompiledNs, 10'000);
  EXPECT_EQ(partNs(Found.Steps[0], StepPart::MatMul), 3'000);
  EXPECT_EQ(partNs(Found.Steps[0], StepPart::Overhead), 7'000);
}

TEST(StepsAlone, WithABackwardPassBetweenThemStepsAreTurns) {
  const StepsAlone Found = stepsAlone(traceWith(loop(5, true)), {});
  EXPECT_EQ(Found.By, StepsBy::Turn);
  ASSERT_EQ(Found.Steps.size(), 4u); // of the last the end is not known
  for (const StepTimes &Step : Found.Steps) {
    EXPECT_EQ(Step.CompiledNs, 100'000);
    EXPECT_EQ(Step.Backward.CompiledNs, 30'000);
    EXPECT_EQ(partNs(Step, StepPart::MatMul), 23'000);
    EXPECT_EQ(partNs(Step, StepPart::Other), 5'000);
    EXPECT_EQ(partNs(Step, StepPart::Overhead), 72'000);
    EXPECT_EQ(Step.EagerNs, 0);
  }
}

TEST(StepsAlone, TooFewCallsMakeNoLoop) {
  EXPECT_EQ(stepsAlone(traceWith(loop(2, true)), {}).By, StepsBy::Call);
}

TEST(StepsAlone, MarkedStepsAreWhatTheProgramSays) {
  Events All = loop(5, true);
  All.push_back(scope("ProfilerStep#0", 0, 250));
  All.push_back(scope("ProfilerStep#1", 250, 250));
  All.push_back(scope("ProfilerStep#2", 500, 10)); // behind the last that did anything
  const StepsAlone Found = stepsAlone(traceWith(All), {});
  EXPECT_EQ(Found.By, StepsBy::Mark);
  ASSERT_EQ(Found.Steps.size(), 2u);
  EXPECT_EQ(Found.Steps[1].CompiledNs, 250'000);
}

TEST(StepsAlone, StepsThatCompileAndTheFirstSlowOnesAreLeftOut) {
  Events All = loop(9, true);
  All.push_back(scope("seamscope.compiled f", -1000, 10));
  All.push_back(scope("seamscope.compile", 30, 20)); // between two calls, as a backward graph's
  const StepsAlone Found = stepsAlone(traceWith(All), {});
  EXPECT_EQ(Found.Compiling, 1u);
  EXPECT_EQ(Found.WarmUp, 1u);
  EXPECT_EQ(Found.Steps.size(), 7u);
}

TEST(StepsAlone, OfSeveralFunctionsTheLoopIsTheFirstOnes) {
  Events All = loop(4, true);
  All.push_back(scope("seamscope.compiled once", -50, 10));
  for (int64_t I = 0; I < 4; ++I)
    All.push_back(scope("seamscope.compiled g", 100 * I + 80, 5));
  All.push_back(scope("seamscope.compiled f", 15, 2, 2)); // of another thread
  const StepsAlone Found = stepsAlone(traceWith(All), {});
  EXPECT_EQ(Found.By, StepsBy::Turn);
  ASSERT_EQ(Found.Steps.size(), 3u);
  for (const StepTimes &Step : Found.Steps) {
    EXPECT_EQ(Step.Name, "f");
    EXPECT_EQ(Step.CompiledNs, 100'000);
  }
}

TEST(StepsAlone, OfNothingThereIsNothing) {
  const StepsAlone Found = stepsAlone(traceWith({operatorText("aten::mm", 0, 5)}), {});
  EXPECT_TRUE(Found.Steps.empty());
  EXPECT_EQ(Found.Compiling + Found.WarmUp, 0u);
}

} // namespace
} // namespace seamscope::tools
