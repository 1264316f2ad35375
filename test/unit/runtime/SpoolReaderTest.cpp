//===- SpoolReaderTest.cpp - reading whole and broken spools ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/CallSums.h"
#include "format/ChromeTrace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace seamscope::format;

namespace {

/// A spool made by hand: one site of each kind of trouble, one thread, some records.
class Spool {
public:
  Spool() : Words((HeaderBytes + 4 * BlockBytes) / 8) {
    SpoolHeader &H = at<SpoolHeader>(0);
    std::memcpy(H.Magic, SpoolMagic, sizeof(SpoolMagic));
    H.Version = SpoolVersion;
    H.HeaderSize = sizeof(SpoolHeader);
    H.BlockSize = BlockBytes;
    H.Clock = ClockSource::Tsc;
    H.Mode = 2;
    H.Pid = 42;
    H.Rank = -1;
    H.WorldSize = -1;
    H.CapacityBlocks = H.BlocksClaimed = 4;
    H.First = {1000, 5000, 1700000000000000000u, 10};
    H.Last[0] = {1000 + 2000000000, 5000 + 1000000000, 1700000001000000000u, 10}; // 2 GHz
    block(0).Kind = BlockKind::Sites;
    block(1).Kind = BlockKind::Threads;
    block(2).Kind = BlockKind::Events;
    block(3).Kind = BlockKind::Live;
    addSite(1, 1, "plain", "plain", "plain", "/src/a.cpp", 7, "add,mul");
    addSite(2, 2, "plain [parallel a.cpp:9]", "plain.omp_outlined", "plain", "/src/a.cpp", 9, "");
    addSite(3, 1, "bad \x1b[31m \"quoted\" \xff\xc0\x80 end", "bad", "bad", "", 0, "");
    at<ThreadEntry>(offset(1)).Tid = 42;
    at<ThreadEntry>(offset(1)).TeamThread = 0;
    at<ThreadEntry>(offset(1)).FrameworkThread = 5;
  }

  void addOperator(uint32_t Id, const char *Name, const char *Dims) {
    addSite(Id, 4, Name, "", "", "", 0, "", Dims);
  }

  void add(uint64_t Begin, uint32_t Duration, uint32_t Site) {
    Record &R = (&at<Record>(offset(2)))[Records++];
    R = {Begin, Duration, Site};
  }

  const void *data() const { return Words.data(); }
  size_t size() const { return Words.size() * 8; }
  unsigned char *bytes() { return reinterpret_cast<unsigned char *>(Words.data()); }

private:
  template <typename T> T &at(size_t Offset) { return *reinterpret_cast<T *>(bytes() + Offset); }
  static size_t offset(size_t Block) {
    return HeaderBytes + Block * BlockBytes + sizeof(BlockHeader);
  }
  BlockHeader &block(size_t Block) { return at<BlockHeader>(HeaderBytes + Block * BlockBytes); }

  void addSite(uint32_t Id, uint32_t Kind, const char *Name, const char *Linkage,
               const char *Kernel, const char *File, uint32_t Line, const char *Ops,
               const char *Dims = "") {
    auto &Entry = at<SiteEntry>(offset(0) + SiteBytes);
    size_t Size = sizeof(SiteEntry);
    const auto Put = [&](const char *Text) -> uint32_t {
      if (!*Text)
        return 0;
      const size_t At = Size;
      std::strcpy(reinterpret_cast<char *>(&Entry) + At, Text);
      Size += std::strlen(Text) + 1;
      return static_cast<uint32_t>(At);
    };
    Entry.Id = Id;
    Entry.Kind = Kind;
    Entry.Line = Line;
    Entry.Name = Put(Name);
    Entry.LinkageName = Put(Linkage);
    Entry.Kernel = Put(Kernel);
    Entry.File = Put(File);
    Entry.Ops = Put(Ops);
    Entry.Dims = Put(Dims);
    Size = (Size + 7) / 8 * 8;
    Entry.Size = static_cast<uint32_t>(Size);
    SiteBytes += Size;
  }

