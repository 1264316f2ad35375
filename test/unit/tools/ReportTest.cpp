//===- ReportTest.cpp - a report as text, JSON and CSV -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"
#include "TestFile.h"
#include "analysis/torch/CriticalPath.h"
#include "report/render/Render.h"
#include "report/sections/Documents.h"
#include "report/sections/Source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace seamscope::tools;
using nlohmann::json;

namespace {

/// Two kernels of the host, of which one has a name that is no good to show, and 20 of 100 µs that
/// are nobody's.
constexpr const char *Host = R"([
  {"ph": "X", "cat": "cpu_op", "name": "k\u001b[2J\u202e,\"x\"", "pid": 1, "tid": 1, "ts": 0,
   "dur": 50, "args": {"kernel": "k", "file": "/src/a.cpp", "line": 3, "column": 5}},
  {"ph": "X", "cat": "cpu_op", "name": "=inner", "pid": 1, "tid": 1, "ts": 10, "dur": 15,
   "args": {"kernel": "inner"}},
  {"ph": "X", "cat": "cpu_op", "name": "=inner", "pid": 1, "tid": 1, "ts": 70, "dur": 30,
   "args": {"kernel": "inner"}},
  {"ph": "B", "cat": "cpu_op", "name": "=inner", "pid": 1, "tid": 1, "ts": 95,
   "args": {"kernel": "inner"}}])";

/// All that a report shows of a trace.
struct Shown {
  explicit Shown(std::string_view Json)
      : Source(traceOf(Json)), Numbers(computeStatistics(Source)) {
    Source.Info.Path = "t.json";
    Devices.Links = linkWork(Source);
    Devices.Rows = deviceRows(Source, Numbers.WindowNs, Devices.Links);
    Devices.Linking = countLinks(Source, Devices.Links);
    Devices.Categories = categoryRows(Source);
    Devices.Operators = operatorTimes(Source, Devices.Links);
    if (!Devices.Links.empty())
      Devices.Paths = &Paths.emplace(Source, Devices.Links);
    sortKernels(Numbers, Source, SortKey::Total);
    Input = {&Source, &Numbers, SIZE_MAX, nullptr, &Devices};
  }
  Shown(const Shown &) = delete;
  Shown &operator=(const Shown &) = delete;

  Trace Source;
  Statistics Numbers;
  DeviceReport Devices;
  std::optional<CriticalPaths> Paths;
  ReportInput Input{};
};

std::string reportText(const ReportInput &Input, bool Colours) {
  return rendered(renderText, reportDocument(Input), TextStyle{Colours});
}
std::string reportJson(const ReportInput &Input) {
  return rendered(renderJson, reportDocument(Input));
}
std::string reportCsv(const ReportInput &Input) {
  return rendered(renderCsv, reportDocument(Input));
}

bool has(const std::string &Text, std::string_view Part) { return Text.find(Part) != Text.npos; }

TEST(Report, TextShowsNamesEscapedAndWhatIsNobodys) {
  const Shown S(Host);
  const std::string Text = reportText(S.Input, false);
  EXPECT_FALSE(has(Text, "\x1b")) << Text;
  EXPECT_FALSE(has(Text, "\u202e"));
  EXPECT_TRUE(has(Text, R"(k\x1b[2J\u{202e},"x")")) << Text;
  EXPECT_TRUE(has(Text, "t.json: 4 events, window 100.00 us\n")) << Text;
  EXPECT_TRUE(has(Text, "a.cpp:3:5"));
  EXPECT_TRUE(has(Text, "  1 call was open at the end\n")) << Text;
  EXPECT_TRUE(has(Text, "[unattributed]"));
  EXPECT_TRUE(has(Text, "20.00 us"));
  EXPECT_TRUE(has(reportText(S.Input, true), "\x1b[1m"));
}

/// A launch that ends at 2 us, and its kernel from \p Begin on for 100 us.
std::string lateKernel(int Begin) {
  return reportText(Shown(fmt::format(R"([
  {{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 0,
   "dur": 2, "args": {{"correlation": 1}}}},
  {{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": {}, "dur": 100,
   "args": {{"device": 0, "correlation": 1}}}}])",
                                      Begin))
                        .Input,
                    false);
}

TEST(Report, ADeviceThatWasBusyBeforeTheTraceIsNotCalledIdle) {
  EXPECT_TRUE(has(lateKernel(50), "device 0: its first work began 48.00 us after its launch;"));
  EXPECT_FALSE(has(lateKernel(10), "its first work")); // less than a tenth of the window
}

