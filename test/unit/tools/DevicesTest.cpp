//===- DevicesTest.cpp - devices, links and operators ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFile.h"
#include "analysis/core/Statistics.h"
#include "analysis/devices/GpuKernels.h"
#include "analysis/devices/OperatorTimes.h"
#include "analysis/groups/GroupBy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace seamscope::tools {
namespace {

/// An event with times in ns.
std::string event(const char *Category, const std::string &Name, int Pid, int Tid, int64_t Begin,
                  int64_t Duration, const std::string &Arguments = "") {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}.{:03}, "dur": {}.{:03}, "args": {{{}}}}})",
      Category, Name, Pid, Tid, Begin / 1000, Begin % 1000, Duration / 1000, Duration % 1000,
      Arguments);
}

Trace joined(const std::vector<std::string> &Events) {
  return traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")));
}

std::string correlation(int64_t Id) { return fmt::format("\"correlation\": {}", Id); }

std::string onDevice(int Device, int64_t Id) {
  return fmt::format("\"device\": {}, \"correlation\": {}", Device, Id);
}

TEST(Devices, IdleTimeHasItsReasons) {
  const Trace Source = joined({
      event("user_annotation", "window", 1, 1, 0, 1000),
      event("cpu_op", "aten::a", 1, 1, 10, 100),
      event("cuda_runtime", "cudaLaunchKernel", 1, 1, 20, 10, correlation(1)),
      event("kernel", "k", 0, 7, 100, 50, onDevice(0, 1)),           // from 100 to 150
      event("kernel", "k", 0, 8, 120, 80, onDevice(0, 9)),           // overlaps, to 200; no launch
      event("cuda_runtime", "cudaDeviceSynchronize", 1, 1, 180, 60), // waits 200 to 240
      event("cuda_runtime", "cudaLaunchKernel", 1, 1, 250, 30, correlation(2)),
      event("kernel", "l", 0, 7, 300, 100, onDevice(0, 2)),         // 300 to 400
      event("gpu_memcpy", "Memcpy", 0, 7, 450, 50, onDevice(0, 3)), // 450 to 500, no launch
  });
  const std::vector<Origin> Links = linkWork(Source);
  const std::vector<DeviceRow> Rows = deviceRows(Source, 1000, Links);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Kernels, 3u);
  EXPECT_EQ(Rows[0].KernelNs, 230);
  EXPECT_EQ(Rows[0].BusyNs, 250);
  EXPECT_EQ(Rows[0].IdleNs, 750);
  EXPECT_EQ(Rows[0].Idle.SyncNs, 40);
  EXPECT_EQ(Rows[0].Idle.HostNs, 40);    // 240 to 280
  EXPECT_EQ(Rows[0].Idle.LatencyNs, 20); // 280 to 300
  EXPECT_EQ(Rows[0].Idle.UnknownNs, 50);
  EXPECT_EQ(Rows[0].Idle.OutsideNs, 600);
  EXPECT_EQ(Rows[0].spanNs(), 400);      // 100 to 500
  EXPECT_EQ(Rows[0].FirstDelayNs, 70); // 30 to 100
  const LinkCounts Counts = countLinks(Source, Links);
  EXPECT_EQ(Counts.Kernels, 3u);
  EXPECT_EQ(Counts.Launched, 2u);
  EXPECT_EQ(Counts.Linked, 1u);
}

