//===- TeamWaitsTest.cpp - what the threads of a region did -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFile.h"
#include "analysis/core/Statistics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace seamscope::tools;

namespace {

/// An event of thread \p Tid; times in us.
std::string event(const char *Category, const char *Name, int Tid, int Begin, int Duration,
                  const std::string &More = "") {
  return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, )"
                     R"("dur": {}, "args": {{"kernel": "k"{}}}}})",
                     Category, Name, Tid, Begin, Duration, More);
}
std::string part(int Tid, int Begin, int Duration, int Thread, const char *Name = "r") {
  return event("omp_region", Name, Tid, Begin, Duration, fmt::format(R"(, "thread": {})", Thread));
}
std::string wait(const char *Construct, int Tid, int Begin, int Duration) {
  return event("omp_wait", Construct, Tid, Begin, Duration,
               fmt::format(R"(, "construct": "{}")", Construct));
}
std::string task(int Tid, int Begin, int Duration) {
  return event("omp_task", "t", Tid, Begin, Duration);
}

/// "thread", or "team.thread" if the region has several teams.
std::string shownThread(const ThreadShare &Share) {
  std::string Team;
  if (Share.Team != TeamThread::OneTeam)
    Team = Share.Team < 0 ? "?." : fmt::format("{}.", Share.Team);
  return Team + fmt::to_string(Share.Thread.value_or(-1));
}

/// "name calls us [thread:us ...]"
std::string shown(const Trace &Input, const std::string &Name, const PlaceRow &Row) {
  std::string Text = fmt::format(
      "{} {} {} [", Name.empty() ? Input.text(Input.Sites[Row.Site].Name) : std::string_view(Name),
      Row.Calls, Row.TotalNs / 1000);
  for (const ThreadShare &Share : Row.Threads)
    Text += fmt::format(" {}:{}", shownThread(Share), (Share.WaitNs + Share.BusyNs) / 1000);
  return Text + " ]\n";
}

std::string shown(const std::vector<std::string> &Events, const std::string &Throttled = "") {
  const Trace Input = traceOf(fmt::format(
      R"({{"seamscope": {{"version": "1", "format": 1, "mode": "trace", "throttled": [{}]}}, )"
      R"("traceEvents": [{}]}})",
      Throttled, fmt::join(Events, ",\n")));
  const Statistics Numbers = computeStatistics(Input);
  std::string Text;
  for (const KernelRow &Kernel : Numbers.Kernels)
    for (const RegionRow &Region : Kernel.Regions) {
      Text += fmt::format("{} total {} wait {}", Input.text(Input.Sites[Region.Site].Name),
                          Region.TotalNs / 1000, Region.WaitNs / 1000);
      for (const ThreadShare &Share : Region.Threads)
        Text +=
            fmt::format(" {}:{}+{}", shownThread(Share), Share.BusyNs / 1000, Share.WaitNs / 1000);
      Text += Region.Imbalance ? "\n" : " imbalance unknown\n";
      for (const PlaceRow &Row : Region.Waits)
        Text += shown(Input, "", Row);
      for (const PlaceRow &Row : Region.Tasks)
        Text += shown(Input, "", Row);
      if (Region.Fork.Calls)
        Text += shown(Input, "fork", Region.Fork) + shown(Input, "join", Region.Join);
      if (Region.Ambiguous)
        Text += fmt::format("ambiguous {}\n", Region.Ambiguous);
    }
  return Text;
}

TEST(TeamWaits, WaitsAreNoWork) {
  EXPECT_EQ(shown({event("cpu_op", "k", 1, 0, 120), wait("parallel", 1, 5, 110),
                   part(1, 10, 100, 0), wait("barrier", 1, 30, 50), wait("critical", 1, 90, 1),
                   part(2, 20, 95, 1), wait("barrier", 2, 79, 1), wait("critical", 2, 81, 9)}),
            "r total 195 wait 61 0:49+51 1:85+10\n"
            "barrier 2 51 [ 0:50 1:1 ]\n"
            "critical 2 10 [ 0:1 1:9 ]\n"
            "fork 2 20 [ 0:5 1:15 ]\n"
            "join 2 5 [ 0:5 1:0 ]\n");
}