/// The durations of a kernel's calls in whole us, as its panel has them.
Histogram durationsOf(const std::vector<int> &Us) {
  std::string Events;
  for (size_t I = 0; I < Us.size(); ++I)
    Events += fmt::format(R"({}{{"ph": "X", "cat": "cpu_op", "name": "k", "pid": 1, "tid": 1,
      "ts": {}, "dur": {}, "args": {{"kernel": "k"}}}})",
                          I ? "," : "", 100 * I, Us[I]);
  Shown S("[" + Events + "]");
  S.Input.Page = true;
  const Document Made = reportDocument(S.Input);
  for (const Item &Each : findTable(Made, "kernels")->Details(0))
    if (const Chart *Of = Each.as<Chart>())
      if (const Histogram *Found = std::get_if<Histogram>(&Of->Of))
        return *Found;
  return {};
}

TEST(Report, DurationsOfCallsThatTakeNoTime) {
  // Whole us, as some profilers write them.
  const Histogram None = durationsOf({0, 0, 0});
  EXPECT_EQ(None.EdgesNs, (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(None.Counts, (std::vector<uint64_t>{3}));
  const Histogram Some = durationsOf({0, 0, 8});
  EXPECT_EQ(Some.Counts.size() + 1, Some.EdgesNs.size());
  EXPECT_EQ(Some.Counts.front(), 2u);
  EXPECT_EQ(Some.Counts.back(), 1u);
}

TEST(Report, TopLeavesALineForTheRest) {
  Shown S(Host);
  S.Input.Top = 1;
  EXPECT_TRUE(has(reportText(S.Input, false), "[1 more]"));
  EXPECT_EQ(json::parse(reportJson(S.Input))["kernels"].size(), 1u);
}

TEST(Report, JsonAddsUpToTheWindow) {
  const Shown S(Host);
  const std::string Text = reportJson(S.Input);
  for (const char C : Text)
    ASSERT_TRUE(C == '\n' || (C >= 0x20 && C < 0x7f));
  const json Report = json::parse(Text);
  EXPECT_EQ(Report["schema"], "seamscope.report/1");
  EXPECT_EQ(Report["trace"]["events"], 4);
  EXPECT_EQ(Report["trace"]["producer"], nullptr);
  EXPECT_EQ(Report["window_ns"], 100000);
  EXPECT_EQ(Report["unattributed_ns"], 20000);
  int64_t Self = 0;
  for (const json &Row : Report["kernels"])
    Self += Row["self_ns"].get<int64_t>();
  EXPECT_EQ(Self, 80000);
  ASSERT_EQ(Report["kernels"].size(), 2u);
  const json &First = Report["kernels"][0];
  EXPECT_EQ(First["name"], "k\x1b[2J\u202e,\"x\"");
  EXPECT_EQ(First["total_ns"], 50000);
  EXPECT_EQ(First["self_ns"], 35000);
  EXPECT_EQ(First["source"]["file"], "/src/a.cpp");
  EXPECT_EQ(First["device"], nullptr);
  const json &Second = Report["kernels"][1];
  EXPECT_EQ(Second["calls"], 3);
  EXPECT_EQ(Second["mean_ns"], 16667);
  EXPECT_EQ(Second["open"], 1);
  EXPECT_EQ(Second["source"]["line"], nullptr);
  EXPECT_TRUE(Report["devices"].empty());
}

TEST(Report, CsvQuotesAndDefusesNames) {
  const Shown S(Host);
  const std::string Text = reportCsv(S.Input);
  EXPECT_TRUE(has(Text, "\r\n\"k\\x1b[2J\\u{202e},\"\"x\"\"\",1,50000,35000,")) << Text;
  EXPECT_TRUE(has(
      Text, "\r\n'=inner,3,45000,45000,16667,5000,15000,30000,30000,1,0,,,,other,,,,,,,,0,\r\n"))
      << Text;
  EXPECT_TRUE(Text.ends_with("[unattributed],,,20000,,,,,,,,,,,,,,,,,,,,\r\n")) << Text;
}

/// Two kernels on a device, one of which nobody is known to have launched.
constexpr const char *Device = R"({"deviceProperties": [{"id": 0, "name": "GPU\u0007"}],
 "traceEvents": [
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2,
   "dur": 3, "args": {"correlation": 1}},
  {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": 30,
   "args": {"device": 0, "correlation": 1}},
  {"ph": "X", "cat": "kernel", "name": "graph", "pid": 0, "tid": 8, "ts": 40, "dur": 60,
   "args": {"device": 0}}]})";

TEST(Report, DeviceIsBusyAsLongAsAnyStreamIs) {
  const Shown S(Device);
  const json Report = json::parse(reportJson(S.Input));
  ASSERT_EQ(Report["devices"].size(), 1u);
  const json &Row = Report["devices"][0];
  EXPECT_EQ(Row["busy_ns"], 80000);
  EXPECT_EQ(Row["kernel_ns"], 90000);
  EXPECT_EQ(Row["idle_ns"], 20000);
  int64_t Idle = 0;
  for (const auto &[Why, Ns] : Row["idle"].items())
    Idle += Ns.get<int64_t>();
  EXPECT_EQ(Idle, 20000);
  EXPECT_EQ(Report["linking"], (json{{"kernels", 2}, {"launched", 1}, {"linked", 1}}));
  const std::string Text = reportText(S.Input, false);
  EXPECT_TRUE(has(Text, R"(0 GPU\x07)")) << Text;
  EXPECT_TRUE(has(Text, "80.0"));
  EXPECT_TRUE(has(Text, "1 of 2 kernels linked to their operator, 1 to their launch"));
}

