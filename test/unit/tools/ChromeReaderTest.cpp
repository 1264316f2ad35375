//===- ChromeReaderTest.cpp - Chrome trace JSON becomes the model ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFile.h"

using namespace seamscope::tools;

namespace {

std::string_view nameOf(const Trace &Source, SiteId Id) {
  return Source.text(Source.Sites[Id].Name);
}

TEST(ChromeReader, ReadsOurEvent) {
  const Trace Source = traceOf(R"({"seamscope": {"version": "9.9", "format": 1, "mode": "trace"},
    "traceEvents": [{"ph": "X", "cat": "omp_region", "name": "k [parallel]", "pid": 7, "tid": 8,
      "ts": 1.001, "dur": 2.002, "args": {"kernel": "k", "region": "k [parallel]", "thread": 3,
      "file": "/a.cpp", "line": 5, "column": 6, "ops": "add", "linkage_name": "_Zk"}}]})");
  ASSERT_EQ(Source.Events.size(), 1u);
  EXPECT_EQ(Source.Events.BeginNs[0], 1001);
  EXPECT_EQ(Source.Events.DurationNs[0], 2002);
  EXPECT_EQ(Source.Events.TeamThread[0], 3);
  const Site &What = Source.Sites[Source.Events.Site[0]];
  EXPECT_EQ(What.Kind, SiteKind::Region);
  EXPECT_EQ(Source.text(What.Name), "k [parallel]");
  EXPECT_EQ(Source.text(What.Kernel), "k");
  EXPECT_EQ(Source.text(What.Region), "k [parallel]");
  EXPECT_EQ(Source.text(What.File), "/a.cpp");
  EXPECT_EQ(What.Line, 5u);
  EXPECT_EQ(What.Column, 6u);
  EXPECT_EQ(Source.text(What.Ops), "add");
  EXPECT_EQ(Source.text(What.LinkageName), "_Zk");
  const Track &Where = Source.Tracks[Source.Events.Track[0]];
  EXPECT_EQ(Source.text(Where.Process), "7");
  EXPECT_EQ(Source.text(Where.Thread), "8");
  EXPECT_EQ(Source.Info.Producer, "seamscope 9.9");
  EXPECT_EQ(Source.Info.Mode, "trace");
}

TEST(ChromeReader, KeysMayComeInAnyOrder) {
  const Trace Source = traceOf(R"({"traceEvents": [
    {"args": {"line": 2, "deep": {"x": [1, {"line": 9}]}, "file": "f"}, "dur": 1, "ts": 2,
     "name": "n", "cat": "cpu_op", "ph": "X", "extra": [[{"name": "wrong"}]], "tid": 1, "pid": 1}],
    "distributedInfo": {"rank": 3, "world_size": 4}, "seamscope": {"format": 1, "recovered": true}})");
  ASSERT_EQ(Source.Events.size(), 1u);
  EXPECT_EQ(nameOf(Source, 0), "n");
  EXPECT_EQ(Source.Sites[0].Line, 2u);
  EXPECT_EQ(Source.Info.Rank, 3);
  EXPECT_EQ(Source.Info.WorldSize, 4);
  EXPECT_TRUE(Source.Info.Recovered);
}

TEST(ChromeReader, EqualSitesAreOne) {
  const Trace Source = traceOf(R"([
    {"ph": "X", "cat": "cpu_op", "name": "k", "ts": 1, "dur": 1, "args": {"line": 1}},
    {"ph": "X", "cat": "cpu_op", "name": "k", "ts": 2, "dur": 1, "args": {"line": 1}},
    {"ph": "X", "cat": "cpu_op", "name": "k", "ts": 3, "dur": 1, "args": {"line": 2}}])");
  EXPECT_EQ(Source.Sites.size(), 2u);
  EXPECT_EQ(Source.Events.Site, (std::vector<SiteId>{0, 0, 1}));
}

TEST(ChromeReader, ReadsABareArrayAndAbsoluteTimes) {
  const Trace Source = traceOf(
      R"([{"ph": "X", "name": "k", "ts": 1732152000123456.789, "dur": 0.001, "pid": 1, "tid": 1}])");
  ASSERT_EQ(Source.Events.size(), 1u);
  EXPECT_EQ(Source.Events.BeginNs[0], 1732152000123456789);
  EXPECT_EQ(Source.Events.DurationNs[0], 1);
  EXPECT_EQ(Source.Info.Producer, "");
}

