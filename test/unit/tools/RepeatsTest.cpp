//===- RepeatsTest.cpp - two sides of several runs each -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Repeats.h"
#include "TestFile.h"

#include <cmath>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

/// A run of two operators one after the other, and a pause of 10 us between.
RunTotals runOf(const char *Second, int64_t FirstUs, int64_t SecondUs) {
  return runTotals(traceOf(fmt::format("[{},{}]", eventText("cpu_op", "aten::mm", 1, 0, FirstUs),
                                       eventText("cpu_op", Second, 1, FirstUs + 10, SecondUs))),
                   {});
}

const RepeatRow &rowNamed(const RepeatedDifference &In, std::string_view Key) {
  for (const RepeatRow &Row : In.Rows)
    if (Row.Runs.Key == Key)
      return Row;
  ADD_FAILURE() << "no row " << Key;
  return In.Rows[0];
}

RepeatedDifference compare(const std::vector<std::pair<int64_t, int64_t>> &First,
                           const std::vector<std::pair<int64_t, int64_t>> &Second,
                           const RepeatOptions &Options) {
  std::vector<RunTotals> Sides[2];
  for (const auto &[Mm, Add] : First)
    Sides[0].push_back(runOf("aten::add", Mm, Add));
  for (const auto &[Mm, Add] : Second)
    Sides[1].push_back(runOf("aten::add", Mm, Add));
  return compareRepeats(std::move(Sides[0]), std::move(Sides[1]), Options);
}

