//===- HealthTest.cpp - what is wrong with a trace, and what follows ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TraceLines.h"
#include "analysis/core/Cut.h"
#include "analysis/core/Statistics.h"
#include "analysis/devices/GpuKernels.h"
#include "analysis/devices/OperatorTimes.h"
#include "analysis/devices/Work.h"
#include "analysis/groups/Advice.h"
#include "analysis/groups/GroupBy.h"
#include "analysis/health/Judge.h"
#include "analysis/torch/CriticalPath.h"
#include "analysis/torch/Steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace seamscope::tools {
namespace {

int64_t windowOf(const Trace &Source) {
  const auto Whole = extentOf(Source);
  return Whole ? Whole->EndNs - Whole->BeginNs : 0;
}

std::optional<double> rateOf(const Trace &Source, const char *Operator) {
  const std::vector<Origin> Links = linkWork(Source);
  const TraceWork Work(Source, Links, DType::Unknown);
  for (const Site &What : Source.Sites)
    if (Source.text(What.Name) == Operator)
      if (const WorkSum *Sum = Work.ofOperator(What.Name))
        return Sum->flopPerSecond();
  return std::nullopt;
}

std::vector<Advice> adviceOf(const Trace &Source) {
  const Statistics Numbers = computeStatistics(Source);
  const std::vector<Origin> Links = linkWork(Source);
  const std::vector<DeviceRow> Rows = deviceRows(Source, Numbers.WindowNs, Links);
  const TraceWork Work(Source, Links, DType::Unknown);
  const PeakTable Peaks = PeakTable::published();
  const CompiledView Compiled = compiledView(Source, Links);
  const CriticalPaths Paths(Source, Links);
  return advise({.Source = &Source,
                 .Numbers = &Numbers,
                 .Devices = &Rows,
                 .Links = &Links,
                 .Work = &Work,
                 .Peaks = &Peaks,
                 .Compiled = &Compiled,
                 .Paths = &Paths});
}

const Advice *find(const std::vector<Advice> &All, std::string_view Kind) {
  const auto Found = std::ranges::find(All, Kind, &Advice::Kind);
  return Found == All.end() ? nullptr : &*Found;
}

TEST(Health, NothingIsFoundInAWholeTrace) {
  TraceLines All;
  for (int I = 0; I < 5; ++I)
    All.both(I + 1, 1000 + 20 * I);
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "");
  EXPECT_EQ(rowsOf(Source)[0].Idle.UnknownNs, 0);
}

TEST(Health, WhatARegionCallsItsKernelIsOneWithoutACategory) {
  // Another tool wrote the region: "r" is its kernel. "sum" is not a kernel.
  Trace Source = traceOf(R"([
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 1, "ts": 2, "dur": 7},
    {"ph": "X", "name": "r", "pid": 1, "tid": 1, "ts": 2, "dur": 7},
    {"ph": "X", "name": "sum", "pid": 1, "tid": 1, "ts": 2, "dur": 7}])");
  judge(Source);
  ASSERT_TRUE(Source.Health.find(HealthCheck::UnknownCategories));
  EXPECT_EQ(Source.Health.find(HealthCheck::UnknownCategories)->Count, 1u);
  const Statistics Numbers = computeStatistics(Source);
  ASSERT_EQ(Numbers.Kernels.size(), 1u);
  EXPECT_EQ(Numbers.Kernels[0].Regions.size(), 1u);
}

TEST(Health, LaunchesBehindTheLastKernelLackTheirs) {
  TraceLines All;
  for (int I = 0; I < 5; ++I)
    All.both(I + 1, 1000 + 20 * I);
  for (int I = 0; I < 5; ++I)
    All.launch(101 + I, 1200 + 20 * I);
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "launches-without-work 5");
  EXPECT_EQ(Source.Health.Found[0].Ns, 30000);
  EXPECT_TRUE(Source.Health.Found[0].Consequence.starts_with("5 of 10 launches (cudaLaunchKernel) "
                                                             "have no kernel in the trace"));
  const DeviceRow Row = rowsOf(Source)[0];
  EXPECT_EQ(Row.Idle.HostNs, 40000);
  EXPECT_EQ(Row.Idle.LatencyNs, 20000);
  EXPECT_EQ(Row.Idle.UnknownNs, 192000); // from 1100 us on
  EXPECT_EQ(Row.Idle.OutsideNs, 15000);
  EXPECT_EQ(Row.spanNs(), 85000);
}

