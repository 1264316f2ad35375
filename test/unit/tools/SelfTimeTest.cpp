//===- SelfTimeTest.cpp - the window is dealt out to the ns ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/SelfTime.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace seamscope::tools;

namespace {

/// The definition, moment by moment.
SelfTimes momentByMoment(const std::vector<Interval> &Calls, size_t Rows, int64_t Begin,
                         int64_t End) {
  SelfTimes Result;
  Result.RowNs.resize(Rows);
  for (int64_t Now = Begin; Now < End; ++Now) {
    const Interval *Owner = nullptr;
    for (const Interval &Call : Calls) {
      if (Call.BeginNs > Now || Call.EndNs <= Now)
        continue;
      if (!Owner || Call.BeginNs > Owner->BeginNs ||
          (Call.BeginNs == Owner->BeginNs && Call.EndNs <= Owner->EndNs))
        Owner = &Call;
    }
    ++(Owner ? Result.RowNs[Owner->Row] : Result.UnattributedNs);
  }
  return Result;
}

TEST(SelfTime, NestedCallsTakeTheirPart) {
  const std::vector<Interval> Calls = {{10, 100, 0}, {20, 50, 1}, {30, 40, 2}};
  const SelfTimes Self = selfTimes(Calls, 3, 0, 120);
  EXPECT_EQ(Self.RowNs, (std::vector<int64_t>{60, 20, 10}));
  EXPECT_EQ(Self.UnattributedNs, 30);
}

TEST(SelfTime, OverlapGoesToTheLaterBegin) {
  const std::vector<Interval> Calls = {{0, 50, 0}, {30, 80, 1}};
  const SelfTimes Self = selfTimes(Calls, 2, 0, 80);
  EXPECT_EQ(Self.RowNs, (std::vector<int64_t>{30, 50}));
  EXPECT_EQ(Self.UnattributedNs, 0);
}

TEST(SelfTime, NoCallsAndAnEmptyWindow) {
  EXPECT_EQ(selfTimes({}, 0, 5, 9).UnattributedNs, 4);
  const std::vector<Interval> Calls = {{5, 5, 0}};
  const SelfTimes Self = selfTimes(Calls, 1, 5, 5);
  EXPECT_EQ(Self.RowNs[0], 0);
  EXPECT_EQ(Self.UnattributedNs, 0);
}

TEST(SelfTime, AlwaysAddsUpAndAgreesWithTheDefinition) {
  std::mt19937 Random(20);
  const auto Up = [&](int64_t Least, int64_t Most) {
    return std::uniform_int_distribution<int64_t>(Least, Most)(Random);
  };
  for (int Round = 0; Round < 2000; ++Round) {
    constexpr size_t Rows = 5;
    const int64_t Begin = Up(-50, 50), End = Begin + Up(0, 120);
    std::vector<Interval> Calls;
    // Few distinct times: calls nest, overlap, touch, coincide and have no length.
    for (int64_t I = Up(0, 30); I > 0; --I) {
      const int64_t From = Up(Begin, End);
      Calls.push_back({From, Up(From, End), static_cast<uint32_t>(Up(0, Rows - 1))});
    }
    const SelfTimes Self = selfTimes(Calls, Rows, Begin, End);
    EXPECT_EQ(std::accumulate(Self.RowNs.begin(), Self.RowNs.end(), Self.UnattributedNs),
              End - Begin);
    const SelfTimes Defined = momentByMoment(Calls, Rows, Begin, End);
    ASSERT_EQ(Self.RowNs, Defined.RowNs) << "round " << Round;
    ASSERT_EQ(Self.UnattributedNs, Defined.UnattributedNs);
  }
}

} // namespace