TEST(ChromeReader, PairsBeginsWithEnds) {
  const Trace Source = traceOf(R"([
    {"ph": "E", "ts": 9, "pid": 1, "tid": 2},
    {"ph": "B", "name": "outer", "cat": "cpu_op", "ts": 1, "pid": 1, "tid": 1},
    {"ph": "B", "name": "inner", "cat": "cpu_op", "ts": 2, "pid": 1, "tid": 1},
    {"ph": "B", "name": "empty", "cat": "cpu_op", "ts": 3, "pid": 1, "tid": 1},
    {"ph": "E", "ts": 3, "pid": 1, "tid": 1},
    {"ph": "B", "name": "other", "cat": "cpu_op", "ts": 2, "pid": 1, "tid": 3},
    {"ph": "E", "ts": 5, "pid": 1, "tid": 1}])");
  ASSERT_EQ(Source.Events.size(), 2u);
  EXPECT_EQ(nameOf(Source, Source.Events.Site[0]), "empty");
  EXPECT_EQ(Source.Events.DurationNs[0], 0);
  EXPECT_EQ(nameOf(Source, Source.Events.Site[1]), "inner");
  EXPECT_EQ(Source.Events.DurationNs[1], 3000);
  ASSERT_EQ(Source.Open.size(), 2u);
  EXPECT_EQ(nameOf(Source, Source.Open[0].Site), "outer");
  EXPECT_EQ(nameOf(Source, Source.Open[1].Site), "other");
  ASSERT_EQ(Source.Info.Notes.size(), 1u); // the end without a begin
}

TEST(ChromeReader, NamesProcessesAndThreads) {
  const Trace Source = traceOf(R"([
    {"ph": "M", "name": "process_name", "pid": "Spans", "tid": 0, "args": {"name": "python"}},
    {"ph": "M", "name": "process_labels", "pid": "Spans", "args": {"labels": "rank 1"}},
    {"ph": "M", "name": "thread_name", "pid": "Spans", "tid": null, "args": {"name": "main"}}])");
  ASSERT_EQ(Source.Processes.size(), 1u);
  EXPECT_EQ(Source.text(Source.Processes[0].Pid), "Spans");
  EXPECT_EQ(Source.text(Source.Processes[0].Name), "python");
  EXPECT_EQ(Source.text(Source.Processes[0].Labels), "rank 1");
  ASSERT_EQ(Source.Tracks.size(), 1u);
  EXPECT_EQ(Source.text(Source.Tracks[0].ThreadName), "main");
}

TEST(ChromeReader, ReadsModeProfile) {
  const Trace Source = traceOf(R"({"traceEvents": [], "seamscope": {"format": 1, "mode": "profile",
    "abandoned": [{"name": "k", "calls": 2}], "profile": [
    {"cat": "cpu_op", "name": "k", "pid": 1, "tid": 1, "calls": 3, "total_ns": 60, "min_ns": 10,
     "max_ns": 30, "first_ns": 5, "last_ns": 100, "args": {"kernel": "k"},
     "histogram": [[8, 1], [16, 1], [28, 1]]},
    {"cat": "cpu_op", "name": "left", "pid": 1, "tid": 1, "calls": 0, "total_ns": 0, "min_ns": 0,
     "max_ns": 0, "first_ns": 7, "last_ns": 0, "args": {}, "histogram": []}]}})");
  ASSERT_EQ(Source.Profile.size(), 1u); // one without calls says nothing of times
  EXPECT_EQ(Source.Profile[0].Calls, 3u);
  EXPECT_EQ(Source.Profile[0].TotalNs, 60);
  EXPECT_EQ(Source.Profile[0].HistogramNs.size(), 3u);
  ASSERT_EQ(Source.Abandoned.size(), 1u);
  EXPECT_EQ(Source.Abandoned[0].Calls, 2u);
  EXPECT_EQ(nameOf(Source, Source.Abandoned[0].Site), "k");
}

TEST(ChromeReader, KnowsTorchsTraces) {
  EXPECT_EQ(traceOf(R"({"deviceProperties": [], "traceEvents": []})").Info.Producer,
            "torch.profiler");
  EXPECT_EQ(traceOf(R"([{"ph": "i", "name": "Record Window End", "pid": "", "tid": "", "ts": 1}])")
                .Info.Producer,
            "torch.profiler");
}

TEST(ChromeReader, PutsOddDurationsRightAndSaysSo) {
  const Trace Source = traceOf(R"([{"ph": "X", "name": "a", "ts": 1},
                                   {"ph": "X", "name": "b", "ts": 1, "dur": -1}])");
  EXPECT_EQ(Source.Events.DurationNs, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(Source.Info.Notes.size(), 2u);
}