TEST(Repeats, RowsAddUpInEachRun) {
  std::vector<RunTotals> First, Second;
  First.push_back(runOf("aten::add", 100, 50));
  First.push_back(runOf("aten::relu", 110, 60)); // another operator in one of the runs
  Second.push_back(runOf("aten::add", 120, 55));
  Second.push_back(runOf("aten::add", 125, 57));
  Second.push_back(runOf("aten::tanh", 130, 3));
  const RepeatedDifference Result = compareRepeats(First, Second, {});
  EXPECT_EQ(Result.FirstRuns, 2u);
  EXPECT_EQ(Result.SecondRuns, 3u);
  std::vector<int64_t> FirstSum(2), SecondSum(3);
  for (const RepeatRow &Row : Result.Rows) {
    for (size_t Run = 0; Run < 2; ++Run)
      FirstSum[Run] += Row.Runs.FirstNs[Run];
    for (size_t Run = 0; Run < 3; ++Run)
      SecondSum[Run] += Row.Runs.SecondNs[Run];
  }
  EXPECT_EQ(FirstSum, (std::vector<int64_t>{160'000, 180'000}));
  EXPECT_EQ(FirstSum, Result.Window.Runs.FirstNs);
  EXPECT_EQ(SecondSum, (std::vector<int64_t>{185'000, 192'000, 143'000}));
  EXPECT_EQ(SecondSum, Result.Window.Runs.SecondNs);
  const RepeatRow &Add = rowNamed(Result, "aten::add");
  EXPECT_EQ(Add.Runs.Match, DiffMatch::Kernel);
  EXPECT_EQ(Add.Runs.FirstNs, (std::vector<int64_t>{50'000, 0}));
  EXPECT_EQ(Add.Runs.FirstCalls, (std::vector<uint64_t>{1, 0}));
  EXPECT_EQ(Add.FirstMeanNs, 25'000);
  EXPECT_EQ(Add.SecondMeanNs, 37'333);
  EXPECT_EQ(rowNamed(Result, "aten::relu").Runs.Match, DiffMatch::None);
  EXPECT_EQ(rowNamed(Result, "aten::tanh").SecondMeanNs, 1'000);
  EXPECT_EQ(rowNamed(Result, "[unattributed]").FirstMeanNs, 10'000);
}

TEST(Repeats, VerdictsAreThoseOfTheIntervals) {
  // scipy: see WelchTest.cpp. The ratio of aten::mm lies between 1.0797 and 1.1202.
  const auto With = [](double Threshold) {
    return compare({{1000, 50}, {1010, 50}, {990, 50}, {1005, 50}},
                   {{1100, 50}, {1090, 50}, {1120, 50}, {1095, 50}},
                   {.ThresholdPercent = Threshold});
  };
  using enum RepeatVerdict;
  for (const auto &[Threshold, Verdict] : {std::pair(0., Exceeds),
                                           {5., Exceeds},
                                           {7.96, Exceeds},
                                           {7.98, NotCertain},
                                           {10., NotCertain},
                                           {12.01, NotCertain},
                                           {12.03, Within}}) {
    const RepeatedDifference Result = With(Threshold);
    EXPECT_EQ(rowNamed(Result, "aten::mm").Change.Verdict, Verdict) << Threshold;
    // What took the same each time did not change.
    EXPECT_EQ(rowNamed(Result, "aten::add").Change.Verdict, Within) << Threshold;
  }
  const RepeatChange Change = rowNamed(With(5), "aten::mm").Change;
  EXPECT_EQ(Change.Ns, 100'000);
  EXPECT_NEAR(*Change.Percent, 9.98751560549314, 1e-9);
  EXPECT_NEAR(*Change.LowPercent, 7.96850366046205, 1e-6);
  EXPECT_NEAR(*Change.HighPercent, 12.02105322499025, 1e-6);
  EXPECT_EQ(Change.LowNs, 80'021);
  EXPECT_EQ(Change.HighNs, 119'979);
  EXPECT_NEAR(*Change.Probability, 4.311991169885328e-05, 1e-12);
}

TEST(Repeats, OfOneRunTheSpreadIsNotKnown) {
  const RepeatedDifference Result =
      compare({{1000, 50}}, {{2000, 50}, {2001, 50}}, {.ThresholdPercent = 5});
  EXPECT_FALSE(Result.knowsSpread());
  const RepeatChange &Change = rowNamed(Result, "aten::mm").Change;
  EXPECT_EQ(Change.Ns, 1'000'500);
  EXPECT_NEAR(*Change.Percent, 100.05, 1e-9);
  EXPECT_FALSE(Change.LowNs || Change.HighNs || Change.LowPercent || Change.HighPercent ||
               Change.Probability);
  EXPECT_EQ(Change.Verdict, RepeatVerdict::NotCertain);
}

TEST(Repeats, WhatIsNewExceedsAnyThreshold) {
  const RepeatChange New = changeOf({0, 0, 0}, {500, 510, 505}, 50, 0.95);
  EXPECT_FALSE(New.Percent || New.LowPercent || New.HighPercent);
  EXPECT_EQ(New.Ns, 505);
  EXPECT_EQ(New.Verdict, RepeatVerdict::Exceeds);
  const RepeatChange Gone = changeOf({500, 510, 505}, {0, 0, 0}, 5, 0.95);
  EXPECT_EQ(Gone.Percent, -100);
  EXPECT_EQ(Gone.Verdict, RepeatVerdict::Within);
  EXPECT_EQ(changeOf({0, 0}, {0, 0}, 5, 0.95).Verdict, RepeatVerdict::Within);
}

TEST(Repeats, WhereOneRunIsFarOffTheRestIsPlainNevertheless) {
  const RepeatChange Change = changeOf({51, 45, 50, 49}, {3314, 19786, 8072, 7292}, 5, 0.95);
  EXPECT_EQ(Change.Verdict, RepeatVerdict::NotCertain);
  EXPECT_TRUE(Change.AllAbove);
  EXPECT_NEAR(Change.ApartByChance, 2. / 70, 1e-12);
  EXPECT_FALSE(changeOf({51, 45, 50, 49}, {53, 60, 61, 62}, 5, 0.95).AllAbove); // 53.55 is 5 %
  EXPECT_TRUE(changeOf({51, 45, 50, 49}, {54, 60, 61, 62}, 5, 0.95).AllAbove);
  EXPECT_EQ(changeOf({1}, {2}, 5, 0.95).ApartByChance, 1);
  EXPECT_NEAR(changeOf({1, 2}, {3, 4}, 5, 0.95).ApartByChance, 1. / 3, 1e-12);
}

TEST(Repeats, ManyRowsTogetherAreLessCertainEach) {
  const std::vector<std::pair<int64_t, int64_t>> First = {{1000, 50}, {1010, 50}, {990, 50}},
                                                 Second = {{1040, 50}, {1050, 50}, {1035, 50}};
  const RepeatedDifference Alone = compare(First, Second, {}),
                           Together = compare(First, Second, {.AllRowsTogether = true});
  ASSERT_EQ(Together.Rows.size(), 3u);
  EXPECT_NEAR(Together.RowConfidence, 1 - 0.05 / 3, 1e-12);
  EXPECT_LT(*rowNamed(Together, "aten::mm").Change.LowPercent,
            *rowNamed(Alone, "aten::mm").Change.LowPercent);
  EXPECT_EQ(*Together.Window.Change.LowPercent, *Alone.Window.Change.LowPercent);
}

TEST(Repeats, NothingAgainstNothing) {
  const RepeatedDifference Result =
      compareRepeats({RunTotals(), RunTotals()}, {RunTotals(), RunTotals()}, {});
  ASSERT_EQ(Result.Rows.size(), 1u);
  EXPECT_EQ(Result.Window.Change.Ns, 0);
  EXPECT_FALSE(Result.Window.Change.Percent);
}

} // namespace
} // namespace seamscope::tools
