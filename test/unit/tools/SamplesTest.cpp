//===- SamplesTest.cpp - running, blocked and sampled time ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SampledTrace.h"
#include "analysis/compare/Diff.h"
#include "analysis/core/KernelRows.h"
#include "analysis/core/LoopTree.h"
#include "analysis/core/MoveUntimed.h"
#include "analysis/core/Statistics.h"
#include "analysis/samples/SampleRows.h"
#include "analysis/samples/Spinning.h"
#include "analysis/samples/Unattributed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace seamscope::tools;

namespace {

/// "self running/blocked/preempted" of a kernel, in us.
std::string shown(const Trace &Input, const Statistics &Numbers, const char *Name) {
  for (const KernelRow &Row : Numbers.Kernels)
    if (Input.text(Input.Sites[Row.Site].Name) == Name)
      return fmt::format("{} {}", Row.SelfNs.value_or(-Us) / Us,
                         Row.Off
                             ? fmt::format("{}/{}/{}", (Row.Times.TotalNs - Row.Off->offNs()) / Us,
                                           Row.Off->BlockedNs / Us, Row.Off->PreemptedNs / Us)
                             : "unknown");
  return "no row";
}

TEST(ThreadTimes, SplitsAnyStretchExactly) {
  Sampled All({call("k", 1, 0, 100)}, {"1"}, 100);
  All.off("1", 10, 20);
  All.off("1", 30, 40, OffKind::Preempted);
  All.off("1", 50, 60, OffKind::Unknown);
  All.off("1", 70, 90, OffKind::Blocked, 4); // a sum: 4 of 20 us
  const ThreadTimes Times(All.Of);
  const TrackId Track = All.track("1");
  EXPECT_EQ(Times.between(Track, 0, 100 * Us), (OffTime{14 * Us, 10 * Us, 10 * Us}));
  EXPECT_EQ(Times.between(Track, 15 * Us, 35 * Us), (OffTime{5 * Us, 5 * Us, 0}));
  EXPECT_EQ(Times.between(Track, 12 * Us, 13 * Us), (OffTime{1 * Us, 0, 0}));
  EXPECT_EQ(Times.between(Track, 20 * Us, 30 * Us), OffTime());
  EXPECT_EQ(Times.between(Track, 80 * Us, 200 * Us), (OffTime{2 * Us, 0, 100 * Us}));
  EXPECT_EQ(Times.between(Track, 5 * Us, 5 * Us), OffTime());
}

TEST(ThreadTimes, CallsWithoutEventsMakeAWindow) {
  // A profile has no events: its calls lasted from 20 to 90 us.
  Sampled All({}, {"1"}, 100);
  All.Of.Profile.push_back({.Track = All.track("1"),
                            .Calls = 2,
                            .FirstNs = 20 * Us,
                            .LastNs = 60 * Us,
                            .HistogramNs = {}});
  All.Of.Profile.push_back({.Track = All.track("1"),
                            .Calls = 1,
                            .FirstNs = 50 * Us,
                            .LastNs = 90 * Us,
                            .HistogramNs = {}});
  All.off("1", 10, 30);
  All.sample("1", 10, "before");
  All.sample("1", 40, "within");
  const std::vector<ThreadRow> Rows = threadRows(All.Of);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].RunningNs, 60 * Us);
  EXPECT_EQ(Rows[0].Off, (OffTime{10 * Us, 0, 0}));
  EXPECT_EQ(Rows[0].Samples, 1u);
}

TEST(Samples, ABlockedThreadDoesNotWork) {
  // `wait` sleeps on thread 1 while `work` runs on thread 2, and both sleep at the end.
  Sampled All({call("wait", 1, 0, 100), call("work", 2, 10, 80)}, {"1", "2"}, 100);
  All.off("1", 5, 95);
  All.off("2", 0, 10);
  All.off("2", 80, 100);
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "wait"), "10 10/90/0");
  EXPECT_EQ(shown(All.Of, Numbers, "work"), "70 70/10/0");
  EXPECT_EQ(Numbers.BlockedNs, 20 * Us);
  EXPECT_EQ(Numbers.PreemptedNs, 0);
  EXPECT_EQ(Numbers.UnattributedNs, 0);
  EXPECT_EQ(Numbers.WindowNs, 100 * Us);
}

