//===- BreakEvenTest.cpp - after how many steps compilation pays off -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/BreakEven.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

Unrecorded unrecordedOf(int64_t EagerNs, int64_t CompiledNs, int64_t Scatter) {
  Unrecorded Of;
  Of.Speedup.emplace();
  for (const int64_t Off : {-Scatter, Scatter, -Scatter, Scatter, int64_t{0}})
    Of.Speedup->Times.add(EagerNs + Off, CompiledNs);
  return Of;
}

Attribution recordedOf(int64_t EagerNs, int64_t CompiledNs) {
  Attribution All;
  for (const int64_t Off : {0, 10, 20, 30}) {
    StepTimes &Step = All.Steps.emplace_back();
    Step.EagerNs = EagerNs + Off;
    Step.CompiledNs = CompiledNs + Off;
  }
  return All;
}

TEST(BreakEven, StepsUntilCompilationPaysOff) {
  constexpr int64_t CompileNs = 47'000'000'000;
  const Unrecorded Beside = unrecordedOf(9'900'000, 6'000'000, 100'000);
  const auto Even = breakEven(CompileNs, &Beside, recordedOf(9'900'000, 6'000'000));
  ASSERT_TRUE(Even);
  EXPECT_NEAR(Even->SavedNs.Value, 3'900'000, 1);
  EXPECT_NEAR(Even->Steps.Value, 47e9 / 3.9e6, 1);
  EXPECT_LT(Even->Steps.Low, Even->Steps.Value);
  EXPECT_GT(Even->Steps.High, Even->Steps.Value);
  EXPECT_NE(Even->text().find("Compilation took 47.0 s; a step saves 3.9 ms"), std::string::npos);
  EXPECT_NE(Even->text().find("it pays off after 12,100 steps (95 % "), std::string::npos)
      << Even->text();
  const auto Found = adviseOnCompileTime(*Even);
  ASSERT_TRUE(Found);
  EXPECT_FALSE(Found->InWindow);
  const auto Soon = breakEven(1'000'000'000, &Beside, recordedOf(9'900'000, 6'000'000));
  ASSERT_TRUE(Soon);
  EXPECT_FALSE(adviseOnCompileTime(*Soon));
}

TEST(BreakEven, UnknownWhereTheSavingIs) {
  constexpr int64_t CompileNs = 47'000'000'000;
  const Unrecorded Noisy = unrecordedOf(6'100'000, 6'000'000, 1'000'000);
  EXPECT_FALSE(breakEven(CompileNs, &Noisy, recordedOf(9'900'000, 6'000'000)));
  const Unrecorded Clear = unrecordedOf(9'900'000, 6'000'000, 100'000);
  EXPECT_FALSE(breakEven(CompileNs, &Clear, recordedOf(6'000'000, 9'900'000)))
      << "recorded steps say the opposite";
  EXPECT_FALSE(breakEven(CompileNs, nullptr, recordedOf(9'900'000, 6'000'000)));
}

} // namespace
} // namespace seamscope::tools
