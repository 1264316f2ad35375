//===- SourceLinesTest.cpp - time by line, and of functions that were inlined -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/SourceLines.h"
#include "TestFile.h"
#include "analysis/groups/InlinedFunctions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

using namespace seamscope::tools;

namespace {

std::string event(const char *Category, const char *Name, int Tid, int Begin, int Duration,
                  const char *Kernel, int Line, const std::string &More = "") {
  return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, )"
                     R"("dur": {}, "args": {{"kernel": "{}", "file": "f.c", "line": {}{}}}}},)",
                     Category, Name, Tid, Begin, Duration, Kernel, Line, More);
}

/// Two kernels that have a loop of line 9, on two threads; a barrier in one loop; a kernel without
/// loops inside a loop.
Trace someTrace() {
  std::string Text = "[";
  Text += event("cpu_op", "a", 1, 0, 100, "a", 3);
  Text += event("loop", "g [loop f.c:9]", 1, 10, 60, "a", 9,
                R"(, "inlined_from": "h at f.c:20:3\na at f.c:5:1")");
  Text += event("omp_wait", "barrier", 1, 20, 5, "a", 11, R"(, "construct": "barrier")");
  Text += event("cpu_op", "leaf", 1, 30, 15, "leaf", 40);
  Text +=
      event("loop", "h [loop f.c:21]", 1, 80, 10, "a", 21, R"(, "inlined_from": "a at f.c:5:1")");
  Text += event("cpu_op", "b", 2, 0, 50, "b", 50);
  Text +=
      event("loop", "g [loop f.c:9]", 2, 10, 30, "b", 9, R"(, "inlined_from": "b at f.c:51:1")");
  Text +=
      event("loop", "g [loop f.c:10]", 2, 15, 20, "b", 10, R"(, "inlined_from": "b at f.c:51:1")");
  Text.back() = ']';
  return traceOf(Text);
}

TEST(SourceLines, WithTheirWaitsAddUpToTheTimeOfTheOutermostCalls) {
  const Trace Input = someTrace();
  const Grouping Lines = groupByLine(Input, loopTree(Input, /*AllKernels=*/true));
  std::string Text;
  for (const GroupRow &Row : Lines.Rows)
    Text += fmt::format("{} {} {}{} [{}]\n", Row.Key, Row.Calls, Row.SelfNs / 1000,
                        Row.WaitNs ? fmt::format(" waits {}", Row.WaitNs / 1000) : "",
                        fmt::join(Row.Kernels, " "));
  // Line 9: 60 - 5 - 15 of the first thread, 30 - 20 of the second.
  EXPECT_EQ(Text, "f.c:9 2 50 [a b]\n"
                  "f.c:3 1 30 [a]\n"
                  "f.c:10 1 20 [b]\n"
                  "f.c:50 1 20 [b]\n"
                  "f.c:40 1 15 [leaf]\n"
                  "f.c:21 1 10 [a]\n"
                  "f.c:11 1 0 waits 5 [a]\n");
  EXPECT_EQ(Lines.SelfNs, 145000);
}

/// A line of a team whose region lies in the call that starts it, on the first thread.
TEST(SourceLines, CountAMomentOfAThreadOnce) {
  std::string Text = "[";
  Text += event("cpu_op", "k", 1, 0, 100, "k", 3);
  Text += event("omp_wait", "fork", 1, 10, 80, "k", 4, R"(, "construct": "parallel")");
  Text += event("omp_region", "r", 1, 20, 50, "k", 4, R"(, "thread": 0)");
  Text += event("omp_region", "r", 2, 25, 30, "k", 4, R"(, "thread": 1)");
  Text += event("omp_task", "t", 2, 30, 10, "t", 7);
  Text += event("omp_task", "t", 2, 60, 8, "t", 7); // behind the thread's own part
  Text += event("omp_wait", "w", 2, 62, 3, "t", 8, R"(, "construct": "taskwait")");
  Text.back() = ']';
  const Trace Input = traceOf(Text);
  std::string Shown;
  for (const auto &[Place, Time] : lineTimes(Input, loopTree(Input, /*AllKernels=*/true)))
    Shown += fmt::format("{}:{} {} waits {}\n", Input.text(Input.Sites[Place.Kernel].Name),
                         Place.Line, Time.SelfNs / 1000, Time.WaitNs / 1000);
  // 100 + 30 + 8 in all.
  EXPECT_EQ(Shown, "k:3 20 waits 0\n"
                   "k:4 70 waits 30\n"
                   "k:7 15 waits 0\n"
                   "k:8 0 waits 3\n");
}

TEST(InlinedFunctions, AreMadeOfTheirLoopsAndThoseOfWhatTheyCall) {
  const Trace Input = someTrace();
  std::string Text;
  for (const InlinedFunction &Row : inlinedFunctions(Input, loopTree(Input)))
    Text += fmt::format("{} {} {} {} [{}]\n", Row.Name, Row.Loops, Row.Calls, Row.TotalNs / 1000,
                        fmt::join(Row.Kernels, " "));
  // The loop of line 10 is in that of line 9.
  EXPECT_EQ(Text, "g 1 2 90 [a b]\n"
                  "h 2 2 70 [a]\n");
}

} // namespace
