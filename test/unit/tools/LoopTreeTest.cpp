//===- LoopTreeTest.cpp ---------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/LoopTree.h"

#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

using namespace seamscope::tools;

namespace {

/// "depth name calls total self" of each node, times in us.
std::string shown(const Trace &Input) {
  std::string Text;
  for (const LoopNode &Node : loopTree(Input).Nodes) {
    Text += std::to_string(Node.Depth) + " " +
            std::string(Input.text(Input.Sites[Node.Site].Name)) + " " +
            std::to_string(Node.Calls) + " " + std::to_string(Node.TotalNs / 1000) + " " +
            (Node.SelfNs ? std::to_string(*Node.SelfNs / 1000) : "-") + "\n";
  }
  return Text;
}

TEST(LoopTree, LoopsStandInTheInnermostCallAroundThem) {
  const Trace Input = traceOf(R"([
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
    {"ph": "X", "cat": "loop", "name": "outer", "pid": 1, "tid": 1, "ts": 10, "dur": 60, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": 10, "dur": 20, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": 40, "dur": 30, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": 80, "dur": 5, "args": {"kernel": "k"}},
    {"ph": "X", "name": "without", "pid": 1, "tid": 1, "ts": 100, "dur": 5}])");
  EXPECT_EQ(shown(Input), "0 k 1 100 35\n"
                          "1 outer 1 60 10\n"
                          "2 inner 2 50 50\n"
                          "1 inner 1 5 5\n");
}

TEST(LoopTree, ARegionsLoopsAreOfItsKernelOnEveryThread) {
  const Trace Input = traceOf(R"([
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 1, "ts": 10, "dur": 80,
     "args": {"kernel": "k", "thread": 0}},
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 1, "ts": 10, "dur": 30, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 2, "ts": 10, "dur": 80,
     "args": {"kernel": "k", "thread": 1}},
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 2, "ts": 10, "dur": 70, "args": {"kernel": "k"}}])");
  EXPECT_EQ(shown(Input), "0 k 1 100 20\n"
                          "1 r 2 160 60\n"
                          "2 l 2 100 100\n");
  const LoopTree Tree = loopTree(Input);
  ASSERT_EQ(Tree.Nodes.size(), 3u);
  ASSERT_EQ(Tree.Nodes[2].Threads.size(), 2u);
  EXPECT_EQ(Tree.Nodes[2].Threads[1].BusyNs, 70000);
  EXPECT_DOUBLE_EQ(Tree.Nodes[2].Imbalance.value(), 1.4);
  EXPECT_EQ(Tree.endOf(0), 3u);
  EXPECT_EQ(Tree.Kernels.at(Tree.Nodes[0].Site), 0u);
}

TEST(LoopTree, AKernelThatALoopCallsIsItsOwn) {
  EXPECT_EQ(shown(traceOf(R"([
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 1, "ts": 10, "dur": 60, "args": {"kernel": "k"}},
    {"ph": "X", "name": "callee", "pid": 1, "tid": 1, "ts": 20, "dur": 40},
    {"ph": "X", "cat": "loop", "name": "m", "pid": 1, "tid": 1, "ts": 30, "dur": 10, "args": {"kernel": "callee"}}])")),
            "0 k 1 100 40\n"
            "1 l 1 60 20\n"
            "0 callee 1 40 30\n"
            "1 m 1 10 10\n");
}

TEST(LoopTree, ACallerIsKnownIfItHasAllCalls) {
  const Trace Input = traceOf(R"([
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
    {"ph": "X", "name": "only", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
    {"ph": "X", "cat": "loop", "name": "m", "pid": 1, "tid": 1, "ts": 10, "dur": 10, "args": {"kernel": "only"}},
    {"ph": "X", "name": "shared", "pid": 1, "tid": 1, "ts": 40, "dur": 20},
    {"ph": "X", "cat": "loop", "name": "n", "pid": 1, "tid": 1, "ts": 40, "dur": 10, "args": {"kernel": "shared"}},
    {"ph": "X", "name": "shared", "pid": 1, "tid": 1, "ts": 200, "dur": 20},
    {"ph": "X", "name": "recursive", "pid": 1, "tid": 1, "ts": 300, "dur": 20},
    {"ph": "X", "cat": "loop", "name": "o", "pid": 1, "tid": 1, "ts": 305, "dur": 15, "args": {"kernel": "recursive"}},
    {"ph": "X", "name": "recursive", "pid": 1, "tid": 1, "ts": 310, "dur": 5}])");
  const LoopTree Tree = loopTree(Input);
  const auto Node = [&](std::string_view Name) {
    for (uint32_t I = 0; I < Tree.Nodes.size(); ++I)
      if (Input.text(Input.Sites[Tree.Nodes[I].Site].Name) == Name)
        return I;
    return LoopNode::None;
  };
  // Without loops of its own, k is there for those of the kernels that it calls.
  ASSERT_NE(Node("k"), LoopNode::None);
  EXPECT_EQ(Tree.callerOf(Node("only")), Node("k"));
  EXPECT_EQ(Tree.callerOf(Node("shared")), LoopNode::None);
  EXPECT_EQ(Tree.callerOf(Node("recursive")), LoopNode::None);
  ASSERT_EQ(Tree.Inner.size(), 2u);
  const InnerCalls &Shared = Tree.Inner.at({Node("shared"), Node("k")});
  EXPECT_EQ(Shared.Calls, 1u);
  EXPECT_EQ(Shared.Ns, 20000);
}

