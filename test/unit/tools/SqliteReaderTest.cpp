//===- SqliteReaderTest.cpp - databases of nsys and nvprof ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the readers make of good databases is tested by lit, in test/tools. Here
// they get what no profiler writes, which sanitizers look at.
//
//===----------------------------------------------------------------------===//
#include "TestFile.h"
#include "analysis/devices/Devices.h"
#include "trace/io/SqliteFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>

namespace seamscope::tools {
namespace {

/// Makes a database of what \p Script says.
std::string database(const TestFolder &Folder, const std::string &Script) {
  const std::string Path = Folder.path("made.sqlite");
  std::filesystem::remove(Path);
  sqlite3 *Database = nullptr;
  EXPECT_EQ(sqlite3_open(Path.c_str(), &Database), SQLITE_OK);
  char *Message = nullptr;
  const std::string All = "PRAGMA synchronous = OFF;" + Script;
  EXPECT_EQ(sqlite3_exec(Database, All.c_str(), nullptr, nullptr, &Message), SQLITE_OK) << Message;
  sqlite3_free(Message);
  sqlite3_close(Database);
  return Path;
}

constexpr const char *Nsys = R"(
PRAGMA page_size = 512;
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES(1, 'k'), (2, 'cudaLaunchKernel_v7000'), (3, 'aten::add, seq = 1');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, correlationId, globalPid, demangledName);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(30, 40, 0, 7, 5, 16777216, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, correlationId, nameId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(20, 25, 16777217, 5, 2);
CREATE TABLE NVTX_EVENTS(start, end, eventType, text, textId, globalTid, domainId);
INSERT INTO NVTX_EVENTS VALUES(10, 26, 59, NULL, 3, 16777217, 0);
)";

constexpr const char *Nvprof = R"(
PRAGMA page_size = 512;
CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringTable VALUES(1, 'k'), (2, 'aten::add');
CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(_id_, start, end, deviceId, streamId, correlationId, name);
INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES(1, 30, 40, 0, 7, 5, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(_id_, cbid, start, end, processId, threadId, correlationId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(1, 211, 20, 25, 1, -1, 5);
CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER(_id_, flags, timestamp, id, objectKind, objectId, name, domain);
INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES
  (1, 2, 10, 1, 2, x'01000000ffffffffffffffff', 2, 0), (2, 4, 26, 1, 2, x'01000000ffffffffffffffff', 0, 0);
)";

TEST(SqliteReader, WorkIsLinkedToItsLaunchAndOperator) {
  const TestFolder Folder;
  for (const char *Script : {Nsys, Nvprof}) {
    auto Read = readTrace(database(Folder, Script));
    ASSERT_TRUE(Read) << Read.error().message();
    EXPECT_EQ(Read->Events.size(), 3u);
    const LinkCounts Counts = countLinks(*Read, linkWork(*Read));
    EXPECT_EQ(Counts.Kernels, 1u);
    EXPECT_EQ(Counts.Launched, 1u);
    EXPECT_EQ(Counts.Linked, 1u);
  }
}

TEST(SqliteReader, LaunchesAreReadOnDemand) {
  const TestFolder Folder;
  for (std::string Script : {Nsys, Nvprof}) {
    const std::string Table = Script.find("CONCURRENT_KERNEL(") != Script.npos
                                  ? "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL"
                                  : "CUPTI_ACTIVITY_KIND_KERNEL";
    for (const char *Column : {"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
                               "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"})
      Script += fmt::format("ALTER TABLE {} ADD COLUMN {};", Table, Column);
    Script +=
        fmt::format("UPDATE {} SET gridX = 4, gridY = 3, gridZ = 2, blockX = 128, blockY = 1, "
                    "blockZ = 1, registersPerThread = 32, staticSharedMemory = 1000, "
                    "dynamicSharedMemory = 24;",
                    Table);
    const std::string Path = database(Folder, Script);
    const auto Plain = readTrace(Path);
    ASSERT_TRUE(Plain);
    EXPECT_TRUE(Plain->Details.Launches.empty());
    ReadOptions Keep;
    Keep.Launches = true;
    const auto Read = readTrace(Path, Keep);
    ASSERT_TRUE(Read);
    ASSERT_EQ(Read->Details.Launches.size(), 1u);
    const LaunchShape &Launch = Read->Details.Launches[0];
    EXPECT_EQ(Read->Sites[Read->Events.Site[Launch.Event]].Kind, SiteKind::Kernel);
    EXPECT_EQ(Launch.Grid, (std::array<int64_t, 3>{4, 3, 2}));
    EXPECT_EQ(Launch.Block, (std::array<int64_t, 3>{128, 1, 1}));
    EXPECT_EQ(Launch.Registers, 32);
    EXPECT_EQ(Launch.SharedBytes, 1024);
    EXPECT_EQ(Launch.Stream, 7);
  }
}

TEST(SqliteReader, AnyByteMayBeAnother) {
  const TestFolder Folder;
  for (const char *Script : {Nsys, Nvprof}) {
    const std::string Good = TestFolder::read(database(Folder, Script));
    size_t Refused = 0;
    // The first page tells where all else lies.
    for (size_t At = SqliteMagic.size(); At < Good.size(); At += At < 600 ? 1 : 3) {
      constexpr char Changes[] = {'\xff', '\x01', '\x80', '\x10'};
      std::string Bad = Good;
      Bad[At] ^= Changes[At % std::size(Changes)];
      const Result<Trace> Read = readTrace(Folder.file("bad.sqlite", Bad));
      Refused += !Read;
      if (!Read) {
        EXPECT_FALSE(Read.error().Reason.empty());
      }
    }
    EXPECT_GT(Refused, 100u);
    for (size_t Size = 16; Size < Good.size(); Size += 100)
      EXPECT_FALSE(readTrace(Folder.file("cut.sqlite", Good.substr(0, Size)))) << Size;
  }
}

/// A row for a table, with places for two values.
struct Insert {
  const char *Table, *Row;
};

TEST(SqliteReader, ValuesMayBeOfAnySortAndSize) {
  const TestFolder Folder;
  const char *Values[] = {"NULL",
                          "-1",
                          "0",
                          "1",
                          "2.5",
                          "'text'",
                          "x''",
                          "x'01'",
                          "9223372036854775807",
                          "-9223372036854775808",
                          "4294967296",
                          "1e300"};
  std::string Rows = Nsys, Markers = Nvprof;
  for (const char *A : Values)
    for (const char *B : Values) {
      for (const auto &[Table, Row] : std::initializer_list<Insert>{
               {"CUPTI_ACTIVITY_KIND_KERNEL", "{0}, {1}, 0, 7, 5, 1, 1"},
               {"CUPTI_ACTIVITY_KIND_KERNEL", "1, 2, {0}, {1}, {1}, {0}, {1}"},
               {"CUPTI_ACTIVITY_KIND_KERNEL", "1, 2, 0, {0}, 5, {1}, {0}"},
               {"CUPTI_ACTIVITY_KIND_RUNTIME", "{0}, {1}, {1}, {0}, {1}"},
               {"CUPTI_ACTIVITY_KIND_RUNTIME", "1, 2, {0}, {1}, {0}"},
               {"NVTX_EVENTS", "{0}, {1}, 59, {0}, {1}, {0}, {1}"},
               {"NVTX_EVENTS", "1, {0}, 60, NULL, {1}, 1, {0}"},
               {"NVTX_EVENTS", "1, 2, {0}, {1}, {1}, 1, {1}"},
               {"NVTX_EVENTS", "1, 2, 75, {1}, {0}, {0}, {1}"}})
        Rows += fmt::format("INSERT INTO {} VALUES({});\n", Table,
                            fmt::format(fmt::runtime(Row), A, B));
      for (const auto &[Table, Row] : std::initializer_list<Insert>{
               {"CONCURRENT_KERNEL", "NULL, {0}, {1}, 0, 7, 5, {0}"},
               {"CONCURRENT_KERNEL", "NULL, 1, 2, {0}, {1}, {1}, {0}"},
               {"RUNTIME", "NULL, {0}, {1}, {0}, {1}, {0}, {1}"},
               {"RUNTIME", "NULL, 211, 1, 2, {0}, {1}, {1}"},
               {"MARKER", "NULL, 2, {0}, {1}, 2, x'0100000002000000', {1}, {0}"},
               {"MARKER", "NULL, 4, {0}, {1}, 2, {0}, {1}, {0}"},
               {"MARKER", "NULL, {0}, 5, 6, {1}, {0}, {1}, {1}"}})
        Markers += fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_{} VALUES({});\n", Table,
                               fmt::format(fmt::runtime(Row), A, B));
    }
  for (const std::string &Script : {Rows, Markers}) {
    auto Read =
        readTrace(database(Folder, "BEGIN;" + Script.substr(Script.find("CREATE")) + "COMMIT;"));
    ASSERT_TRUE(Read) << Read.error().message();
    EXPECT_GT(Read->Info.SkippedEvents, 100u);
    EXPECT_EQ(Read->Info.Skipped.size(), 100u);
    EXPECT_GT(Read->Events.size(), 3u);
    linkWork(*Read);
  }
}

TEST(SqliteReader, NothingOfASchemaIsRun) {
  const TestFolder Folder;
  // A view by the name of a table, a virtual table, and a column that is computed.
  EXPECT_FALSE(readTrace(database(
      Folder, "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
              "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end, 0 AS "
              "deviceId, 0 AS demangledName")));
  EXPECT_FALSE(readTrace(database(
      Folder, "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
              "CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start, end, deviceId, "
              "demangledName)")));
  const auto Read = readTrace(database(
      Folder, "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, demangledName, "
              "WITHOUTROWID INT PRIMARY KEY) WITHOUT ROWID"));
  ASSERT_FALSE(Read);
  EXPECT_NE(Read.error().Reason.find("SQLite cannot read the database"), std::string::npos);
}

TEST(SqliteReader, TheFileIsFoundWhateverItsName) {
  const TestFolder Folder;
  const std::string Bytes = TestFolder::read(database(Folder, Nsys));
  for (const char *Name : {"a b.sqlite", "a?mode=rwc", "a#b", "100%25", "\xff\xfe", "-"}) {
    const auto Read = readTrace(Folder.file(Name, Bytes));
    EXPECT_TRUE(Read) << Name;
  }
  const auto Files = std::filesystem::directory_iterator(Folder.path(""));
  EXPECT_EQ(std::distance(begin(Files), end(Files)), 7);
}

} // namespace
} // namespace seamscope::tools