TEST(Health, LaunchesBeforeAndBetweenKernelsLackTheirs) {
  const Trace First = TraceLines().launch(1, 1000).both(2, 1100).both(3, 1120).read();
  EXPECT_EQ(namesOf(First), "launches-without-work 1");
  EXPECT_EQ(rowsOf(First)[0].Idle.UnknownNs, 115000);
  EXPECT_EQ(rowsOf(First)[0].Idle.OutsideNs, 0);
  const Trace Middle =
      TraceLines().both(1, 1000).launch(2, 1020).both(3, 1040).both(4, 1060).read();
  EXPECT_EQ(namesOf(Middle), "launches-without-work 1");
  const IdleReasons Idle = rowsOf(Middle)[0].Idle;
  EXPECT_EQ(Idle.UnknownNs, 35000); // 1020 to 1055
  EXPECT_EQ(Idle.HostNs, 10000);    // 1060 to 1070
  EXPECT_EQ(Idle.LatencyNs, 5000);
}

TEST(Health, WithoutAnyKernelNoRateIsKnown) {
  for (const char *const Call : {"cudaLaunchKernel", "hipModuleLaunchKernel", "cudaGraphLaunch"}) {
    TraceLines All;
    for (int I = 0; I < 5; ++I)
      All.launch(I + 1, 1000 + 20 * I, Call);
    // One on the host is not concerned.
    All.add("cpu_op", "aten::bmm", "10", 11, 1000, 10,
            R"("Input Dims": [[2, 8, 8], [2, 8, 8]], "Input type": ["float", "float"])");
    const Trace Source = All.read();
    EXPECT_EQ(namesOf(Source), "launches-without-work 5") << Call;
    EXPECT_EQ(rateOf(Source, "aten::mm"), std::nullopt) << Call;
    EXPECT_TRUE(rateOf(Source, "aten::bmm")) << Call;
  }
}

TEST(Health, NotEveryLaunchRunsAKernel) {
  // What a graph captures, calls without a number, and a driver's call inside the runtime's.
  TraceLines All;
  All.both(1, 1000);
  All.add("cuda_runtime", "cudaStreamBeginCapture", "10", 10, 1020, 1, "\"correlation\": 50");
  All.launch(2, 1022);
  All.add("cuda_runtime", "cudaStreamEndCapture", "10", 10, 1040, 1, "\"correlation\": 51");
  All.launch(0, 1060);
  All.both(3, 1080);
  All.add("cuda_driver", "cuLaunchKernel", "10", 10, 1086, 2, "\"correlation\": 52");
  EXPECT_EQ(namesOf(All.read()), "");
}

TEST(Health, StepsWithoutWork) {
  const auto Step = [](TraceLines &To, int Number, double Begin) {
    To.add("user_annotation", fmt::format("ProfilerStep#{}", Number), "10", 10, Begin, 80);
  };
  TraceLines All;
  Step(All, 1, 1000);
  All.both(1, 1010);
  Step(All, 2, 1100); // its operators ran, and nothing was launched
  All.add("cpu_op", "aten::mm", "10", 10, 1110, 12);
  Step(All, 3, 1200); // nothing at all
  Step(All, 4, 1300);
  All.launch(2, 1310);
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "launches-without-work 1, steps-without-work 2");
  EXPECT_EQ(Source.Health.Found[1].Events.at(0).Name, "ProfilerStep#2");
  const Grouping Steps = groupBy(Source, linkWork(Source), GroupKey::Step);
  ASSERT_EQ(Steps.Rows.size(), 4u);
  EXPECT_EQ(Steps.Rows[0].Key, "ProfilerStep#1");
  EXPECT_EQ(Steps.Rows[0].Calls, 1u);
  EXPECT_EQ(Steps.Rows[3].Calls, 0u);
  // On a host alone a step needs no device.
  TraceLines Host;
  Step(Host, 1, 1000);
  Host.add("cpu_op", "aten::mm", "10", 10, 1010, 12);
  EXPECT_EQ(namesOf(Host.read()), "");
}