TEST(Samples, PreemptionIsNeitherWorkNorWaiting) {
  Sampled All({call("k", 1, 0, 100)}, {"1"}, 100);
  All.off("1", 20, 50, OffKind::Preempted);
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "k"), "70 70/0/30");
  EXPECT_EQ(Numbers.PreemptedNs, 30 * Us);
}

TEST(Samples, ReadyThreadsExplainAnIdleMoment) {
  Sampled All({call("wait", 1, 0, 100), call("work", 2, 0, 100)}, {"1", "2"}, 100);
  All.off("1", 0, 100);
  All.off("2", 40, 60, OffKind::Preempted);
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(Numbers.PreemptedNs, 20 * Us);
  EXPECT_EQ(Numbers.BlockedNs, 0);
}

TEST(Samples, WhatIsNotKnownStaysAsItWas) {
  // Thread 2 is not sampled, and records of thread 1 were lost.
  Sampled All({call("a", 1, 0, 100), call("b", 2, 100, 100)}, {"1"}, 200);
  All.off("1", 20, 50, OffKind::Unknown);
  All.off("1", 100, 200);
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "a"), "100 100/0/0");
  EXPECT_EQ(shown(All.Of, Numbers, "b"), "100 unknown");
  EXPECT_EQ(Numbers.BlockedNs, 0);
}

TEST(Samples, WithoutSwitchesNothingIsSaid) {
  Sampled All({call("a", 1, 0, 100)}, {}, 0);
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "a"), "100 unknown");
  EXPECT_EQ(Numbers.BlockedNs, std::nullopt);
}

TEST(Samples, RecursionCountsOnce) {
  Sampled All({call("f", 1, 0, 100), call("f", 1, 10, 80)}, {"1"}, 100);
  All.off("1", 20, 30);
  EXPECT_EQ(shown(All.Of, All.numbers(), "f"), "90 90/10/0");
}

TEST(Samples, OtherThreadsThatRunAreOutsideOfKernels) {
  // `wait` is blocked; thread 3 has no hooks and runs.
  Sampled All({call("wait", 1, 0, 100)}, {"1", "3"}, 100);
  All.off("1", 0, 100);
  All.off("3", 60, 100);
  for (int I = 0; I < 30; ++I)
    All.sample("3", I, "gemm", 1, "libmkl.so");
  for (int I = 30; I < 40; ++I)
    All.sample("3", I, "copy", 1, "libc.so.6");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(Numbers.UnattributedNs, 60 * Us);
  EXPECT_EQ(Numbers.BlockedNs, 40 * Us);
  const std::vector<UnattributedRow> Rows = unattributedRows(All.Of, Numbers, All.Names);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Symbol, "gemm");
  EXPECT_EQ(Rows[0].Library, "libmkl.so");
  EXPECT_EQ(Rows[0].Ns, 45 * Us);
  EXPECT_EQ(Rows[0].Samples, 30u);
  EXPECT_LT(*Rows[0].LowNs, 36 * Us + 500);
  EXPECT_GT(*Rows[0].HighNs, 51 * Us);
  EXPECT_EQ(Rows[1].Ns, 15 * Us);
}

TEST(Samples, SamplesOfKernelsAreNeverOutside) {
  // Thread 1 waited often, 50 us in all: where it did is not known, so the sum comes first.
  Sampled All({call("often", 1, 0, 100)}, {"1", "3"}, 100);
  All.off("1", 0, 100, OffKind::Blocked, 50);
  for (int I = 0; I < 10; ++I)
    All.sample("1", 2 * I, "often", 1, "program");
  for (int I = 0; I < 10; ++I)
    All.sample("3", 2 * I, "gemm", 1, "libmkl.so");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(Numbers.UnattributedNs, 50 * Us);
  const std::vector<UnattributedRow> Rows = unattributedRows(All.Of, Numbers, All.Names);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Symbol, "gemm");
}

