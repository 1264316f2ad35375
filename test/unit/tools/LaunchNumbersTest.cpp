//===- LaunchNumbersTest.cpp - which launch a number means --------------------- -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TraceLines.h"
#include "analysis/devices/OperatorTimes.h"

#include <gtest/gtest.h>

#include <array>

namespace seamscope::tools {
namespace {

TEST(LaunchNumbers, MergedTracesKeepTheirNumbersApart) {
  // As sglang's merger writes pids; each launches other work under the same numbers.
  TraceLines All;
  for (const char *const Rank : {"TP00", "TP01"}) {
    const std::string Host = fmt::format("\"[{}] 100\"", Rank);
    const std::string Device = fmt::format("\"[{}] 0\"", Rank);
    const bool First = std::string_view(Rank) == "TP00";
    for (int I = 0; I < 2; ++I) {
      const std::string Id = fmt::format("\"correlation\": {}", I + 1);
      const bool IsMm = (I == 0) == First;
      All.add("cpu_op", IsMm ? "aten::mm" : "aten::add", Host, 1, 1000 + 20 * I, 12);
      All.add("cuda_runtime", "cudaLaunchKernel", Host, 1, 1004 + 20 * I, 6, Id);
      All.add("kernel", IsMm ? "mm" : "add", Device, 7, 1100 + 200 * I, IsMm ? 10 : 100,
              Id + fmt::format(", \"device\": {}", First ? 0 : 1));
    }
  }
  const Trace Source = All.read();
  EXPECT_EQ(namesOf(Source), "");
  for (const OperatorTimesRow &Row : operatorTimes(Source, linkWork(Source)))
    EXPECT_EQ(Row.DeviceNs, Source.text(Row.Name) == "aten::mm" ? 20000 : 200000);
}

/// Two ranks in one file that launch other work under the same numbers, on a device 0 each.
Trace mergedTrace(const std::array<const char *, 2> &Hosts,
                  const std::array<const char *, 2> &Devices) {
  TraceLines All;
  for (size_t Rank = 0; Rank < 2; ++Rank)
    for (int I = 0; I < 2; ++I) {
      const std::string Id = fmt::format("\"correlation\": {}", I + 1);
      const bool IsMm = (I == 0) == (Rank == 0);
      All.add("cpu_op", IsMm ? "aten::mm" : "aten::add", Hosts[Rank], 1, 1000 + 20 * I, 12);
      All.add("cuda_runtime", "cudaLaunchKernel", Hosts[Rank], 1, 1004 + 20 * I, 6, Id);
      All.add("kernel", IsMm ? "mm" : "add", Devices[Rank], 7, 1100 + 200 * I, IsMm ? 10 : 100,
              Id + R"(, "device": 0, "stream": 7)");
    }
  return All.read();
}

TEST(LaunchNumbers, DevicesOfMergedTracesAreTheirOwn) {
  using Names = std::array<const char *, 2>;
  const std::pair<Names, Names> Writers[] = {
      {{R"("[TP00] 100")", R"("[TP01] 100")"}, {R"("[TP00] 0")", R"("[TP01] 0")"}},
      {{R"("rank0_4711")", R"("rank1_4711")"}, {R"("rank0_0")", R"("rank1_0")"}},
      {{R"x("4711 (rank 0)")x", R"x("4712 (rank 1)")x"},
       {R"x("0 (rank 0)")x", R"x("0 (rank 1)")x"}}};
  for (const auto &[Hosts, Devices] : Writers) {
    const Trace Source = mergedTrace(Hosts, Devices);
    EXPECT_EQ(namesOf(Source), "") << Hosts[0];
    const std::vector<DeviceRow> Rows = rowsOf(Source);
    ASSERT_EQ(Rows.size(), 2u) << Hosts[0];
    for (const DeviceRow &Row : Rows)
      EXPECT_EQ(Row.BusyNs, 110000) << Hosts[0];
    for (const OperatorTimesRow &Row : operatorTimes(Source, linkWork(Source)))
      EXPECT_EQ(Row.DeviceNs, Source.text(Row.Name) == "aten::mm" ? 20000 : 200000) << Hosts[0];
  }
}

TEST(LaunchNumbers, ANumberOfSeveralLaunchesLinksNothing) {
  // Nothing tells which kernel is whose.
  const Trace Merged = mergedTrace({"100", "101"}, {"0", "1"});
  EXPECT_EQ(namesOf(Merged), "ambiguous-launches 4");
  for (const OperatorTimesRow &Row : operatorTimes(Merged, linkWork(Merged)))
    EXPECT_EQ(Row.DeviceNs, 0);
  // Some writers give all events one number.
  TraceLines Constant;
  for (int I = 0; I < 3; ++I)
    Constant.launch(7, 1000 + 100 * I).kernel(7, 1050 + 100 * I);
  EXPECT_EQ(namesOf(Constant.read()), "ambiguous-launches 3");
  // The driver's call inside the runtime's has its number, and a graph's kernels have one.
  const Trace Nested =
      TraceLines()
          .launch(7, 1000)
          .add("cuda_driver", "cuLaunchKernel", "10", 10, 1006, 2, "\"correlation\": 7")
          .kernel(7, 1050)
          .kernel(7, 1060)
          .read();
  EXPECT_EQ(namesOf(Nested), "");
  for (const Origin &Link : linkWork(Nested))
    EXPECT_NE(Link.Launch, NoEvent);
}

TEST(LaunchNumbers, NumbersThatSayNothingLinkNothing) {
  for (const int64_t Id : {0, -1}) {
    TraceLines All;
    for (int I = 0; I < 3; ++I)
      All.launch(Id, 1000 + 100 * I).kernel(Id, 1050 + 100 * I);
    const Trace Source = All.read();
    for (const Origin &Link : linkWork(Source))
      EXPECT_EQ(Link.Launch, NoEvent) << Id;
    EXPECT_GT(rowsOf(Source)[0].Idle.UnknownNs, 0) << Id;
  }
}

TEST(LaunchNumbers, NumbersMayBeTextOrHaveAFraction) {
  for (const char *const Written : {"7", "\"7\"", "7.0", "\"7.0\"", "7.000"}) {
    const std::string Id = fmt::format("\"correlation\": {}", Written);
    const std::string Pid = Written[0] == '"' ? "\"7\"" : Written; // other words are names
    const Trace Source =
        TraceLines()
            .add("cpu_op", "aten::mm", Pid, 10, 1000, 12)
            .add("cuda_runtime", "cudaLaunchKernel", "7", 10, 1004, 6, Id)
            .add("kernel", "k", "0", 7, 1015, 5, Id + fmt::format(", \"device\": {}", Written))
            .read();
    const std::vector<Origin> Links = linkWork(Source);
    ASSERT_EQ(Links.size(), 1u);
    EXPECT_NE(Links[0].Operator, NoEvent) << Written;
    EXPECT_EQ(rowsOf(Source)[0].Id, 7) << Written;
  }
}

TEST(LaunchNumbers, APrefixOfAnotherSortSeparatesNothing) {
  const Trace Source =
      TraceLines()
          .add("cuda_runtime", "cudaLaunchKernel", "\"[CPU] 1\"", 1, 1000, 5, "\"correlation\": 1")
          .add("kernel", "k", "\"[GPU] 0\"", 7, 1010, 5, "\"device\": 0, \"correlation\": 1")
          .read();
  EXPECT_EQ(namesOf(Source), "");
  EXPECT_NE(linkWork(Source)[0].Launch, NoEvent);
}

} // namespace
} // namespace seamscope::tools
