//===- CutTest.cpp - a part of a trace ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Cut.h"
#include "TestFile.h"
#include "analysis/core/Renumber.h"
#include "analysis/torch/Steps.h"

#include <gtest/gtest.h>

#include <set>

namespace seamscope::tools {
namespace {

TEST(Cut, Ranges) {
  const TimeRange Whole = {1000, 5000000};
  const auto Check = [&](const char *Text, int64_t Begin, int64_t End) {
    const std::optional<TimeRange> Range = parseRange(Text, Whole);
    ASSERT_TRUE(Range) << Text;
    EXPECT_EQ(Range->BeginNs, Begin) << Text;
    EXPECT_EQ(Range->EndNs, End) << Text;
  };
  Check("1us..2us", 2000, 3000);
  Check("..1.5ms", 1000, 1501000);
  Check("500ns..", 1500, 5000000);
  Check("..", 1000, 5000000);
  Check("0s..1s", 1000, 1000001000);
  for (const char *Bad : {"", "1ms", "1..2", "2us..1us", "1us..1us", "x..y", "1e3us..", "-1us..2us",
                          "99999999999999999999s..", "1us..2us..3us", "1.2.3us.."})
    EXPECT_FALSE(parseRange(Bad, Whole)) << Bad;
}

TEST(Cut, EventsAndTheirCorrelations) {
  Trace Source = traceOf(R"([
    {"ph": "X", "cat": "cuda_runtime", "name": "l", "pid": 1, "tid": 1, "ts": 0, "dur": 10,
     "args": {"correlation": 1}},
    {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 1, "tid": 1, "ts": 20,
     "dur": 30},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 40,
     "args": {"correlation": 1, "device": 0}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 30, "dur": 0,
     "args": {"correlation": 2, "device": 0}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 50, "dur": 0,
     "args": {"correlation": 3, "device": 0}}])");
  const std::optional<TimeRange> Step = stepRange(Source, 2);
  ASSERT_TRUE(Step);
  EXPECT_FALSE(stepRange(Source, 3));
  const int64_t Begin = Step->BeginNs;
  cutTo(Source, *Step);
  ASSERT_EQ(Source.Events.size(), 3u);
  EXPECT_EQ(Source.Events.BeginNs[1], Begin);
  EXPECT_EQ(Source.Events.DurationNs[1], 25000);
  EXPECT_EQ(Source.Events.DurationNs[2], 0);
  ASSERT_EQ(Source.Correlations.size(), 2u);
  EXPECT_EQ(Source.Correlations[0].Event, 1u);
  EXPECT_EQ(Source.Correlations[0].Id, 1);
  EXPECT_EQ(Source.Correlations[1].Event, 2u);
  EXPECT_EQ(Source.Correlations[1].Id, 2);
}

TEST(Cut, PartsAreNumberedByTheirEvents) {
  const auto Event = [](const char *Name, const char *Kernel, int64_t Begin) {
    return eventText("cpu_op", Name, 1, Begin, 5, fmt::format(R"("kernel": "{}")", Kernel));
  };
  const std::string Head = "[" + Event("b", "b", 0) + "," + Event("a", "x", 10);
  const std::string Tail = Event("a", "a", 20) + "," + Event("b", "b", 30) + "]";
  Trace Part = traceOf(Head + "," + Tail), Alone = traceOf("[" + Tail);
  cutTo(Part, {20'000, 40'000});
  renumber(Part);
  ASSERT_EQ(Part.Sites.size(), 2u);
  ASSERT_EQ(Alone.Sites.size(), 2u);
  for (SiteId Id = 0; Id < 2; ++Id) {
    EXPECT_EQ(Part.text(Part.Sites[Id].Name), Alone.text(Alone.Sites[Id].Name));
    EXPECT_EQ(Part.text(Part.Sites[Id].Kernel), Alone.text(Alone.Sites[Id].Kernel));
  }
  EXPECT_EQ(Part.Events.Site, (std::vector<SiteId>{0, 1}));
  EXPECT_EQ(Part.text(Part.Sites[0].Name), "a");
  EXPECT_EQ(Part.text(Part.Tracks[0].Process), "1");
}

TEST(Cut, KernelsOfRegionsAndCallsThatWereLeftStay) {
  Trace Part = traceOf(
      R"({"seamscope": {"format": 1, "abandoned": [{"name": "left", "calls": 2}]}, "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "left", "pid": 1, "tid": 1, "ts": 0, "dur": 1, "args": {"kernel": "left"}},
    {"ph": "X", "cat": "cpu_op", "name": "k", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"kernel": "k"}},
    {"ph": "X", "cat": "cpu_op", "name": "gone", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "args": {"kernel": "gone"}},
    {"ph": "X", "cat": "omp_region", "name": "r", "pid": 1, "tid": 1, "ts": 5, "dur": 1,
     "args": {"kernel": "k", "region": "r"}}]})");
  cutTo(Part, {5'000, 6'000});
  renumber(Part);
  std::vector<std::string_view> Names;
  for (const Site &What : Part.Sites)
    Names.push_back(Part.text(What.Name));
  EXPECT_EQ(Names, (std::vector<std::string_view>{"r", "left", "k"}));
  ASSERT_EQ(Part.Abandoned.size(), 1u);
  EXPECT_EQ(Part.Abandoned[0].Site, 1u);
}

TEST(Cut, OperatorsOfACompilationAreDropped) {
  Trace Source = traceOf(R"([
    {"ph": "X", "cat": "user_annotation", "name": "seamscope.compile", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
    {"ph": "X", "cat": "user_annotation", "name": "seamscope.compile", "pid": 1, "tid": 1, "ts": 50, "dur": 10},
    {"ph": "X", "cat": "cpu_op", "name": "aten::before", "pid": 1, "tid": 1, "ts": 5, "dur": 2},
    {"ph": "X", "cat": "cpu_op", "name": "aten::fake", "pid": 1, "tid": 1, "ts": 12, "dur": 2},
    {"ph": "X", "cat": "cpu_op", "name": "aten::fake", "pid": 1, "tid": 1, "ts": 50, "dur": 2},
    {"ph": "X", "cat": "cpu_op", "name": "aten::elsewhere", "pid": 1, "tid": 2, "ts": 12, "dur": 2},
    {"ph": "X", "cat": "user_annotation", "name": "mine", "pid": 1, "tid": 1, "ts": 13, "dur": 2},
    {"ph": "X", "cat": "cpu_op", "name": "aten::after", "pid": 1, "tid": 1, "ts": 40, "dur": 2}])");
  EXPECT_EQ(dropOperatorsOfCompilation(Source), 2u);
  std::set<std::string> Left;
  for (size_t I = 0; I < Source.Events.size(); ++I)
    Left.emplace(Source.text(Source.Sites[Source.Events.Site[I]].Name));
  EXPECT_EQ(Source.Events.size(), 6u);
  EXPECT_EQ(Left, (std::set<std::string>{"aten::after", "aten::before", "aten::elsewhere", "mine",
                                         "seamscope.compile"}));
  EXPECT_EQ(dropOperatorsOfCompilation(Source), 0u);
}

} // namespace
} // namespace seamscope::tools