TEST(GpuKernels, IdleTimeIsOfTheWorkThatEndsIt) {
  const Trace Source = joined({
      event("user_annotation", "window", 1, 1, 0, 2000),
      event("cuda_runtime", "cudaLaunchKernel", 1, 1, 20, 10, correlation(1)),
      event("kernel", "k", 0, 7, 100, 50, onDevice(0, 1)),           // first: no gap; to 150
      event("cuda_runtime", "cudaDeviceSynchronize", 1, 1, 140, 60), // waits 150 to 200
      event("cuda_runtime", "cudaLaunchKernel", 1, 1, 210, 20, correlation(2)),
      event("kernel", "k", 0, 7, 270, 30, onDevice(0, 2)),  // 270 to 300
      event("kernel", "l", 0, 8, 280, 120, onDevice(0, 3)), // overlaps: no gap; to 400
      event("cuda_runtime", "cudaMemcpyAsync", 1, 1, 300, 10, correlation(4)),
      event("gpu_memcpy", "Memcpy", 0, 7, 450, 50, onDevice(0, 4)), // 450 to 500
      event("kernel", "l", 0, 8, 600, 100, onDevice(0, 5)),         // no launch
      event("kernel", "k", 1, 7, 900, 100, onDevice(1, 6)),         // another device's
  });
  const std::vector<Origin> Links = linkWork(Source);
  std::vector<IdleGap> Gaps;
  const std::vector<DeviceRow> Rows = deviceRows(Source, 2000, Links, &Gaps);
  const GpuKernels Kernels = gpuKernels(Source, Links, Gaps);
  ASSERT_EQ(Rows.size(), 2u);
  ASSERT_EQ(Kernels.size(), 3u);
  const auto Of = [&](std::string_view Name, int32_t Device) -> const GpuKernel & {
    return std::ranges::find_if(Kernels,
                                [&](const auto &Entry) {
                                  return Source.text(Entry.first.first) == Name &&
                                         Entry.first.second == Device;
                                })
        ->second;
  };
  const GpuKernel &K = Of("k", 0);
  EXPECT_EQ(K.Calls, 2u);
  EXPECT_EQ(K.Gap.SyncNs, 50);
  EXPECT_EQ(K.Gap.HostNs, 30);    // 200 to 230
  EXPECT_EQ(K.Gap.LatencyNs, 40); // 230 to 270
  EXPECT_EQ(K.Gap.UnknownNs, 0);
  EXPECT_EQ(K.MedianLatencyNs, 60); // of 80 and 60 the lower
  const GpuKernel &L = Of("l", 0);
  EXPECT_EQ(L.Gap.insideNs(), 100);
  EXPECT_EQ(L.Gap.UnknownNs, 100);
  EXPECT_FALSE(L.MedianLatencyNs);
  EXPECT_EQ(Rows[0].BeforeCopiesNs, 50);
  EXPECT_EQ(Rows[1].spanNs(), 100);
  EXPECT_FALSE(Rows[1].FirstDelayNs); // no launch
  EXPECT_EQ(Rows[0].IdleNs,
            K.Gap.insideNs() + L.Gap.insideNs() + Rows[0].BeforeCopiesNs + Rows[0].Idle.OutsideNs);
  EXPECT_EQ(Of("k", 1).Gap.insideNs(), 0);
}

TEST(GpuKernels, WhatAGraphLaunchesHasNoLatencyOfItsOwn) {
  const Trace Source = joined({
      event("cuda_runtime", "cudaGraphLaunch", 1, 1, 0, 10, correlation(1)),
      event("kernel", "k", 0, 7, 100, 50, onDevice(0, 1)),
      event("kernel", "k", 0, 7, 200, 50, onDevice(0, 1)),
      event("cuda_runtime", "cudaLaunchKernel", 1, 1, 290, 10, correlation(2)),
      event("kernel", "l", 0, 7, 305, 50, onDevice(0, 2)),
  });
  const GpuKernels Kernels = gpuKernels(Source, linkWork(Source), {});
  ASSERT_EQ(Kernels.size(), 2u);
  for (const auto &[Key, Kernel] : Kernels)
    EXPECT_EQ(Kernel.MedianLatencyNs,
              Source.text(Key.first) == "l" ? std::optional<int64_t>(15) : std::nullopt);
}

TEST(Devices, AKernelBelongsToTheInnermostOperatorOfItsThread) {
  const Trace Source = joined({
      event("kernel", "k", 0, 7, 500, 5, onDevice(0, 1)),
      event("cpu_op", "outer", 1, 1, 0, 100),
      event("cpu_op", "inner", 1, 1, 10, 20),
      event("cpu_op", "later", 1, 1, 40, 20),
      event("cpu_op", "elsewhere", 1, 2, 0, 100),
      event("cuda_runtime", "launch", 1, 1, 10, 20, correlation(1)), // as long as `inner`
  });
  const std::vector<Origin> Links = linkWork(Source);
  ASSERT_EQ(Links.size(), 1u);
  ASSERT_NE(Links[0].Operator, NoEvent);
  EXPECT_EQ(Source.text(Source.Sites[Source.Events.Site[Links[0].Operator]].Name), "inner");
}

TEST(OperatorTimes, SelfIsWithoutWhatIsDirectlyInside) {
  const Trace Source = joined({
      event("cpu_op", "a", 1, 1, 0, 100),
      event("cpu_op", "b", 1, 1, 10, 50),
      event("cpu_op", "c", 1, 1, 20, 10),
      event("cpu_op", "b", 1, 1, 60, 40), // touches both
      event("cpu_op", "a", 1, 2, 5, 7),
  });
  const std::vector<OperatorTimesRow> Rows = operatorTimes(Source, {});
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Source.text(Rows[0].Name), "b");
  EXPECT_EQ(Rows[0].SelfNs, 80);
  EXPECT_EQ(Source.text(Rows[1].Name), "a");
  EXPECT_EQ(Rows[1].Calls, 2u);
  EXPECT_EQ(Rows[1].TotalNs, 107);
  EXPECT_EQ(Rows[1].SelfNs, 17);
  EXPECT_EQ(Rows[2].SelfNs, 10);
}

