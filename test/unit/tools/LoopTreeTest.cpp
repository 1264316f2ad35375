//===- LoopTreeTest.cpp ---------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/LoopTree.h"

#include "TestFile.h"

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
