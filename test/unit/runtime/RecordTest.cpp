//===- RecordTest.cpp - recording by hand, over threads and modes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "seamscope/spans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
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
  constexpr int Threads = 4, Calls = 10000;
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

uint64_t profiledCallsOf(const nlohmann::json &Trace, const std::string &Name) {
  uint64_t Calls = 0;
  if (const auto Rows = Trace["seamscope"].find("profile"); Rows != Trace["seamscope"].end())
    for (const auto &Row : *Rows)
      if (Row["name"] == Name)
        Calls += Row["calls"].get<uint64_t>();
  return Calls;
}

TEST(Record, OpenCallsKeepTheModeTheyBeganWith) {
  const uint32_t Traced = seamscope_site("began traced", nullptr, 0);
  const uint32_t Summed = seamscope_site("began profiled", nullptr, 0);
  const uint32_t Off = seamscope_site("began off", nullptr, 0);
  SeamscopeFrame Frames[4];
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  seamscope_begin(Traced, &Frames[3]);
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_PROFILE), SEAMSCOPE_OK);
  seamscope_begin(Summed, &Frames[2]);
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_OFF), SEAMSCOPE_OK);
  seamscope_begin(Off, &Frames[1]);
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  seamscope_begin(Traced, &Frames[0]);
  seamscope_end(&Frames[0]);
  seamscope_end(&Frames[1]);
  seamscope_end(&Frames[2]);
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_PROFILE), SEAMSCOPE_OK);
  seamscope_end(&Frames[3]);
  const auto Trace = flushed("kept-modes.json");
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  EXPECT_EQ(callsOf(Trace, "began traced"), 2u);
  EXPECT_EQ(profiledCallsOf(Trace, "began traced"), 0u);
  EXPECT_EQ(callsOf(Trace, "began profiled"), 0u);
  EXPECT_EQ(profiledCallsOf(Trace, "began profiled"), 1u);
  EXPECT_EQ(callsOf(Trace, "began off"), 0u);
  EXPECT_EQ(profiledCallsOf(Trace, "began off"), 0u);
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

/// The calls of \p Site recorded from now on until the result ends.
SeamscopeWindow around(uint32_t Site, int Calls) {
  const uint64_t Begin = seamscope_now();
  record(Site, Calls);
  return {Begin, seamscope_now()};
}

nlohmann::json written(const std::string &Name, const std::vector<SeamscopeWindow> &Windows) {
  const std::string Path = std::string(SEAMSCOPE_TEST_FOLDER "/") + Name;
  EXPECT_EQ(seamscope_write(Path.c_str(), Windows.data(), static_cast<uint32_t>(Windows.size())),
            SEAMSCOPE_OK);
  std::ifstream File(Path);
  return nlohmann::json::parse(File);
}

TEST(Record, WindowsAreWrittenEachToATrace) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  const uint32_t Site = seamscope_site("window", nullptr, 0);
  record(Site, 1);
  std::vector<SeamscopeWindow> Odd, Even;
  for (int Turn = 0; Turn < 40; ++Turn) {
    (Turn % 2 ? Odd : Even).push_back(around(Site, Turn));
    record(Site, 3);
  }
  EXPECT_EQ(callsOf(written("even.json", Even), "window"), 380u);
  EXPECT_EQ(callsOf(written("odd.json", Odd), "window"), 400u);
  // Nothing is used up.
  EXPECT_EQ(callsOf(written("one.json", {Even[19]}), "window"), 38u);
  EXPECT_EQ(callsOf(flushed("windows-whole.json"), "window"), 1u + 780 + 120);
}

TEST(Record, AWindowTakesTheCallsThatBeganInIt) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  const uint32_t Before = seamscope_site("before", nullptr, 0);
  const uint32_t Within = seamscope_site("within", nullptr, 0);
  const uint32_t Open = seamscope_site("still open", nullptr, 0);
  // Outer calls have higher frames.
  SeamscopeFrame Frames[3];
  seamscope_begin(Before, &Frames[2]);
  SeamscopeWindow Window = {seamscope_now(), 0};
  seamscope_begin(Open, &Frames[1]);
  seamscope_begin(Within, &Frames[0]);
  Window.end = seamscope_now();
  seamscope_end(&Frames[0]);
  const auto Trace = written("began.json", {Window});
  seamscope_end(&Frames[1]);
  seamscope_end(&Frames[2]);
  EXPECT_EQ(callsOf(Trace, "within"), 1u);
  EXPECT_EQ(callsOf(Trace, "before"), 0u);
  size_t Begun = 0;
  for (const auto &Event : Trace["traceEvents"])
    Begun += Event["ph"] == "B";
  EXPECT_EQ(Begun, 1u);
}

