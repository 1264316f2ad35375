//===- RecordingCostTest.cpp - what recording took of a trace's times ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/RecordingCost.h"
#include "TestFile.h"
#include "report/render/Render.h"
#include "report/sections/Sections.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace seamscope::tools;

namespace {

/// A trace in which recording a call takes 50 ns, 20 of them inside.
Trace recorded(const std::string &Events, const std::string &More = "") {
  const TestFolder Folder;
  auto Read = readTrace(Folder.file(
      "t.json", R"({"seamscope": {"format": 1, "call_cost_ns": 50.000, "stamp_bias_ns": 20)" +
                    More + R"(}, "traceEvents": [)" + Events + "]}"));
  EXPECT_TRUE(Read) << Read.error().message();
  return std::move(*Read);
}

std::string call(const char *Name, int BeginNs, int DurationNs, int Tid = 1) {
  return fmt::format(R"({{"ph": "X", "cat": "cpu_op", "name": "{0}", "pid": 1, "tid": {3},
    "ts": {1}e-3, "dur": {2}e-3, "args": {{"kernel": "{0}"}}}})",
                     Name, BeginNs, DurationNs, Tid);
}

RowRecordingCost costOf(const RecordingCost &Cost, const Trace &Input, std::string_view Name) {
  for (const auto &[Site, Row] : Cost.Rows)
    if (Input.text(Input.Sites[Site].Name) == Name)
      return Row;
  ADD_FAILURE() << Name;
  return {};
}

/// What a report says of recording alone.
Document sectionOf(const Trace &Source, const Statistics &Numbers, const RecordingCost *Cost) {
  ReportInput Input = {&Source, &Numbers};
  Input.Recording = Cost;
  Document Made{"test", "", {{"recording", ""}}, ""};
  addRecording(Made.Sections[0], std::make_shared<const ReportContext>(Input));
  return Made;
}

nlohmann::json jsonOf(const Document &Made) {
  return nlohmann::json::parse(rendered(renderJson, Made))["recording"];
}

TEST(RecordingCost, OfInnerCallsIsInTheOuterOnesTime) {
  // Two threads; the inner one of inner calls counts for both around it.
  const Trace T = recorded(call("outer", 0, 10000) + "," + call("inner", 100, 1000) + "," +
                           call("innermost", 200, 100) + "," + call("inner", 2000, 25) + "," +
                           call("outer", 100, 500, 2));
  const Statistics Numbers = computeStatistics(T);
  const auto Cost = recordingCost(T, Numbers);
  ASSERT_TRUE(Cost);
  EXPECT_EQ(Cost->Calls, 5u);
  EXPECT_EQ(Cost->TotalNs, 250);
  EXPECT_EQ(Cost->BusiestNs, 200);
  EXPECT_TRUE(Cost->InsideKnown);
  const RowRecordingCost Outer = costOf(*Cost, T, "outer");
  EXPECT_EQ(Outer.OwnNs, 100);
  EXPECT_EQ(Outer.InsideNs, (20 + 3 * 50) + 20);
  const RowRecordingCost Inner = costOf(*Cost, T, "inner");
  EXPECT_EQ(Inner.OwnNs, 100);
  EXPECT_EQ(Inner.InsideNs, (20 + 50) + 20);
  EXPECT_EQ(costOf(*Cost, T, "innermost").InsideNs, 20);
}

TEST(RecordingCost, IsNeverMoreThanTheCall) {
  const Trace T = recorded(call("k", 0, 7));
  EXPECT_EQ(costOf(*recordingCost(T, computeStatistics(T)), T, "k").InsideNs, 7);
}

TEST(RecordingCost, OfARecursionCountsOnceInTheOutermostCall) {
  const Trace T =
      recorded(call("r", 0, 1000) + "," + call("r", 100, 500) + "," + call("r", 200, 100));
  EXPECT_EQ(costOf(*recordingCost(T, computeStatistics(T)), T, "r").InsideNs, 20 + 2 * 50);
}

TEST(RecordingCost, OfSumsIsAtLeastTheStamps) {
  const Trace T = recorded("", R"(, "mode": "profile", "profile": [{"name": "k", "cat": "cpu_op",
    "pid": 1, "tid": 1, "calls": 1000, "total_ns": 30000, "min_ns": 20, "max_ns": 90, "first_ns": 0,
    "last_ns": 60000, "args": {"kernel": "k"}, "histogram": [[20, 1000]]}])");
  const auto Cost = recordingCost(T, computeStatistics(T));
  ASSERT_TRUE(Cost);
  EXPECT_FALSE(Cost->InsideKnown);
  EXPECT_EQ(costOf(*Cost, T, "k").OwnNs, 50000);
  EXPECT_EQ(costOf(*Cost, T, "k").InsideNs, 20000);
  EXPECT_EQ(Cost->BusiestNs, 50000);
}

TEST(RecordingCost, IsUnknownWhereNothingWasMeasured) {
  const TestFolder Folder;
  for (const char *Ours :
       {R"("format": 1)", R"("format": 1, "call_cost_ns": 0)", R"("format": 1, "call_cost_ns": -3)",
        R"("format": 1, "call_cost_ns": 1e300)", R"("format": 1, "call_cost_ns": "much")"}) {
    auto T = readTrace(
        Folder.file("t.json", fmt::format(R"({{"seamscope": {{{}}}, "traceEvents": [{}]}})", Ours,
                                          call("k", 0, 7))));
    ASSERT_TRUE(T);
    const Statistics Numbers = computeStatistics(*T);
    EXPECT_FALSE(recordingCost(*T, Numbers)) << Ours;
    const Document Made = sectionOf(*T, Numbers, nullptr);
    EXPECT_EQ(rendered(renderText, Made, TextStyle{}), "");
    EXPECT_TRUE(jsonOf(Made).is_null());
  }
}

TEST(RecordingCost, ReportProposesShortKernelsToExclude) {
  std::string Events = call("outer", 0, 100000);
  for (int I = 0; I < 100; ++I)
    Events += "," + call("dot", 10 + I * 100, 30);
  Events += "," + call("<a, b>", 20000, 30) + "," + call("long", 50000, 40000);
  const Trace T = recorded(Events);
  const Statistics Numbers = computeStatistics(T);
  const auto Cost = recordingCost(T, Numbers);
  const Document Made = sectionOf(T, Numbers, &*Cost);
  const std::string Text = rendered(renderText, Made, TextStyle{});
  EXPECT_NE(Text.find("Recording took about 5.15 us"), Text.npos) << Text;
  EXPECT_NE(Text.find("SEAMSCOPE_PASS='exclude=dot'\n"), Text.npos) << Text;
  EXPECT_NE(Text.find("outer"), Text.npos) << Text;
  EXPECT_EQ(Text.find("long"), Text.npos) << Text;
  EXPECT_EQ(jsonOf(Made)["exclude"], nlohmann::json({"dot"}));

  // Few calls, long ones: nothing to say.
  const Trace Long = recorded(call("outer", 0, 100000) + "," + call("long", 10, 50000));
  const Statistics OfLong = computeStatistics(Long);
  const auto Little = recordingCost(Long, OfLong);
  const Document OfLittle = sectionOf(Long, OfLong, &*Little);
  EXPECT_EQ(rendered(renderText, OfLittle, TextStyle{}), "");
  EXPECT_TRUE(jsonOf(OfLittle)["exclude"].empty());
}

} // namespace
