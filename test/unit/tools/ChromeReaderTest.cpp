//===- ChromeReaderTest.cpp - Chrome trace JSON becomes the model ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/ChromeReader.h"
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
  EXPECT_EQ(Source.Events.teamThread(0), 3);
  const Site &What = Source.Sites[Source.Events.Site[0]];
  EXPECT_EQ(What.Kind, SiteKind::Region);
  EXPECT_EQ(Source.text(What.Name), "k [parallel]");
  EXPECT_EQ(Source.text(What.Kernel), "k");
  EXPECT_EQ(Source.text(What.Region), "k [parallel]");
  EXPECT_EQ(Source.text(What.File), "/a.cpp");
  EXPECT_EQ(What.Line, 5u);
  EXPECT_EQ(What.Column, 6u);
  EXPECT_EQ(Source.text(What.Operators), "add");
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
  ASSERT_EQ(Source.Events.size(), 4u); // those without an end stand last
  EXPECT_EQ(nameOf(Source, Source.Events.Site[0]), "empty");
  EXPECT_EQ(Source.Events.DurationNs[0], 0);
  EXPECT_EQ(nameOf(Source, Source.Events.Site[1]), "inner");
  EXPECT_EQ(Source.Events.DurationNs[1], 3000);
  ASSERT_EQ(Source.Open.size(), 2u);
  EXPECT_EQ(Source.Open[0].Event, 2u);
  EXPECT_EQ(nameOf(Source, Source.Events.Site[2]), "outer");
  EXPECT_EQ(Source.Events.DurationNs[2], 4000); // to the last end of any call
  EXPECT_EQ(nameOf(Source, Source.Events.Site[3]), "other");
  EXPECT_EQ(Source.Events.DurationNs[3], 3000);
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
  EXPECT_EQ(Source.Info.Notes.size(), 1u);
  EXPECT_EQ(Source.Info.NegativeDurations, 1u);
}

TEST(ChromeReader, RegionHasItsKernel) {
  const Trace Source = traceOf(
      R"([{"ph": "X", "cat": "omp_region", "name": "r", "ts": 1, "dur": 1, "args": {"kernel": "k"}}])");
  ASSERT_EQ(Source.Sites.size(), 2u);
  EXPECT_EQ(nameOf(Source, 1), "k");
  EXPECT_EQ(Source.Sites[1].Kind, SiteKind::Kernel);
}

TEST(ChromeReader, RegionThatNamesNoKernelIsItsOwn) {
  const Trace Source = traceOf(R"([{"ph": "X", "cat": "omp_region", "name": "r", "ts": 1, "dur": 1},
                                   {"ph": "X", "cat": "omp_region", "ts": 1, "dur": 1}])");
  ASSERT_EQ(Source.Sites.size(), 4u);
  EXPECT_EQ(Source.text(Source.Sites[0].Kernel), "r");
  EXPECT_EQ(nameOf(Source, 2), "r");
  EXPECT_EQ(Source.Sites[2].Kind, SiteKind::Kernel);
  EXPECT_EQ(nameOf(Source, 3), "");
  EXPECT_EQ(Source.Sites[3].Kind, SiteKind::Kernel);
}

/// Reads \p Json on some threads, in windows of some size.
Trace traceInWindows(std::string_view Json, unsigned Threads, size_t WindowBytes) {
  const TestFolder Folder;
  auto Source = ByteSource::open(Folder.file("trace.json", Json), 7);
  Result<Trace> Read =
      readChromeTrace(**Source, "trace.json", {.Threads = Threads, .WindowBytes = WindowBytes});
  EXPECT_TRUE(Read) << Read.error().message();
  return std::move(*Read);
}