TEST(Samples, IdleTimeIsTheMainThreadsWait) {
  Sampled All({call("k", 1, 0, 10), call("k", 1, 90, 10)}, {"1", "2"}, 100);
  All.Of.Waits.push_back({});
  All.Names.Waits.push_back({"poll", "libc.so.6", "serve", "/src/s.cpp", 3});
  All.off("1", 12, 80, OffKind::Blocked, -1, 0);
  All.off("2", 0, 100);
  All.sample("1", 11, "main");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(Numbers.UnattributedNs, 80 * Us);
  const std::vector<UnattributedRow> Rows = unattributedRows(All.Of, Numbers, All.Names);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].State, RunState::Blocked);
  EXPECT_EQ(Rows[0].Symbol, "poll");
  EXPECT_EQ(Rows[0].Ns, 68 * Us);
  EXPECT_EQ(Rows[0].LowNs, std::nullopt);
  EXPECT_EQ(Rows[1].Symbol, "main");
  EXPECT_EQ(Rows[1].Ns, 12 * Us);
}

TEST(Samples, PartsOfUnattributedTimeAddUp) {
  Sampled All({call("k", 1, 0, 1), call("k", 1, 99, 1)}, {"1", "2", "3"}, 100);
  for (const char *Tid : {"1", "2", "3"})
    for (int I = 0; I < 7; ++I)
      All.sample(Tid, 10 + 3 * I, fmt::format("f{}", I % 3).c_str());
  const Statistics Numbers = All.numbers();
  int64_t Sum = 0;
  for (const UnattributedRow &Row : unattributedRows(All.Of, Numbers, All.Names))
    Sum += Row.Ns;
  EXPECT_EQ(Sum, *Numbers.UnattributedNs);
}

TEST(Samples, UntimedCallsOutsideOfKernelsAreNotUnattributed) {
  Sampled All(
      {call("k", 1, 0, 1), call("dist", 1, 10, 1), call("dist", 1, 500, 1), call("k", 1, 999, 1)},
      {"1"}, 1000, ThrottledDist);
  for (int I = 0; I < 100; ++I)
    All.sample("1", 20 + I, I % 5 < 3 ? "dist(int)" : "main");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(*Numbers.UnattributedNs / Us, 398); // 996 us, of which samples give `dist` 60 %
  int64_t Sum = 0;
  for (const UnattributedRow &Row : unattributedRows(All.Of, Numbers, All.Names)) {
    Sum += Row.Ns;
    EXPECT_EQ(Row.Symbol, "main");
  }
  EXPECT_EQ(Sum, *Numbers.UnattributedNs);
}

TEST(Samples, UntimedCallsDoNotRunInIdleMomentsOutsideOfKernels) {
  Sampled All(
      {call("k", 1, 0, 1), call("dist", 1, 10, 1), call("dist", 1, 500, 1), call("k", 1, 999, 1)},
      {"1"}, 1000, ThrottledDist);
  All.off("1", 600, 800, OffKind::Preempted);
  for (int I = 0; I < 100; ++I)
    All.sample("1", 20 + I, I % 5 < 3 ? "dist(int)" : "main");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(*Numbers.UnattributedNs / Us, 518); // 200 us, and 40 % of 796 us
  EXPECT_EQ(shown(All.Of, Numbers, "dist"), "479 unknown");
}

TEST(Samples, NamesWhatKernelsWaitIn) {
  Sampled All({call("run", 1, 0, 100), call("step", 1, 10, 50)}, {"1"}, 100);
  All.Of.Waits.resize(1);
  All.Names.Waits.push_back({"pthread_join", "libc.so.6", "run", "/src/r.cpp", 12});
  All.off("1", 20, 40, OffKind::Blocked, -1, 0);
  All.off("1", 70, 80);
  const std::vector<BlockedRow> Rows = blockedRows(All.Of, All.Names);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(All.Of.text(All.Of.Sites[Rows[0].Kernel].Name), "step");
  EXPECT_EQ(Rows[0].Wait.Symbol, "pthread_join");
  EXPECT_EQ(Rows[0].Ns, 20 * Us);
  EXPECT_EQ(All.Of.text(All.Of.Sites[Rows[1].Kernel].Name), "run");
  EXPECT_EQ(Rows[1].Wait.Symbol, "");
}