TEST(Health, StepsWithoutWorkAtEitherEndAndOfOneRank) {
  const auto Step = [](TraceLines &To, int Number, const char *Pid, double Begin) {
    To.add("user_annotation", fmt::format("ProfilerStep#{}", Number), Pid, 10, Begin, 80);
  };
  // A profiler that began to record devices late.
  TraceLines Late;
  for (int I = 0; I < 4; ++I) {
    Step(Late, I, "10", 1000 + 100 * I);
    if (I < 2)
      Late.launch(I + 1, 1010 + 100 * I);
    else
      Late.both(I + 1, 1010 + 100 * I);
  }
  EXPECT_EQ(namesOf(Late.read()), "launches-without-work 2, steps-without-work 2");
  // Without any, that is what the launches say.
  TraceLines None;
  Step(None, 1, "10", 1000);
  None.launch(1, 1010);
  EXPECT_EQ(namesOf(None.read()), "launches-without-work 1, steps-without-work 1");
  // Of two ranks that run at the same time one has all.
  TraceLines Ranks;
  Step(Ranks, 1, "10", 1000);
  Ranks.both(1, 1010);
  Step(Ranks, 1, "11", 1000);
  Ranks.add("cpu_op", "aten::mm", "11", 10, 1010, 12);
  const Trace Source = Ranks.read();
  EXPECT_EQ(namesOf(Source), "steps-without-work 1");
  EXPECT_TRUE(Source.Health.Found[0].Consequence.starts_with("1 of 2 steps has no work"));
}

TEST(Health, EventsWithoutATimeAreLeftOut) {
  TraceLines All;
  const double Late = 2493828094901.0;
  for (int I = 0; I < 4; ++I)
    All.both(I + 1, Late + 20 * I);
  for (int I = 0; I < 4; ++I) {
    All.add("cpu_op", "aten::mm", "10", 10, 0, 0);
    All.add("kernel", "sgemm", "0", 7, 0, 0, "\"device\": 0, \"correlation\": 100");
  }
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "impossible-times 8");
  EXPECT_EQ(windowOf(Source), 80000);
  EXPECT_EQ(rowsOf(Source)[0].BusyNs, 20000);
  // Where times count from the begin of the recording, 0 is one of them.
  EXPECT_EQ(namesOf(TraceLines().add("cpu_op", "a", "10", 10, 0, 0).both(1, 20).read()), "");
}

TEST(Health, EventsFarFromTheRestAreLeftOut) {
  const double Day = 86400e6;
  for (const double At : {1000 - Day, 1000 + 30 * Day}) {
    TraceLines All;
    All.both(1, 1000).both(2, 1020).add("cpu_op", "aten::add", "10", 10, At, 5);
    const Trace Source = All.read();
    EXPECT_EQ(namesOf(Source), "impossible-times 1");
    EXPECT_EQ(windowOf(Source), 40000);
  }
  // A program may sleep for hours.
  TraceLines Slept;
  Slept.add("cpu_op", "a", "10", 10, 0, Day / 2).add("cpu_op", "a", "10", 10, 0.6 * Day, Day / 2);
  EXPECT_EQ(namesOf(Slept.read()), "");
}

TEST(Health, DurationsThatCannotBe) {
  const Trace Negative = TraceLines().both(1, 1000).add("cpu_op", "a", "10", 10, 1010, -3).read();
  EXPECT_EQ(namesOf(Negative), "impossible-times 1");
  EXPECT_EQ(
      namesOf(
          TraceLines().both(1, 1000).launch(2, 1020).kernel(2, 1035.5, 0).both(3, 1040.25).read()),
      ""); // nothing says that the writer has parts of us
  const Trace Empty =
      TraceLines().launch(1, 1000).kernel(1, 1015, 4.75).launch(2, 1020).kernel(2, 1035, 0).read();
  EXPECT_EQ(namesOf(Empty), "impossible-times 1");
}

TEST(Health, WorkOverLaterWorkOfItsStreamIsClipped) {
  TraceLines All;
  for (int I = 0; I < 5; ++I)
    All.launch(I + 1, 1000 + 20 * I).kernel(I + 1, 1015 + 20 * I, I == 1 ? 1600000 : 5);
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "overlapping-work 1");
  const DeviceRow Row = rowsOf(Source)[0];
  EXPECT_EQ(Row.BusyNs, 40000);
  // The trace says that the stream worked until the end: why the device is idle behind that kernel
  // is not known.
  EXPECT_EQ(Row.Idle.HostNs, 10000);
  EXPECT_EQ(Row.Idle.LatencyNs, 5000);
  EXPECT_EQ(Row.Idle.UnknownNs, 30000);
  // No advice from what is not known.
  for (const Advice &Each : adviceOf(Source)) {
    EXPECT_LE(Each.SavingNs, Each.Kind == std::string("launch-bound") ? 10000 : 20000) << Each.Kind;
    EXPECT_EQ(Each.Evidence.find("on average"), std::string::npos) << Each.Evidence;
  }
}

