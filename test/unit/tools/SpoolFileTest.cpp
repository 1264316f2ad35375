//===- SpoolFileTest.cpp - spool files, whole and broken, become the model ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSpool.h"
#include "trace/io/SqliteFile.h"
#include "trace/spool/ReadSpool.h"
#include "trace/spool/SpoolToChrome.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace seamscope;
using namespace seamscope::tools;
using namespace seamscope::format;

namespace {

TEST(SpoolFile, BecomesTheModel) {
  Spool S = someSpool();
  S.header().Rank = 1;
  S.header().WorldSize = 4;
  S.header().LostEvents = 5;
  S.header().Flags = SpoolTwoOpenMP;
  S.add(BlockKind::Events, std::vector<Record>{{1500, 100, 1},
                                               {0, 1, 1}, // not committed
                                               {1600, 3, EscapeTeamThread},
                                               {1600, 50, 2},
                                               {1700, 0, EscapeLong},
                                               {1 + 1, 3, EscapeLongRest}, // 2^32 ticks
                                               {1800, 1, EscapeAbandoned},
                                               {1900, 10, 99}}); // a site that was never described
  LiveThread Live{};
  Live.Thread = 1;
  Live.Open[0] = {2000, 0, 1, -1};
  S.add(BlockKind::Live, std::vector{Live});
  const auto File = opened(S);
  EXPECT_FALSE(File->damage());
  const Trace T = readSpool(*File, "a.spool");
  EXPECT_EQ(T.Info.Path, "a.spool");
  EXPECT_EQ(T.Info.Mode, "trace");
  EXPECT_EQ(T.Info.CommandLine, "demo --fast");
  EXPECT_EQ(T.Info.HostName, std::string(64, 'h'));
  EXPECT_EQ(T.Info.Rank, 1);
  EXPECT_EQ(T.Info.WorldSize, 4);
  EXPECT_EQ(T.Info.LostEvents, 5u);
  EXPECT_TRUE(T.Info.TwoOpenMP);
  EXPECT_TRUE(T.Info.Notes.empty());
  // The open call lasts until the last sign of life, which is the end of the long one.
  EXPECT_EQ(T.Events.BeginNs, (std::vector<int64_t>{500, 600, 700, 900, 1000}));
  EXPECT_EQ(T.Events.DurationNs,
            (std::vector<int64_t>{100, 50, int64_t{1} << 32, 10, (int64_t{1} << 32) - 300}));
  EXPECT_EQ(T.Events.TeamThread, (std::vector<int32_t>{-1, 3, -1, -1, -1}));
  const auto SiteOf = [&](size_t I) { return T.Sites[T.Events.Site[I]]; };
  EXPECT_EQ(SiteOf(0).Kind, SiteKind::Kernel);
  EXPECT_EQ(SiteOf(0).Line, 7u);
  EXPECT_EQ(SiteOf(1).Kind, SiteKind::Region);
  EXPECT_EQ(T.text(SiteOf(1).Kernel), "plain");
  EXPECT_EQ(SiteOf(2).Kind, SiteKind::Annotation);
  EXPECT_EQ(T.text(SiteOf(3).Name), "site 99");
  ASSERT_EQ(T.Open.size(), 1u);
  EXPECT_EQ(T.Open[0].Event, 4u);
  EXPECT_EQ(T.Info.End, "last sign of life");
  EXPECT_TRUE(T.Info.Recovered);
  ASSERT_EQ(T.Abandoned.size(), 1u);
  EXPECT_EQ(T.text(T.Sites[T.Abandoned[0].Site].Name), "plain");
  ASSERT_EQ(T.Tracks.size(), 1u);
  EXPECT_EQ(T.text(T.Tracks[0].ThreadName), "main");
}

/// A spool with one call that began at 1000 ns and never ended.
Spool openSpool() {
  Spool S = someSpool();
  LiveThread Live{};
  Live.Thread = 1;
  Live.Open[0] = {2000, 0, 1, -1};
  S.add(BlockKind::Live, std::vector{Live});
  return S;
}

TEST(SpoolFile, OpenCallsLastUntilTheRecordingEnded) {
  const TestFolder Folder;
  const auto OpenNs = [](const SpoolFile &File) {
    const Trace T = readSpool(File, "a.spool");
    EXPECT_EQ(T.Events.size(), 1u);
    return T.Events.DurationNs.at(0);
  };
  // The last clock reading is a second after the start.
  const auto Left = opened(openSpool());
  EXPECT_EQ(Left->end(), RecordingEnd::LastSignOfLife);
  EXPECT_EQ(OpenNs(*Left), 1000000000 - 1000);
  // Who saw the process end knows better, unless that was before the last sign of life.
  Left->setKilled(5000 + 3000000000u);
  EXPECT_EQ(Left->end(), RecordingEnd::Killed);
  EXPECT_EQ(OpenNs(*Left), 3000000000 - 1000);
  const auto Early = opened(openSpool());
  Early->setKilled(5000 + 10);
  EXPECT_EQ(OpenNs(*Early), 1000000000 - 1000);
  // One that ended by itself was not killed, whoever saw its end.
  Spool Own = openSpool();
  Own.header().Flags = SpoolExited;
  const auto Exited = opened(Own);
  Exited->setKilled(5000 + 3000000000u);
  EXPECT_EQ(Exited->end(), RecordingEnd::Exit);
  EXPECT_EQ(OpenNs(*Exited), 1000000000 - 1000);
  EXPECT_FALSE(readSpool(*Exited, "a.spool").Info.Recovered);
  // One whose process runs: until now, by the clock that the spool was begun with.
  Spool Now = openSpool();
  Now.header().First.MonotonicNs = 1;
  Now.header().Last[0].MonotonicNs = 1 + 1000000000;
  const std::string Path = Folder.file("running.spool", Now.bytes());
  const int Lock = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(Lock, LOCK_EX), 0);
  auto Running = SpoolFile::open(Path);
  ASSERT_TRUE(Running);
  EXPECT_EQ((*Running)->end(), RecordingEnd::Running);
  EXPECT_GE(static_cast<uint64_t>(OpenNs(**Running)) + 1000, (*Running)->endNs());
  close(Lock);
}

