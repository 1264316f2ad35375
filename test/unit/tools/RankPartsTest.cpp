//===- RankPartsTest.cpp - what each rank did in its wall time -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/RankParts.h"
#include "TestFile.h"

#include <string>
#include <vector>

namespace seamscope::tools {
namespace {

/// On the device of a rank, which is its process.
std::string onDevice(const char *Category, const char *Name, int Rank, int64_t Begin,
                     int64_t Duration, const std::string &More = "") {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": 7, "ts": {}, "dur": {}, "args": {{"device": {}{}}}}})",
      Category, Name, Rank, Begin, Duration, Rank, More);
}

std::string reduce(int Rank, int64_t Begin, int64_t Duration, const char *Group = "0") {
  return onDevice(
      "kernel", "ncclDevKernel_AllReduce(x)", Rank, Begin, Duration,
      fmt::format(
          R"(, "Collective name": "allreduce", "Process Group Name": "{}", "Group size": 2)",
          Group));
}

RanksParts partsOf(const std::vector<std::string> &Events, const std::string &NotAligned = "") {
  const Trace Whole = traceOf(fmt::format(R"({{"traceEvents": [{}]}})", fmt::join(Events, ",\n")),
                              {.Collectives = true});
  RankReport Ranks = splitByRank(Whole, {{"rank 0", "a", 0, {"0"}}, {"rank 1", "b", 1, {"1"}}});
  Ranks.NotAligned = NotAligned;
  const std::vector<Collective> Found = findCollectives(Whole, linkWork(Whole));
  RanksParts Result = partsOfRanks(Whole, Ranks, Found, matchCollectives(Whole, Ranks, Found));
  for (size_t I = 0; I < Result.Rows.size(); ++I)
    if (const auto &Row = Result.Rows[I]) {
      EXPECT_EQ(Row->ComputeNs + Row->CommunicationNs + Row->WaitNs + Row->CopyNs + Row->CompileNs +
                    Row->RestNs,
                Ranks.Rows[I].WindowNs);
    }
  return Result;
}

const std::vector<std::string> Both = {
    onDevice("kernel", "gemm", 0, 1000, 100),
    reduce(0, 1050, 250),                        // hidden to 1100, waits to 1200
    onDevice("gpu_memcpy", "copy", 0, 1290, 30), // from 1300 alone
    reduce(0, 1150, 10, "of others"),            // transfers while the other waits
    onDevice("gpu_memset", "fill", 0, 1400, 20), // behind a gap
    onDevice("kernel", "gemm", 1, 1000, 200),
    reduce(1, 1200, 100),
};

TEST(RankParts, EachMomentIsInOnePart) {
  const RanksParts Result = partsOf(Both);
  EXPECT_TRUE(Result.OfDevices);
  EXPECT_EQ(Result.Rows[0]->ComputeNs, 100'000);
  EXPECT_EQ(Result.Rows[0]->CommunicationNs, 100'000 + 10'000);
  EXPECT_EQ(Result.Rows[0]->WaitNs, 90'000);
  EXPECT_EQ(Result.Rows[0]->CopyNs, 20'000 + 20'000);
  EXPECT_EQ(Result.Rows[0]->RestNs, 80'000);
  EXPECT_EQ(Result.Rows[1]->ComputeNs, 200'000);
  EXPECT_EQ(Result.Rows[1]->CommunicationNs, 100'000);
  EXPECT_EQ(Result.Rows[1]->WaitNs, 0);
}

TEST(RankParts, WhatTorchCompilesComputesNothing) {
  const auto OnHost = [](const char *Category, const char *Name, int64_t Begin, int64_t Duration) {
    return fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "tid": 1, "ts": {}, "dur": {}}})",
        Category, Name, Begin, Duration);
  };
  // Operators on tensors without data, and one after it.
  const RanksParts Result =
      partsOf({OnHost("user_annotation", "seamscope.compile", 1000, 300),
               OnHost("cpu_op", "aten::mm", 1050, 100), OnHost("cpu_op", "aten::mm", 1400, 50)});
  ASSERT_TRUE(Result.Rows[0]);
  EXPECT_EQ(Result.Rows[0]->ComputeNs, 50'000);
  EXPECT_EQ(Result.Rows[0]->CompileNs, 300'000);
  EXPECT_EQ(Result.Rows[0]->RestNs, 100'000);
}

TEST(RankParts, WithoutOneClockWaitingIsCommunication) {
  const RanksParts Result = partsOf(Both, "the clocks differ");
  EXPECT_EQ(Result.Rows[0]->CommunicationNs, 200'000);
  EXPECT_EQ(Result.Rows[0]->WaitNs, 0);
}

TEST(RankParts, OfARankWithoutADeviceNothingIsKnown) {
  std::vector<std::string> Events = {onDevice("kernel", "gemm", 0, 1000, 100),
                                     eventText("cpu_op", "aten::mm", 1, 1000, 50)};
  EXPECT_TRUE(partsOf(Events).Rows[0].has_value());
  EXPECT_FALSE(partsOf(Events).Rows[1].has_value());
  // Where nobody has one the host's operators count.
  Events[0] = eventText("cpu_op", "c10d::allreduce_", 1, 1040, 30);
  const RanksParts Result = partsOf(Events);
  EXPECT_FALSE(Result.OfDevices);
  EXPECT_FALSE(Result.Rows[0].has_value());
  EXPECT_EQ(Result.Rows[1]->ComputeNs, 40'000);
  EXPECT_EQ(Result.Rows[1]->RestNs, 30'000);
}

} // namespace
} // namespace seamscope::tools
