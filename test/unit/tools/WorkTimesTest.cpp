//===- WorkTimesTest.cpp - the time in which counted work was executed ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/work/WorkTimes.h"

#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

std::string event(const char *Name, int BeginUs, int DurationUs, int Tid = 1) {
  return fmt::format(R"({{"ph": "X", "name": "{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}}})",
                     Name, Tid, BeginUs, DurationUs);
}

std::string part(const char *Kind, const char *Name, int BeginUs, int DurationUs, int Tid,
                 int Thread) {
  return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {},
    "dur": {}, "args": {{"kernel": "k", "thread": {}}}}})",
                     Kind, Name, Tid, BeginUs, DurationUs, Thread);
}

/// "k 80 us on 1 thread", "at most" before it where it may be shorter.
class Shown {
public:
  explicit Shown(const Trace &Of, std::optional<RecordingCost> Cost = std::nullopt)
      : Of(Of), Numbers(computeStatistics(Of)), Tree(loopTree(Of, /*AllKernels=*/true)),
        Cost(std::move(Cost)), Times(Of, Tree, this->Cost ? &*this->Cost : nullptr) {}

  std::string kernel(std::string_view Name) const {
    for (const KernelRow &Row : Numbers.Kernels)
      if (Of.text(Of.Sites[Row.Site].Name) == Name)
        return text(Times.ofKernel(Row));
    return "no such kernel";
  }
  std::string loop(std::string_view Name) const {
    const auto Found = Times.ofLoop({"k", {}}, Name);
    return Found ? text(*Found) : "unknown";
  }

private:
  static std::string text(const WorkTime &Time) {
    return fmt::format("{}{} on {}", Time.IsAtMost ? "at most " : "", Time.Ns / 1000, Time.Threads);
  }

  const Trace &Of;
  const Statistics Numbers;
  const LoopTree Tree;
  const std::optional<RecordingCost> Cost;
  const WorkTimes Times;
};

TEST(WorkTimes, KernelsWithinAKernelAreNotInItsTime) {
  const Trace Input = traceOf("[" + event("k", 0, 100) + "," + event("a", 10, 20) + "," +
                              event("b", 12, 5) + "," + event("a", 40, 10) + "]");
  const Shown Of(Input);
  EXPECT_EQ(Of.kernel("k"), "70 on 1");
  EXPECT_EQ(Of.kernel("a"), "25 on 1");
  EXPECT_EQ(Of.kernel("b"), "5 on 1");
}

TEST(WorkTimes, OfRecursionThroughOthersOnlyABoundIsKnown) {
  const Trace Input =
      traceOf("[" + event("k", 0, 100) + "," + event("a", 10, 50) + "," + event("k", 20, 30) + "]");
  EXPECT_EQ(Shown(Input).kernel("k"), "at most 100 on 1");
  // Recursion alone is one call.
  const Trace Direct = traceOf("[" + event("k", 0, 100) + "," + event("k", 20, 30) + "]");
  EXPECT_EQ(Shown(Direct).kernel("k"), "100 on 1");
}

TEST(WorkTimes, OfKernelsThatATeamCallsOnlyABoundIsKnown) {
  const auto Of = [](int InnerUs) {
    return traceOf("[" + event("k", 0, 100) + "," + part("omp_region", "r", 5, 90, 1, 0) + "," +
                   event("a", 10, InnerUs) + "," + part("omp_region", "r", 5, 90, 2, 1) + "]");
  };
  EXPECT_EQ(Shown(Of(50)).kernel("k"), "at most 100 on 2");
  EXPECT_EQ(Shown(Of(4)).kernel("k"), "100 on 2");
}

TEST(WorkTimes, ALoopTakesAsLongAsItsLongestThreadWithoutInnerLoops) {
  const Trace Input =
      traceOf("[" + event("k", 0, 100) + "," + part("omp_region", "r", 0, 100, 1, 0) + "," +
              part("loop", "l", 0, 60, 1, 0) + "," + part("loop", "m", 10, 20, 1, 0) + "," +
              part("omp_region", "r", 0, 100, 2, 1) + "," + part("loop", "l", 0, 90, 2, 1) + "," +
              part("loop", "m", 10, 70, 2, 1) + "," + part("omp_region", "r", 0, 100, 3, 2) + "]");
  const Shown Of(Input);
  EXPECT_EQ(Of.loop("l"), "40 on 2"); // of 60 - 20 and 90 - 70; the third thread did nothing
  EXPECT_EQ(Of.loop("m"), "70 on 2");
  EXPECT_EQ(Of.loop("n"), "unknown");
}

TEST(WorkTimes, ALoopAtTwoPlacesIsOne) {
  const Trace Input =
      traceOf("[" + event("k", 0, 100) + "," + part("loop", "l", 0, 10, 1, -1) + "," +
              part("loop", "m", 20, 50, 1, -1) + "," + part("loop", "l", 30, 20, 1, -1) + "]");
  EXPECT_EQ(Shown(Input).loop("l"), "30 on 1");
}

TEST(WorkTimes, RecordingThatTakesMuchMakesTimesBounds) {
  const Trace Input = traceOf("[" + event("k", 0, 100) + "," + part("loop", "l", 10, 40, 1, -1) +
                              "," + part("loop", "m", 20, 10, 1, -1) + "]");
  RecordingCost Cost;
  Cost.CallNs = 1200;
  Cost.BiasNs = 400; // a call of l takes 30 us itself, and 1.6 us of these to record
  EXPECT_EQ(Shown(Input, Cost).loop("l"), "at most 30 on 1");
  Cost.CallNs = 1000;
  EXPECT_EQ(Shown(Input, Cost).loop("l"), "30 on 1");
  EXPECT_EQ(Shown(Input, Cost).kernel("k"), "100 on 1");
  Cost.Rows[computeStatistics(Input).Kernels[0].Site].InsideNs = 6000;
  EXPECT_EQ(Shown(Input, Cost).kernel("k"), "at most 100 on 1");
}

TEST(WorkTimes, SumsDoNotSayWhatRanInWhat) {
  const auto Of = [](int BeginUs) {
    const auto Row = [](const char *Name, int Us, int BeginUs) {
      return fmt::format(R"({{"cat": "cpu_op", "name": "{0}", "pid": 1, "tid": 1, "calls": 1,
        "total_ns": {1}, "min_ns": {1}, "max_ns": {1}, "first_ns": {2}, "last_ns": {3},
        "args": {{"kernel": "{0}"}}, "histogram": [[8, 1]]}})",
                         Name, Us * 1000, BeginUs * 1000, (BeginUs + Us) * 1000);
    };
    return traceOf(R"({"traceEvents": [], "seamscope": {"format": 1, "mode": "profile",
      "profile": [)" +
                   Row("k", 100, 0) + "," + Row("a", 50, BeginUs) + "]}}");
  };
  EXPECT_EQ(Shown(Of(30)).kernel("k"), "at most 100 on 1");
  EXPECT_EQ(Shown(Of(30)).kernel("a"), "50 on 1"); // shorter than each call of k
  EXPECT_EQ(Shown(Of(130)).kernel("k"), "100 on 1");
}

} // namespace