TEST(SpoolFile, NumbersOfTeamThreadsThatAreNoneAreLeftOut) {
  Spool S = someSpool();
  S.add(BlockKind::Events,
        std::vector<Record>{{1600, 0x80000000u, EscapeTeamThread}, {1600, 50, 2}});
  LiveThread Live{};
  Live.Thread = 1;
  Live.Open[0] = {2000, 0, 2, -5};
  S.add(BlockKind::Live, std::vector{Live});
  const Trace T = readSpool(*opened(S), "a.spool");
  ASSERT_EQ(T.Events.size(), 2u);
  EXPECT_EQ(T.Events.teamThread(0), -1);
  EXPECT_EQ(T.Events.teamThread(1), -1);
}

/// Calls, total, shortest and longest one by name, of the calls and of the sums of a trace.
std::map<std::string, std::array<int64_t, 4>> sumsOf(const Trace &T) {
  std::map<std::string, std::array<int64_t, 4>> Sums;
  const auto Add = [&](SiteId Id, int64_t Calls, int64_t Total, int64_t Min, int64_t Max) {
    auto &Sum = Sums.try_emplace(std::string(T.text(T.Sites[Id].Name)),
                                 std::array<int64_t, 4>{0, 0, INT64_MAX, 0})
                    .first->second;
    Sum = {Sum[0] + Calls, Sum[1] + Total, std::min(Sum[2], Min), std::max(Sum[3], Max)};
  };
  for (size_t I = 0; I < T.Events.size(); ++I)
    Add(T.Events.Site[I], 1, T.Events.DurationNs[I], T.Events.DurationNs[I],
        T.Events.DurationNs[I]);
  for (const ProfileRow &Row : T.Profile)
    Add(Row.Site, static_cast<int64_t>(Row.Calls), Row.TotalNs, Row.MinNs, Row.MaxNs);
  return Sums;
}