TEST(Health, IdleTimeBehindTheEndOfAClippedKernelIsKnown) {
  TraceLines All;
  for (int I = 0; I < 5; ++I)
    All.launch(I + 1, 1000 + 20 * I).kernel(I + 1, 1015 + 20 * I, I == 0 ? 50 : 5);
  // Until 1065 us, in the gap before the kernel at 1075: two gaps of 15 us begin before, two
  // behind.
  const DeviceRow Row = rowsOf(All.read())[0];
  EXPECT_EQ(Row.Idle.UnknownNs, 30000);
  EXPECT_EQ(Row.Idle.HostNs + Row.Idle.LatencyNs, 15000);
  // Another device is not concerned.
  All.launch(11, 1000).kernel(11, 1005, 5, 7, 1).launch(12, 1020).kernel(12, 1035, 5, 7, 1);
  EXPECT_EQ(rowsOf(All.read())[1].Idle.UnknownNs, 0);
}

TEST(Health, CopiesAreNotExposedWhereKernelsAreMissing) {
  TraceLines All;
  for (int I = 0; I < 3; ++I)
    All.both(I + 1, 1000 + 20 * I);
  All.add("gpu_memcpy", "Memcpy HtoD", "0", 7, 1100, 50, "\"device\": 0, \"stream\": 7");
  EXPECT_TRUE(find(adviceOf(All.read()), "exposed-copies"));
  All.launch(9, 1110);
  EXPECT_FALSE(find(adviceOf(All.read()), "exposed-copies"));
}

TEST(Health, ACollectiveThatWaitedForRanksThatBeganLaterIsNotCommunication) {
  TraceLines All;
  double At = 0;
  const auto Collective = [&](double Us) {
    All.add("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "0", 7, At, Us,
            "\"device\": 0, \"stream\": 7");
    All.kernel(0, At + Us, 100);
    At += Us + 100;
  };
  for (int I = 0; I < 16; ++I)
    Collective(200);
  EXPECT_EQ(find(adviceOf(All.read()), "exposed-collectives")->SavingNs, 3'200'000);
  Collective(30'000);
  const std::vector<Advice> Found = adviceOf(All.read());
  const Advice *const Exposed = find(Found, "exposed-collectives");
  ASSERT_TRUE(Exposed);
  EXPECT_EQ(Exposed->SavingNs, 3'200'000);
  const Advice *const Late = find(Found, "late-ranks");
  ASSERT_TRUE(Late);
  EXPECT_EQ(Late->SavingNs, 30'000'000);
  EXPECT_TRUE(Late->Evidence.starts_with("device 0: 1 collective took 0.030 s, far longer"));
}

TEST(Health, AOneSidedOrForeignOverlapIsNotClipped) {
  // The next kernel begins early, but ends later.
  EXPECT_EQ(
      namesOf(TraceLines().launch(1, 0).kernel(1, 15, 14).launch(2, 20).kernel(2, 26, 8).read()),
      "");
  // Another stream, and the nodes of one graph.
  EXPECT_EQ(
      namesOf(
          TraceLines().launch(1, 0).kernel(1, 15, 100, 7).launch(2, 20).kernel(2, 35, 8, 8).read()),
      "");
  EXPECT_EQ(namesOf(TraceLines()
                        .launch(1, 0, "cudaGraphLaunch")
                        .kernel(1, 15, 100)
                        .kernel(1, 35, 8)
                        .kernel(1, 45, 8)
                        .read()),
            "");
  // A little longer than one other, as some writers' ends are.
  EXPECT_EQ(
      namesOf(TraceLines().launch(1, 0).kernel(1, 15, 100).launch(2, 20).kernel(2, 60, 30).read()),
      "");
  // The last kernel of a stream but one, over a copy.
  const Trace Copy =
      TraceLines()
          .launch(1, 0)
          .kernel(1, 15, 1000)
          .add("gpu_memcpy", "Memcpy", "0", 7, 50, 10, "\"device\": 0, \"stream\": 7")
          .read();
  EXPECT_EQ(namesOf(Copy), "overlapping-work 1");
  EXPECT_EQ(rowsOf(Copy)[0].BusyNs, 45000);
}

TEST(Health, WorkBeforeItsLaunchMakesIdleTimeUnknown) {
  TraceLines All;
  for (int I = 0; I < 5; ++I)
    All.launch(I + 1, 1000 + 20 * I).kernel(I + 1, 15 + 20 * I);
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "work-before-launch 5");
  EXPECT_EQ(Source.Health.Found[0].Ns, 989000);
  const DeviceRow Row = rowsOf(Source)[0];
  EXPECT_EQ(Row.Idle.UnknownNs, 60000);
  EXPECT_EQ(Row.Idle.HostNs + Row.Idle.LatencyNs + Row.Idle.SyncNs, 0);
  EXPECT_FALSE(Row.FirstDelayNs);
  EXPECT_FALSE(gpuKernels(Source, linkWork(Source), {}).begin()->second.MedianLatencyNs);
}

