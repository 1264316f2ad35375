//===- RanksTest.cpp - the processes of a run, one beside the other -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Ranks.h"
#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

/// Two processes with a kernel of one name, of two places in the second; a third is of no input.
Trace example() {
  return traceOf(R"([
    {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 7, "tid": 1, "ts": 0, "dur": 100},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 7, "tid": 1, "ts": 10, "dur": 30},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 7, "tid": 2, "ts": 20, "dur": 30},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 8, "tid": 1, "ts": 1000, "dur": 5},
    {"ph": "X", "cat": "kernel", "name": "other", "pid": 8, "tid": 1, "ts": 1010, "dur": 90},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 9, "tid": 1, "ts": 2000, "dur": 1}])");
}

TEST(Ranks, EachInputHasItsOwnWindow) {
  const Trace Whole = example();
  const RankReport Report = splitByRank(
      Whole, {{"rank 0", "a.json", 0, {"7"}}, {"rank 1", "b.json", 1, {"8"}}, {"x", "", {}, {}}});
  ASSERT_EQ(Report.Rows.size(), 3u);
  EXPECT_EQ(Report.Rows[0].Events, 3u);
  EXPECT_EQ(Report.Rows[0].WindowNs, 100000);
  EXPECT_EQ(Report.Rows[0].KernelCalls, 2u);
  EXPECT_EQ(Report.Rows[0].KernelNs, 40000); // the union, on two threads
  EXPECT_EQ(Report.Rows[0].UnattributedNs, 60000);
  EXPECT_EQ(Report.Rows[1].Events, 2u);
  EXPECT_EQ(Report.Rows[1].WindowNs, 100000);
  EXPECT_EQ(Report.Rows[1].KernelNs, 95000);
  EXPECT_EQ(Report.Rows[1].UnattributedNs, 5000);
  EXPECT_EQ(Report.Rows[2].Events, 0u);
  EXPECT_EQ(Report.Rows[2].WindowNs, 0);
}

TEST(Ranks, KernelsAreHeaviestFirstWithTheShareOfEach) {
  const Trace Whole = example();
  const RankReport Report =
      splitByRank(Whole, {{"rank 0", "a.json", 0, {"7"}}, {"rank 1", "b.json", 1, {"8"}}});
  ASSERT_EQ(Report.Kernels.size(), 2u);
  EXPECT_EQ(Whole.text(Report.Kernels[0].Name), "other");
  EXPECT_EQ(Report.Kernels[0].Shares[0].Calls, 0u);
  EXPECT_EQ(Report.Kernels[0].Shares[1].TotalNs, 90000);
  EXPECT_EQ(Whole.text(Report.Kernels[1].Name), "k");
  EXPECT_EQ(Report.Kernels[1].TotalNs, 65000);
  EXPECT_EQ(Report.Kernels[1].Shares[0].Calls, 2u);
  EXPECT_EQ(Report.Kernels[1].Shares[0].TotalNs, 60000);
  EXPECT_EQ(Report.Kernels[1].Shares[1].Calls, 1u);
}

TEST(Ranks, OneNameIsOneKernelWhereNoRankHasTwo) {
  // Two ranks generate a kernel of one name from other sources, as for other batches.
  const auto Named = [](const char *Name, int Pid, const char *File, int Begin) {
    return fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": {}, "tid": 1, )"
                       R"("ts": {}, "dur": 10, "args": {{"file": "{}", "line": 3}}}})",
                       Name, Pid, Begin, File);
  };
  const auto Kernel = [&](int Pid, const char *File, int Begin) {
    return Named("cpp_fused_add_0", Pid, File, Begin);
  };
  const std::vector<RankInput> Inputs = {{"rank 0", "a", 0, {"7"}}, {"rank 1", "b", 1, {"8"}}};
  const Trace Apart = traceOf(fmt::format("[{},{}]", Kernel(7, "a.cpp", 0), Kernel(8, "b.cpp", 0)));
  const RankReport Joined = splitByRank(Apart, Inputs);
  ASSERT_EQ(Joined.Kernels.size(), 1u);
  EXPECT_EQ(Joined.Kernels[0].Shares[0].Calls, 1u);
  EXPECT_EQ(Joined.Kernels[0].Shares[1].Calls, 1u);
  EXPECT_EQ(Joined.Kernels[0].TotalNs, 20000);
  EXPECT_EQ(Joined.Kernels[0].File, 0u);
  // Of one rank they are two.
  const Trace Both = traceOf(fmt::format("[{},{},{}]", Kernel(7, "a.cpp", 0), Kernel(8, "b.cpp", 0),
                                         Kernel(8, "a.cpp", 20)));
  EXPECT_EQ(splitByRank(Both, Inputs).Kernels.size(), 2u);
  // Two programs have functions of one name.
  const Trace Written =
      traceOf(fmt::format("[{},{}]", Named("main", 7, "a.cpp", 0), Named("main", 8, "b.cpp", 0)));
  const RankReport Programs = splitByRank(Written, Inputs);
  ASSERT_EQ(Programs.Kernels.size(), 2u);
  EXPECT_EQ(Programs.Kernels[0].Shares[1].Calls, 0u);
  EXPECT_EQ(Programs.Kernels[1].Shares[0].Calls, 0u);
}

TEST(Ranks, NothingOfNobody) {
  const RankReport Report = splitByRank(example(), {{"rank 0", "a.json", 0, {"1234"}}});
  EXPECT_EQ(Report.Rows[0].Events, 0u);
  EXPECT_TRUE(Report.Kernels.empty());
}

} // namespace
} // namespace seamscope::tools