/// Of thread \p Tid, from the beginning on.
std::string throttled(const char *Construct, int Tid, int Timed, int Untimed) {
  return fmt::format(R"({{"cat": "omp_wait", "name": "{0}", "pid": 1, "tid": {1}, "ts": 0, )"
                     R"("every": 10, "timed": {2}, "untimed": {3}, )"
                     R"("args": {{"kernel": "k", "construct": "{0}"}}}})",
                     Construct, Tid, Timed, Untimed);
}

TEST(TeamWaits, WaitsThatWereNotTimedAreWhereTimedOnesAre) {
  // One of three in the first region, two in the second.
  EXPECT_EQ(
      shown({event("cpu_op", "k", 1, 0, 400), part(1, 10, 100, 0), wait("critical", 1, 20, 4),
             part(1, 200, 100, 0, "s"), wait("critical", 1, 220, 1), wait("critical", 1, 230, 3)},
            throttled("critical", 1, 3, 30)),
      "r total 100 wait 44 0:56+44\n"
      "critical 11 44 [ 0:44 ]\n"
      "s total 100 wait 44 0:56+44\n"
      "critical 22 44 [ 0:44 ]\n");
  // No more than there is.
  EXPECT_EQ(shown({event("cpu_op", "k", 1, 0, 400), part(1, 10, 100, 0), wait("critical", 1, 20, 4),
                   wait("barrier", 1, 60, 50)},
                  throttled("critical", 1, 1, 30)),
            "r total 100 wait 100 0:0+100 imbalance unknown\n"
            "critical 31 50 [ 0:50 ]\n"
            "barrier 1 50 [ 0:50 ]\n");
}

TEST(TeamWaits, TasksAreWorkWhereverTheyRun) {
  // In a barrier, with a wait and a task of its own in it, and after the end of the thread's part.
  EXPECT_EQ(shown({wait("parallel", 1, 0, 200), part(1, 10, 100, 0), wait("barrier", 1, 20, 80),
                   task(1, 30, 40), wait("taskwait", 1, 40, 20), task(1, 45, 5), part(2, 10, 50, 1),
                   task(2, 70, 100), wait("critical", 2, 80, 10)}),
            "r total 250 wait 65 0:45+55 1:140+10\n"
            "barrier 1 40 [ 0:40 ]\n"
            "taskwait 1 15 [ 0:15 ]\n"
            "critical 1 10 [ 1:10 ]\n"
            "t 3 115 [ 0:25 1:90 ]\n"
            "fork 2 20 [ 0:10 1:10 ]\n"
            "join 2 130 [ 0:90 1:40 ]\n");
}

TEST(TeamWaits, TasksOfACalledFunctionRunInTheJoin) {
  // Thread 0 makes tasks in a function with a row of its own; both threads run them after their
  // parts. The last one waits, and runs another one meanwhile. Then thread 0 goes on alone.
  const auto Task = [](int Tid, int Begin, int Duration) {
    return fmt::format(R"({{"ph": "X", "cat": "omp_task", "name": "t", "pid": 1, "tid": {}, )"
                       R"("ts": {}, "dur": {}, "args": {{"kernel": "callee"}}}})",
                       Tid, Begin, Duration);
  };
  EXPECT_EQ(shown({event("cpu_op", "k", 1, 0, 250), wait("parallel", 1, 0, 200), part(1, 10, 10, 0),
                   Task(1, 30, 70), event("cpu_op", "callee", 1, 30, 70), part(2, 10, 5, 1),
                   Task(2, 30, 100), wait("taskwait", 2, 40, 30), Task(2, 50, 10), Task(1, 210, 5),
                   event("cpu_op", "callee", 1, 220, 5), Task(2, 210, 5)}),
            "r total 185 wait 20 0:80+0 1:85+20\n"
            "taskwait 1 20 [ 1:20 ]\n"
            "t 3 150 [ 0:70 1:80 ]\n"
            "fork 2 20 [ 0:10 1:10 ]\n"
            "join 2 195 [ 0:110 1:85 ]\n");
}

