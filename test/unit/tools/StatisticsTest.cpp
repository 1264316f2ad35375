//===- StatisticsTest.cpp - the numbers of a report --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Statistics.h"
#include "TestFile.h"

using namespace seamscope::tools;

namespace {

/// Calls of kernel k with these durations in µs, one after the other.
std::string callsOf(const std::vector<int> &Durations) {
  std::string Json = "[";
  int Now = 0;
  for (const int Duration : Durations) {
    Json += R"({"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": )" + std::to_string(Now) +
            R"(, "dur": )" + std::to_string(Duration) + "},";
    Now += Duration;
  }
  Json.back() = ']';
  return Json;
}

TEST(Statistics, PercentilesAreOfNearestRank) {
  const Statistics Four = computeStatistics(traceOf(callsOf({40, 10, 30, 20})));
  ASSERT_EQ(Four.Kernels.size(), 1u);
  const CallStatistics &Times = Four.Kernels[0].Times;
  EXPECT_EQ(Times.Calls, 4u);
  EXPECT_EQ(Times.TotalNs, 100000);
  EXPECT_EQ(Times.MeanNs, 25000);
  EXPECT_EQ(Times.MinNs, 10000);
  EXPECT_EQ(Times.MedianNs, 20000);
  EXPECT_EQ(Times.P99Ns, 40000);
  EXPECT_EQ(Times.MaxNs, 40000);

  std::vector<int> Hundred;
  for (int I = 1; I <= 100; ++I)
    Hundred.push_back(I);
  const Statistics Many = computeStatistics(traceOf(callsOf(Hundred)));
  EXPECT_EQ(Many.Kernels[0].Times.MedianNs, 50000);
  EXPECT_EQ(Many.Kernels[0].Times.P99Ns, 99000);
}

TEST(Statistics, ScopesThatAreKeptApartAreNotOfTheWindow) {
  // A kernel tried out while compiling, one on another thread meanwhile, and one afterwards.
  const Trace Source = traceOf(fmt::format(
      "[{},{},{},{},{}]", eventText("user_annotation", "seamscope.compile", 1, 100, 500),
      eventText("user_annotation", "other", 1, 0, 1000), eventText("kernel", "k", 1, 200, 100),
      eventText("kernel", "k", 2, 400, 50), eventText("kernel", "k", 1, 700, 200)));
  const Statistics Whole = computeStatistics(Source);
  EXPECT_FALSE(Whole.ApartNs);
  EXPECT_EQ(Whole.WindowNs, 1000000);
  const Statistics Rest = computeStatistics(Source, "seamscope.compile");
  // The moment that two threads share counts half.
  EXPECT_EQ(Rest.ApartNs, 500000 - 100000 - 25000);
  EXPECT_EQ(Rest.WindowNs, 1000000 - *Rest.ApartNs);
  ASSERT_EQ(Rest.Kernels.size(), 1u);
  EXPECT_EQ(Rest.Kernels[0].SelfNs, 100000 + 25000 + 200000);
  EXPECT_EQ(Rest.UnattributedNs, Rest.WindowNs - *Rest.Kernels[0].SelfNs);
}

TEST(Statistics, MeanIsRoundedHalfUp) {
  EXPECT_EQ(roundedMean(5, 2), 3);
  EXPECT_EQ(roundedMean(4, 3), 1);
  EXPECT_EQ(roundedMean(INT64_MAX, 1), INT64_MAX);
}

TEST(Statistics, TotalOfARecursiveKernelIsThatOfItsOutermostCalls) {
  const Statistics Numbers = computeStatistics(traceOf(R"([
    {"ph": "X", "name": "sort", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
    {"ph": "X", "name": "sort", "pid": 1, "tid": 1, "ts": 0, "dur": 40},
    {"ph": "X", "name": "pivot", "pid": 1, "tid": 1, "ts": 5, "dur": 30},
    {"ph": "X", "name": "sort", "pid": 1, "tid": 1, "ts": 10, "dur": 10},
    {"ph": "X", "name": "sort", "pid": 1, "tid": 1, "ts": 50, "dur": 50},
    {"ph": "X", "name": "sort", "pid": 1, "tid": 1, "ts": 100, "dur": 7},
    {"ph": "X", "name": "sort", "pid": 1, "tid": 2, "ts": 20, "dur": 9}])"));
  ASSERT_EQ(Numbers.Kernels.size(), 2u);
  const CallStatistics &Sort = Numbers.Kernels[0].Times;
  EXPECT_EQ(Sort.Calls, 6u);
  EXPECT_EQ(Sort.TotalNs, 116000); // 100 + 7, and 9 on another thread
  EXPECT_EQ(Sort.MeanNs, 36000);   // of each call
  EXPECT_EQ(Sort.MinNs, 7000);
  EXPECT_EQ(Sort.MaxNs, 100000);
  EXPECT_EQ(Numbers.Kernels[1].Times.TotalNs, 30000);
}

TEST(Statistics, AKernelWithATeamCountsOnce) {
  // A kernel whose region runs on two threads, beside another on a third.
  const Statistics Numbers = computeStatistics(traceOf(R"([
    {"ph": "X", "name": "team", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 1, "ts": 0, "dur": 100,
     "args": {"kernel": "team", "thread": 0}},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 2, "ts": 0, "dur": 100,
     "args": {"kernel": "team", "thread": 1}},
    {"ph": "X", "name": "alone", "pid": 1, "tid": 3, "ts": 0, "dur": 100}])"));
  ASSERT_EQ(Numbers.Kernels.size(), 2u);
  EXPECT_EQ(Numbers.Kernels[0].SelfNs, 50000);
  EXPECT_EQ(Numbers.Kernels[1].SelfNs, 50000);
}

TEST(Statistics, CallsInsideARegionAreOfTheThreadsThatMakeThem) {
  // Of the four threads of a team two call a function; another waits, one is the kernel itself.
  const Statistics Numbers = computeStatistics(traceOf(R"([
    {"ph": "X", "name": "team", "pid": 1, "tid": 1, "ts": 0, "dur": 90},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 2, "ts": 0, "dur": 90,
     "args": {"kernel": "team", "thread": 1}},
    {"ph": "X", "name": "inner", "pid": 1, "tid": 2, "ts": 0, "dur": 90},
    {"ph": "X", "name": "inner", "pid": 1, "tid": 3, "ts": 0, "dur": 90},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 4, "ts": 0, "dur": 90,
     "args": {"kernel": "team", "thread": 3}}])"));
  ASSERT_EQ(Numbers.Kernels.size(), 2u);
  EXPECT_EQ(Numbers.Kernels[0].SelfNs, 30000);
  EXPECT_EQ(Numbers.Kernels[1].SelfNs, 60000);
}