TEST(SpoolFile, WhatATraceLeavesOutIsInItAsSums) {
  Spool S = someSpool();
  std::vector<Record> Records;
  for (uint32_t I = 0; I < 1000; ++I)
    Records.push_back({2000 + 100 * I, 10 + I % 7, I % 5 ? 1u : 3u});
  S.add(BlockKind::Events, Records);
  const auto File = opened(S);
  const Trace All = readSpool(*File, "a.spool");
  const TestFolder Folder;
  const std::string Path = Folder.path("out.json"), Kept = Folder.path("kept.spool");
  ASSERT_FALSE(writeChrome(*File, Path, {.MaxBytes = 20000, .KeepIn = Kept, .Progress = {}}));
  const auto Part = readTrace(Path);
  ASSERT_TRUE(Part);
  ASSERT_TRUE(Part->Info.Part);
  EXPECT_EQ(Part->Info.Part->Calls, Part->Events.size());
  EXPECT_EQ(Part->Info.Part->Calls + Part->Info.Part->LeftOut, 1000u);
  EXPECT_GT(Part->Events.size(), 50u);
  EXPECT_LT(Part->Events.size(), 300u);
  EXPECT_EQ(Part->Info.Part->AllIn, Kept);
  for (size_t I = 0; I < Part->Events.size(); ++I)
    EXPECT_EQ(Part->Events.BeginNs[I], All.Events.BeginNs[I]);
  EXPECT_EQ(sumsOf(*Part), sumsOf(All));
  EXPECT_EQ(sumsOf(All).size(), 2u);
  // The copy has all of it.
  const auto Copy = readTrace(Kept);
  ASSERT_TRUE(Copy) << Copy.error().message();
  EXPECT_EQ(Copy->Events.BeginNs, All.Events.BeginNs);
  // With room enough there is no part and no copy.
  const std::string Whole = Folder.path("whole.json");
  ASSERT_FALSE(writeChrome(*File, Whole,
                           {.MaxBytes = 1 << 20, .KeepIn = Folder.path("none"), .Progress = {}}));
  EXPECT_FALSE(readTrace(Whole)->Info.Part);
  EXPECT_FALSE(SpoolFile::open(Folder.path("none")));
}

TEST(SpoolFile, IsRemovedOnlyWhereNobodyNeedsIt) {
  const TestFolder Folder;
  const std::string Path = Folder.file("a.spool", openSpool().bytes());
  const std::string Link = Folder.path("link.spool");
  ASSERT_EQ(symlink(Path.c_str(), Link.c_str()), 0);
  EXPECT_TRUE(removeSpool(Link));
  const int Lock = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(Lock, LOCK_EX), 0);
  EXPECT_TRUE(summarizeSpool(Path).Alive);
  EXPECT_TRUE(removeSpool(Path));
  close(Lock);
  const SpoolSummary Summary = summarizeSpool(Path);
  EXPECT_FALSE(Summary.Alive);
  EXPECT_EQ(Summary.Problem, "");
  EXPECT_EQ(Summary.Pid, 42u);
  EXPECT_EQ(Summary.Program, "demo --fast");
  EXPECT_EQ(Summary.OpenCalls, 1u);
  EXPECT_EQ(Summary.StartRealtimeNs, 1700000000000000000u);
  EXPECT_FALSE(removeSpool(Path));
  EXPECT_TRUE(removeSpool(Path)); // gone
  EXPECT_NE(summarizeSpool(Path).Problem, "");
  EXPECT_NE(summarizeSpool(Folder.file("b.spool", openSpool().bytes().substr(0, 99))).Problem, "");
}

TEST(SpoolFile, ProfileBecomesRows) {
  Spool S = someSpool();
  S.header().Mode = 1;
  SiteProfile Row{};
  Row.Site = 1;
  Row.TeamThread = -1;
  Row.Calls = 3;
  Row.SumTicks = 60;
  Row.MinTicks = 10;
  Row.MaxTicks = 30;
  Row.Abandoned = 2;
  Row.FirstTick = 1500;
  Row.LastTick = 2500;
  Row.Histogram[histogramBucket(10)] = 1;
  Row.Histogram[histogramBucket(20)] = 2;
  S.add(BlockKind::Profile, std::vector{Row});
  const Trace T = readSpool(*opened(S), "a.spool");
  EXPECT_EQ(T.Info.Mode, "profile");
  ASSERT_EQ(T.Profile.size(), 1u);
  EXPECT_EQ(T.Profile[0].Calls, 3u);
  EXPECT_EQ(T.Profile[0].TotalNs, 60);
  EXPECT_EQ(T.Profile[0].FirstNs, 500);
  EXPECT_EQ(T.Profile[0].LastNs, 1500);
  EXPECT_EQ(T.Profile[0].HistogramNs,
            (std::vector<std::pair<int64_t, uint64_t>>{{10, 1}, {20, 2}}));
  ASSERT_EQ(T.Abandoned.size(), 1u);
  EXPECT_EQ(T.Abandoned[0].Calls, 2u);
}