TEST(ChromeReader, LastNameOfAThreadCountsWhoeverReadsIt) {
  std::string Json = "[";
  for (int I = 0; I < 200; ++I)
    Json += R"({"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "t)" +
            std::to_string(I) + R"("}}, {"ph": "M", "name": "process_name", "pid": 1,
            "args": {"name": "p)" +
            std::to_string(I) + R"("}}, {"ph": "M", "name": "process_name", "pid": 1},)";
  Json.back() = ']';
  for (const unsigned Threads : {1u, 2u, 4u}) {
    const Trace Source = traceInWindows(Json, Threads, 10);
    ASSERT_EQ(Source.Tracks.size(), 1u);
    EXPECT_EQ(Source.text(Source.Tracks[0].ThreadName), "t199");
    ASSERT_EQ(Source.Processes.size(), 1u);
    EXPECT_EQ(Source.text(Source.Processes[0].Name), "p199");
  }
}

TEST(ChromeReader, DurationsThatAddUpTooFarAreLeftOutAlikeOnAnyThreads) {
  // In µs, 2^63 ns is 9223372036854775.8: which calls still fit depends on all before.
  std::string Json = "[";
  for (const char *Duration : {"3000000000000000", "4000000000000000", "4500000000000000",
                               "2000000000000000", "500000000000000", "1", "4600000000000000"})
    Json += std::string(R"({"ph": "X", "cat": "kernel", "name": "k)") + Duration +
            R"(", "ts": 0, "dur": )" + Duration + R"(, "args": {"correlation": 1}},)";
  Json.back() = ']';
  const Trace One = traceInWindows(Json, 1, 1 << 20);
  EXPECT_EQ(One.Events.size(), 4u);
  EXPECT_EQ(One.Info.SkippedEvents, 3u);
  for (const size_t WindowBytes : {1, 100, 200, 300, 1000}) {
    const Trace Many = traceInWindows(Json, 3, WindowBytes);
    EXPECT_EQ(Many.Events.DurationNs, One.Events.DurationNs);
    EXPECT_EQ(Many.Correlations.size(), One.Correlations.size());
    ASSERT_EQ(Many.Info.Skipped.size(), One.Info.Skipped.size());
    for (size_t I = 0; I < One.Info.Skipped.size(); ++I)
      EXPECT_EQ(Many.Info.Skipped[I].Offset, One.Info.Skipped[I].Offset);
  }
}

TEST(ChromeReader, KeysMayBeEscaped) {
  EXPECT_EQ(traceOf(R"({"\u0074raceEvents": [{"\u0070h": "X", "name": "k", "ts": 1, "dur": 2}]})")
                .Events.size(),
            1u);
}

TEST(ChromeReader, AnArrayEndsAsOne) {
  const Trace Source = traceOf(R"([{"ph": "X", "name": "k", "ts": 1, "dur": 2}})");
  EXPECT_EQ(Source.Events.size(), 1u);
  ASSERT_TRUE(Source.Info.Damage);
  EXPECT_EQ(Source.Info.Damage->Offset, 44u);
}

TEST(ChromeReader, OverlongMembersAreLeftOut) {
  const Trace Source = traceOf(R"({"deviceProperties": [")" + std::string(5 << 20, 'a') +
                               R"("], "traceEvents": [{"ph": "X", "ts": 1, "dur": 2}]})");
  EXPECT_EQ(Source.Events.size(), 1u);
  ASSERT_EQ(Source.Info.Skipped.size(), 1u);
  EXPECT_NE(Source.Info.Skipped[0].Reason.find("longer than"), std::string::npos);
}

TEST(ChromeReader, TellsWhereTheTextIsCutOffAndKeepsWhatIsWhole) {
  const std::string Whole = R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "dur": 2}]})";
  const size_t Array = Whole.find('[') + 1, Event = Whole.find('}') + 1;
  for (size_t Size = 1; Size < Whole.size(); ++Size) {
    const TestFolder Folder;
    Result<Trace> Read = readTrace(Folder.file("trace.json", Whole.substr(0, Size)));
    ASSERT_EQ(static_cast<bool>(Read), Size >= Array) << Size;
    if (Read) {
      ASSERT_TRUE(Read->Info.Damage) << Size;
    }
    const Error Why = Read ? *Read->Info.Damage : Read.error();
    EXPECT_NE(Why.Reason.find("ends in the middle"), std::string::npos) << Size << Why.Reason;
    EXPECT_EQ(Why.Offset, Size);
    if (Read) {
      EXPECT_EQ(Read->Events.size(), Size >= Event ? 1u : 0u) << Size;
    }
  }
}