TEST(Statistics, WindowIsOfAllEvents) {
  const Statistics Numbers = computeStatistics(traceOf(R"([
    {"ph": "X", "cat": "python_function", "name": "p", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 2, "dur": 3},
    {"ph": "X", "cat": "python_function", "name": "p", "pid": 1, "tid": 1, "ts": 15, "dur": 0}])"));
  EXPECT_EQ(Numbers.WindowNs, 15000);
  ASSERT_EQ(Numbers.Kernels.size(), 1u); // no row for what is no kernel
  EXPECT_EQ(Numbers.Kernels[0].SelfNs, 3000);
  EXPECT_EQ(Numbers.UnattributedNs, 12000);
}

TEST(Statistics, AnOpenCallLastsUntilTheEnd) {
  // The one that tells how long it was open, and one of another writer, which lasts as long as its
  // process is known to have lived.
  const Statistics Numbers = computeStatistics(traceOf(R"([
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 3},
    {"ph": "B", "name": "k", "pid": 1, "tid": 1, "ts": 5,
     "args": {"kernel": "k", "open": true, "open_ns": 2000000000}},
    {"ph": "X", "name": "other", "pid": 2, "tid": 1, "ts": 0, "dur": 40},
    {"ph": "B", "name": "foreign", "pid": 2, "tid": 2, "ts": 10},
    {"ph": "B", "cat": "omp_region", "name": "r", "pid": 1, "tid": 7, "ts": 5,
     "args": {"kernel": "k", "region": "r", "thread": 1, "open": true, "open_ns": 500}}])"));
  EXPECT_EQ(Numbers.WindowNs, 2000005000);
  ASSERT_EQ(Numbers.Kernels.size(), 3u);
  EXPECT_EQ(Numbers.Kernels[0].Times.Calls, 2u);
  EXPECT_EQ(Numbers.Kernels[0].Times.TotalNs, 2000003000);
  EXPECT_EQ(Numbers.Kernels[0].Times.MaxNs, 2000000000);
  EXPECT_EQ(Numbers.Kernels[0].Open, 1u);
  EXPECT_EQ(Numbers.Kernels[1].Open, 0u);
  EXPECT_EQ(Numbers.Kernels[2].Times.TotalNs, 30000);
  EXPECT_EQ(Numbers.Kernels[2].Open, 1u);
  std::vector<RegionRow> Regions;
  for (const KernelRow &Row : Numbers.Kernels)
    Regions.insert(Regions.end(), Row.Regions.begin(), Row.Regions.end());
  ASSERT_EQ(Regions.size(), 1u);
  EXPECT_EQ(Regions[0].TotalNs, 500);
  EXPECT_EQ(Regions[0].Open, 1u);
  ASSERT_EQ(Regions[0].Threads.size(), 1u);
  EXPECT_EQ(Regions[0].Threads[0].BusyNs, 500);
}