TEST(Samples, SpinningIsAWaitAndNotWork) {
  Sampled All({call("k", 1, 0, 100), call("few", 1, 100, 100)}, {"1"}, 200);
  for (int I = 0; I < 100; ++I)
    All.sample("1", I, I % 5 < 2 ? "sched_yield" : "k", 1, I % 5 < 2 ? "libc.so.6" : "a.out");
  for (int I = 100; I < 200; ++I)
    All.sample("1", I, I < 104 ? "sched_yield" : "few", 1, I < 104 ? "libc.so.6" : "a.out");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "k"), "60 100/0/0");
  EXPECT_EQ(shown(All.Of, Numbers, "few"), "100 100/0/0");
  EXPECT_EQ(Numbers.SpinningNs, 40 * Us);
  for (const KernelRow &Row : Numbers.Kernels)
    EXPECT_EQ(Row.SelfErrorNs.has_value(), *Row.SelfNs == 60 * Us);
  const std::vector<BlockedRow> Rows = blockedRows(All.Of, All.Names);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Wait.Symbol, "sched_yield");
  EXPECT_EQ(Rows[0].SpinSamples, 40u);
  EXPECT_EQ(Rows[0].Ns, 40 * Us);
  EXPECT_GT(*Rows[0].LowNs, 30 * Us);
  EXPECT_LT(*Rows[0].HighNs, 50 * Us);
  // Without names, nobody knows.
  EXPECT_EQ(computeStatistics(All.Of).SpinningNs, std::nullopt);
}

TEST(Samples, HooksAreNoWork) {
  Sampled All({call("k", 1, 0, 100), call("l", 1, 150, 50)}, {"1"}, 200);
  for (int I = 0; I < 200; ++I)
    All.sample("1", I, I < 40 || (I >= 100 && I < 110) ? "seamscope.counted.v2.22" : "k");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "k"), "60 100/0/0");
  EXPECT_EQ(shown(All.Of, Numbers, "l"), "50 50/0/0");
  EXPECT_EQ(Numbers.RecordingNs, 50 * Us);
  EXPECT_EQ(Numbers.UnattributedNs, 40 * Us);
  EXPECT_GT(Numbers.UnattributedErrorNs, 5 * Us);
  for (const KernelRow &Row : Numbers.Kernels)
    EXPECT_EQ(Row.SelfErrorNs.has_value(), *Row.SelfNs == 60 * Us);
  int64_t Outside = 0;
  for (const UnattributedRow &Row : unattributedRows(All.Of, Numbers, All.Names)) {
    EXPECT_EQ(Row.Symbol, "k");
    Outside += Row.Ns;
  }
  EXPECT_EQ(Outside, Numbers.UnattributedNs);
  EXPECT_EQ(computeStatistics(All.Of).RecordingNs, std::nullopt);
}

TEST(Samples, WhatHooksTookHardlyMatters) {
  Sampled All({call("k", 1, 0, 1000)}, {"1"}, 1000);
  for (int I = 0; I < 1000; ++I)
    All.sample("1", I, I % 125 ? "k" : "__seamscope_enter_v3", 1,
               I % 125 ? "a.out" : "libseamscope.so.0");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "k"), "1000 1000/0/0");
  EXPECT_EQ(Numbers.RecordingNs, std::nullopt);
  EXPECT_EQ(Numbers.Kernels[0].SelfErrorNs, std::nullopt);
}