TEST(TeamWaits, WorkOfTasksThatAreNotTimedIsWork) {
  // A kernel with another one and a loop, in a barrier and in the join.
  EXPECT_EQ(shown({wait("parallel", 1, 0, 200), part(1, 10, 100, 0), wait("barrier", 1, 20, 80),
                   event("cpu_op", "callee", 1, 30, 40), event("cpu_op", "inner", 1, 40, 10),
                   event("loop", "l", 1, 120, 30), part(2, 10, 50, 1),
                   event("cpu_op", "callee", 2, 70, 100), event("loop", "l", 2, 80, 10)}),
            "r total 280 wait 40 0:90+40 1:150+0\n"
            "barrier 1 40 [ 0:40 ]\n"
            "fork 2 20 [ 0:10 1:10 ]\n"
            "join 2 100 [ 0:60 1:40 ]\n");
}

TEST(TeamWaits, ATaskAfterANestedRegionInTheJoinIsOfTheOuterOne) {
  EXPECT_EQ(
      shown({wait("parallel", 1, 0, 200), part(1, 10, 10, 0), part(2, 10, 10, 1), task(2, 40, 50),
             wait("parallel", 2, 50, 30), part(2, 55, 20, 0, "inner"), task(2, 100, 60)}),
      "r total 130 wait 0 0:10+0 1:120+0\n"
      "t 2 110 [ 1:110 ]\n"
      "fork 2 20 [ 0:10 1:10 ]\n"
      "join 2 250 [ 0:180 1:70 ]\n"
      "inner total 20 wait 0 0:20+0\n"
      "fork 1 5 [ 0:5 ]\n"
      "join 1 5 [ 0:5 ]\n");
}

TEST(TeamWaits, ARegionInAWaitIsWork) {
  EXPECT_EQ(shown({part(1, 0, 100, 0), wait("barrier", 1, 10, 80), part(1, 20, 30, 0, "inner")}),
            "r total 100 wait 50 0:50+50\n"
            "barrier 1 50 [ 0:50 ]\n"
            "inner total 30 wait 0 0:30+0\n");
}

TEST(TeamWaits, TeamsThatOverlapLeaveTheirWorkersUnknown) {
  EXPECT_EQ(shown({wait("parallel", 1, 0, 100), part(1, 10, 80, 0), wait("parallel", 2, 5, 100),
                   part(2, 10, 80, 0), part(3, 20, 50, 1), part(4, 30, 2, 1)}),
            "r total 212 wait 0 ?.1:52+0 0.0:80+0 1.0:80+0 imbalance unknown\n"
            "fork 2 15 [ 0.0:10 1.0:5 ]\n"
            "join 2 25 [ 0.0:10 1.0:15 ]\n"
            "ambiguous 2\n");
}

TEST(TeamWaits, TheThreadsOfATeamHaveDifferentNumbers) {
  // Thread 4 can only be of the second team: thread 3 is of the first.
  EXPECT_EQ(shown({wait("parallel", 1, 0, 100), part(1, 10, 80, 0), wait("parallel", 2, 5, 100),
                   part(2, 10, 80, 0), part(3, 20, 50, 1), part(4, 101, 2, 1)}),
            "r total 212 wait 0 0.0:80+0 0.1:50+0 1.0:80+0 1.1:2+0\n"
            "fork 4 131 [ 0.0:10 0.1:20 1.0:5 1.1:96 ]\n"
            "join 4 57 [ 0.0:10 0.1:30 1.0:15 1.1:2 ]\n");
}

TEST(TeamWaits, AWorkerStaysWithTheThreadThatItWorksFor) {
  // In the second calls only that says whose the workers are.
  EXPECT_EQ(shown({wait("parallel", 1, 0, 50), part(1, 0, 50, 0), part(3, 1, 40, 1),
                   wait("parallel", 2, 20, 50), part(2, 20, 50, 0), part(4, 60, 5, 1),
                   wait("parallel", 1, 100, 50), part(1, 100, 50, 0), part(3, 110, 10, 1),
                   wait("parallel", 2, 100, 50), part(2, 100, 50, 0), part(4, 110, 20, 1)}),
            "r total 275 wait 0 0.0:100+0 0.1:50+0 1.0:100+0 1.1:25+0\n"
            "fork 8 61 [ 0.0:0 0.1:11 1.0:0 1.1:50 ]\n"
            "join 8 64 [ 0.0:0 0.1:39 1.0:0 1.1:25 ]\n");
}