TEST(Statistics, AnEmptyTraceHasAnEmptyWindow) {
  const Statistics Numbers = computeStatistics(traceOf("[]"));
  EXPECT_EQ(Numbers.WindowNs, 0);
  EXPECT_EQ(Numbers.UnattributedNs, 0);
  EXPECT_TRUE(Numbers.Kernels.empty());
}

std::string regionEvent(int Tid, int Thread, int Begin, int Duration) {
  return R"({"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": )" +
         std::to_string(Tid) + R"(, "ts": )" + std::to_string(Begin) + R"(, "dur": )" +
         std::to_string(Duration) + R"(, "args": {"kernel": "k", "thread": )" +
         std::to_string(Thread) + "}}";
}

TEST(Statistics, ImbalanceIsLargestOverMean) {
  const Statistics Numbers = computeStatistics(
      traceOf("[" + regionEvent(1, 0, 0, 30) + "," + regionEvent(2, 1, 0, 10) + "]"));
  ASSERT_EQ(Numbers.Kernels.size(), 1u);
  ASSERT_EQ(Numbers.Kernels[0].Regions.size(), 1u);
  const RegionRow &Region = Numbers.Kernels[0].Regions[0];
  EXPECT_EQ(Region.Calls, 2u);
  EXPECT_EQ(Region.TotalNs, 40000);
  ASSERT_EQ(Region.Threads.size(), 2u);
  EXPECT_EQ(Region.Threads[0].Thread, 0);
  EXPECT_EQ(Region.Threads[0].BusyNs, 30000);
  EXPECT_EQ(Region.Threads[1].BusyNs, 10000);
  EXPECT_DOUBLE_EQ(*Region.Imbalance, 1.5);
}

TEST(Statistics, BusyTimeIsAUnionOnEachThread) {
  // Thread number 0 of two teams on two system threads; on one of them the region calls itself.
  const Statistics Numbers = computeStatistics(
      traceOf("[" + regionEvent(1, 0, 0, 30) + "," + regionEvent(1, 0, 10, 10) + "," +
              regionEvent(1, 0, 20, 20) + "," + regionEvent(2, 0, 0, 30) + "]"));
  const RegionRow &Region = Numbers.Kernels[0].Regions[0];
  EXPECT_EQ(Region.TotalNs, 70000);
  ASSERT_EQ(Region.Threads.size(), 1u);
  EXPECT_EQ(Region.Threads[0].Calls, 4u);
  EXPECT_EQ(Region.Threads[0].BusyNs, 70000);
}

