//===- ExecutedWorkTest.cpp - what kernels computed and moved ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/work/ExecutedWork.h"

#include "trace/model/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

CountedWork function(std::string Counts, std::vector<uint64_t> Words, std::string Kernel = "k") {
  CountedWork Of;
  Of.Name = Of.Kernel = std::move(Kernel);
  Of.Counts = std::move(Counts);
  Of.Calls = 1;
  Of.Words = std::move(Words);
  return Of;
}

WorkByKernel workOf(std::vector<CountedWork> Functions) {
  Trace Source;
  Source.Work = std::move(Functions);
  return executedWork(Source);
}

TEST(ExecutedWork, CodeOfOneOfSeveralKernelsIsUnknownInEach) {
  const char *const Counts =
      R"({"classes": [{"word": 0, "lines": [[0, 3, {"f32.add": 1}]]},
                      {"word": 0, "kernel": "inner", "loop": "inner [loop a.c:4]", "lines": [[0, 4, {"f32.mul": 1}]]}],
          "files": ["/a.c"]})";
  CountedWork Placed = function(Counts, {7}), Unplaced = function(Counts, {5});
  Placed.Shown = {{"k", {"k (a.c)"}}, {"inner", {"inner (a.c)"}}};
  Unplaced.Shown = {{"k", {"k (a.c)", "k (b.c)"}}, {"inner", {"inner (a.c)"}}};
  Unplaced.File = "/v.h";
  const WorkByKernel Known = workOf({Placed}), All = workOf({Placed, Unplaced});
  EXPECT_TRUE(Known.at({"k (a.c)", {}}).All.isExact());
  EXPECT_EQ(Known.at({"inner (a.c)", {}}).Loops.at("inner (a.c) [loop a.c:4]").flop().Most, 7u);
  // Five more additions are in one of both.
  for (const char *const Kernel : {"k (a.c)", "k (b.c)"})
    EXPECT_EQ(All.at({Kernel, {}}).All.Unknown.size(), 1u) << Kernel;
  EXPECT_EQ(All.at({"k (a.c)", {}}).All.flop().Least, 7u);
  EXPECT_TRUE(All.at({"inner (a.c)", {}}).All.isExact());
  EXPECT_EQ(All.at({"inner (a.c)", {}}).All.flop().Most, 12u);
}

TEST(ExecutedWork, MultipliesAndAdds) {
  const WorkByKernel All = workOf({function(
      R"({"classes": [{"word": 1, "loop": "l", "lines": [[0, 3, {"f32.fma": 8, "f64.add": 1, "read": 64}]]},
                      {"word": 2, "unit": 4, "lines": [[0, 3, {"f32.add": 1, "f32.minmax": 5, "i8.fma": 9}],
                                                       [-1, 0, {"call.expf": 8, "write": 4}]]}],
          "files": ["/a.c"]})",
      {1, 10, 12})});
  const KernelWork &K = All.at({"k", {}});
  EXPECT_EQ(K.Calls, 1u);
  EXPECT_TRUE(K.All.isExact());
  EXPECT_EQ(K.All.flop().Most, 10 * (8 * 2 + 1) + 3u);
  EXPECT_EQ(K.All.flopByType().at("f32").Most, 163u);
  EXPECT_EQ(K.All.flopByType().count("i8"), 0u); // integers do no FLOPs
  EXPECT_EQ(K.All.bytesRead().Most, 640u);
  EXPECT_EQ(K.All.bytesWritten().Most, 12u);
  EXPECT_EQ(K.All.mathCalls().at("expf").Most, 24u);
  EXPECT_EQ(K.Loops.at("l").flop().Most, 170u);
  ASSERT_EQ(K.Lines.size(), 2u);
  EXPECT_EQ(K.Lines[0].File, "");
  EXPECT_EQ(K.Lines[1].File, "/a.c");
  EXPECT_EQ(K.Lines[1].Work.flop().Most, 173u); // both classes
}

TEST(ExecutedWork, ConditionsAndMasksGiveBounds) {
  const WorkByKernel All = workOf({function(
      R"({"classes": [{"word": 0, "at_most": true, "lines": [[-1, 0, {"f32.add": 2}]]},
                      {"word": 0, "lines": [[-1, 0, {"f32.add": 1, "masked_read": 16, "read": 4}]]}]})",
      {5})});
  const ExecutedWork &Of = All.at({"k", {}}).All;
  EXPECT_FALSE(Of.isExact());
  EXPECT_EQ(Of.flop().Least, 5u);
  EXPECT_EQ(Of.flop().Most, 15u);
  EXPECT_EQ(Of.bytesRead().Least, 20u);
  EXPECT_EQ(Of.bytesRead().Most, 100u);
}

