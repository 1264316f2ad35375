//===- ThrottledTest.cpp - calls that were counted and not timed ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFile.h"
#include "analysis/core/Cut.h"
#include "analysis/core/LoopTree.h"
#include "analysis/core/Ranks.h"
#include "analysis/core/Statistics.h"
#include "analysis/devices/OperatorTimes.h"
#include "analysis/groups/GroupBy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

using namespace seamscope::tools;

namespace {

/// A call of a kernel; times in us.
std::string call(const char *Name, int Begin, int Duration, int Tid = 1) {
  return fmt::format(R"({{"ph": "X", "cat": "cpu_op", "name": "{0}", "pid": 1, "tid": {1}, )"
                     R"("ts": {2}, "dur": {3}, "args": {{"kernel": "{0}"}}}})",
                     Name, Tid, Begin, Duration);
}

std::string throttled(const char *Name, int Since, int Timed, int Untimed,
                      const std::string &More = "") {
  return fmt::format(R"({{"cat": "cpu_op", "name": "{0}", "pid": 1, "tid": 1, "ts": {1}, )"
                     R"("every": 10, "timed": {2}, "untimed": {3}{4}, )"
                     R"("args": {{"kernel": "{0}"}}}})",
                     Name, Since, Timed, Untimed, More);
}

Trace makeTrace(const std::vector<std::string> &Events, const std::vector<std::string> &Throttled,
                const std::string &More = "") {
  return traceOf(fmt::format(R"({{"seamscope": {{"version": "1", "format": 1, "mode": "trace", )"
                             R"("throttled": [{}]{}}}, "traceEvents": [{}]}})",
                             fmt::join(Throttled, ","), More, fmt::join(Events, ",")));
}

/// By kernel "calls total/self mean", in us.
std::map<std::string, std::string> shown(const Trace &Input) {
  std::map<std::string, std::string> Rows;
  const Statistics Numbers = computeStatistics(Input);
  int64_t Sum = Numbers.UnattributedNs.value_or(0);
  for (const KernelRow &Row : Numbers.Kernels) {
    Sum += Row.SelfNs.value_or(0);
    Rows[std::string(Input.text(Input.Sites[Row.Site].Name))] =
        fmt::format("{} {}/{} {}", Row.Times.Calls, Row.Times.TotalNs / 1000,
                    Row.SelfNs.value_or(-1000) / 1000, Row.Times.MeanNs.value_or(-1000) / 1000);
  }
  if (Input.Profile.empty()) {
    EXPECT_EQ(Sum, Numbers.WindowNs);
  }
  return Rows;
}

const CallStatistics &timesOf(const Trace &Input, const Statistics &Numbers, const char *Name) {
  for (const KernelRow &Row : Numbers.Kernels)
    if (Input.text(Input.Sites[Row.Site].Name) == Name)
      return Row.Times;
  throw std::runtime_error(Name);
}

using Rows = std::map<std::string, std::string>;

TEST(Throttled, UntimedCallsTakeTheMeanOfTimedOnesFromTheCallAround) {
  const Trace Input = makeTrace(
      {call("outer", 0, 1000), call("tiny", 5, 1), call("tiny", 10, 3), call("tiny", 20, 5)},
      {throttled("tiny", 8, 2, 10)});
  // Of ten calls 4 us each; the first call was before.
  EXPECT_EQ(shown(Input), (Rows{{"outer", "1 1000/951 1000"}, {"tiny", "13 49/49 3"}}));
  const Statistics Numbers = computeStatistics(Input);
  const auto &Untimed = timesOf(Input, Numbers, "tiny").Untimed;
  ASSERT_TRUE(Untimed);
  EXPECT_EQ(Untimed->Calls, 10u);
  EXPECT_EQ(Untimed->Timed, 2u);
  EXPECT_EQ(Untimed->Ns, 40'000);
  // 10 * sqrt(((3 - 4)^2 + (5 - 4)^2) / 1 / 2) us
  EXPECT_NEAR(Untimed->StderrNs.value(), 10'000, 1e-6);
  EXPECT_FALSE(Untimed->IsLimited);
  EXPECT_FALSE(timesOf(Input, Numbers, "outer").Untimed);
}

TEST(Throttled, TheyTakeNoMoreThanThereIs) {
  const Trace Input = makeTrace({call("outer", 0, 20), call("tiny", 5, 3), call("tiny", 10, 5)},
                                {throttled("tiny", 2, 2, 10)});
  EXPECT_EQ(shown(Input), (Rows{{"outer", "1 20/0 20"}, {"tiny", "12 20/20 1"}}));
  const Statistics Numbers = computeStatistics(Input);
  EXPECT_TRUE(timesOf(Input, Numbers, "tiny").Untimed->IsLimited);
  EXPECT_EQ(timesOf(Input, Numbers, "tiny").Untimed->Ns, 12'000);
}

TEST(Throttled, WithoutACallAroundTheyTakeFromWhatIsUnattributed) {
  const Trace Input = makeTrace({call("tiny", 0, 4), call("tiny", 90, 4), call("other", 95, 5)},
                                {throttled("tiny", 0, 2, 10)});
  EXPECT_EQ(shown(Input), (Rows{{"other", "1 5/5 5"}, {"tiny", "12 48/48 4"}}));
}

TEST(Throttled, InEachCallAroundTheyTakeAsLongAsThoseThatWereTimedThere) {
  const Trace Input = makeTrace({call("many", 0, 1000), call("tiny", 10, 2), call("tiny", 20, 2),
                                 call("tiny", 30, 2), call("tiny", 40, 2), call("few", 1000, 1000),
                                 call("tiny", 1100, 100), call("tiny", 1300, 100)},
                                {throttled("tiny", 0, 6, 12)});
  // Eight more of 2 us in the one, four of 100 us in the other.
  EXPECT_EQ(
      shown(Input),
      (Rows{{"few", "1 1000/400 1000"}, {"many", "1 1000/976 1000"}, {"tiny", "18 624/624 34"}}));
}

TEST(Throttled, NestedOnesAreInEachOtherAsThoseThatWereTimed) {
  // Twenty calls of middle of 20 us, each with five of tiny of 2 us. Of tiny one call in ten was
  // timed, and one of these in a call of middle that was.
  std::vector<std::string> Events{call("outer", 0, 1000), call("middle", 100, 20),
                                  call("tiny", 105, 2), call("middle", 200, 20)};
  for (int I = 0; I < 9; ++I)
    Events.push_back(call("tiny", 300 + 10 * I, 2));
  const Trace Input =
      makeTrace(Events, {throttled("middle", 0, 2, 18), throttled("tiny", 0, 10, 90)});
  // tiny: 100 * 2 us; middle: 20 * 20 us, half of it in tiny; outer has the rest.
  EXPECT_EQ(
      shown(Input),
      (Rows{{"outer", "1 1000/600 1000"}, {"middle", "20 400/200 20"}, {"tiny", "100 200/200 2"}}));
}

TEST(Throttled, WhatTheStampsReadIsNotTheCalls) {
  const Trace Input = makeTrace({call("outer", 0, 1000), call("tiny", 10, 3), call("tiny", 20, 5)},
                                {throttled("tiny", 8, 2, 10)}, R"(, "stamp_bias_ns": 1000)");
  EXPECT_EQ(shown(Input), (Rows{{"outer", "1 1000/962 1000"}, {"tiny", "12 38/38 3"}}));
}

TEST(Throttled, WhatAThreadThrottledTwiceCountsAsOne) {
  const Trace Input = makeTrace({call("outer", 0, 1000), call("tiny", 10, 3), call("tiny", 20, 5)},
                                {throttled("tiny", 15, 1, 4), throttled("tiny", 8, 1, 6)});
  EXPECT_EQ(shown(Input), (Rows{{"outer", "1 1000/952 1000"}, {"tiny", "12 48/48 4"}}));
}

TEST(Throttled, OnlyTheThreadOfTheEntry) {
  const Trace Input = makeTrace(
      {call("outer", 0, 1000), call("tiny", 10, 4), call("tiny", 20, 4), call("tiny", 10, 400, 2)},
      {throttled("tiny", 0, 2, 10)});
  const Statistics Numbers = computeStatistics(Input);
  EXPECT_EQ(timesOf(Input, Numbers, "tiny").TotalNs, 448'000);
}

TEST(Throttled, PercentilesCountWhatACallStandsFor) {
  std::vector<std::string> Events;
  for (int I = 0; I < 10; ++I)
    Events.push_back(call("tiny", 10 * I, 1)); // before
  Events.push_back(call("tiny", 200, 7));
  Events.push_back(call("tiny", 220, 9));
  Events.push_back(call("other", 1000, 1));
  const Trace Input = makeTrace(Events, {throttled("tiny", 150, 2, 38)});
  const Statistics Numbers = computeStatistics(Input);
  // Ten calls of 1, twenty of 7 and twenty of 9.
  EXPECT_EQ(timesOf(Input, Numbers, "tiny").MedianNs, 7000);
  EXPECT_EQ(timesOf(Input, Numbers, "tiny").P99Ns, 9000);
  EXPECT_EQ(timesOf(Input, Numbers, "tiny").MinNs, 1000);
}

TEST(Throttled, AllNumbersAreLessWhatTheStampsRead) {
  const Trace Input = makeTrace({call("outer", 0, 1000), call("tiny", 10, 3), call("tiny", 20, 5)},
                                {throttled("tiny", 8, 2, 98)}, R"(, "stamp_bias_ns": 1000)");
  const Statistics Numbers = computeStatistics(Input);
  const CallStatistics &Tiny = timesOf(Input, Numbers, "tiny");
  EXPECT_EQ(Tiny.MinNs, 2000);
  EXPECT_EQ(Tiny.MedianNs, 2000);
  EXPECT_EQ(Tiny.P99Ns, 4000);
  EXPECT_EQ(Tiny.MaxNs, 4000);
  EXPECT_EQ(Tiny.MeanNs, 3020); // two calls are recorded with it
  EXPECT_EQ(timesOf(Input, Numbers, "outer").MinNs, 1'000'000);
}

TEST(Throttled, WhereThereIsNoRoomTheShortestIsNotKnown) {
  const Trace Input = makeTrace({call("outer", 0, 20), call("tiny", 5, 3), call("tiny", 10, 5)},
                                {throttled("tiny", 2, 2, 10)});
  const Statistics Numbers = computeStatistics(Input);
  const CallStatistics &Tiny = timesOf(Input, Numbers, "tiny");
  EXPECT_EQ(Tiny.MeanNs, 1667);
  EXPECT_FALSE(Tiny.MinNs || Tiny.MedianNs || Tiny.P99Ns);
  EXPECT_EQ(Tiny.MaxNs, 5000);
}

/// A caller with twenty calls of 3 us, 5 us apart, that were all timed; then untimed ones and
/// forty timed ones. Recording takes 2 us a call, 1 us of it inside.
Trace makeWithCaller(int Untimed, const std::vector<std::string> &More = {}) {
  std::vector<std::string> Events{call("outer", 0, 1000)};
  for (int I = 0; I < 20; ++I)
    Events.push_back(call("tiny", 8 * I, 3));
  for (int I = 0; I < 40; ++I)
    Events.push_back(call("tiny", 200 + 20 * I, 3));
  Events.insert(Events.end(), More.begin(), More.end());
  return makeTrace(Events, {throttled("tiny", 190, 40, Untimed)},
                   R"(, "stamp_bias_ns": 1000, "call_cost_ns": 2000)");
}

TEST(Throttled, ACallerKeepsWhatItTookBetweenTimedCalls) {
  // The caller took 1000 - 60 * 3 us, of which 19 * 5 us between calls that were all timed. From
  // the rest, 725 us, 200 calls of 2 us want 400 us, and the caller 4 us between any two, 800 us.
  const Trace Input = makeWithCaller(200);
  const Statistics Numbers = computeStatistics(Input);
  const auto &Untimed = timesOf(Input, Numbers, "tiny").Untimed;
  ASSERT_TRUE(Untimed);
  EXPECT_TRUE(Untimed->IsLimited);
  EXPECT_NEAR(static_cast<double>(Untimed->Ns), 725e3 / 3, 1);
  // It is 0 if the caller took its 800 us; and half a stamp's time for each call.
  EXPECT_NEAR(Untimed->errorNs(), 725e3 / 3 + 100e3, 1);
  for (const KernelRow &Row : Numbers.Kernels) {
    ASSERT_TRUE(Row.SelfErrorNs);
    EXPECT_NEAR(*Row.SelfErrorNs, Untimed->errorNs(), 1e3);
  }
  const LoopTree Tree = loopTree(Input, true);
  for (const LoopNode &Node : Tree.Nodes)
    if (Input.text(Input.Sites[Node.Site].Name) == "tiny") {
      EXPECT_EQ(Node.TotalNs, timesOf(Input, Numbers, "tiny").TotalNs);
    }
}

TEST(Throttled, WithRoomForAllTheEstimateStays) {
  const Trace Input = makeWithCaller(50);
  const Statistics Numbers = computeStatistics(Input);
  const auto &Untimed = timesOf(Input, Numbers, "tiny").Untimed;
  EXPECT_FALSE(Untimed->IsLimited);
  EXPECT_EQ(Untimed->Ns, 100'000);
  EXPECT_NEAR(Untimed->errorNs(), 50'000, 1); // a stamp's time for each
}

TEST(Throttled, AnInterruptedCallDoesNotStandForOthers) {
  const Trace Input = makeWithCaller(50, {call("later", 1000, 99000), call("tiny", 2000, 5000)});
  const Statistics Numbers = computeStatistics(Input);
  const auto &Untimed = timesOf(Input, Numbers, "tiny").Untimed;
  EXPECT_LT(Untimed->Ns, 120'000);
  // The error is that of all calls.
  EXPECT_GT(Untimed->errorNs(), Untimed->StderrNs.value());
  EXPECT_GT(Untimed->StderrNs.value(), 1'000'000);
}

TEST(Throttled, LongCallsThatAreNotRareStandForOthers) {
  std::vector<std::string> More{call("later", 1000, 99000)};
  for (int I = 0; I < 5; ++I)
    More.push_back(call("tiny", 2000 + 1000 * I, 500));
  const Trace Input = makeWithCaller(45, More);
  const Statistics Numbers = computeStatistics(Input);
  // 40 of 2 us and 5 of 499 us
  EXPECT_EQ(timesOf(Input, Numbers, "tiny").Untimed->Ns, 2'575'000);
}

TEST(Throttled, OneTimedCallHasAnErrorToo) {
  const Trace Input =
      makeTrace({call("outer", 0, 1000), call("tiny", 10, 4)}, {throttled("tiny", 5, 1, 10)});
  const Statistics Numbers = computeStatistics(Input);
  const auto &Untimed = timesOf(Input, Numbers, "tiny").Untimed;
  EXPECT_FALSE(Untimed->StderrNs);
  EXPECT_NEAR(Untimed->errorNs(), 40'000, 1);
}

TEST(Throttled, RecursiveCallsCountWithoutThoseInside) {
  // A call in a row of timed ones, with two inside: 15, 10 and 5 us without each other.
  const Trace Input = makeTrace({call("outer", 0, 1000), call("rec", 100, 30), call("rec", 105, 10),
                                 call("rec", 120, 5), call("outer", 2000, 10)},
                                {throttled("rec", 50, 3, 30)});
  const Statistics Numbers = computeStatistics(Input);
  const CallStatistics &Times = timesOf(Input, Numbers, "rec");
  EXPECT_EQ(Times.Calls, 33u);
  EXPECT_EQ(Times.TotalNs, 330'000);
  EXPECT_FALSE(Times.MeanNs || Times.MedianNs || Times.P99Ns);
  EXPECT_GT(Times.Untimed->errorNs(), 0);
  EXPECT_EQ(shown(Input)["outer"], "2 1010/680 505");
  EXPECT_EQ(shown(Input)["rec"], "33 330/330 -1");
}

TEST(Throttled, ThoseInsideAreLessTheirRecording) {
  const Trace Input =
      makeTrace({call("outer", 0, 1000), call("rec", 100, 30), call("rec", 105, 10)},
                {throttled("rec", 50, 2, 10)}, R"(, "stamp_bias_ns": 1000, "call_cost_ns": 3000)");
  // 30 - 10 - 1 and, to record the one inside, 2 us; and 10 - 1 us
  EXPECT_EQ(timesOf(Input, computeStatistics(Input), "rec").Untimed->Ns, 130'000);
}

TEST(Throttled, AllTablesHaveTheSumsOfTheKernels) {
  for (const int Whole : {1000, 20}) { // with room for all, and without
    const Trace Input =
        makeTrace({call("outer", 0, Whole), call("tiny", 5, 3), call("tiny", 10, 5)},
                  {throttled("tiny", 2, 2, 101)});
    const Statistics Numbers = computeStatistics(Input);
    const CallStatistics &Tiny = timesOf(Input, Numbers, "tiny");
    EXPECT_EQ(Tiny.Calls, 103u);
    const std::vector<UntimedShare> Untimed = untimedShares(Input, Numbers);
    for (const OperatorTimesRow &Row : operatorTimes(Input, {}, Untimed))
      if (Input.text(Row.Name) == "tiny") {
        EXPECT_EQ(Row.Calls, Tiny.Calls);
        EXPECT_EQ(Row.TotalNs, Tiny.TotalNs);
        EXPECT_EQ(Row.SelfNs, Tiny.TotalNs);
      }
    for (const GroupRow &Row : groupBy(Input, {}, GroupKey::Kernel).Rows)
      if (Row.Key == "tiny") {
        EXPECT_EQ(Row.Calls, Tiny.Calls);
        EXPECT_EQ(Row.TotalNs, Tiny.TotalNs);
      }
    uint64_t Calls = 0;
    for (const CategoryRow &Row : categoryRows(Input, Untimed))
      Calls += Row.Calls;
    EXPECT_EQ(Calls, 104u);
    const RankReport Ranks = splitByRank(Input, {{"rank 0", "a", 0, {"1"}}}, Untimed);
    EXPECT_EQ(Ranks.Rows[0].KernelCalls, 104u);
    EXPECT_EQ(Ranks.Rows[0].KernelNs, Whole * 1000);
    for (const RankKernel &Kernel : Ranks.Kernels)
      if (Input.text(Kernel.Name) == "tiny") {
        EXPECT_EQ(Kernel.Shares[0].Calls, Tiny.Calls);
        EXPECT_EQ(Kernel.Shares[0].TotalNs, Tiny.TotalNs);
      }
  }
}

TEST(Throttled, EachProcessHasItsOwnCalls) {
  const auto Of = [](std::string Text, int Pid) {
    const size_t At = Text.find("\"pid\": 1");
    return Text.replace(At, 8, fmt::format("\"pid\": {}", Pid));
  };
  const Trace Input = makeTrace(
      {Of(call("tiny", 0, 4), 1), Of(call("tiny", 90, 4), 1), Of(call("other", 995, 5), 1),
       Of(call("tiny", 0, 2), 2), Of(call("other", 995, 5), 2)},
      {Of(throttled("tiny", 0, 2, 10), 1), Of(throttled("tiny", 0, 1, 30), 2)});
  const Statistics Numbers = computeStatistics(Input);
  const RankReport Ranks = splitByRank(
      Input, {{"rank 0", "a", 0, {"1"}}, {"rank 1", "b", 1, {"2"}}}, untimedShares(Input, Numbers));
  EXPECT_EQ(Ranks.Rows[0].KernelCalls, 13u);
  EXPECT_EQ(Ranks.Rows[0].KernelNs, 53'000); // 12 of 4 us and 5 us; none lie in others
  EXPECT_EQ(Ranks.Rows[1].KernelCalls, 32u);
  EXPECT_EQ(Ranks.Rows[1].KernelNs, 67'000);
  EXPECT_EQ(Ranks.Kernels[0].Shares[0].Calls, 12u);
  EXPECT_EQ(Ranks.Kernels[0].Shares[1].Calls, 31u);
  EXPECT_EQ(Ranks.Kernels[0].TotalNs, timesOf(Input, Numbers, "tiny").TotalNs);
}

TEST(Throttled, OfSumsThoseBeforeAreNoSample) {
  const Trace Input = makeTrace(
      {}, {throttled("tiny", 0, 4, 100, R"(, "calls_before": 6, "total_ns_before": 60000)")},
      R"(, "profile": [{"cat": "cpu_op", "name": "tiny", "pid": 1, "tid": 1, "calls": 10,)"
      R"( "total_ns": 68000, "min_ns": 2000, "max_ns": 10000, "first_ns": 0, "last_ns": 900000,)"
      R"( "histogram": [[2000, 4], [10000, 6]], "args": {"kernel": "tiny"}}])");
  // Four calls of 2 us stand for a hundred.
  EXPECT_EQ(shown(Input)["tiny"], "110 268/-1 2");
}

TEST(Throttled, APartOfTheTraceHasAsManyAsOfThoseThatWereTimed) {
  Trace Input = makeTrace({call("outer", 0, 1000), call("tiny", 100, 4), call("tiny", 200, 4),
                           call("tiny", 300, 4), call("tiny", 900, 4)},
                          {throttled("tiny", 0, 4, 40)});
  cutTo(Input, {0, 500'000});
  EXPECT_EQ(shown(Input), (Rows{{"outer", "1 500/368 500"}, {"tiny", "33 132/132 4"}}));
}

TEST(Throttled, ATraceThatTellsNonsenseIsRefused) {
  for (const char *Entry : {R"({"name": "tiny", "every": 0, "timed": 1, "untimed": 1, "ts": 1})",
                            R"({"name": "tiny", "every": 1, "timed": -1, "untimed": 1, "ts": 1})",
                            R"({"name": "tiny", "every": 1, "timed": 1, "untimed": "x", "ts": 1})",
                            R"({"name": "tiny", "every": 1, "timed": 1, "untimed": 1})",
                            R"({"every": 1, "timed": 1, "untimed": 1, "ts": 1})"})
    EXPECT_TRUE(errorOf(fmt::format(R"({{"seamscope": {{"version": "1", "format": 1, )"
                                    R"("throttled": [{}]}}, "traceEvents": []}})",
                                    Entry))
                    .message()
                    .find("throttled") != std::string::npos)
        << Entry;
}

} // namespace