TEST(Record, WindowsThatAreNoneAreRefused) {
  const SeamscopeWindow Backwards = {20, 10}, Overlap[] = {{10, 20}, {19, 30}}, Fine = {10, 20};
  const char *Path = SEAMSCOPE_TEST_FOLDER "/no-window.json";
  EXPECT_EQ(seamscope_write(Path, &Backwards, 1), SEAMSCOPE_ERROR_ARGUMENT);
  EXPECT_EQ(seamscope_write(Path, Overlap, 2), SEAMSCOPE_ERROR_ARGUMENT);
  EXPECT_EQ(seamscope_write(Path, nullptr, 1), SEAMSCOPE_ERROR_ARGUMENT);
  EXPECT_EQ(seamscope_write(Path, &Fine, 0), SEAMSCOPE_ERROR_ARGUMENT);
  EXPECT_EQ(seamscope_write(nullptr, &Fine, 1), SEAMSCOPE_ERROR_ARGUMENT);
  EXPECT_EQ(seamscope_write("", &Fine, 1), SEAMSCOPE_ERROR_ARGUMENT);
  EXPECT_FALSE(std::ifstream(Path).good());
  EXPECT_EQ(seamscope_write(SEAMSCOPE_TEST_FOLDER "/no/such/folder.json", &Fine, 1),
            SEAMSCOPE_ERROR_IO);
}

/// Windows are written while other threads record: each call is in the window it began in, once.
TEST(Record, WindowsAreWrittenWhileThreadsRecord) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  const uint32_t Site = seamscope_site("torture", nullptr, 0);
  constexpr int Threads = 4, Calls = 3000;
  const uint64_t Begin = seamscope_now();
  std::vector<std::thread> Workers;
  for (int I = 0; I < Threads; ++I)
    Workers.emplace_back(record, Site, Calls);
  std::vector<SeamscopeWindow> Windows;
  for (uint64_t From = Begin; Windows.size() < 8;) {
    const uint64_t Now = seamscope_now();
    Windows.push_back({From, Now});
    From = Now;
    written("meanwhile-window.json", {Windows.back()});
  }
  for (std::thread &Worker : Workers)
    Worker.join();
  Windows.push_back({Windows.back().end, seamscope_now()});
  size_t Sum = 0;
  for (const SeamscopeWindow &Window : Windows)
    Sum += callsOf(written("afterwards-window.json", {Window}), "torture");
  EXPECT_EQ(Sum, size_t{Threads} * Calls);
  EXPECT_EQ(callsOf(written("all-windows.json", Windows), "torture"), size_t{Threads} * Calls);
}

TEST(Record, WindowsHaveNoSumsOfProfile) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_PROFILE), SEAMSCOPE_OK);
  const SeamscopeWindow Window = around(seamscope_site("summed", nullptr, 0), 10);
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  EXPECT_FALSE(written("no-sums.json", {Window})["seamscope"].contains("profile"));
}

TEST(Record, TheOutputCanBeSet) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK);
  record(seamscope_site("to another place", nullptr, 0), 1);
  const std::string Path = SEAMSCOPE_TEST_FOLDER "/set-output.json";
  std::remove(Path.c_str());
  ASSERT_EQ(seamscope_set_output(Path.c_str()), SEAMSCOPE_OK);
  ASSERT_EQ(seamscope_flush(nullptr), SEAMSCOPE_OK);
  EXPECT_TRUE(std::ifstream(Path).good());
  ASSERT_EQ(seamscope_set_output(nullptr), SEAMSCOPE_OK);
  EXPECT_EQ(seamscope_flush(nullptr), SEAMSCOPE_ERROR_ARGUMENT);
  EXPECT_EQ(seamscope_set_output(""), SEAMSCOPE_ERROR_ARGUMENT);
  EXPECT_EQ(seamscope_set_output(std::string(5000, 'x').c_str()), SEAMSCOPE_ERROR_ARGUMENT);
}

/// In a process of its own: the exit writes where it was asked to, or nothing.
TEST(Record, TheExitWritesWhereItWasAskedTo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string Path = SEAMSCOPE_TEST_FOLDER "/exit-set.json";
  for (const char *Output : {Path.c_str(), static_cast<const char *>(nullptr)}) {
    std::remove(Path.c_str());
    EXPECT_EXIT(
        {
          seamscope_set_mode(SEAMSCOPE_TRACE);
          seamscope_set_output(Path.c_str());
          seamscope_set_output(Output);
          record(seamscope_site("at exit", nullptr, 0), 2);
          exit(0);
        },
        testing::ExitedWithCode(0), "");
    EXPECT_EQ(std::ifstream(Path).good(), Output != nullptr);
  }
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