TEST(SpoolFile, CountsThatAddUpTooFarAreNoDanger) {
  Spool S = someSpool();
  SiteProfile Row{};
  Row.Site = 1;
  Row.Calls = 1;
  Row.Abandoned = static_cast<uint64_t>(INT64_MAX);
  Row.SumTicks = UINT64_MAX;
  S.add(BlockKind::Profile, std::vector{Row, Row, Row});
  S.add(BlockKind::Events, std::vector<Record>{{1, UINT32_MAX, EscapeLong},
                                               {UINT64_MAX, 1, EscapeLongRest},
                                               {UINT64_MAX, 5, 1}});
  const auto File = opened(S);
  const Trace T = readSpool(*File, "a.spool");
  for (const int64_t Ns : T.Events.DurationNs)
    EXPECT_GE(Ns, 0);
  EXPECT_FALSE(T.Info.Notes.empty());
  const TestFolder Folder;
  EXPECT_FALSE(writeChrome(*File, Folder.path("out.json")));
}

TEST(SpoolFile, OtherVersionsAreRefused) {
  Spool S = someSpool();
  S.add(BlockKind::Events, std::vector<Record>{{1500, 100, 1}});
  const TestFolder Folder;
  EXPECT_TRUE(SpoolFile::open(Folder.file("a.spool", S.bytes())));
  for (const uint32_t Version : {SpoolVersion - 1, SpoolVersion + 1}) {
    S.header().Version = Version;
    EXPECT_FALSE(SpoolFile::open(Folder.file("a.spool", S.bytes())));
  }
}

TEST(SpoolFile, DamageIsReportedWhereItStands) {
  Spool S = someSpool();
  S.addSites();
  std::string Bytes = S.bytes();
  // The text of the second entry of the first block, outside the entry.
  const size_t First = HeaderBytes + sizeof(BlockHeader);
  uint32_t Size;
  std::memcpy(&Size, Bytes.data() + First, sizeof(Size));
  const uint32_t Far = BlockBytes;
  std::memcpy(Bytes.data() + First + Size + offsetof(SiteEntry, Name), &Far, sizeof(Far));
  const TestFolder Folder;
  const auto Damaged = SpoolFile::open(Folder.file("a.spool", Bytes));
  ASSERT_TRUE(Damaged);
  ASSERT_NE((*Damaged)->damage(), nullptr);
  EXPECT_EQ((*Damaged)->damage()->Offset, First + Size);
  EXPECT_EQ((*Damaged)->damage()->Reason, "a site's text lies outside its entry");
  // Cut off, that is what is reported.
  const auto Cut = SpoolFile::open(Folder.file("a.spool", Bytes.substr(0, Bytes.size() - 1)));
  ASSERT_TRUE(Cut);
  ASSERT_NE((*Cut)->damage(), nullptr);
  EXPECT_EQ((*Cut)->damage()->Reason, "truncated: blocks are missing at its end");
}

