//===- SelfTimeTest.cpp - the window is attributed to the ns ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/SelfTime.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

using namespace seamscope::tools;

namespace {

constexpr int64_t Unit = 60; // a ns in parts that 1 to 6 threads can share

/// The definition, ns by ns, in units of 1/60 ns.
SelfTimes momentByMoment(const std::vector<Interval> &Calls, size_t Rows, int64_t Begin,
                         int64_t End) {
  SelfTimes Result;
  Result.RowNs.resize(Rows);
  for (int64_t Now = Begin; Now < End; ++Now) {
    std::map<uint32_t, const Interval *> Innermost; // by thread
    for (const Interval &Call : Calls) {
      if (Call.BeginNs > Now || Call.EndNs <= Now)
        continue;
      const Interval *&Owner = Innermost[Call.Track];
      if (!Owner || Call.BeginNs > Owner->BeginNs ||
          (Call.BeginNs == Owner->BeginNs && Call.EndNs <= Owner->EndNs))
        Owner = &Call;
    }
    for (const auto &[Track, Owner] : Innermost)
      Result.RowNs[Owner->Row] += Unit / static_cast<int64_t>(Innermost.size());
    Result.UnattributedNs += Innermost.empty();
  }
  return Result;
}

TEST(SelfTime, NestedCallsTakeTheirPart) {
  const std::vector<Interval> Calls = {{10, 100, 0}, {20, 50, 1}, {30, 40, 2}};
  const SelfTimes Self = selfTimes(Calls, 3, 0, 120);
  EXPECT_EQ(Self.RowNs, (std::vector<int64_t>{60, 20, 10}));
  EXPECT_EQ(Self.UnattributedNs, 30);
}

TEST(SelfTime, PartsOfTeamsHaveTheMomentsInWhichNoCallWorks) {
  const std::vector<RunChange> Changes = {{0, 0, RunState::Running},  {0, 1, RunState::Running},
                                          {0, 2, RunState::Running},  {50, 0, RunState::Blocked},
                                          {70, 1, RunState::Blocked}, {80, 2, RunState::Preempted}};
  const std::vector<Interval> Calls = {{10, 100, 0, 0},
                                       {10, 90, 1, 1, OpenAs::Part},
                                       {10, 90, 2, 2, OpenAs::Part},
                                       {20, 40, 1, 0, OpenAs::Part}, // inside a call
                                       {60, 65, 2, 2, OpenAs::Wait}};
  const SelfTimes Times = selfTimes(Calls, 3, 0, 100, Changes);
  // From 50 on rows 1 and 2 share 15 ns and row 1 has 5 alone; from 70 to 80 row 2 works alone.
  EXPECT_EQ(Times.RowNs, (std::vector<int64_t>{40, 13, 17}));
  EXPECT_EQ(Times.PreemptedNs, 10);
  EXPECT_EQ(Times.BlockedNs + Times.UnattributedNs, 20);
}

TEST(SelfTime, RowsMayHaveTimeInWhichTheirThreadIsBlocked) {
  const std::vector<RunChange> Changes = {{0, 0, RunState::Running},
                                          {20, 0, RunState::Blocked},
                                          {60, 0, RunState::Running},
                                          {80, 0, RunState::Blocked}};
  const std::vector<Interval> Calls = {{10, 70, 0, 0, OpenAs::CallOff}, {75, 100, 1, 0}};
  const SelfTimes Times = selfTimes(Calls, 2, 0, 100, Changes);
  EXPECT_EQ(Times.RowNs, (std::vector<int64_t>{60, 5}));
  EXPECT_EQ(Times.BlockedNs, 20);
  EXPECT_EQ(Times.UnattributedNs, 15);
}

TEST(SelfTime, OnAThreadOverlapGoesToTheLaterBegin) {
  const std::vector<Interval> Calls = {{0, 50, 0}, {30, 80, 1}};
  const SelfTimes Self = selfTimes(Calls, 2, 0, 80);
  EXPECT_EQ(Self.RowNs, (std::vector<int64_t>{30, 50}));
  EXPECT_EQ(Self.UnattributedNs, 0);
}

TEST(SelfTime, ThreadsThatWorkAtOnceShareTheMoment) {
  // The second of two equal calls began a little later.
  const std::vector<Interval> Two = {{0, 100, 0, 0}, {4, 104, 1, 1}};
  EXPECT_EQ(selfTimes(Two, 2, 0, 104).RowNs, (std::vector<int64_t>{52, 52}));
  // On the first thread a call inside another, which has its thread's share then.
  const std::vector<Interval> Nested = {{0, 100, 0, 0}, {20, 60, 1, 0}, {0, 100, 2, 7}};
  EXPECT_EQ(selfTimes(Nested, 3, 0, 100).RowNs, (std::vector<int64_t>{30, 20, 50}));
}

TEST(SelfTime, WhatCannotBeDividedGoesToTheLargestRemainders) {
  const std::vector<Interval> Three = {{0, 100, 0, 0}, {0, 100, 1, 1}, {0, 100, 2, 2}};
  EXPECT_EQ(selfTimes(Three, 3, 0, 100).RowNs, (std::vector<int64_t>{34, 33, 33}));
  // 1/3 of 10 and 2/3 of 10.
  const std::vector<Interval> Two = {{0, 10, 0, 0}, {0, 10, 1, 1}, {0, 10, 1, 2}};
  EXPECT_EQ(selfTimes(Two, 2, 0, 10).RowNs, (std::vector<int64_t>{3, 7}));
}

TEST(SelfTime, LargestWindow) {
  constexpr int64_t Most = (int64_t{1} << 62) - 1;
  const std::vector<Interval> Calls = {{-Most, Most, 0, 0}, {-Most, Most, 1, 1}};
  EXPECT_EQ(selfTimes(Calls, 2, -Most, Most).RowNs, (std::vector<int64_t>{Most, Most}));
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
      Calls.push_back({From, Up(From, End), static_cast<uint32_t>(Up(0, Rows - 1)),
                       static_cast<uint32_t>(Up(0, Round % 6))});
    }
    const SelfTimes Self = selfTimes(Calls, Rows, Begin, End);
    EXPECT_EQ(std::accumulate(Self.RowNs.begin(), Self.RowNs.end(), Self.UnattributedNs),
              End - Begin);
    const SelfTimes Defined = momentByMoment(Calls, Rows, Begin, End);
    for (size_t Row = 0; Row < Rows; ++Row) {
      ASSERT_LT(Unit * (Self.RowNs[Row] - 1), Defined.RowNs[Row]) << "round " << Round;
      ASSERT_GT(Unit * (Self.RowNs[Row] + 1), Defined.RowNs[Row]) << "round " << Round;
    }
    ASSERT_EQ(Self.UnattributedNs, Defined.UnattributedNs);
  }
}

} // namespace
