//===- NestedTimesTest.cpp - each moment of a track counts once ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/NestedTimes.h"
#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace seamscope::tools;

namespace {

/// Times in us, with as many decimals as it takes.
std::string event(const char *Category, const char *Name, double Begin, double End,
                  int Thread = 1) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {:.3f}, "dur": {:.3f}}})",
      Category, Name, Thread, Begin, End - Begin);
}

/// "name own-ns < name of what is around it", a line each.
std::string shown(const std::vector<std::string> &Events) {
  const Trace Input = traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")));
  const NestedTimes Calls = nestedTimes(Input, sitesOfCalls(Input));
  const auto Name = [&](uint32_t Event) {
    return Input.text(Input.Sites[Input.Events.Site[Event]].Name);
  };
  std::string Text;
  for (const uint32_t Event : Calls.Order)
    Text += fmt::format("{} {} < {}\n", Name(Event), Calls.OwnNs[Event],
                        Calls.Parent[Event] == NoEvent ? "-" : Name(Calls.Parent[Event]));
  return Text;
}

TEST(NestedTimes, AStepThatOverlapsFramesPartially) {
  EXPECT_EQ(
      shown({event("python_function", "main", 0, 60), event("python_function", "step()", 1, 10),
             event("user_annotation", "ProfilerStep#1", 5, 45),
             event("python_function", "forward", 12, 32), event("cpu_op", "mm", 14, 17),
             event("python_function", "step() again", 41, 50)}),
      "main 11000 < -\n"
      "step() 4000 < main\n"
      "ProfilerStep#1 16000 < main\n"
      "forward 17000 < ProfilerStep#1\n"
      "mm 3000 < forward\n"
      "step() again 9000 < main\n");
}

TEST(NestedTimes, RoundedEndsStayInside) {
  // The inner call seems to end half a us later than what is around it.
  EXPECT_EQ(shown({event("cpu_op", "outer", 0, 10), event("cpu_op", "inner", 2, 10.5),
                   event("cpu_op", "next", 20, 30)}),
            "outer 2000 < -\n"
            "inner 8500 < outer\n"
            "next 10000 < -\n");
}

TEST(NestedTimes, WorkOfAStreamThatOverlapsStandsBeside) {
  EXPECT_EQ(shown({event("kernel", "a", 0, 10), event("kernel", "b", 9.5, 10.3),
                   event("kernel", "c", 10.3, 12)}),
            "a 9500 < -\n"
            "b 800 < -\n"
            "c 1700 < -\n");
}

TEST(NestedTimes, TracksAndTheProfilersOwnRecordAreApart) {
  EXPECT_EQ(shown({event("cpu_op", "one", 0, 10), event("cpu_op", "other", 5, 8, 2),
                   event("Trace", "PyTorch Profiler (0)", 0, 100)}),
            "one 10000 < -\n"
            "other 3000 < -\n");
}

} // namespace