TEST(ExecutedWork, WhatNeverRanIsNotUnknown) {
  const char *const Text = R"({"classes": [{"word": 0, "unknown": ["a call of f"], "lines": []}]})";
  EXPECT_TRUE(workOf({function(Text, {0})}).at({"k", {}}).All.isExact());
  EXPECT_FALSE(workOf({function(Text, {1})}).at({"k", {}}).All.isExact());
  // Nothing says how often this ran.
  EXPECT_FALSE(workOf({function(R"({"classes": [{"unknown": ["a loop"], "lines": []}]})", {1})})
                   .at({"k", {}})
                   .All.isExact());
}

TEST(ExecutedWork, AddsFunctionsOfAKernel) {
  CountedWork Region =
      function(R"({"classes": [{"word": 0, "lines": [[-1, 0, {"f32.add": 1}]]}]})", {7});
  Region.Name = "k [parallel]";
  const WorkByKernel All =
      workOf({Region, function(R"({"classes": [{"word": 0, "lines": [[-1, 0, {"f32.add": 1}]]},
                                        {"word": 0, "kernel": "inner", "lines": []}]})",
                               {1})});
  EXPECT_EQ(All.at({"k", {}}).All.flop().Most, 8u);
  EXPECT_EQ(All.at({"k", {}}).Calls, 1u); // of the kernel itself
  EXPECT_TRUE(All.contains({"inner", {}}));
}

TEST(ExecutedWork, WhatABadDescriptionCountsIsUnknown) {
  for (const char *const Text :
       {"", "[]", "{}", R"({"classes": 1})", R"({"classes": [1]})", R"({"classes": [{}]})",
        R"({"classes": [{"word": 1, "lines": []}]})", R"({"classes": [{"word": -1, "lines": []}]})",
        R"({"classes": [{"word": 0, "unit": 0, "lines": []}]})",
        R"({"classes": [{"word": 0, "unit": 2, "lines": []}]})",
        R"({"classes": [{"word": 0, "lines": [1]}]})",
        R"({"classes": [{"word": 0, "lines": [[0, 1]]}]})",
        R"({"classes": [{"word": 0, "lines": [[0, 1, {"f32.add": -1}]]}]})",
        R"({"classes": [], "arrays": [1]})", R"({"classes": [], "arrays": [{}]})",
        R"({"classes": [], "arrays": [{"word": 1}]})"}) {
    const WorkByKernel All = workOf({function(Text, {1})});
    ASSERT_EQ(All.size(), 1u) << Text;
    EXPECT_EQ(All.at({"k", {}}).All.Unknown.size(), 1u) << Text;
    EXPECT_TRUE(All.at({"k", {}}).All.Counts.empty()) << Text;
  }
}

TEST(ExecutedWork, RunsGiveThePartsOfThreads) {
  CountedWork Of = function(
      R"({"classes": [{"word": 1, "lines": [[-1, 0, {"f32.add": 2, "read": 8}]]}]})", {5, 70});
  Of.Calls = 5;
  Of.Runs = {{0, false, 2, {2, 20}}, {1, false, 2, {2, 40}}, {0, true, 1, {1, 10}}};
  const KernelWork K = workOf({Of}).at({"k", {}});
  EXPECT_FALSE(K.LacksThreads);
  ASSERT_EQ(K.Threads.size(), 2u);
  EXPECT_EQ(K.Threads.at(0).flop().Most, 60u);
  EXPECT_EQ(K.Threads.at(1).bytesRead().Most, 320u);
  EXPECT_EQ(WorkDescription(Of).read(1, {1, 10})->at("k").All.flop().Most, 20u); // of one call
  Of.Runs.clear();
  EXPECT_TRUE(workOf({Of}).at({"k", {}}).LacksThreads);
}

TEST(ExecutedWork, AFootprintIsThatOfArraysAndWhatIsScattered) {
  const char *const Counts =
      R"({"classes": [{"word": 0, "lines": [[0, 3, {"read": 9, "scattered_read": 4, "streamed_read": 1,
                                                      "write": 8}]]},
                      {"word": 0, "at_most": true, "lines": [[0, 4, {"masked_write": 4,
                                                             "scattered_masked_write": 4}]]}],
          "arrays": [{"name": "a", "file": 0, "line": 3, "word": 1},
                     {"line": 4, "write": true, "word": 2}], "files": ["/a.c"]})";
  const WorkByKernel All = workOf({function(Counts, {100, 300, 5000})});
  const KernelWork &K = All.at({"k", {}});
  EXPECT_EQ(K.footprint(false)->Bytes, 800u);
  EXPECT_EQ(K.footprint(false)->Scattered, 400u);
  EXPECT_EQ(K.footprint(true)->Bytes, 1200u); // no more than were written
  EXPECT_EQ(K.footprint(true)->Scattered, 400u);
  ASSERT_EQ(K.Arrays.size(), 2u);
  EXPECT_EQ(K.Arrays[0].Name, "a");
  EXPECT_EQ(K.Arrays[0].File, "/a.c");
  EXPECT_EQ(K.Arrays[0].Bytes, 300u);
  EXPECT_TRUE(K.Arrays[1].IsWritten);
  EXPECT_EQ(K.Arrays[1].Line, 4u);
  EXPECT_EQ(K.All.part("scattered_write").Least, 0u);
}