TEST(Samples, KnowsWhatSpins) {
  for (const auto &[Library, Function] : std::vector<std::pair<const char *, const char *>>{
           {"libc.so.6", "sched_yield"},
           {"libgomp.so.1", ""},
           {"libgomp.so.1", "gomp_team_barrier_wait_end"},
           {"libomp.so.5", "kmp_flag_64<false, true>::wait(kmp_info*, int, void*)"},
           {"libblis.so.4", "bli_thrcomm_barrier_atomic"},
           {"libmpich.so.12", "MPIR_Barrier"},
           {"libucp.so.0", "ucp_worker_progress"}})
    EXPECT_TRUE(isSpinning(Library, Function)) << Library << " " << Function;
  for (const auto &[Library, Function] : std::vector<std::pair<const char *, const char *>>{
           {"libc.so.6", "memcpy"},
           {"libc.so.6", ""},
           {"libgomp.so.1", "GOMP_loop_dynamic_next"},
           {"libomp.so.5", "__kmpc_dispatch_next_4"},
           {"a.out", "sched_yield_often()"},
           {"[unknown]", ""}})
    EXPECT_FALSE(isSpinning(Library, Function)) << Library << " " << Function;
}

TEST(Samples, RowsByPropertyAddUpToRunningTime) {
  Sampled All({call("k", 1, 0, 100)}, {"1"}, 100);
  All.off("1", 0, 40);
  for (int I = 40; I < 70; ++I)
    All.sample("1", I, "k");
  for (int I = 70; I < 100; I += 2)
    All.sample("1", I, "exp", 1, "libm.so.6");
  const std::vector<SampleRow> Rows = samplesBy(All.Of, All.Names, SamplesBy::Library);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Key, "a.out");
  EXPECT_EQ(Rows[0].Ns, 40 * Us);
  EXPECT_EQ(Rows[1].Ns, 20 * Us);
  EXPECT_EQ(Rows[1].Kernels, std::vector<std::string>{"k"});
  EXPECT_EQ(samplesBy(All.Of, All.Names, SamplesBy::Line)[0].Key, "/src/k.cpp:7");
  const std::vector<SampleRow> OfKernels = samplesOfKernels(All.Of, All.Names);
  ASSERT_EQ(OfKernels.size(), 2u);
  EXPECT_EQ(OfKernels[0].Ns + OfKernels[1].Ns, 60 * Us);
}

TEST(Samples, DecideBetweenAThrottledFunctionAndItsCaller) {
  // 2 of 1002 calls were timed and took 1 us each; the mean says that all of `search` is `dist`.
  Sampled All({call("search", 1, 0, 1000), call("dist", 1, 10, 1), call("dist", 1, 500, 1)}, {"1"},
              1000, ThrottledDist);
  for (int I = 0; I < 100; ++I)
    All.sample("1", 20 + I, I % 5 < 3 ? "float dist<4>(float const*)" : "search(int)");
  const auto Without = computeStatistics(All.Of);
  EXPECT_EQ(shown(All.Of, Without, "search"), "0 1000/0/0");
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "search"), "399 1000/0/0");
  EXPECT_EQ(shown(All.Of, Numbers, "dist"), "600 unknown");
  const auto Dist = std::ranges::find(Numbers.Kernels, "dist", [&](const KernelRow &Row) {
    return All.Of.text(All.Of.Sites[Row.Site].Name);
  });
  EXPECT_EQ(Dist->RunningNs, Dist->Times.TotalNs);
  ASSERT_TRUE(Dist->RunningErrorNs);
  EXPECT_NEAR(*Dist->RunningErrorNs, Dist->Times.Untimed->errorNs(), 1);
  for (const KernelRow &Row : Numbers.Kernels)
    if (Row.Times.Untimed) {
      EXPECT_TRUE(Row.Times.Untimed->IsSampled);
      EXPECT_NEAR(static_cast<double>(Row.Times.Untimed->Ns), 598e3, 2e3);
      EXPECT_LT(Row.Times.Untimed->LowNs, 510 * Us);
      EXPECT_GT(Row.Times.Untimed->HighNs, 680 * Us);
      EXPECT_FALSE(Row.Times.Untimed->IsLimited);
    }
}