  std::vector<uint64_t> Words;
  size_t SiteBytes = 0;
  size_t Records = 0;
};

bool appendTo(void *Context, const char *Text, size_t Size) {
  static_cast<std::string *>(Context)->append(Text, Size);
  return true;
}

std::string chromeTrace(const SpoolReader &Reader) {
  std::string Text;
  EXPECT_TRUE(writeChromeTrace(Reader, {"t.json", "1.2.3"}, {appendTo, &Text}));
  return Text;
}

TEST(Histogram, BucketsBeginAtTheirFloor) {
  for (uint32_t Bucket = 0; Bucket + 1 < HistogramBuckets; ++Bucket) {
    EXPECT_EQ(histogramBucket(histogramFloor(Bucket)), Bucket);
    EXPECT_EQ(histogramBucket(histogramFloor(Bucket + 1) - 1), Bucket);
  }
  EXPECT_EQ(histogramBucket(UINT64_MAX), HistogramBuckets - 1);
}

TEST(SpoolReader, ReadsRecordsAndEscapes) {
  Spool S;
  S.add(3000, 200, 1);
  S.add(0, 1, 1); // a hole
  S.add(4000, 3, EscapeTeamThread);
  S.add(4000, 50, 2);
  S.add(5000, 7, EscapeLong);
  S.add(1 + 2, 1, EscapeLongRest); // 2 << 32 more
  S.add(6000, 1, EscapeAbandoned);
  SpoolReader Reader;
  ASSERT_EQ(Reader.open(S.data(), S.size()).Reason, nullptr);
  std::vector<CallView> Calls;
  std::vector<uint32_t> Abandoned;
  Reader.forEachCall([&](const CallView &Call) { Calls.push_back(Call); },
                     [&](Escape Kind, uint64_t, uint32_t Value, uint32_t) {
                       EXPECT_EQ(Kind, EscapeAbandoned);
                       Abandoned.push_back(Value);
                     });
  ASSERT_EQ(Calls.size(), 3u);
  EXPECT_EQ(Calls[0].DurationTicks, 200u);
  EXPECT_EQ(Calls[0].TeamThread, -1);
  EXPECT_EQ(Calls[1].TeamThread, 3);
  EXPECT_EQ(Calls[2].DurationTicks, (uint64_t{2} << 32) + 7);
  EXPECT_EQ(Abandoned, std::vector<uint32_t>{1});
  EXPECT_EQ(Reader.ticksPerSecond(), 2000000000u);
  EXPECT_EQ(Reader.nsSinceStart(3000), 1000u);
}

/// A process that is killed while it stores one leaves either half without the other.
TEST(SpoolReader, HalfOfALongCallIsNoCall) {
  Spool S;
  S.add(0, 0, 0);
  S.add(1 + 2, 1, EscapeLongRest); // the first half is not there yet
  S.add(3000, 200, 1);
  S.add(4000, 7, EscapeLong); // the rest is not there
  S.add(5000, 300, 1);
  S.add(6000, 7, EscapeLong);
  S.add(1 + 1, EscapeLost, EscapeLongRest); // of no site
  SpoolReader Reader;
  ASSERT_EQ(Reader.open(S.data(), S.size()).Reason, nullptr);
  std::vector<uint64_t> Begins;
  Reader.forEachCall([&](const CallView &Call) { Begins.push_back(Call.BeginTick); },
                     [](Escape, uint64_t, uint32_t, uint32_t) {});
  EXPECT_EQ(Begins, (std::vector<uint64_t>{3000, 5000}));
}

TEST(ChromeTrace, IsJsonWithExactTimesAndTamedNames) {
  Spool S;
  S.add(3001, 200, 1);
  S.add(4000, 1, EscapeTeamThread);
  S.add(4000, 50, 2);
  S.add(5000, 50, 3);
  S.add(6000, 50, 99); // a site that was never described
  SpoolReader Reader;
  ASSERT_EQ(Reader.open(S.data(), S.size()).Reason, nullptr);
  const std::string Text = chromeTrace(Reader);
  EXPECT_EQ(Text.find('\x1b'), std::string::npos);
  const auto Trace = nlohmann::json::parse(Text);
  EXPECT_EQ(Trace["baseTimeNanoseconds"], 1700000000000000000u);
  std::vector<nlohmann::json> Events;
  for (const auto &Event : Trace["traceEvents"])
    if (Event["ph"] == "X")
      Events.push_back(Event);
  ASSERT_EQ(Events.size(), 4u);
  // Ends are rounded, not the duration: 1000.5 to 1100.5 ns.
  EXPECT_NE(Text.find("\"ts\":1.000,\"dur\":0.100"), std::string::npos);
  EXPECT_EQ(Events[0]["args"]["ops"], "add,mul");
  EXPECT_EQ(Events[1]["args"]["thread"], 1);
  EXPECT_EQ(Events[1]["cat"], "omp_region");
  EXPECT_EQ(Events[2]["name"], "bad \x1b[31m \"quoted\" \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd end");
  EXPECT_EQ(Events[3]["name"], "site 99");
}

TEST(SpoolReader, ArraysAreCheckedBeforeTheyAreQuoted) {
  for (const char *Good :
       {"[]", "[1]", "[-1,0,20]", "[[],[1,2],[[3]]]", R"(["a","\"\u00e9\\",""])"})
    EXPECT_TRUE(isJsonArray(Good)) << Good;
  for (const char *Bad : {"",         "[",          "]",
                          "1",        "[1,]",       "[,1]",
                          "[1 ]",     "[01]",       "[1.5]",
                          "[[1]",     "[1]]",       "[1],\"x\":1",
                          "[\"a]",    R"(["\x"])",  R"(["\u12"])",
                          "[\"\n\"]", "[\"\xff\"]", "[-]",
                          "[1[2]]",   "[{}]",       "[[[[[[[[[1]]]]]]]]]"})
    EXPECT_FALSE(isJsonArray(Bad)) << Bad;
}

TEST(SpoolReader, SequenceNumbersBelongToTheNextCall) {
  Spool S;
  S.add(1 + 7, 0, EscapeSequence);
  S.add(3000, 200, 1);
  S.add(3500, 10, 1);
  S.add(1 + 8, 5, EscapeSequence);
  S.add(4000, 7, EscapeLong);
  S.add(1 + 1, 1, EscapeLongRest);
  S.add(1 + 9, 5, EscapeSequence);
  S.add(0, 1, 1); // a hole: the number was its
  S.add(5000, 20, 1);
  SpoolReader Reader;
  ASSERT_EQ(Reader.open(S.data(), S.size()).Reason, nullptr);
  std::vector<std::pair<int64_t, uint32_t>> Seen;
  Reader.forEachCall(
      [&](const CallView &Call) { Seen.emplace_back(Call.Sequence, Call.ForwardThread); },
      [](Escape, uint64_t, uint32_t, uint32_t) {});
  const std::vector<std::pair<int64_t, uint32_t>> Expected = {{7, 0}, {-1, 0}, {8, 5}, {-1, 0}};
  EXPECT_EQ(Seen, Expected);
}

TEST(ChromeTrace, BackwardIsLinkedToTheInnermostForward) {
  Spool S;
  S.addOperator(4, "aten::add", "[[2,3],[]]");
  S.addOperator(5, "AddBackward0", "[[1,");
  S.add(1 + 7, 0, EscapeSequence);
  S.add(3100, 20, 4); // inside of the next
  S.add(1 + 7, 0, EscapeSequence);
  S.add(3000, 200, 4);
  S.add(1 + 8, 0, EscapeSequence);
  S.add(4000, 200, 4); // without a backward one
  S.add(1 + 7, 5, EscapeSequence);
  S.add(5010, 100, 5); // ends first
  S.add(1 + 7, 5, EscapeSequence);
  S.add(5000, 300, 5);
  S.add(1 + 7, 6, EscapeSequence);
  S.add(6000, 300, 5); // another thread's forward
  SpoolReader Reader;
  ASSERT_EQ(Reader.open(S.data(), S.size()).Reason, nullptr);
  EXPECT_NE(Reader.forEachSite([](const SiteView &) {}).Reason, nullptr);
  const auto Trace = nlohmann::json::parse(chromeTrace(Reader));
  std::vector<std::string> Flows;
  for (const auto &Event : Trace["traceEvents"]) {
    if (Event.value("cat", "") == "fwdbwd")
      Flows.push_back(Event["ph"].get<std::string>() + Event["ts"].dump());
    if (Event["name"] == "aten::add") {
      EXPECT_EQ(Event["args"]["Input Dims"].dump(), "[[2,3],[]]");
      EXPECT_EQ(Event["args"]["Fwd thread id"], 0);
      EXPECT_FALSE(Event["args"].contains("kernel"));
    }
    if (Event["name"] == "AddBackward0") {
      EXPECT_FALSE(Event["args"].contains("Input Dims"));
    }
  }
  EXPECT_EQ(Flows, (std::vector<std::string>{"s1.05", "f2.005"}));
}

TEST(SpoolReader, TruncatedAnywhereIsAnErrorAndNoCrash) {
  Spool S;
  for (uint64_t I = 0; I < 100; ++I)
    S.add(3000 + 10 * I, 5, 1);
  for (size_t Size = 0; Size < S.size(); Size += Size < 8192 ? 97 : 40961) {
    // A copy of just that size: AddressSanitizer sees every byte too far.
    std::vector<uint64_t> Copy(Size / 8);
    if (!Copy.empty())
      std::memcpy(Copy.data(), S.data(), Copy.size() * 8);
    SpoolReader Reader;
    EXPECT_NE(Reader.open(Copy.data(), Copy.size() * 8).Reason, nullptr);
    if (Reader.valid()) {
      EXPECT_TRUE(nlohmann::json::parse(chromeTrace(Reader)).is_object());
    }
  }
}

TEST(SpoolReader, RandomDamageDoesNoHarm) {
  std::mt19937 Random(4711);
  Spool Whole;
  Whole.addOperator(4, "aten::add", "[[2,3],[\"x\"]]");
  for (uint64_t I = 0; I < 50; ++I) {
    Whole.add(1 + I, I % 2 ? 5 : 0, EscapeSequence);
    Whole.add(3000 + 10 * I, 5, 1 + I % 4);
  }
  // Where something is: the header and the beginning of each block.
  std::vector<size_t> Places;
  for (size_t I = 0; I < sizeof(SpoolHeader); ++I)
    Places.push_back(I);
  for (size_t Block = 0; Block < 4; ++Block)
    for (size_t I = 0; I < 1024; ++I)
      Places.push_back(HeaderBytes + Block * BlockBytes + I);
  for (int Round = 0; Round < 2000; ++Round) {
    Spool S = Whole;
    for (int Flips = 0; Flips < 8; ++Flips)
      S.bytes()[Places[Random() % Places.size()]] = static_cast<unsigned char>(Random());
    SpoolReader Reader;
    Reader.open(S.data(), S.size());
    if (!Reader.valid())
      continue;
    const std::string Text = chromeTrace(Reader);
    if (Round % 10 == 0) {
      EXPECT_TRUE(nlohmann::json::parse(Text).is_object());
    }
  }
}

TEST(CallSums, FindsTheMomentUpToWhichCallsWeighSoMuch) {
  std::mt19937_64 Random(7);
  for (int Round = 0; Round < 50; ++Round) {
    std::vector<std::pair<uint64_t, uint64_t>> Calls;
    // From all at one moment to anywhere in the clock's range.
    const unsigned Bits = Random() % 64;
    uint64_t Whole = 0;
    for (int I = 0; I < 2000; ++I) {
      Calls.emplace_back(Random() >> (63 - Bits), 1 + Random() % 200);
      Whole += Calls.back().second;
    }
    std::ranges::sort(Calls);
    const uint64_t Most = Random() % Whole;
    const uint64_t Until = tickOfWeight(
        [&](auto Visit) {
          for (const auto &[Tick, Weight] : Calls)
            Visit(Tick, Weight);
        },
        Calls.front().first, Calls.back().first, Most);
    uint64_t Below = 0, At = 0;
    for (const auto &[Tick, Weight] : Calls)
      (Tick < Until ? Below : At) += Tick <= Until ? Weight : 0;
    EXPECT_LE(Below, Most);
    // A little less than could be: a 64th, or the calls of one moment.
    EXPECT_GE(Below + Most / 64 + At + 200, Most) << Bits;
  }
}

TEST(CallSums, AddsUpBySiteThreadAndTeam) {
  CallSums Sums;
  for (uint32_t I = 0; I < 100000; ++I)
    ASSERT_TRUE(Sums.add({1000 - I % 3, 1 + I % 50, 1 + I % 700, I % 3, I % 2 ? -1 : 4, -1, 0}));
  uint64_t Calls = 0, Ticks = 0, Rows = 0;
  Sums.forEach([&](const SiteProfile &Row) {
    ++Rows;
    Calls += Row.Calls;
    Ticks += Row.SumTicks;
    uint64_t InBuckets = 0;
    for (const uint32_t Bucket : Row.Histogram)
      InBuckets += Bucket;
    EXPECT_EQ(InBuckets, Row.Calls);
    EXPECT_LE(Row.MinTicks, Row.MaxTicks);
    EXPECT_LE(Row.FirstTick, 1000u);
    EXPECT_GE(Row.LastTick, Row.FirstTick + Row.MinTicks);
  });
  EXPECT_EQ(Rows, 2100u); // I % 2100 has a row of its own
  EXPECT_EQ(Calls, 100000u);
  EXPECT_EQ(Ticks, 100000u * 51 / 2);
}

} // namespace