TEST(SpoolFile, CallsThatWereCountedAlone) {
  Spool S = someSpool();
  S.add(BlockKind::Events, std::vector<Record>{{1500, 100, 1}, {1700, 100, 1}});
  std::vector<ThrottleEntry> Entries(5);
  // Three countdowns of 51 calls together, of the last 4 are left: 46 calls, of these two timed.
  const auto Word = [](uint64_t Begun, int32_t Left) {
    return Begun << 32 | static_cast<uint32_t>(Left);
  };
  Entries[0] = {1, 16, Word(3, 4), {30, 51}, 1400, 0, 0, 0};
  Entries[1] = {}; // not in use
  // Damage: more calls left than there were to be; no calls timed of none; no period.
  Entries[2] = {1, 16, Word(3, 100), {30, 51}, 1400, 0, 0, 0};
  Entries[3] = {1, 16, Word(1, 0), {1, 1}, 1400, 0, 0, 0};
  Entries[4] = {1, 0, Word(3, 4), {30, 51}, 1400, 0, 0, 0};
  S.add(BlockKind::Throttles, Entries);
  const auto File = opened(S);
  const Trace T = readSpool(*File, "a.spool");
  ASSERT_EQ(T.Throttled.size(), 1u);
  EXPECT_EQ(T.Throttled[0].Every, 16u);
  EXPECT_EQ(T.Throttled[0].Timed, 2u);
  EXPECT_EQ(T.Throttled[0].Untimed, 44u);
  EXPECT_EQ(T.Throttled[0].SinceNs, 400);
  // What the trace says is the same.
  const TestFolder Folder;
  ASSERT_FALSE(writeChrome(*File, Folder.path("out.json")));
  const Result<Trace> Read = readTrace(Folder.path("out.json"));
  ASSERT_TRUE(Read);
  ASSERT_EQ(Read->Throttled.size(), 1u);
  EXPECT_EQ(Read->Throttled[0].Untimed, 44u);
  EXPECT_EQ(Read->Throttled[0].SinceNs, 400);
  EXPECT_EQ(Read->text(Read->Sites[Read->Throttled[0].Site].Name), "plain");
}

TEST(SpoolFile, BrokenHeaderIsRefusedWithItsPlace) {
  const TestFolder Folder;
  const auto WhyOf = [&](const std::string &Bytes) {
    const auto File = SpoolFile::open(Folder.file("a.spool", Bytes));
    EXPECT_FALSE(File);
    return File ? Error() : File.error();
  };
  EXPECT_EQ(WhyOf("").Reason, "not a Seamscope spool");
  EXPECT_EQ(WhyOf("hello, world").Reason, "not a Seamscope spool");
  EXPECT_EQ(WhyOf(someSpool().bytes().substr(0, 100)).Offset, 100u);
  Spool Version;
  Version.header().Version = 9;
  EXPECT_EQ(WhyOf(Version.bytes()).Offset, offsetof(SpoolHeader, Version));
  Spool Clock;
  Clock.header().Last[0].Tick = 0;
  EXPECT_EQ(WhyOf(Clock.bytes()).Offset, offsetof(SpoolHeader, First));
  EXPECT_FALSE(SpoolFile::open(Folder.path("missing")));
  EXPECT_FALSE(SpoolFile::open(Folder.path("")));
}

TEST(SpoolFile, TruncatedOneGivesItsWholeBlocks) {
  Spool S = someSpool();
  S.add(BlockKind::Events, std::vector<Record>{{1500, 100, 1}});
  S.add(BlockKind::Events, std::vector<Record>{{1700, 100, 1}});
  const TestFolder Folder;
  const std::string Path =
      Folder.file("a.spool", S.bytes().substr(0, HeaderBytes + 3 * BlockBytes + 100));
  auto File = SpoolFile::open(Path);
  ASSERT_TRUE(File);
  ASSERT_TRUE((*File)->damage());
  EXPECT_EQ((*File)->damage()->Offset, HeaderBytes + 3 * BlockBytes + 100);
  EXPECT_EQ(readSpool(**File, Path).Events.size(), 1u);
  // A report has what is there, and says that it is not all.
  const auto Read = readTrace(Path);
  ASSERT_TRUE(Read) << Read.error().message();
  EXPECT_EQ(Read->Events.BeginNs, std::vector<int64_t>{500});
  ASSERT_TRUE(Read->Info.Damage);
  EXPECT_EQ(Read->Info.Damage->Offset, HeaderBytes + 3 * BlockBytes + 100);
}

TEST(SpoolFile, BrokenSiteIsDamageWithItsPlace) {
  Spool S;
  S.site(1, SEAMSCOPE_SITE_KERNEL, "plain", "plain");
  S.addSites();
  SiteEntry Odd{};
  Odd.Size = 12;
  S.add(BlockKind::Sites, std::vector{Odd});
  const auto File = opened(S);
  ASSERT_TRUE(File->damage());
  EXPECT_EQ(File->damage()->Offset, HeaderBytes + BlockBytes + sizeof(BlockHeader));
  EXPECT_TRUE(readSpool(*File, "a.spool").Info.Damage);
}

