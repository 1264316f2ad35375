//===- GpuLoopsTest.cpp - loops of GPUs' kernels from a trace -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/GpuLoops.h"
#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

std::string loop(int Line, int64_t Entries, int64_t Clocks, const std::string &More = "") {
  return fmt::format(
      R"({{"name": "k [loop k.cu:{0}]", "file": "/k.cu", "line": {0}, "entries": {1}, "clocks": {2}{3}}})",
      Line, Entries, Clocks, More);
}

std::string kernel(const char *Name, int Device, int Us, const std::string &Loops) {
  static int Begin = 0;
  return fmt::format(
      R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7, "ts": {}, "dur": {},
          "args": {{"device": {}, "inside": {{"sms": 4, "loop_warps": 2, "loop_threads": 50,
          "kernel_clocks": 1000, "loops": [{}]}}}}}})",
      Name, Begin += 1000, Us, Device, Loops);
}

TEST(GpuLoops, ALoopHasItsShareOfEachLaunch) {
  const std::string Nest = loop(9, 10, 250, R"(, "parent": 1, "inlined_from": "f at /k.cu:3:1")");
  const Trace Source = traceOf("[" + kernel("k", 0, 100, loop(5, 2, 500) + "," + Nest) + "," +
                               kernel("k", 0, 300, loop(5, 4, 1000) + "," + Nest) + "," +
                               kernel("k", 1, 7, loop(5, 1, 0)) + "]");
  const GpuLoops All = gpuLoops(Source);
  ASSERT_EQ(All.size(), 2u);
  const GpuKernelLoops &Of = All.begin()->second;
  EXPECT_EQ(Of.Launches, 2u);
  EXPECT_EQ(Of.TotalNs, 400'000);
  EXPECT_EQ(Of.SelfNs, 50'000);
  ASSERT_EQ(Of.Loops.size(), 2u);
  EXPECT_EQ(Of.Loops[0].Calls, 6u);
  EXPECT_EQ(Of.Loops[0].TotalNs, 350'000);
  EXPECT_EQ(Of.Loops[0].SelfNs, 250'000);
  EXPECT_DOUBLE_EQ(Of.Loops[0].Clocks, 15);
  EXPECT_EQ(Of.Loops[1].Parent, 0u);
  EXPECT_EQ(Of.Loops[1].Depth, 2u);
  EXPECT_EQ(Of.Loops[1].Calls, 20u);
  EXPECT_EQ(Of.Loops[1].TotalNs, 100'000);
  EXPECT_EQ(Source.text(Source.Sites[Of.Loops[1].Site].InlinedFrom), "f at /k.cu:3:1");
}

TEST(GpuLoops, InTheOrderOfTheSource) {
  const Trace Source =
      traceOf("[" + kernel("k", 0, 100, loop(9, 1, 10) + "," + loop(11, 1, 5, ", \"parent\": 1")) +
              "," + kernel("k", 0, 100, loop(5, 1, 10) + "," + loop(9, 1, 10)) + "]");
  const GpuKernelLoops Of = gpuLoops(Source).begin()->second;
  ASSERT_EQ(Of.Loops.size(), 3u);
  EXPECT_EQ(Source.Sites[Of.Loops[0].Site].Line, 5u);
  EXPECT_EQ(Source.Sites[Of.Loops[1].Site].Line, 9u);
  EXPECT_EQ(Of.Loops[1].Calls, 2u);
  EXPECT_EQ(Source.Sites[Of.Loops[2].Site].Line, 11u);
  EXPECT_EQ(Of.Loops[2].Parent, 1u);
}

TEST(GpuLoops, WhatCannotBeIsNotThere) {
  for (const std::string &Loops :
       {loop(5, 1, 1001), loop(5, 1, 600) + "," + loop(6, 1, 600), loop(5, 1, -1),
        loop(5, 1, 100) + "," + loop(6, 1, 101, ", \"parent\": 1"),
        loop(5, 1, 100, ", \"parent\": 1"), std::string("7"), std::string("{}")}) {
    const Trace Source = traceOf("[" + kernel("k", 0, 100, Loops) + "]");
    EXPECT_TRUE(gpuLoops(Source).empty()) << Loops;
    EXPECT_EQ(Source.Details.Insides.size(), 1u) << Loops;
  }
}

} // namespace
} // namespace seamscope::tools