TEST(ChromeReader, RefusesWhatIsNoTrace) {
  EXPECT_NE(errorOf("").Reason.find("empty"), std::string::npos);
  EXPECT_NE(errorOf(" \n").Reason.find("empty"), std::string::npos);
  const Error Text = errorOf("hello");
  EXPECT_NE(Text.Reason.find("not a JSON object"), std::string::npos);
  EXPECT_EQ(Text.Offset, 0u);
  for (const char *Json :
       {"{}", "12", "null", "\"x\"", R"({"traceEvents": 1})", R"({"traceEvents": {}})",
        R"({"traceEvents": null})", R"({"events": []})", "{1: 2}", "{]", R"({"a" 1})", "\"", "}"})
    EXPECT_FALSE(errorOf(Json).Reason.empty()) << Json;
}

TEST(ChromeReader, AQuoteThatIsNotEscapedCostsItsEventAlone) {
  const std::string Good = "{\n\"ph\": \"X\",\n\"name\": \"k\",\n\"ts\": 1,\n\"dur\": 2\n}";
  for (const char *Odd : {R"("a"b")", R"("a"")", R"("C:\dir\")", R"("a"{")", R"("say "hi" {[")"}) {
    const std::string Bad = fmt::format("{{\n\"ph\": \"X\",\n\"name\": {},\n\"ts\": 1\n}}", Odd);
    std::string Json = "[\n";
    for (int I = 0; I < 40; ++I)
      Json += (I % 10 == 3 ? Bad : Good) + ",\n";
    Json += Good + "\n]";
    for (const size_t WindowBytes : {size_t{64}, size_t{300}, DefaultWindowBytes}) {
      ReadOptions Keep;
      Keep.WindowBytes = WindowBytes;
      const Trace Source = traceOf(Json, Keep);
      EXPECT_EQ(Source.Events.size(), 37u) << Odd;
      EXPECT_EQ(Source.Info.SkippedEvents, 4u) << Odd;
      EXPECT_FALSE(Source.Info.Damage) << Odd;
    }
  }
}

TEST(ChromeReader, ReadsAllOfSeveralTexts) {
  const std::string One = R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "dur": 2}]})";
  const Trace Source =
      traceOf(One + "\n" + One + "\n" + R"([{"ph": "X", "name": "l", "ts": 1, "dur": 2}])");
  EXPECT_FALSE(Source.Info.Damage);
  EXPECT_EQ(Source.Events.size(), 3u);
}

TEST(ChromeReader, AnArrayNeedNotEnd) {
  for (const char *End : {"", ",", " ,\n", "\n"}) {
    const Trace Source =
        traceOf(std::string(R"([{"ph": "X", "name": "k", "ts": 1, "dur": 2})") + End);
    EXPECT_FALSE(Source.Info.Damage) << End;
    EXPECT_EQ(Source.Events.size(), 1u) << End;
  }
  EXPECT_TRUE(traceOf(R"([{"ph": "X", "name": "k", "ts": 1, "dur": 2}, {"ph")").Info.Damage);
  EXPECT_TRUE(
      traceOf(R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "dur": 2})").Info.Damage);
}

TEST(ChromeReader, MoreTextBehindTheTraceIsDamage) {
  for (const char *Json :
       {R"([{"ph": "X", "name": "k", "ts": 1, "dur": 2}] x)",
        R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "dur": 2}]} 7)",
        R"({"traceEvents": [{"ph": "X", "name": "k", "ts": 1, "dur": 2}], 7})"}) {
    const Trace Source = traceOf(Json);
    EXPECT_TRUE(Source.Info.Damage) << Json;
    EXPECT_EQ(Source.Events.size(), 1u) << Json;
  }
}