TEST(LoopTree, RecursionCountsOnce) {
  // A kernel that calls itself in a loop, and after the loop; the loops count like the kernel.
  EXPECT_EQ(shown(traceOf(R"([
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 1, "ts": 10, "dur": 60, "args": {"kernel": "k"}},
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 20, "dur": 40},
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 1, "ts": 30, "dur": 10, "args": {"kernel": "k"}},
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 80, "dur": 15},
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 1, "ts": 85, "dur": 5, "args": {"kernel": "k"}},
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 110, "dur": 10}])")),
            "0 k 4 110 75\n"
            "1 l 3 65 35\n");
}

/// "depth name total self wait [thread:busy+wait ...]" of each node, times in us.
std::string waits(const Trace &Input) {
  std::string Text;
  for (const LoopNode &Node : loopTree(Input).Nodes) {
    Text += fmt::format("{} {} {} {} {} [", Node.Depth, Input.text(Input.Sites[Node.Site].Name),
                        Node.TotalNs / 1000, *Node.SelfNs / 1000, Node.WaitNs / 1000);
    for (const ThreadShare &Share : Node.Threads)
      Text += fmt::format(" {}:{}+{}", *Share.Thread, Share.BusyNs / 1000, Share.WaitNs / 1000);
    Text += " ]\n";
  }
  return Text;
}

TEST(LoopTree, TasksInTheJoinAreOfTheRegion) {
  // On the thread that started the team inside the kernel's call, with a loop; on the other thread
  // with a wait, and without the task, which was not timed.
  EXPECT_EQ(waits(traceOf(R"([
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 120},
    {"ph": "X", "cat": "omp_wait", "name": "parallel", "pid": 1, "tid": 1, "ts": 5, "dur": 105, "args": {"kernel": "k", "construct": "parallel"}},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 1, "ts": 10, "dur": 10, "args": {"kernel": "k", "thread": 0}},
    {"ph": "X", "cat": "omp_task", "name": "t", "pid": 1, "tid": 1, "ts": 30, "dur": 50, "args": {"kernel": "callee"}},
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 1, "ts": 35, "dur": 40, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 2, "ts": 10, "dur": 5, "args": {"kernel": "k", "thread": 1}},
    {"ph": "X", "cat": "omp_task", "name": "t", "pid": 1, "tid": 2, "ts": 20, "dur": 30, "args": {"kernel": "callee"}},
    {"ph": "X", "cat": "omp_wait", "name": "taskwait", "pid": 1, "tid": 2, "ts": 30, "dur": 10, "args": {"kernel": "callee", "construct": "taskwait"}},
    {"ph": "X", "name": "callee", "pid": 1, "tid": 2, "ts": 60, "dur": 20},
    {"ph": "X", "cat": "loop", "name": "m", "pid": 1, "tid": 2, "ts": 65, "dur": 10, "args": {"kernel": "callee"}}])")),
            "0 k 120 15 45 [ ]\n"
            "1 r 115 45 10 [ 0:60+0 1:45+10 ]\n"
            "2 l 40 40 0 [ 0:40+0 ]\n"
            "0 callee 20 10 0 [ ]\n"
            "1 m 10 10 0 [ ]\n");
}