TEST(Report, GroupsKeepWhatCannotBeLinked) {
  const Shown S(Device);
  const Grouping Groups = groupBy(S.Source, S.Devices.Links, GroupKey::Operator);
  const Document Made = groupsDocument({&S.Source, &Groups, "op", S.Numbers.WindowNs});
  const json Report = json::parse(rendered(renderJson, Made));
  EXPECT_EQ(Report["self_ns"], 90000);
  ASSERT_EQ(Report["rows"].size(), 2u);
  EXPECT_EQ(Report["rows"][0]["key"], "[unattributed]");
  EXPECT_EQ(Report["rows"][0]["self_ns"], 60000);
  EXPECT_EQ(Report["rows"][1]["key"], "aten::mm");
  EXPECT_TRUE(has(rendered(renderText, Made, TextStyle{}), "[total]"));
  EXPECT_TRUE(has(rendered(renderCsv, Made), "[unattributed],1,60000,60000,60000,60000,,\r\n"));
}

TEST(Report, EmptyTraceIsAnEmptyReport) {
  const Shown S("[]");
  EXPECT_TRUE(has(reportText(S.Input, false), "0 events"));
  const json Report = json::parse(reportJson(S.Input));
  EXPECT_EQ(Report["window_ns"], 0);
  EXPECT_EQ(Report["unattributed_ns"], 0);
  EXPECT_TRUE(Report["kernels"].empty() && Report["skipped"].empty());
}

TEST(Report, BaselineIsShownOnBothSides) {
  Shown S(R"([{"ph": "X", "cat": "cpu_op", "name": "fused", "ts": 0, "dur": 10,
               "args": {"kernel": "fused", "ops": "add,mul,sub"}}])");
  const Trace Eager = traceOf(R"([
    {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 0, "dur": 20},
    {"ph": "X", "cat": "cpu_op", "name": "aten::mul", "pid": 1, "tid": 1, "ts": 20, "dur": 10},
    {"ph": "X", "cat": "cpu_op", "name": "aten::e\u001b[0mxp", "pid": 1, "tid": 1, "ts": 30,
     "dur": 5}])");
  const BaselineComparison Comparison = compareToBaseline(S.Source, S.Numbers, Eager);
  const BaselineInput Baseline = {&Eager, &Comparison};
  S.Input.Baseline = &Baseline;
  const std::string Text = reportText(S.Input, false);
  EXPECT_FALSE(has(Text, "\x1b"));
  EXPECT_TRUE(has(Text, "3.00x ~")) << Text;
  EXPECT_TRUE(has(Text, "sub: not in the baseline"));
  EXPECT_TRUE(has(Text, "[eager, not replaced] aten::e\\x1b[0mxp"));
  const json Report = json::parse(reportJson(S.Input))["baseline"];
  EXPECT_EQ(Report["pairs"][0]["eager_mean_ns"], 30000);
  EXPECT_EQ(Report["pairs"][0]["approximate"], true);
  EXPECT_EQ(Report["unmatched_eager"].size(), 1u);
  EXPECT_TRUE(has(reportCsv(S.Input), "fused,1,10000,30000,3,true,add,1,aten::add,1,20000"));
}

TEST(Report, SkippedEventsAreReported) {
  const Shown S(R"([{"ph": "X", "name": "k", "ts": 1, "dur": 1}, {"ph": "X", "name": "odd"}])");
  const json Report = json::parse(reportJson(S.Input));
  ASSERT_EQ(Report["skipped"].size(), 1u);
  EXPECT_EQ(Report["skipped"][0]["offset"], 46);
}

TEST(Source, AFunctionEndsWhereItsBracesClose) {
  const char *Text = "int f(int a);\n"
                     "int g(char c)\n"
                     "{\n"
                     "  if (c == '{') { // {\n"
                     "    puts(\"\\\"{\");\n"
                     "  }\n"
                     "}\n"
                     "int h() { return 1; }\n"
                     "int open() {\n";
  EXPECT_EQ(lastLineOfFunction(Text, 1), 1u);
  EXPECT_EQ(lastLineOfFunction(Text, 2), 7u);
  EXPECT_EQ(lastLineOfFunction(Text, 8), 8u);
  EXPECT_EQ(lastLineOfFunction(Text, 9), 9u);
  EXPECT_EQ(lastLineOfFunction(Text, 99), 99u);
  EXPECT_EQ(lastLineOfFunction("", 1), 1u);
}

} // namespace