TEST(Samples, RunningTimeOfThrottledCallsHasAnError) {
  Sampled All({call("search", 1, 0, 1000), call("dist", 1, 10, 4), call("dist", 1, 500, 1)}, {"1"},
              1000,
              R"({"cat": "cpu_op", "name": "dist", "pid": 1, "tid": 1, "ts": 0, "every": 50, )"
              R"("timed": 2, "untimed": 100, "args": {"kernel": "dist"}})");
  All.off("1", 11, 13);
  for (const KernelRow &Row : All.numbers().Kernels) {
    if (!Row.Times.Untimed) {
      EXPECT_EQ(Row.RunningNs, 998 * Us);
      EXPECT_FALSE(Row.RunningErrorNs);
      continue;
    }
    EXPECT_EQ(Row.RunningNs, Row.Times.TotalNs - 2 * Us);
    EXPECT_FALSE(Row.Off);
    // One of two calls waited for 2 us, and each stands for 50.
    ASSERT_TRUE(Row.RunningErrorNs);
    EXPECT_GE(*Row.RunningErrorNs, Row.Times.Untimed->errorNs() + 50 * 2 * Us);
  }
}

TEST(Samples, ThirdFunctionsMayBeOfEither) {
  // Most samples are of a function that both `dist` and its caller may call.
  for (const bool InKernel : {true, false}) {
    Sampled All({call("search", 1, 0, InKernel ? 1000 : 1), call("dist", 1, 10, 1),
                 call("dist", 1, 500, 1), call("search", 1, 1000, 1)},
                {"1"}, 1001, ThrottledDist);
    for (int I = 0; I < 100; ++I)
      All.sample("1", 20 + I, I < 20 ? "dist" : I < 40 ? "search" : "helper");
    const Statistics Numbers = All.numbers();
    for (const KernelRow &Row : Numbers.Kernels)
      if (Row.Times.Untimed) {
        EXPECT_NEAR(static_cast<double>(*Row.SelfNs), InKernel ? 501e3 : 201e3, 2e3);
        EXPECT_LT(Row.Times.Untimed->LowNs, 200 * Us);
        EXPECT_GT(Row.Times.Untimed->HighNs, InKernel ? 800 * Us : 950 * Us);
      } else if (InKernel) { // has 13 % at least by its own samples
        EXPECT_NEAR(static_cast<double>(*Row.SelfNs), 499e3, 2e3);
        EXPECT_LT(Row.SelfErrorNs.value_or(1e9), 380e3);
      }
    EXPECT_EQ(Numbers.UnattributedErrorNs.has_value(), !InKernel);
  }
}

TEST(Samples, TimedCallsSayWhoseThirdFunctionsAre) {
  // 40 timed calls of 2 us, and 260 others: 520 of the 920 us that `search` seems to have had.
  std::vector<std::string> Calls = {call("search", 1, 0, 1000)};
  for (int I = 0; I < 40; ++I)
    Calls.push_back(call("dist", 1, 10 + 24 * I, 2));
  Sampled All(Calls, {"1"}, 1000,
              R"({"cat": "cpu_op", "name": "dist", "pid": 1, "tid": 1, "ts": 0, "every": 7, )"
              R"("timed": 40, "untimed": 260, "args": {"kernel": "dist"}})");
  for (int I = 0; I < 300; ++I)
    All.sample("1", 15 + 24 * (I / 15) + I % 15, I < 60 ? "dist" : I < 120 ? "search" : "helper");
  const Statistics Numbers = All.numbers();
  for (const KernelRow &Row : Numbers.Kernels)
    if (Row.Times.Untimed) {
      EXPECT_NEAR(static_cast<double>(*Row.SelfNs), 80e3 + 520e3, 5e3);
      // An untimed call may be 250 ns shorter, and samples have their own error.
      EXPECT_NEAR(static_cast<double>(Row.Times.Untimed->LowNs), 455e3, 45e3);
      EXPECT_NEAR(static_cast<double>(Row.Times.Untimed->HighNs), 520e3, 50e3);
    }
}