TEST(ChromeReader, RegionHasItsKernel) {
  const Trace Source = traceOf(
      R"([{"ph": "X", "cat": "omp_region", "name": "r", "ts": 1, "dur": 1, "args": {"kernel": "k"}}])");
  ASSERT_EQ(Source.Sites.size(), 2u);
  EXPECT_EQ(nameOf(Source, 1), "k");
  EXPECT_EQ(Source.Sites[1].Kind, SiteKind::Kernel);
}

TEST(ChromeReader, TellsWhereTheTextIsCutOff) {
  const std::string Whole = R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "dur": 2}]})";
  for (size_t Size = 1; Size < Whole.size(); ++Size) {
    const Error Why = errorOf(Whole.substr(0, Size));
    EXPECT_NE(Why.Reason.find("ends in the middle"), std::string::npos) << Size << Why.Reason;
    EXPECT_EQ(Why.Offset, Size);
  }
}

TEST(ChromeReader, RefusesWhatIsNoTrace) {
  EXPECT_NE(errorOf("").Reason.find("empty"), std::string::npos);
  const Error Text = errorOf("hello");
  EXPECT_NE(Text.Reason.find("not JSON"), std::string::npos);
  EXPECT_EQ(Text.Offset, 0u);
  for (const char *Json :
       {"{}", "12", "null", "\"x\"", R"({"traceEvents": 1})", R"({"traceEvents": {}})",
        R"({"traceEvents": null})", R"({"events": []})", "[1]", "[[]]", "[null]",
        R"({"traceEvents": ["x"]})", R"([] [])", R"({"traceEvents": []} {})"})
    EXPECT_FALSE(errorOf(Json).Reason.empty()) << Json;
}

TEST(ChromeReader, RefusesTimesItCannotHold) {
  for (const char *Event : {R"("dur": 1)", R"("ts": "soon", "dur": 1)", R"("ts": 1e300, "dur": 1)",
                            R"("ts": 9e15, "dur": 9e15)", R"("ts": 18446744073709551615, "dur": 1)",
                            R"("ts": true, "dur": 1)", R"("ts": 1, "dur": 1e17)"}) {
    const Error Why = errorOf(std::string(R"([{"ph": "X", "name": "k", )") + Event + "}]");
    EXPECT_FALSE(Why.Reason.empty()) << Event;
    EXPECT_TRUE(Why.Offset) << Event;
  }
}

TEST(ChromeReader, RefusesDurationsThatAddUpTooFar) {
  std::string Json = "[";
  for (int I = 0; I < 5; ++I) // each is 2^61 ns and a bit
    Json += R"({"ph": "X", "name": "k", "ts": 0, "dur": 2400000000000000},)";
  Json.back() = ']';
  EXPECT_NE(errorOf(Json).Reason.find("add up"), std::string::npos);
}

TEST(ChromeReader, RefusesAnotherFormatOfOurs) {
  EXPECT_NE(errorOf(R"({"traceEvents": [], "seamscope": {"format": 2}})").Reason.find("format 2"),
            std::string::npos);
}

TEST(ChromeReader, RefusesABrokenProfile) {
  for (const char *Row :
       {"1", "{}", R"({"name": "k"})", R"({"name": "k", "calls": -1, "total_ns": 1, "min_ns": 1,
        "max_ns": 1, "first_ns": 1, "last_ns": 2})",
        R"({"name": "k", "calls": 1, "total_ns": 1, "min_ns": 1, "max_ns": 1, "first_ns": 2,
        "last_ns": 1})",
        R"({"name": "k", "calls": 1, "total_ns": 1.5, "min_ns": 1, "max_ns": 1, "first_ns": 1,
        "last_ns": 2})",
        R"({"name": "k", "calls": 1, "total_ns": 1, "min_ns": 1, "max_ns": 1, "first_ns": 1,
        "last_ns": 2, "histogram": [[1]]})"}) {
    const Error Why = errorOf(std::string(R"({"traceEvents": [], "seamscope": {"format": 1,
      "profile": [)") + Row + "]}}");
    EXPECT_NE(Why.Reason.find("\"profile\"[0]"), std::string::npos) << Row << Why.Reason;
  }
}

TEST(ChromeReader, DeepNestingIsNoDanger) {
  const std::string Json = R"([{"ph": "X", "ts": 1, "dur": 1, "args": {"a": )" +
                           std::string(200000, '[') + std::string(200000, ']') + "}}]";
  EXPECT_EQ(traceOf(Json).Events.size(), 1u);
}

} // namespace