TEST(LoopTree, WaitsAreNoTimeOfALoopsOwn) {
  // A team of two in a time loop with a barrier in each of its two steps; the call that starts the
  // team takes 5 us around its own part, and in the second barrier a thread runs a task of 4 us
  // that has a loop of 3 us and a wait of its own of 1 us.
  const Trace Input = traceOf(R"([
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 120},
    {"ph": "X", "cat": "omp_wait", "name": "parallel", "pid": 1, "tid": 1, "ts": 5, "dur": 105, "args": {"kernel": "k", "construct": "parallel"}},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 1, "ts": 10, "dur": 100, "args": {"kernel": "k", "thread": 0}},
    {"ph": "X", "cat": "loop", "name": "time", "pid": 1, "tid": 1, "ts": 10, "dur": 90, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "loop", "name": "sweep", "pid": 1, "tid": 1, "ts": 10, "dur": 30, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "omp_wait", "name": "barrier", "pid": 1, "tid": 1, "ts": 40, "dur": 10, "args": {"kernel": "k", "construct": "barrier"}},
    {"ph": "X", "cat": "loop", "name": "sweep", "pid": 1, "tid": 1, "ts": 50, "dur": 30, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "omp_wait", "name": "barrier", "pid": 1, "tid": 1, "ts": 80, "dur": 20, "args": {"kernel": "k", "construct": "barrier"}},
    {"ph": "X", "cat": "omp_task", "name": "t", "pid": 1, "tid": 1, "ts": 85, "dur": 4, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "loop", "name": "of task", "pid": 1, "tid": 1, "ts": 85, "dur": 3, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "omp_wait", "name": "critical", "pid": 1, "tid": 1, "ts": 88, "dur": 1, "args": {"kernel": "k", "construct": "critical"}},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 2, "ts": 10, "dur": 100, "args": {"kernel": "k", "thread": 1}},
    {"ph": "X", "cat": "loop", "name": "time", "pid": 1, "tid": 2, "ts": 10, "dur": 90, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "loop", "name": "sweep", "pid": 1, "tid": 2, "ts": 10, "dur": 40, "args": {"kernel": "k"}}])");
  // k: 120 less the call's 105, of which 5 are a wait. time: 180 less sweeps, barriers, and the
  // task's loop and wait.
  EXPECT_EQ(waits(Input), "0 k 120 15 32 [ ]\n"
                          "1 r 200 20 27 [ 0:73+27 1:100+0 ]\n"
                          "2 time 180 50 27 [ 0:63+27 1:90+0 ]\n"
                          "3 sweep 100 100 0 [ 0:60+0 1:40+0 ]\n"
                          "3 of task 3 3 0 [ 0:3+0 ]\n");
}

TEST(LoopTree, CallsThatWereNotTimedAreThereWhereThereIsRoom) {
  const auto Shown = [](const char *Outer, int Untimed) {
    return shown(traceOf(fmt::format(
        R"({{"seamscope": {{"version": "1", "format": 1, "mode": "trace", "throttled": [
          {{"cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": 0, "every": 10, "timed": 2,
           "untimed": {}, "args": {{"kernel": "k"}}}}]}}, "traceEvents": [
        {{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 200, "args": {{"kernel": "k"}}}},
        {{"ph": "X", "cat": "loop", "name": "outer", "pid": 1, "tid": 1, "ts": 10, "dur": {}, "args": {{"kernel": "k"}}}},
        {{"ph": "X", "cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": 10, "dur": 2, "args": {{"kernel": "k"}}}},
        {{"ph": "X", "cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": 20, "dur": 4, "args": {{"kernel": "k"}}}}]}})",
        Untimed, Outer)));
  };
  EXPECT_EQ(Shown("150", 10), "0 k 1 200 50\n1 outer 1 150 114\n2 inner 12 36 36\n");
  EXPECT_EQ(Shown("20", 10), "0 k 1 200 180\n1 outer 1 20 0\n2 inner 12 20 20\n");
}

/// "name every timed untimed error" of each node that has calls which were not timed, in us; !
/// where there was no room for all.
std::string untimed(const Trace &Input) {
  std::string Text;
  for (const LoopNode &Node : loopTree(Input).Nodes)
    if (const UntimedCalls &Its = Node.Untimed; Its.Calls)
      Text += fmt::format("{} {} {} {}x{} {:.1f}{}\n", Input.text(Input.Sites[Node.Site].Name),
                          Its.Every, Its.Timed, Its.Calls, Its.Ns / 1000,
                          Its.StderrNs.value_or(-1000) / 1000, Its.IsLimited ? "!" : "");
  return Text;
}

constexpr const char *InnerThrottled =
    R"("seamscope": {"version": "1", "format": 1, "mode": "trace", "throttled": [
       {"cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": 0, "every": 10, "timed": 2,
        "untimed": 20, "calls_before": 1, "total_ns_before": 1000, "args": {"kernel": "k"}}])";