TEST(Health, FewEarlyKernelsLeaveTheRest) {
  TraceLines All;
  for (int I = 0; I < 300; ++I)
    All.launch(I + 1, 1000 + 20 * I).kernel(I + 1, (I == 7 ? 1001 : 1015) + 20 * I, 2);
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "work-before-launch 1");
  EXPECT_FALSE(Source.Health.isSkewed(0));
  EXPECT_GT(rowsOf(Source)[0].Idle.HostNs, 0);
  EXPECT_GT(rowsOf(Source)[0].Idle.UnknownNs, 0);
  // Writers of whole us round both down.
  EXPECT_EQ(namesOf(TraceLines().launch(1, 1000).kernel(1, 1003).read()), "");
}

TEST(Health, TheClockOfOneDeviceIsAnother) {
  TraceLines All;
  for (int I = 0; I < 5; ++I) {
    All.launch(I + 1, 1000 + 20 * I).kernel(I + 1, 1015 + 20 * I, 5, 7, 0);
    All.launch(I + 51, 1000 + 20 * I).kernel(I + 51, 15 + 20 * I, 5, 7, 1);
  }
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "work-before-launch 5");
  EXPECT_FALSE(Source.Health.isSkewed(0));
  EXPECT_TRUE(Source.Health.isSkewed(1));
  const std::vector<DeviceRow> Rows = rowsOf(Source);
  EXPECT_GT(Rows[0].Idle.HostNs, 0);
  EXPECT_EQ(Rows[1].Idle.HostNs, 0);
}

TEST(Health, ThreeProcessesOnThreeClocks) {
  const double Days = 9 * 86400e6;
  TraceLines All;
  for (int I = 0; I < 4; ++I)
    All.add("cpu_op", "aten::mm", "10", 10, 2 * Days + 20 * I, 12);
  // Those behind the others in the file may be earlier.
  for (int I = 0; I < 3; ++I)
    All.add("cpu_op", "aten::mm", "11", 11, 1000 + 20 * I, 12)
        .add("cpu_op", "aten::mm", "12", 12, Days + 20 * I, 12);
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "clocks-apart 6");
  EXPECT_EQ(windowOf(Source), 72000);
  // Hours are enough.
  const Trace Hours = TraceLines()
                          .add("cpu_op", "a", "10", 10, 0, 5)
                          .add("cpu_op", "a", "10", 10, 10, 5)
                          .add("cpu_op", "a", "11", 11, 7200e6, 5)
                          .add("cpu_op", "a", "11", 11, 7200e6 + 20, 5)
                          .read();
  EXPECT_EQ(namesOf(Hours), "clocks-apart 2");
  EXPECT_EQ(windowOf(Hours), 25000);
}

TEST(Health, ProcessesOnOtherClocksBeginTogether) {
  const double Days = 9 * 86400e6;
  TraceLines All;
  for (int I = 0; I < 4; ++I)
    All.both(I + 1, 1000 + 20 * I);
  for (int I = 0; I < 3; ++I)
    All.add("cpu_op", "aten::mm", "11", 11, Days + 20 * I, 12);
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "clocks-apart 3");
  EXPECT_EQ(windowOf(Source), 80000);
  EXPECT_TRUE(std::ranges::is_sorted(
      std::vector{Source.Events.BeginNs.end() - 3, Source.Events.BeginNs.end()}));
}