/// Nested, overlapping, touching, empty, doubled and unsorted intervals on devices and streams.
TEST(Devices, PartsOfRandomTracesAddUp) {
  std::mt19937 Random(7);
  const auto Up = [&](unsigned Below) { return static_cast<int64_t>(Random() % Below); };
  for (int Round = 0; Round < 200; ++Round) {
    std::vector<std::string> Events;
    std::map<int, std::vector<std::pair<int64_t, int64_t>>> Work;
    const unsigned Span = Round % 2 ? 60 : 5000;
    for (int64_t I = Up(80) + 1; I > 0; --I) {
      const int Device = static_cast<int>(Up(3));
      const int64_t Begin = Up(Span), Duration = Up(3) ? Up(Span / 4) : 0;
      Work[Device].emplace_back(Begin, Begin + Duration);
      const bool Copy = Up(4) == 0;
      const std::string Name = fmt::format("k{}", Up(5));
      Events.push_back(event(Copy ? "gpu_memcpy" : "kernel", Name, Device, static_cast<int>(Up(4)),
                             Begin, Duration, onDevice(Device, Up(60))));
      if (Up(5) == 0)
        Events.push_back(Events.back()), Work[Device].push_back(Work[Device].back());
      Events.push_back(event("cuda_runtime", Up(4) ? "launch" : "cudaStreamSynchronize", 9, 1,
                             Up(Span), Up(40), correlation(Up(60))));
      Events.push_back(event("cpu_op", fmt::format("op{}", Up(4)), 9, 1, Up(Span), Up(200)));
    }
    std::ranges::shuffle(Events, Random);
    const Trace Source = joined(Events);
    const Statistics Numbers = computeStatistics(Source);
    const std::vector<Origin> Links = linkWork(Source);
    const std::vector<DeviceRow> Rows = deviceRows(Source, Numbers.WindowNs, Links);
    ASSERT_EQ(Rows.size(), Work.size());
    int64_t KernelNs = 0;
    for (const DeviceRow &Row : Rows) {
      // The union, moment by moment.
      int64_t Busy = 0;
      for (int64_t Now = 0; Now < 2 * Span; ++Now)
        Busy += std::ranges::any_of(Work[Row.Id], [&](const auto &Interval) {
          return Interval.first <= Now && Now < Interval.second;
        });
      EXPECT_EQ(Row.BusyNs, Busy);
      EXPECT_EQ(Row.BusyNs + Row.IdleNs, Numbers.WindowNs);
      const IdleReasons &Idle = Row.Idle;
      EXPECT_EQ(Idle.OutsideNs + Idle.SyncNs + Idle.HostNs + Idle.LatencyNs + Idle.UnknownNs,
                Row.IdleNs);
      for (const int64_t Part :
           {Idle.OutsideNs, Idle.SyncNs, Idle.HostNs, Idle.LatencyNs, Idle.UnknownNs})
        EXPECT_GE(Part, 0);
      KernelNs += Row.KernelNs;
    }
    int64_t OfRows = 0, Self = Numbers.UnattributedNs.value_or(0), OfCategories = 0, OfWork = 0;
    for (const KernelRow &Row : Numbers.Kernels) {
      OfRows += Row.Times.TotalNs;
      Self += Row.SelfNs.value_or(0);
    }
    for (const CategoryRow &Row : categoryRows(Source))
      OfCategories += Row.TotalNs;
    for (const Origin &Link : Links)
      OfWork += Source.Events.DurationNs[Link.Work];
    for (const std::string &Name : groupKeyNames()) {
      const Grouping Groups = groupBy(Source, Links, *groupKeyOf(Name));
      int64_t Sum = 0;
      uint64_t Calls = 0;
      for (const GroupRow &Row : Groups.Rows) {
        Sum += Row.TotalNs;
        Calls += Row.Calls;
        EXPECT_LE(Row.MinNs * static_cast<int64_t>(Row.Calls), Row.TotalNs);
        EXPECT_GE(Row.MaxNs * static_cast<int64_t>(Row.Calls), Row.TotalNs);
      }
      EXPECT_EQ(Sum, OfWork) << Name;
      EXPECT_EQ(Groups.SelfNs, OfWork) << Name;
      EXPECT_EQ(Calls, Links.size()) << Name;
    }
    EXPECT_EQ(OfRows, KernelNs);
    EXPECT_EQ(OfCategories, OfWork);
    EXPECT_EQ(Self, Numbers.WindowNs);
  }
}

} // namespace
} // namespace seamscope::tools