TEST(LoopTree, CallsThatWereNotTimedHaveAnError) {
  const auto Shown = [](int Outer, int FirstInner) {
    return untimed(traceOf(fmt::format(
        R"({{{}}}, "traceEvents": [
        {{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 400, "args": {{"kernel": "k"}}}},
        {{"ph": "X", "cat": "loop", "name": "outer", "pid": 1, "tid": 1, "ts": 10, "dur": {}, "args": {{"kernel": "k"}}}},
        {{"ph": "X", "cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": {}, "dur": 2, "args": {{"kernel": "k"}}}},
        {{"ph": "X", "cat": "loop", "name": "inner", "pid": 1, "tid": 1, "ts": 20, "dur": 4, "args": {{"kernel": "k"}}}}]}})",
        InnerThrottled, Outer, FirstInner)));
  };
  // 2 and 4 us scatter by s = sqrt(2), so their mean by 1 us.
  EXPECT_EQ(Shown(300, 10), "inner 10 2 20x60 20.0\n");
  EXPECT_EQ(Shown(20, 10), "inner 10 2 20x14 20.0!\n");
  // One of two is in each place. In the one calls take 2 and 0 us, in the other 0 and 4.
  EXPECT_EQ(Shown(300, 2), "inner 10 1 10x20 20.0\ninner 10 1 10x40 40.0\n");
}

TEST(LoopTree, WaitsThatWereNotTimedAreNoOnesOwn) {
  const Trace Input =
      traceOf(R"({"seamscope": {"version": "1", "format": 1, "mode": "trace", "throttled": [
      {"cat": "omp_wait", "name": "w", "pid": 1, "tid": 1, "ts": 0, "every": 10, "timed": 2, "untimed": 20,
       "args": {"kernel": "k", "construct": "critical"}}]}, "traceEvents": [
    {"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 120},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 1, "ts": 10, "dur": 100, "args": {"kernel": "k", "thread": 0}},
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 1, "ts": 10, "dur": 80, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "omp_wait", "name": "w", "pid": 1, "tid": 1, "ts": 40, "dur": 2, "args": {"kernel": "k", "construct": "critical"}},
    {"ph": "X", "cat": "omp_wait", "name": "w", "pid": 1, "tid": 1, "ts": 90, "dur": 4, "args": {"kernel": "k", "construct": "critical"}}]})");
  // Ten more of 2 us in the loop; ten of 4 us beside it, for 16 of which there is room.
  EXPECT_EQ(waits(Input), "0 k 120 20 42 [ ]\n"
                          "1 r 100 0 42 [ 0:58+42 ]\n"
                          "2 l 80 58 22 [ 0:58+22 ]\n");
  WaitTime Time;
  for (const auto &[Place, Each] : loopTree(Input).Waits) {
    Time.Calls += Each.Calls;
    Time.Ns += Each.Ns;
  }
  EXPECT_EQ(Time.Calls, 22u);
  EXPECT_EQ(Time.Ns, 42'000);
}

TEST(LoopTree, SumsHaveCallsThatWereNotTimed) {
  const Trace Input = traceOf(fmt::format(
      R"({{{}, "profile": [{{"cat": "loop", "name": "inner", "pid": 1, "tid": 1, "calls": 11,
         "total_ns": 41000, "min_ns": 1000, "max_ns": 4000, "first_ns": 0, "last_ns": 900000,
         "histogram": [[1000, 1], [4000, 10]], "args": {{"kernel": "k"}}}}]}}, "traceEvents": []}})",
      InnerThrottled));
  EXPECT_EQ(shown(Input), "0 k 0 0 -\n1 inner 31 121 -\n");
  EXPECT_EQ(untimed(Input).substr(0, 18), "inner 10 10 20x80 ");
}

TEST(LoopTree, LoopsOfAKernelThatIsNotThereHaveOne) {
  EXPECT_EQ(shown(traceOf(R"([
    {"ph": "X", "cat": "loop", "name": "l", "pid": 1, "tid": 1, "ts": 10, "dur": 60, "args": {"kernel": "gone"}}])")),
            "0 gone 0 0 0\n"
            "1 l 1 60 60\n");
}

TEST(LoopTree, TracesWithoutLoopsHaveNoTree) {
  EXPECT_EQ(
      shown(traceOf(R"([{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 100}])")), "");
}

} // namespace