TEST(Health, WhatTorchCompiledIsApart) {
  for (const char *const Name :
       {"dynamo", "_compile.compile_inner (dynamo_timed)", "compile_fx.<locals>.bw_compiler"}) {
    TraceLines All;
    All.add("cpu_op", Name, "10", 10, 1000, 500);
    All.add("cpu_op", "build_guards (dynamo_timed)", "10", 10, 1100, 50);
    All.add("cpu_op", "aten::addmm", "10", 10, 1200, 10);
    All.add("cpu_op", "aten::addmm", "10", 10, 1600, 10);
    Trace Source = All.read();
    EXPECT_EQ(namesOf(Source), "compilation 1") << Name;
    EXPECT_EQ(Source.Health.Found[0].Ns, 500000);
    EXPECT_EQ(Source.Health.Found[0].Events[0].Name, Name);
    EXPECT_EQ(dropOperatorsOfCompilation(Source), 2u);
    const Statistics Numbers = computeStatistics(Source, CompileScope);
    EXPECT_EQ(Numbers.ApartNs, 500000);
    EXPECT_EQ(Numbers.WindowNs, 110000);
  }
}

TEST(Health, ADeviceDoesNotWaitForLaunchesWhileTorchCompiles) {
  const Trace Source =
      TraceLines().both(1, 1000).add("cpu_op", "dynamo", "10", 10, 1100, 5000).both(2, 7000).read();
  const DeviceRow Row = rowsOf(Source)[0];
  EXPECT_EQ(Row.Idle.HostNs, 6010 * 1000 - 1000 * 1020 - 5000 * 1000 + 1000 * 1000);
  EXPECT_EQ(Row.IdleNs, Row.Idle.insideNs() + Row.Idle.OutsideNs);
  EXPECT_EQ(Row.Idle.OutsideNs, 15000);
}

TEST(Health, SettingUpADeviceIsNotLaunchBound) {
  for (const char *const Call : {"cudaFree", "cuModuleLoadData", "hipStreamCreateWithPriority",
                                 "cudaDeviceGetStreamPriorityRange"}) {
    const Trace Source = TraceLines()
                             .both(1, 1000)
                             .add("cuda_runtime", Call, "10", 10, 1020, 3e6, "\"correlation\": 90")
                             .both(2, 3002000)
                             .read();
    EXPECT_EQ(namesOf(Source), "initialisation 1") << Call;
    const IdleReasons Idle = rowsOf(Source)[0].Idle;
    EXPECT_EQ(Idle.InitNs, 3000000000) << Call;
    EXPECT_EQ(Idle.HostNs, 990000) << Call;
  }
  // A launch that loads its kernel, but not one that waits for room in the queue.
  const Trace Loads =
      TraceLines()
          .both(1, 1000)
          .add("cuda_runtime", "cudaLaunchKernel", "10", 10, 1020, 3e6, "\"correlation\": 2")
          .add("kernel", "loaded", "0", 7, 3001030, 5,
               "\"device\": 0, \"stream\": 7, \"correlation\": 2")
          .read();
  EXPECT_EQ(namesOf(Loads), "initialisation 1");
  // Not one of a kernel that ran before, or of none that is known.
  const Trace Again =
      TraceLines()
          .both(1, 1000)
          .add("cuda_runtime", "cudaLaunchKernel", "10", 10, 1040, 3e6, "\"correlation\": 2")
          .kernel(2, 3001050)
          .read();
  EXPECT_EQ(namesOf(Again), "");
  EXPECT_EQ(namesOf(TraceLines()
                        .add("cuda_runtime", "cudaLaunchKernel", "10", 10, 1040, 3e6,
                             "\"correlation\": 2")
                        .read()),
            "launches-without-work 1");
  const Trace Queue =
      TraceLines()
          .launch(1, 1000)
          .kernel(1, 1015, 3e6)
          .add("cuda_runtime", "cudaLaunchKernel", "10", 10, 1020, 3e6, "\"correlation\": 2")
          .kernel(2, 3001030)
          .read();
  EXPECT_EQ(namesOf(Queue), "");
  // One that waits for the device.
  const Trace Waits = TraceLines()
                          .launch(1, 1000)
                          .kernel(1, 1015, 3e6)
                          .add("cuda_runtime", "cudaFree", "10", 10, 1020, 3e6)
                          .both(2, 3002000)
                          .read();
  EXPECT_EQ(namesOf(Waits), "");
}

} // namespace
} // namespace seamscope::tools
