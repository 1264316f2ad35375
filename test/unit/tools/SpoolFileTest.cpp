//===- SpoolFileTest.cpp - spool files, whole and broken, become the model ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/SpoolFile.h"
#include "TestFile.h"
#include "seamscope/abi.h"
#include "trace/SpoolToChrome.h"

#include <cstring>
#include <sys/file.h>

using namespace seamscope;
using namespace seamscope::tools;
using namespace seamscope::format;

namespace {

/// A spool made by hand, of a clock of 1 GHz that begins at tick 1000: ns are ticks less 1000.
class Spool {
public:
  Spool() {
    Bytes.resize(HeaderBytes);
    SpoolHeader &H = header();
    std::memcpy(H.Magic, SpoolMagic, sizeof(SpoolMagic));
    H.Version = SpoolVersion;
    H.HeaderSize = sizeof(SpoolHeader);
    H.BlockSize = BlockBytes;
    H.Clock = ClockSource::Tsc;
    H.Mode = 2;
    H.Pid = 42;
    H.Rank = H.WorldSize = -1;
    H.First = {1000, 5000, 1700000000000000000u, 10};
    H.Last[0] = {1000 + 1000000000, 5000 + 1000000000, 1700000001000000000u, 10};
    std::strcpy(H.ProcessName, "demo");
    std::strcpy(H.CommandLine, "demo --fast");
    // A name without an end.
    std::memset(H.HostName, 'h', sizeof(H.HostName));
  }

  SpoolHeader &header() { return *reinterpret_cast<SpoolHeader *>(Bytes.data()); }

  /// Adds a block that begins with \p Content.
  template <typename T> void add(BlockKind Kind, const std::vector<T> &Content) {
    const size_t Begin = Bytes.size();
    Bytes.resize(Begin + BlockBytes);
    BlockHeader Head{};
    Head.Kind = Kind;
    std::memcpy(Bytes.data() + Begin, &Head, sizeof(Head));
    std::memcpy(Bytes.data() + Begin + sizeof(Head), Content.data(), Content.size() * sizeof(T));
    ++header().BlocksClaimed;
  }

  void addSites() { add(BlockKind::Sites, Sites); }

  void site(uint32_t Id, uint32_t Kind, const std::string &Name, const std::string &Kernel) {
    SiteEntry Entry{};
    std::string Text = Name + '\0' + Kernel + '\0';
    Text.resize((Text.size() + 7) / 8 * 8);
    Entry.Size = static_cast<uint32_t>(sizeof(Entry) + Text.size());
    Entry.Id = Id;
    Entry.Kind = Kind;
    Entry.Line = 7;
    Entry.Name = Entry.LinkageName = sizeof(Entry);
    Entry.Kernel = static_cast<uint32_t>(sizeof(Entry) + Name.size() + 1);
    const auto *From = reinterpret_cast<const char *>(&Entry);
    Sites.insert(Sites.end(), From, From + sizeof(Entry));
    Sites.insert(Sites.end(), Text.begin(), Text.end());
  }

  std::string bytes() const { return Bytes; }

private:
  std::string Bytes;
  std::vector<char> Sites;
};

/// Two kernels, a region, a scope, one thread.
Spool someSpool() {
  Spool S;
  S.site(1, SEAMSCOPE_SITE_KERNEL, "plain", "plain");
  S.site(2, SEAMSCOPE_SITE_REGION, "plain [parallel]", "plain");
  S.site(3, SEAMSCOPE_SITE_SCOPE, "part", "");
  S.addSites();
  ThreadEntry Thread{};
  Thread.Tid = 42;
  S.add(BlockKind::Threads, std::vector{Thread});
  return S;
}

std::unique_ptr<SpoolFile> opened(const Spool &S) {
  const TestFolder Folder;
  auto File = SpoolFile::open(Folder.file("a.spool", S.bytes()));
  EXPECT_TRUE(File) << File.error().message();
  return std::move(*File);
}

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
                                               {1 + 1, 0, 3}, // 2^32 ticks
                                               {1800, 1, EscapeAbandoned},
                                               {1900, 10, 99}}); // a site nobody told of
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
  EXPECT_EQ(T.Events.BeginNs, (std::vector<int64_t>{500, 600, 700, 900}));
  EXPECT_EQ(T.Events.DurationNs, (std::vector<int64_t>{100, 50, int64_t{1} << 32, 10}));
  EXPECT_EQ(T.Events.TeamThread, (std::vector<int32_t>{-1, 3, 3, 3}));
  const auto SiteOf = [&](size_t I) { return T.Sites[T.Events.Site[I]]; };
  EXPECT_EQ(SiteOf(0).Kind, SiteKind::Kernel);
  EXPECT_EQ(SiteOf(0).Line, 7u);
  EXPECT_EQ(SiteOf(1).Kind, SiteKind::Region);
  EXPECT_EQ(T.text(SiteOf(1).Kernel), "plain");
  EXPECT_EQ(SiteOf(2).Kind, SiteKind::Annotation);
  EXPECT_EQ(T.text(SiteOf(3).Name), "site 99");
  ASSERT_EQ(T.Open.size(), 1u);
  EXPECT_EQ(T.Open[0].BeginNs, 1000);
  ASSERT_EQ(T.Abandoned.size(), 1u);
  EXPECT_EQ(T.text(T.Sites[T.Abandoned[0].Site].Name), "plain");
  ASSERT_EQ(T.Tracks.size(), 1u);
  EXPECT_EQ(T.text(T.Tracks[0].ThreadName), "main");
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
  S.add(BlockKind::Events,
        std::vector<Record>{{1, UINT32_MAX, EscapeLong}, {UINT64_MAX, 0, 1}, {UINT64_MAX, 5, 1}});
  const auto File = opened(S);
  const Trace T = readSpool(*File, "a.spool");
  for (const int64_t Ns : T.Events.DurationNs)
    EXPECT_GE(Ns, 0);
  EXPECT_FALSE(T.Info.Notes.empty());
  const TestFolder Folder;
  EXPECT_FALSE(writeChrome(*File, Folder.path("out.json"), true));
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
  // A report does not take half a spool for the whole one.
  EXPECT_FALSE(readTrace(Path));
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
  EXPECT_EQ(readSpool(*File, "a.spool").Info.Notes.size(), 1u);
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

} // namespace