/// One good event, \p Odd, and another good one.
Trace traceAround(const std::string &Odd) {
  const std::string Good = R"({"ph": "X", "name": "good", "ts": 1, "dur": 2})";
  return traceOf("[" + Good + ", " + Odd + " ,\n" + Good + "]");
}

TEST(ChromeReader, LeavesOutWhatIsNoEventAndSaysWhere) {
  for (const char *Odd :
       {"1", "null", "\"x\"", "[]", "[{}]", R"({"ph": "X", "name": "k", "dur": 1})",
        R"({"ph": "X", "name": "k", "ts": "soon", "dur": 1})",
        R"({"ph": "X", "name": "k", "ts": 1e300, "dur": 1})",
        R"({"ph": "X", "name": "k", "ts": 9e15, "dur": 9e15})",
        R"({"ph": "X", "name": "k", "ts": 18446744073709551615, "dur": 1})",
        R"({"ph": "X", "name": "k", "ts": true, "dur": 1})",
        R"({"ph": "X", "name": "k", "ts": 1, "dur": 1e17})",
        // Not JSON:
        R"({"ph": "X", "name": "k", "ts": NaN, "dur": 1})",
        R"({"ph": "X", "name": "k", "ts": 1, "dur": 1,})",
        R"({"ph": "X", "name": "a "quoted" name", "ts": 1, "dur": 1})",
        "{\"ph\": \"X\", \"name\": \"\xff\", \"ts\": 1, \"dur\": 1}",
        R"({"ph": "X", "name": "k\q", "ts": 1, "dur": 1})", R"({"ph": "X" "name"})"}) {
    const Trace Source = traceAround(Odd);
    EXPECT_EQ(Source.Events.size(), 2u) << Odd;
    EXPECT_EQ(Source.Info.SkippedEvents, 1u) << Odd;
    ASSERT_EQ(Source.Info.Skipped.size(), 1u) << Odd;
    EXPECT_EQ(Source.Info.Skipped[0].Offset, 49u) << Odd;
    EXPECT_FALSE(Source.Info.Skipped[0].Reason.empty()) << Odd;
    EXPECT_FALSE(Source.Info.Damage) << Odd;
  }
}

TEST(ChromeReader, LeavesOutDurationsThatAddUpTooFar) {
  std::string Json = "[";
  for (int I = 0; I < 5; ++I) // each is 2^61 ns and a bit
    Json += R"({"ph": "X", "name": "k", "ts": 0, "dur": 2400000000000000},)";
  Json.back() = ']';
  const Trace Source = traceOf(Json);
  EXPECT_EQ(Source.Events.size(), 3u);
  EXPECT_EQ(Source.Info.SkippedEvents, 2u);
}

TEST(ChromeReader, WindowsAreCutBetweenEvents) {
  // Several windows, with strings full of what could be taken for structure.
  std::string Json = R"({"a": "]}", "traceEvents": [)";
  constexpr size_t Count = 30000;
  for (size_t I = 0; I < Count; ++I)
    Json += R"({"ph": "X", "name": "k\\", "ts": )" + std::to_string(I) +
            R"(.001, "dur": 1, "args": {"x": "[{\"]}\\", "y": [[{}], {}]}},)" + "\n ";
  Json.erase(Json.rfind(','));
  Json += R"(], "distributedInfo": {"rank": 3}})";
  const Trace Source = traceOf(Json);
  ASSERT_EQ(Source.Events.size(), Count);
  for (size_t I = 0; I < Count; ++I)
    ASSERT_EQ(Source.Events.BeginNs[I], static_cast<int64_t>(I) * 1000 + 1);
  EXPECT_EQ(Source.Info.SkippedEvents, 0u);
  EXPECT_EQ(Source.Info.Rank, 3);
  EXPECT_EQ(nameOf(Source, 0), "k\\");
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