TEST(Statistics, WithoutBusyTimeThereIsNoImbalance) {
  const Statistics Numbers = computeStatistics(traceOf("[" + regionEvent(1, 0, 0, 0) + "]"));
  EXPECT_FALSE(Numbers.Kernels[0].Regions[0].Imbalance);
}

TEST(Statistics, RegionGoesToTheKernelOfItsFile) {
  const Statistics Numbers = computeStatistics(traceOf(R"([
    {"ph": "X", "name": "k", "ts": 0, "dur": 9, "args": {"file": "a.cpp"}},
    {"ph": "X", "name": "k", "ts": 9, "dur": 9, "args": {"file": "b.cpp"}},
    {"ph": "X", "cat": "omp_region", "name": "r", "ts": 9, "dur": 1,
     "args": {"kernel": "k", "file": "b.cpp"}}])"));
  ASSERT_EQ(Numbers.Kernels.size(), 2u);
  EXPECT_TRUE(Numbers.Kernels[0].Regions.empty());
  EXPECT_EQ(Numbers.Kernels[1].Regions.size(), 1u);
}

TEST(Statistics, ProfileGivesSumsAndBuckets) {
  const Statistics Numbers = computeStatistics(traceOf(
      R"({"traceEvents": [], "seamscope": {"format": 1, "mode": "profile", "profile": [
    {"name": "k", "pid": 1, "tid": 1, "calls": 3, "total_ns": 60, "min_ns": 10,
     "max_ns": 31, "first_ns": 5, "last_ns": 100, "histogram": [[8, 1], [16, 1], [28, 1]]},
    {"name": "k", "pid": 1, "tid": 2, "calls": 2, "total_ns": 18, "min_ns": 9,
     "max_ns": 9, "first_ns": 20, "last_ns": 200, "histogram": [[8, 2]]}]}})"));
  EXPECT_EQ(Numbers.WindowNs, 195);
  EXPECT_FALSE(Numbers.UnattributedNs);
  ASSERT_EQ(Numbers.Kernels.size(), 1u);
  const KernelRow &Row = Numbers.Kernels[0];
  EXPECT_FALSE(Row.SelfNs);
  EXPECT_EQ(Row.Times.Calls, 5u);
  EXPECT_EQ(Row.Times.TotalNs, 78);
  EXPECT_EQ(Row.Times.MeanNs, 16);
  EXPECT_EQ(Row.Times.MinNs, 9);
  EXPECT_EQ(Row.Times.MedianNs, 9); // not the floor of its bucket, 8: no call was that short
  EXPECT_EQ(Row.Times.P99Ns, 28);
  EXPECT_EQ(Row.Times.MaxNs, 31);
}

TEST(Statistics, SortsLargestFirstAndKeepsTheOrderOfEqualOnes) {
  const Trace Source = traceOf(R"([
    {"ph": "X", "name": "b", "ts": 0, "dur": 1},
    {"ph": "X", "name": "a", "ts": 1, "dur": 1},
    {"ph": "X", "name": "c", "ts": 2, "dur": 5}])");
  Statistics Numbers = computeStatistics(Source);
  const auto Names = [&] {
    std::string All;
    for (const KernelRow &Row : Numbers.Kernels)
      All += Source.text(Source.Sites[Row.Site].Name);
    return All;
  };
  sortKernels(Numbers, Source, SortKey::Total);
  EXPECT_EQ(Names(), "cba");
  sortKernels(Numbers, Source, SortKey::Name);
  EXPECT_EQ(Names(), "abc");
}

} // namespace
