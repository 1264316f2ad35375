//===- OffTimeTest.cpp - blocked time is no work in any view --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SampledTrace.h"
#include "analysis/compare/Diff.h"
#include "analysis/compare/EagerRows.h"
#include "analysis/core/LoopTree.h"
#include "analysis/groups/GroupBy.h"
#include "analysis/groups/Modules.h"
#include "analysis/groups/SourceLines.h"
#include "report/render/Stacks.h"
#include "report/sections/Stacks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

using namespace seamscope::tools;

namespace {

/// A worker sleeps for \p SleepUs in its loop, then works for 20 us; the main thread works before.
Sampled pool(int SleepUs) {
  Sampled All({call("serial", 1, 0, 30), call("loop", 2, 0, SleepUs + 20)}, {"1", "2"},
              SleepUs + 20);
  All.off("2", 0, SleepUs);
  return All;
}

TEST(Diff, WaitingLongerIsNotSlower) {
  const Sampled A = pool(40), B = pool(90);
  const Difference Result = difference(A.Of, B.Of);
  std::map<std::string, std::string> Rows;
  for (const DiffRow &Row : Result.Rows)
    Rows[Row.Key] =
        fmt::format("{} {} {}", Row.FirstNs / Us, Row.SecondNs / Us, diffMatchName(Row.Match));
  // After its call the main thread runs in no kernel.
  EXPECT_EQ(Rows["loop"], "20 20 kernel");
  EXPECT_EQ(Rows["serial"], "30 30 kernel");
  EXPECT_EQ(Rows["[unattributed]"], "10 60 unattributed");
}

TEST(Diff, NobodyRunsWhileAllAreBlocked) {
  Sampled A = pool(40), B = pool(90);
  for (const auto &[Of, Until] : {std::pair(&A, 60), {&B, 110}}) {
    Of->Of.OffCpu = {};
    Of->off("1", 30, Until);
    Of->off("2", 0, Until - 20);
  }
  const Difference Result = difference(A.Of, B.Of);
  const auto Row = std::ranges::find(Result.Rows, "[blocked]", &DiffRow::Key);
  ASSERT_NE(Row, Result.Rows.end());
  EXPECT_EQ(
      fmt::format("{} {} {}", Row->FirstNs / Us, Row->SecondNs / Us, diffMatchName(Row->Match)),
      "10 60 blocked");
}

TEST(Diff, RowsAreThoseOfBothReports) {
  const auto Make = [](int Samples) {
    Sampled All({call("search", 1, 0, 1000), call("dist", 1, 10, 1), call("dist", 1, 500, 1)},
                {"1"}, 1000, ThrottledDist);
    All.off("1", 600, 900);
    for (int I = 0; I < 20; ++I)
      All.sample("1", 20 + I, I < Samples ? "dist" : "search");
    return All;
  };
  const Sampled A = Make(6), B = Make(13);
  const Difference Result = difference(A.Of, B.Of, {}, {}, &A.Names, &B.Names);
  const Statistics First = A.numbers(), Second = B.numbers();
  size_t Seen = 0;
  for (size_t I = 0; I < First.Kernels.size(); ++I)
    for (const DiffRow &Row : Result.Rows)
      if (Row.Key == A.Of.text(A.Of.Sites[First.Kernels[I].Site].Name)) {
        EXPECT_EQ(Row.FirstNs, First.Kernels[I].SelfNs) << Row.Key;
        EXPECT_EQ(Row.SecondNs, Second.Kernels[I].SelfNs) << Row.Key;
        ++Seen;
      }
  EXPECT_EQ(Seen, 2U);
  EXPECT_NE(First.Kernels[0].SelfNs, Second.Kernels[0].SelfNs);
}

TEST(Diff, WaitingIsAPlaceOfItsOwn) {
  const auto Make = [](int Off) {
    Sampled All({call("k", 1, 0, 200),
                 R"({"ph": "X", "cat": "loop", "name": "k [loop f.c:3]", "pid": 1, "tid": 1,)"
                 R"("ts": 10, "dur": 180, "args": {"kernel": "k", "file": "f.c", "line": 3}})"},
                {"1"}, 200);
    All.off("1", 20, 20 + Off);
    All.off("1", 150, 155, OffKind::Preempted);
    return All;
  };
  const Sampled A = Make(40), B = Make(100);
  std::string Text;
  for (const PlaceDiffRow &Row : difference(A.Of, B.Of).Places)
    Text += fmt::format("{}{} {}/{} {}/{}\n", Row.Depth, placeKindName(Row.Kind), Row.First.Ns / Us,
                        Row.First.SelfNs.value_or(-Us) / Us, Row.Second.Ns / Us,
                        Row.Second.SelfNs.value_or(-Us) / Us);
  EXPECT_EQ(Text, "0kernel 155/20 95/20\n"
                  "1loop 135/135 75/75\n"
                  "2blocked 40/40 100/100\n"
                  "2preempted 5/5 5/5\n");
  // A trace without switches cannot be compared so.
  Sampled Plain = Make(40);
  Plain.Of.SampledSpans.clear();
  Plain.Of.OffCpu = {};
  const Difference Mixed = difference(Plain.Of, B.Of);
  EXPECT_FALSE(Mixed.HasSwitches);
  for (const DiffRow &Row : Mixed.Rows)
    EXPECT_EQ(Row.deltaNs(), 0) << Row.Key;
  for (const PlaceDiffRow &Row : Mixed.Places)
    EXPECT_EQ(Row.deltaNs(), 0) << Row.Name;
}

TEST(Baseline, EagerRowsKnowHowLongTheyWaited) {
  Sampled All({call("aten::add", 1, 0, 100), call("aten::add", 2, 0, 50)}, {"1"}, 100);
  All.off("1", 10, 30);
  All.off("1", 40, 45, OffKind::Preempted);
  const std::vector<EagerRow> Rows = eagerRows(All.Of);
  ASSERT_EQ(Rows.size(), 1U);
  EXPECT_EQ(Rows[0].TotalNs, 150 * Us);
  EXPECT_EQ(Rows[0].OffNs, 25 * Us);
}

TEST(Groups, BlockedTimeIsNotSelfTime) {
  Sampled All({call("k", 1, 0, 100), call("k", 2, 0, 100), call("k", 3, 0, 10)}, {"1", "2"}, 100);
  All.off("1", 10, 50);
  All.off("2", 90, 95, OffKind::Preempted);
  const Grouping Groups = groupBy(All.Of, {}, GroupKey::Kernel);
  ASSERT_EQ(Groups.Rows.size(), 1U);
  const GroupRow &Row = Groups.Rows[0];
  EXPECT_EQ(fmt::format("{} {} {} {}", Row.TotalNs / Us, Row.SelfNs / Us, Row.WaitNs / Us,
                        Row.PreemptedNs / Us),
            "210 165 40 5");
  EXPECT_EQ(Groups.SelfNs, Row.SelfNs);
}

TEST(Groups, LinesAddUpWithTheirWaits) {
  Sampled All({call("k", 1, 0, 200, R"(, "file": "f.c", "line": 1)"),
               R"({"ph": "X", "cat": "loop", "name": "k [loop f.c:3]", "pid": 1, "tid": 1,)"
               R"("ts": 10, "dur": 180, "args": {"kernel": "k", "file": "f.c", "line": 3}})"},
              {"1"}, 200);
  All.off("1", 20, 60);
  All.off("1", 150, 155, OffKind::Preempted);
  const Grouping Groups = groupByLine(All.Of, loopTree(All.Of, /*AllKernels=*/true));
  std::string Text;
  for (const GroupRow &Row : Groups.Rows)
    Text += fmt::format("{} {} {} {}\n", Row.Key, Row.SelfNs / Us, Row.WaitNs / Us,
                        Row.PreemptedNs / Us);
  EXPECT_EQ(Text, "f.c:3 135 40 5\nf.c:1 20 0 0\n");
}

TEST(NestedTimes, BlockedTimeIsNotTheCallsOwn) {
  Sampled All({call("outer", 1, 0, 100), call("inner", 1, 10, 50)}, {"1"}, 100);
  All.off("1", 5, 20);
  All.off("1", 70, 75, OffKind::Preempted);
  const std::string Text = rendered(renderFolded, stackCalls(All.Of));
  EXPECT_EQ(Text, "thread 1;outer 40000\n"
                  "thread 1;outer;[blocked] 5000\n"
                  "thread 1;outer;[preempted] 5000\n"
                  "thread 1;outer;inner 40000\n"
                  "thread 1;outer;inner;[blocked] 10000\n");
}

TEST(Modules, BlockedThreadsDoNotWorkForThem) {
  Sampled All({R"({"ph": "X", "cat": "python_function", "name": "nn.Module: Net_0", "pid": 1,)"
               R"("tid": 1, "ts": 0, "dur": 100})",
               call("aten::mm", 1, 10, 50)},
              {"1"}, 100);
  All.off("1", 20, 50);
  const Directions Parts(All.Of);
  const ModulePaths Paths(All.Of, Parts, ModuleNames::Instances);
  const ModuleTimes Times = moduleTimes(All.Of, {}, Paths, Parts);
  EXPECT_EQ(Times.Rows[0].Total.HostNs, 70 * Us);
  EXPECT_EQ(Times.Rows[0].Total.HostOffNs, 30 * Us);
}

} // namespace