TEST(TeamWaits, NestedTeamsAreNumberedByTheThreadsAround) {
  EXPECT_EQ(shown({wait("parallel", 1, 0, 100), part(1, 0, 90, 0), part(2, 5, 95, 1),
                   wait("parallel", 1, 10, 30), part(1, 10, 20, 0, "inner"),
                   part(3, 15, 10, 1, "inner"), wait("parallel", 2, 50, 40),
                   part(2, 50, 40, 0, "inner"), part(3, 55, 30, 1, "inner")}),
            "r total 185 wait 0 0:90+0 1:95+0\n"
            "fork 2 5 [ 0:0 1:5 ]\n"
            "join 2 10 [ 0:10 1:0 ]\n"
            "inner total 100 wait 0 0.0:20+0 0.1:10+0 1.0:40+0 1.1:30+0\n"
            "fork 4 10 [ 0.0:0 0.1:5 1.0:0 1.1:5 ]\n"
            "join 4 30 [ 0.0:10 0.1:15 1.0:0 1.1:5 ]\n");
}

TEST(TeamWaits, RegionsThatThreadsRunAloneAreTeams) {
  // Of one thread each, without a call that starts a team; recursion is no other team.
  EXPECT_EQ(shown({wait("parallel", 1, 0, 100), part(1, 0, 100, 0), part(2, 0, 100, 1),
                   part(1, 10, 20, 0, "inner"), part(2, 10, 80, 0, "inner"),
                   part(2, 20, 10, 0, "inner")}),
            "r total 200 wait 0 0:100+0 1:100+0\n"
            "fork 2 0 [ 0:0 1:0 ]\n"
            "join 2 0 [ 0:0 1:0 ]\n"
            "inner total 100 wait 0 0.0:20+0 1.0:80+0\n");
}

TEST(TeamWaits, EachThreadOfALeagueIsATeam) {
  const auto League = [](int Tid, int Begin, int Duration) {
    return event("omp_wait", "league", Tid, Begin, Duration, R"(, "construct": "parallel teams")");
  };
  EXPECT_EQ(
      shown({League(1, 0, 100), part(1, 0, 90, 0), part(2, 5, 95, 2), part(3, 5, 10, 1),
             wait("parallel", 2, 20, 30), part(2, 20, 20, 0, "inner"), part(4, 25, 10, 1, "inner"),
             wait("parallel", 1, 60, 20), part(1, 60, 10, 0, "inner")}),
      "r total 195 wait 0 0.0:90+0 1.0:10+0 2.0:95+0\n"
      "fork 3 10 [ 0.0:0 1.0:5 2.0:5 ]\n"
      "join 3 95 [ 0.0:10 1.0:85 2.0:0 ]\n"
      "inner total 40 wait 0 0.0:10+0 1.0:20+0 1.1:10+0\n"
      "fork 3 5 [ 0.0:0 1.0:0 1.1:5 ]\n"
      "join 3 35 [ 0.0:10 1.0:10 1.1:15 ]\n");
  // A runtime that does not number the teams.
  EXPECT_EQ(shown({League(1, 0, 100), part(1, 0, 90, 0), part(2, 5, 95, 0)}),
            "r total 185 wait 0 ?.0:95+0 0.0:90+0 imbalance unknown\n"
            "fork 1 0 [ 0.0:0 ]\n"
            "join 1 10 [ 0.0:10 ]\n"
            "ambiguous 1\n");
}

TEST(TeamWaits, TeamsOneAfterTheOtherAreOne) {
  // Of two threads of the program.
  EXPECT_EQ(shown({wait("parallel", 1, 0, 50), part(1, 0, 50, 0), part(3, 1, 40, 1),
                   wait("parallel", 2, 60, 50), part(2, 60, 50, 0), part(4, 61, 5, 1)}),
            "r total 145 wait 0 0:100+0 1:45+0\n"
            "fork 4 2 [ 0:0 1:2 ]\n"
            "join 4 53 [ 0:0 1:53 ]\n");
}

TEST(TeamWaits, AWaitOutsideOfRegionsIsOfNone) {
  EXPECT_EQ(shown({event("cpu_op", "k", 1, 0, 120), wait("critical", 1, 30, 50), task(1, 85, 5),
                   part(1, 95, 10, 0)}),
            "r total 10 wait 0 0:10+0\n");
}

} // namespace