TEST(SpoolFile, KnowsASpoolByItsFirstBytes) {
  const TestFolder Folder;
  EXPECT_TRUE(isSpool(Folder.file("a", someSpool().bytes())));
  EXPECT_FALSE(isSpool(Folder.file("b", "SEAMSPL")));
  EXPECT_FALSE(isSpool(Folder.file("c", "{}")));
  EXPECT_FALSE(isSpool(Folder.path("")));
  EXPECT_FALSE(isSpool("-"));
  EXPECT_FALSE(isSpool("/dev/null"));
}

TEST(SpoolFile, IsAbandonedWhenNobodyLocksIt) {
  const TestFolder Folder;
  const std::string Path = Folder.file("a.spool", someSpool().bytes());
  EXPECT_TRUE(isAbandoned(Path));
  const int Descriptor = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(Descriptor, LOCK_EX), 0);
  EXPECT_FALSE(isAbandoned(Path));
  close(Descriptor);
  EXPECT_TRUE(isAbandoned(Path));
  EXPECT_FALSE(isAbandoned(Folder.path("missing")));
}

TEST(SpoolFile, AutogradIsThatOfTheChromeTrace) {
  Spool S;
  S.site(1, SEAMSCOPE_SITE_OPERATOR, "aten::mul", "");
  S.site(2, SEAMSCOPE_SITE_OPERATOR, "MulBackward0", "");
  S.addSites();
  ThreadEntry Main{}, Autograd{};
  Main.Tid = 42;
  Main.FrameworkThread = 1;
  Autograd.Tid = 43;
  S.add(BlockKind::Threads, std::vector{Main, Autograd});
  // Number 5 forward on the first thread, its backward on the second; number 6 has no backward.
  S.add(BlockKind::Events, std::vector<Record>{{5 + 1, 0, EscapeSequence},
                                               {1500, 100, 1},
                                               {6 + 1, 0, EscapeSequence},
                                               {1700, 100, 1},
                                               {1, 1, EscapeThread},
                                               {5 + 1, 1, EscapeSequence},
                                               {1900, 50, 2}});
  const auto File = opened(S);
  ASSERT_FALSE(File->damage());
  ReadOptions Keep;
  Keep.Autograd = true;
  EXPECT_TRUE(readSpool(*File, "a.spool").Details.Sequences.empty());
  const Trace Direct = readSpool(*File, "a.spool", Keep);
  const TestFolder Folder;
  ASSERT_FALSE(writeChrome(*File, Folder.path("a.json")));
  const auto Json = readTrace(Folder.path("a.json"), Keep);
  ASSERT_TRUE(Json);
  const auto Shown = [](const Trace &T) {
    std::vector<std::string> Lines;
    for (const SequenceNumber &Each : T.Details.Sequences)
      Lines.push_back(
          fmt::format("{} {} {}", T.Events.BeginNs[Each.Event], Each.Number, Each.ForwardThread));
    for (const FlowEnd &End : T.Details.Flows)
      Lines.push_back(fmt::format("{} {} {} {}", End.Ns, T.text(T.Tracks[End.Track].Thread), End.Id,
                                  End.IsTarget));
    return Lines;
  };
  EXPECT_EQ(Direct.Details.Sequences.size(), 3u);
  EXPECT_EQ(Direct.Details.Flows.size(), 2u);
  EXPECT_EQ(Shown(Direct), Shown(*Json));
}

TEST(SpoolFile, LookingForFormatsDoesNotOpenAPipe) {
  // Its writer would get a SIGPIPE when it is closed again.
  const TestFolder Folder;
  const std::string Path = Folder.path("pipe");
  ASSERT_EQ(mkfifo(Path.c_str(), 0600), 0);
  const int Watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(Watch, 0);
  ASSERT_GE(inotify_add_watch(Watch, Path.c_str(), IN_OPEN), 0);
  EXPECT_FALSE(isSpool(Path));
  EXPECT_FALSE(isSqlite(Path));
  char Event[4096];
  EXPECT_EQ(read(Watch, Event, sizeof(Event)), -1);
  close(Watch);
}

} // namespace