TEST(MoveUntimed, LeavesOutWhatWasMovedAlready) {
  // In the 1,000 us of `w` are 60 calls of `outer`, 10 us each, with two of `inner`, 2 us each.
  // Half of the outer ones are timed, and one in four of the inner ones: half of these lie in
  // untimed outer ones. So `outer` has 360 us to itself.
  std::vector<std::string> Calls = {call("w", 1, 0, 1000)};
  for (int I = 0; I < 30; ++I) {
    Calls.push_back(call("outer", 1, 30 * I, 10));
    Calls.push_back(call("inner", 1, 30 * I + (I % 2 ? 12 : 2), 2));
  }
  const auto Throttled = [](const char *Name, int Every, int Untimed) {
    return fmt::format(
        R"({{"cat": "cpu_op", "name": "{0}", "pid": 1, "tid": 1, "ts": 0, )"
        R"("every": {1}, "timed": 30, "untimed": {2}, "args": {{"kernel": "{0}"}}}})",
        Name, Every, Untimed);
  };
  const Sampled All(Calls, {}, 0, Throttled("outer", 2, 30) + "," + Throttled("inner", 4, 90));
  const KernelRows Rows = kernelRows(All.Of);
  std::map<std::string_view, size_t> RowOf;
  for (size_t Row = 0; Row < Rows.Sites.size(); ++Row)
    RowOf[All.Of.text(All.Of.Sites[Rows.Sites[Row]].Name)] = Row;
  std::vector<int64_t> Ns(3);
  std::vector<std::optional<double>> Kept(3);
  // The 90 untimed inner calls were moved, from both.
  Ns[RowOf["w"]] = (1000 - 300 - 15 * 2 - 45 * 2) * Us;
  Ns[RowOf["outer"]] = (300 - 15 * 2 - 45 * 2) * Us;
  Ns[RowOf["inner"]] = (30 + 90) * 2 * Us;
  Kept[RowOf["inner"]] = 1;
  int64_t OutsideNs = 0;
  moveUntimed(All.Of, Rows.OfSite, Ns, OutsideNs, nullptr, &Kept);
  // `w` keeps a little more, since it had more between timed calls.
  EXPECT_NEAR(static_cast<double>(Ns[RowOf["outer"]]), 360e3, 30e3);
  EXPECT_EQ(Ns[RowOf["inner"]], 240 * Us);
  EXPECT_EQ(Ns[RowOf["outer"]] + Ns[RowOf["w"]], 760 * Us);
}

TEST(Samples, BlockedTimeInALoopIsAWait) {
  Sampled All({call("k", 1, 0, 100),
               R"({"ph": "X", "cat": "loop", "name": "k [loop]", "pid": 1, "tid": 1, "ts": 10, )"
               R"("dur": 80, "args": {"kernel": "k", "file": "k.cpp", "line": 3}})"},
              {"1"}, 100);
  All.off("1", 20, 50);
  All.off("1", 92, 95, OffKind::Preempted);
  const LoopTree Tree = loopTree(All.Of);
  ASSERT_EQ(Tree.Nodes.size(), 2u);
  EXPECT_EQ(Tree.Nodes[0].SelfNs, 17 * Us);
  EXPECT_EQ(Tree.Nodes[0].BlockedNs, 30 * Us);
  EXPECT_EQ(Tree.Nodes[0].PreemptedNs, 3 * Us);
  EXPECT_EQ(Tree.Nodes[1].SelfNs, 50 * Us);
  EXPECT_EQ(Tree.Nodes[1].WaitNs, 30 * Us);
}

TEST(Samples, BlockedThreadsOfATeamAreNotBusy) {
  const char *const Region =
      R"({{"ph": "X", "cat": "omp_region", "name": "k [parallel]", "pid": 1, "tid": {0}, "ts": 0, )"
      R"("dur": 100, "args": {{"kernel": "k", "thread": {1}}}}})";
  Sampled All({call("k", 1, 0, 100), fmt::format(fmt::runtime(Region), 1, 0),
               fmt::format(fmt::runtime(Region), 2, 1)},
              {"1", "2"}, 100);
  All.off("1", 0, 60);
  All.off("2", 0, 10, OffKind::Preempted);
  const Statistics Numbers = All.numbers();
  ASSERT_EQ(Numbers.Kernels[0].Regions.size(), 1u);
  const RegionRow &Row = Numbers.Kernels[0].Regions[0];
  ASSERT_EQ(Row.Threads.size(), 2u);
  EXPECT_EQ(Row.Threads[0].BusyNs, 40 * Us);
  EXPECT_EQ(Row.Threads[0].BlockedNs, 60 * Us);
  EXPECT_EQ(Row.Threads[1].BusyNs, 90 * Us);
  EXPECT_EQ(Row.Threads[1].PreemptedNs, 10 * Us);
  EXPECT_EQ(Row.WaitNs, 60 * Us);
}