TEST(ExecutedWork, AFootprintNeedsAllParts) {
  const char *const With = R"({"classes": [{"word": 0, "lines": []}], "arrays": []})";
  const char *const Without = R"({"classes": [{"word": 0, "lines": []}]})";
  const char *const Inlined =
      R"({"classes": [{"word": 0, "kernel": "i", "lines": []}], "arrays": []})";
  const char *const Unknown =
      R"({"classes": [{"word": 0, "unknown": ["a call of f"], "lines": []}], "arrays": []})";
  EXPECT_TRUE(workOf({function(With, {1})}).at({"k", {}}).footprint(false));
  EXPECT_FALSE(
      workOf({function(With, {1}), function(Without, {1})}).at({"k", {}}).footprint(false));
  EXPECT_FALSE(workOf({function(Inlined, {1})}).at({"i", {}}).footprint(false));
  EXPECT_TRUE(workOf({function(Inlined, {1})}).at({"k", {}}).footprint(false));
  EXPECT_FALSE(workOf({function(Unknown, {1})}).at({"k", {}}).footprint(true));
}

TEST(ExecutedWork, LargeCountsDoNotWrap) {
  const WorkByKernel All = workOf({function(
      R"({"classes": [{"word": 0, "lines": [[-1, 0, {"f32.fma": 4611686018427387904}]]}]})",
      {uint64_t{1} << 61})});
  EXPECT_EQ(All.at({"k", {}}).All.flop().Most, Bounds::Largest);
  EXPECT_FALSE(All.at({"k", {}}).All.isExact());
}

/// A trace with kernel k of each of \p Files, and what functions of \p Counted executed: one FLOP,
/// two in the second file, and so on.
WorkByKernel workOfFiles(const std::vector<std::string> &Files,
                         const std::vector<std::string> &Counted) {
  TraceBuilder Builder;
  for (const std::string &File : Files) {
    Site Kernel;
    Kernel.Category = Builder.strings().intern("cpu_op");
    Kernel.Name = Kernel.Kernel = Builder.strings().intern("k");
    Kernel.File = Builder.strings().intern(File);
    const TrackId Track =
        Builder.track(Builder.strings().intern("1"), Builder.strings().intern("1"));
    EXPECT_TRUE(Builder.addCall(0, 1, Builder.site(Kernel), Track, -1));
  }
  uint64_t Flop = 0;
  for (const std::string &File : Counted) {
    CountedWork Of =
        function(R"({"classes": [{"word": 0, "lines": [[-1, 0, {"f32.add": 1}]]}]})", {++Flop});
    Of.File = File;
    EXPECT_TRUE(Builder.addWork(Of));
  }
  return executedWork(Builder.finish());
}

TEST(ExecutedWork, KernelsOfOneNameHaveTheWorkOfTheirFiles) {
  const WorkByKernel All = workOfFiles({"/a.c", "/b.c"}, {"/a.c", "/b.c", "/b.c"});
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All.at({"k", "/a.c"}).All.flop().Most, 1u);
  EXPECT_EQ(All.at({"k", "/b.c"}).All.flop().Most, 5u);
  EXPECT_TRUE(All.at({"k", "/b.c"}).All.isExact());
}

TEST(ExecutedWork, PartsInOtherFilesAreOfTheOnlyKernelOfTheirName) {
  const WorkByKernel All = workOfFiles({"/a.c"}, {"/a.c", "/inlined.h"});
  EXPECT_EQ(All.at({"k", {}}).All.flop().Most, 3u);
  EXPECT_TRUE(All.at({"k", {}}).All.isExact());
}

TEST(ExecutedWork, PartsOfOneOfSeveralKernelsMakeAllUnknown) {
  const WorkByKernel All = workOfFiles({"/a.c", "/b.c"}, {"/a.c", "/b.c", "/inlined.h"});
  EXPECT_EQ(All.at({"k", "/a.c"}).All.flop().Most, 1u);
  EXPECT_FALSE(All.at({"k", "/a.c"}).All.isExact());
  EXPECT_FALSE(All.at({"k", "/b.c"}).All.isExact());
}

} // namespace
