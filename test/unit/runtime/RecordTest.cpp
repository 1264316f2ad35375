//===- RecordTest.cpp - recording by hand, over threads and modes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "seamscope/seamscope.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

// The trace that is written at exit; read when recording first begins.
const int Environment = setenv("SEAMSCOPE_OUT", SEAMSCOPE_TEST_FOLDER "/exit-%p.json", 1);

nlohmann::json flushed(const std::string &Name) {
  const std::string Path = std::string(SEAMSCOPE_TEST_FOLDER "/") + Name;
  EXPECT_EQ(seamscope_flush(Path.c_str()), SEAMSCOPE_OK);
  std::ifstream File(Path);
  return nlohmann::json::parse(File);
}

size_t callsOf(const nlohmann::json &Trace, const std::string &Name) {
  size_t Count = 0;
  for (const auto &Event : Trace["traceEvents"])
    Count += Event["ph"] == "X" && Event["name"] == Name;
  return Count;
}

void record(uint32_t Site, int Times) {
  for (int I = 0; I < Times; ++I)
    seamscope::Scope Scope(Site);
}

TEST(Record, SitesAreInterned) {
  const uint32_t Site = seamscope_site("interned", "f.cpp", 3);
  EXPECT_NE(Site, 0u);
  EXPECT_EQ(seamscope_site("interned", "f.cpp", 3), Site);
  EXPECT_NE(seamscope_site("interned", "f.cpp", 4), Site);
  EXPECT_EQ(seamscope_site("", nullptr, 0), 0u);
  EXPECT_EQ(seamscope_site(nullptr, nullptr, 0), 0u);
}

TEST(Record, OffRecordsNothing) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_OFF), SEAMSCOPE_OK);
  record(seamscope_site("off", nullptr, 0), 10);
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  EXPECT_EQ(callsOf(flushed("off.json"), "off"), 0u);
}

TEST(Record, ThreadsRecordWhileTheTraceIsWritten) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  const uint32_t Site = seamscope_site("threads", nullptr, 0);
  constexpr int Threads = 4, Calls = 40000;
  std::vector<std::thread> Workers;
  for (int I = 0; I < Threads; ++I)
    Workers.emplace_back(record, Site, Calls);
  flushed("meanwhile.json");
  for (std::thread &Worker : Workers)
    Worker.join();
  EXPECT_EQ(callsOf(flushed("threads.json"), "threads"), size_t{Threads} * Calls);
}

TEST(Record, ProfileCountsEveryCall) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_PROFILE), SEAMSCOPE_OK);
  const uint32_t Site = seamscope_site("profiled", nullptr, 0);
  std::vector<std::thread> Workers;
  for (int I = 0; I < 3; ++I)
    Workers.emplace_back(record, Site, 1000);
  for (std::thread &Worker : Workers)
    Worker.join();
  const auto Trace = flushed("profile.json");
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  uint64_t Calls = 0, Histogram = 0;
  for (const auto &Row : Trace["seamscope"]["profile"]) {
    if (Row["name"] != "profiled")
      continue;
    Calls += Row["calls"].get<uint64_t>();
    EXPECT_LE(Row["min_ns"].get<uint64_t>() * Row["calls"].get<uint64_t>(),
              Row["total_ns"].get<uint64_t>());
    for (const auto &Bucket : Row["histogram"])
      Histogram += Bucket[1].get<uint64_t>();
  }
  EXPECT_EQ(Calls, 3000u);
  EXPECT_EQ(Histogram, 3000u);
}

TEST(Record, ScheduleRecordsItsActiveSteps) {
  const uint32_t Site = seamscope_site("scheduled", nullptr, 0);
  const SeamscopeSchedule Schedule = {1, 1, 1, 2, 2};
  ASSERT_EQ(seamscope_set_schedule(&Schedule), SEAMSCOPE_OK);
  std::string Recorded;
  for (int Step = 0; Step < 12; ++Step) {
    Recorded += seamscope_mode() == SEAMSCOPE_OFF ? '-' : 'x';
    record(Site, 1);
    seamscope_step();
  }
  // skip, then twice: wait, warm up, two active; then nothing more.
  EXPECT_EQ(Recorded, "---xx--xx---");
  ASSERT_EQ(seamscope_set_schedule(nullptr), SEAMSCOPE_OK);
  const SeamscopeSchedule Empty = {0, 0, 0, 0, 0};
  EXPECT_EQ(seamscope_set_schedule(&Empty), SEAMSCOPE_ERROR_ARGUMENT);
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  EXPECT_EQ(callsOf(flushed("schedule.json"), "scheduled"), 4u);
}

TEST(Record, DeepNestingIsRecorded) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  const uint32_t Site = seamscope_site("deep", nullptr, 0);
  struct Nest {
    static void down(uint32_t Site, int Levels) {
      seamscope::Scope Scope(Site);
      if (Levels > 1)
        down(Site, Levels - 1);
    }
  };
  Nest::down(Site, 200);
  const auto Trace = flushed("deep.json");
  EXPECT_EQ(callsOf(Trace, "deep"), 200u);
  for (const auto &Entry : Trace["seamscope"]["abandoned"])
    EXPECT_NE(Entry["name"], "deep");
}

} // namespace