/// An event of the team of kernel `k`.
std::string ofTeam(const char *Category, const char *Name, int Tid, int Begin, int Duration,
                   const std::string &More = "") {
  return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, )"
                     R"("dur": {}, "args": {{"kernel": "k"{}}}}})",
                     Category, Name, Tid, Begin, Duration, More);
}

TEST(Samples, ATeamWorksForTheCallThatStartedIt) {
  // Thread 1 does its part of the region and sleeps until thread 2 has done its own. Thread 2 then
  // spins in a barrier, in which it runs a task.
  Sampled All({call("k", 1, 0, 100),
               ofTeam("omp_wait", "fork", 1, 10, 80, R"(, "construct": "parallel")"),
               ofTeam("omp_region", "r", 1, 11, 19, R"(, "thread": 0)"),
               ofTeam("omp_region", "r", 2, 11, 78, R"(, "thread": 1)"),
               ofTeam("omp_wait", "w", 2, 50, 30, R"(, "construct": "barrier")"),
               ofTeam("omp_task", "t", 2, 60, 10), call("inside", 2, 40, 5)},
              {"1", "2"}, 100);
  All.off("1", 30, 90);
  All.off("2", 0, 11);
  All.off("2", 35, 38, OffKind::Preempted);
  All.off("2", 89, 100);
  const Statistics Numbers = All.numbers();
  EXPECT_EQ(shown(All.Of, Numbers, "k"), "71 40/60/0");
  EXPECT_EQ(shown(All.Of, Numbers, "inside"), "5 5/0/0");
  EXPECT_EQ(Numbers.UnattributedNs, 20 * Us); // the barrier without the task
  EXPECT_EQ(Numbers.PreemptedNs, 3 * Us);
  EXPECT_EQ(Numbers.BlockedNs, 1 * Us);
  const Difference Same = difference(All.Of, All.Of);
  const auto Row = std::ranges::find(Same.Rows, "k", &DiffRow::Key);
  ASSERT_NE(Row, Same.Rows.end());
  EXPECT_EQ(Row->FirstNs, 71 * Us);
  // The part of a call that is not in the trace may be anybody's.
  Sampled Alone({call("k", 1, 0, 100), ofTeam("omp_region", "r", 2, 11, 78, R"(, "thread": 1)")},
                {"1", "2"}, 100);
  Alone.off("1", 30, 100);
  const Statistics Others = Alone.numbers();
  EXPECT_EQ(shown(Alone.Of, Others, "k"), "30 30/70/0");
  EXPECT_EQ(Others.UnattributedNs, 70 * Us);
}

TEST(Proportion, IsWilsonsInterval) {
  const Proportion Half = proportionOf(50, 100);
  EXPECT_DOUBLE_EQ(Half.Share, 0.5);
  EXPECT_NEAR(Half.Low, 0.4038, 1e-4);
  EXPECT_NEAR(Half.High, 0.5962, 1e-4);
  EXPECT_EQ(proportionOf(0, 10).Low, 0);
  EXPECT_NEAR(proportionOf(0, 10).High, 0.2775, 1e-4);
  EXPECT_EQ(proportionOf(0, 0).High, 1);
}

TEST(CodeNames, CutsParameters) {
  EXPECT_EQ(withoutParameters("std::mutex::lock()"), "std::mutex::lock");
  EXPECT_EQ(withoutParameters("f(void (*)(int)) const"), "f");
  EXPECT_EQ(withoutParameters("main"), "main");
  EXPECT_EQ(withoutParameters(""), "");
  EXPECT_EQ(functionNameOf("float dist<4>(float const*)"), "dist<4>");
  EXPECT_EQ(functionNameOf("std::vector<int>::push_back(int&&)"), "std::vector<int>::push_back");
  EXPECT_EQ(functionNameOf("main"), "main");
  EXPECT_EQ(withoutParameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
}

} // namespace
