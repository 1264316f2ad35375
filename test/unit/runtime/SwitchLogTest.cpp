//===- SwitchLogTest.cpp - states of threads, from switch records ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "samples/SwitchLog.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>
#include <vector>

using namespace seamscope::format;
using namespace seamscope::samples;

namespace {

constexpr uint64_t Begin = 1000;

class SwitchLogTest : public testing::Test {
protected:
  void SetUp() override {
    Records.clear();
    Entries.clear();
    Room = SIZE_MAX;
    Log.begin(Begin, {[](const SampleRecord &Record) {
                        if (Records.size() >= Room)
                          return false;
                        Records.push_back(Record);
                        return true;
                      },
                      [](const SampledThreadEntry &Entry) {
                        Entries.push_back(Entry);
                        return &Entries.back();
                      }});
    Log.addExisting(1, true, "main");
  }

  /// Thread 2 runs for 300 ns from \p Ns on, which becomes a microsecond later.
  void run(uint64_t &Ns, bool IsPreempted) {
    Log.switchIn(2, Ns);
    Log.switchOut(2, Ns + 300, IsPreempted);
    Ns += 1000;
  }

  /// "kind begin length" of each record of \p Tid.
  static std::vector<std::string> stretches(uint32_t Tid) {
    std::vector<std::string> Texts;
    for (const SampleRecord &Of : Records)
      if (Of.Tid == Tid)
        Texts.push_back(std::to_string(static_cast<int>(Of.kind())) + " " + std::to_string(Of.Ns) +
                        " " + std::to_string(Of.Value));
    return Texts;
  }
  /// Time in which \p Tid did not run, by all records.
  static uint64_t offNs(uint32_t Tid, SampleKind Kind, SampleKind Sum) {
    uint64_t Ns = 0;
    for (const SampleRecord &Of : Records)
      if (Of.Tid == Tid)
        Ns += Of.kind() == Kind ? Of.Value : Of.kind() == Sum ? Of.Value >> 32 : 0;
    return Ns;
  }

  static inline std::vector<SampleRecord> Records;
  static inline std::deque<SampledThreadEntry> Entries;
  static inline size_t Room;
  SwitchLog Log;
};

using Texts = std::vector<std::string>;

TEST_F(SwitchLogTest, StretchesOfAThread) {
  Log.switchOut(1, 2000, false);
  EXPECT_EQ(Entries[0].Off, 2000u << 3 | static_cast<uint64_t>(SampleKind::Blocked));
  Log.switchIn(1, 2500);
  EXPECT_EQ(Entries[0].Off, 0u);
  Log.switchOut(1, 3000, true);
  Log.switchIn(1, 3001);
  Log.sample(1, 3500, 0x1234);
  EXPECT_EQ(stretches(1), (Texts{"2 2000 500", "3 3000 1", "1 3500 4660"}));
  EXPECT_EQ(Log.switches(), 2u);
}

TEST_F(SwitchLogTest, ASwitchIsPartOfTheThreadsTime) {
  Log.fork(2, 1, 2000);
  uint64_t Ns = 10000, Cpu = 100 * (300 + 40);
  for (unsigned I = 0; I < 100; ++I)
    run(Ns, false);
  SwitchLog::Thread &Thread = *Log.find(2);
  ASSERT_TRUE(SwitchLog::isComparable(Thread));
  Log.compare(Thread, Cpu);
  EXPECT_EQ(Log.switchNs(), 40u);
  EXPECT_FALSE(SwitchLog::isComparable(Thread)); // not before more switches
  Records.clear();
  Log.switchIn(2, Ns + 1000);
  Log.switchOut(2, Ns + 1300, false);
  Log.switchIn(2, Ns + 1320); // it begins no earlier than the one before ended
  Log.switchOut(2, Ns + 1400, false);
  Log.fork(3, 2, 500000); // what is known of others holds for new threads
  Log.switchIn(3, 500100);
  EXPECT_EQ(stretches(2)[0], "2 " + std::to_string(Ns - 700) + " 1620");
  EXPECT_EQ(stretches(2).size(), 1u);
  EXPECT_EQ(stretches(3), (Texts{"3 500000 60"}));
}

TEST_F(SwitchLogTest, RunningTimeIsTheProcessorTimeInTheEnd) {
  for (const int Part : {70, -70}) {
    SetUp();
    Log.fork(2, 1, 2000);
    uint64_t Ns = 10000, Cpu = 0;
    for (unsigned I = 0; I < 2000; ++I) {
      run(Ns, false);
      Cpu += 300 + Part;
      if (I % 100 == 99)
        Log.compare(*Log.find(2), Cpu);
    }
    Log.switchIn(2, Ns);
    Log.endReading(Ns);
    const uint64_t Off = offNs(2, SampleKind::Blocked, SampleKind::BlockedSum) +
                         offNs(2, SampleKind::Preempted, SampleKind::PreemptedSum);
    EXPECT_NEAR(static_cast<double>(Ns - 2000 - Off), static_cast<double>(Cpu),
                Part > 0 ? 100 : 7100)
        << Part; // too much before the first comparison stays
  }
}

TEST_F(SwitchLogTest, ASwitchFromAThreadIsNotItsTime) {
  Log.fork(2, 1, 2000);
  uint64_t Ns = 10000, Cpu = 100 * (300 - 40);
  for (unsigned I = 0; I < 100; ++I)
    run(Ns, true);
  Log.compare(*Log.find(2), Cpu);
  EXPECT_EQ(Log.switchNs(), -40);
  Records.clear();
  for (unsigned I = 0; I < 100; ++I) {
    Log.switchIn(2, Ns);
    Log.switchOut(2, Ns + (I ? 300 : 30), true); // it ends no earlier than it began
    Ns += 1000;
    Cpu += 300 - 40;
  }
  EXPECT_EQ(stretches(2)[0], "3 " + std::to_string(Ns - 100700) + " 700");
  EXPECT_EQ(stretches(2)[1], "3 " + std::to_string(Ns - 100000) + " 1000");
  EXPECT_EQ(stretches(2)[2], "3 " + std::to_string(Ns - 98740) + " 740");
  Log.compare(*Log.find(2), Cpu - 270); // the first one ran for 30, by the records
  EXPECT_EQ(Log.switchNs(), -40);
}

TEST_F(SwitchLogTest, NothingIsComparedAcrossALoss) {
  Log.fork(2, 1, 2000);
  for (uint64_t Ns = 10000; Ns < 200000; Ns += 1000) {
    Log.switchIn(2, Ns);
    Log.switchOut(2, Ns + 300, false);
    if (Ns == 100000)
      Log.lose(Ns + 400);
  }
  Log.compare(*Log.find(2), 1000000);
  EXPECT_EQ(Log.switchNs(), 0u);
}

TEST_F(SwitchLogTest, LifeOfAThread) {
  Log.fork(2, 1, 2000);
  EXPECT_STREQ(Entries[1].Name, "main");
  Log.switchIn(2, 2100); // until then it was ready
  Log.rename(2, "a name of sixteen characters", 2150);
  Log.exit(2, 2200);
  EXPECT_EQ(stretches(2), (Texts{"3 2000 100"}));
  EXPECT_EQ(Entries[1].FromNs, 2000u);
  EXPECT_EQ(Entries[1].ToNs, 2200u);
  EXPECT_STREQ(Entries[1].Name, "a name of sixte");
  Log.fork(2, 1, 3000); // the number of another thread now
  Log.switchIn(2, 3100);
  EXPECT_EQ(Entries.size(), 3u);
  EXPECT_EQ(stretches(2), (Texts{"3 2000 100", "3 3000 100"}));
}

TEST_F(SwitchLogTest, ThreadsThatExistedBefore) {
  for (const uint32_t Tid : {2, 3, 4, 5})
    Log.addExisting(Tid, false, "");
  Log.switchIn(2, 2000);         // it did not run until then
  Log.switchOut(3, 2000, false); // it ran until then
  Log.switchIn(3, 2100);
  Log.exit(4, 2000); // it ran until then
  EXPECT_EQ(stretches(2), (Texts{"2 1000 1000"}));
  EXPECT_EQ(stretches(3), (Texts{"2 2000 100"}));
  EXPECT_EQ(stretches(4), Texts{});
  EXPECT_EQ(Entries[4].Off, Begin << 3 | static_cast<uint64_t>(SampleKind::Unknown));
}

TEST_F(SwitchLogTest, RecordsThatComeLate) {
  Log.switchIn(1, 3000);
  Log.switchOut(1, 2000, false);
  Log.switchOut(1, 4000, false);
  Log.switchIn(1, 4500);
  EXPECT_EQ(stretches(1), (Texts{"2 2000 1000", "2 4000 500"}));
  Log.switchIn(2, 5000);
  Log.fork(2, 1, 4900);
  EXPECT_EQ(Entries[1].FromNs, 4900u);
  EXPECT_EQ(stretches(2), (Texts{"3 4900 100"}));
}

TEST_F(SwitchLogTest, StateIsUnknownAfterALoss) {
  Log.fork(2, 1, 1500);
  Log.switchOut(1, 2000, false);
  Log.switchIn(2, 2000);
  Log.lose(3000);
  EXPECT_EQ(stretches(1), (Texts{"2 2000 1000"}));
  EXPECT_EQ(Entries[0].Off, 3000u << 3 | static_cast<uint64_t>(SampleKind::Unknown));
  Log.switchIn(1, 4000);
  Log.switchOut(2, 5000, false);
  Log.switchIn(2, 6000);
  EXPECT_EQ(stretches(1), (Texts{"2 2000 1000", "4 3000 1000"}));
  EXPECT_EQ(stretches(2), (Texts{"3 1500 500", "4 3000 2000", "2 5000 1000"}));
}

TEST_F(SwitchLogTest, TimesBeforeTheBeginAreIgnored) {
  Log.switchOut(1, 900, false);
  Log.sample(1, 950, 7);
  EXPECT_EQ(stretches(1), Texts{});
  EXPECT_EQ(Entries[0].Off, 0u);
}

TEST_F(SwitchLogTest, ALookNamesTheOneWaitThatItWasIn) {
  const auto Waits = [] {
    std::vector<uint32_t> All;
    for (const SampleRecord &Of : Records)
      All.push_back(Of.wait());
    return All;
  };
  Log.look(1, 2100, 2200, 7); // before its records were read
  Log.switchOut(1, 2000, false);
  Log.switchIn(1, 2500);
  Log.switchOut(1, 3000, false);
  Log.look(1, 3100, 3600, 8); // it ran meanwhile
  Log.switchIn(1, 3500);
  Log.switchOut(1, 3550, false);
  Log.switchIn(1, 4000);
  Log.look(1, 4100, 4200, 9); // it was ready
  Log.switchOut(1, 4050, true);
  Log.switchIn(1, 4300);
  EXPECT_EQ(Waits(), (std::vector<uint32_t>{7, 0, 0, 0}));
  EXPECT_EQ(Log.unnamedNs(), 500u + 450u);
}

TEST_F(SwitchLogTest, ALookNamesAWaitThatGoesOn) {
  Log.switchOut(1, 2000, false);
  Log.look(1, 2100, 2200, 7);
  Log.endReading(2150); // a record from before the look's end may come
  EXPECT_EQ(Entries[0].Wait, 0u);
  Log.endReading(2200);
  EXPECT_EQ(Entries[0].Wait, 7u);
  Log.switchIn(1, 2500);
  EXPECT_EQ(Entries[0].Wait, 0u);
  ASSERT_EQ(Records.size(), 1u);
  EXPECT_EQ(Records[0].wait(), 7u);
}

TEST_F(SwitchLogTest, ALookNamesAThreadThatWasBlockedFromTheBegin) {
  Log.addExisting(2, false, "old");
  Log.look(2, 2100, 2200, 7);
  Log.endReading(2300);
  Log.switchIn(2, 2500);
  EXPECT_EQ(stretches(2), (Texts{"2 1000 1500"}));
  EXPECT_EQ(Records[0].wait(), 7u);
}

TEST_F(SwitchLogTest, AWaitThatWasLookedAtIsNotSummed) {
  uint64_t Ns = 2000;
  for (unsigned I = 0; I < 1000; ++I, Ns += 20) {
    Log.switchOut(1, Ns, false);
    if (I == 700)
      Log.look(1, Ns + 2, Ns + 4, 7);
    Log.switchIn(1, Ns + 10);
  }
  Log.endReading(Ns);
  uint64_t Named = 0;
  for (const SampleRecord &Of : Records)
    if (Of.wait() == 7) {
      EXPECT_EQ(Of.kind(), SampleKind::Blocked);
      Named += Of.Value;
    }
  EXPECT_EQ(Named, 10u);
  EXPECT_EQ(offNs(1, SampleKind::Blocked, SampleKind::BlockedSum), 10000u);
}

TEST_F(SwitchLogTest, ManyStretchesAreSummedExactly) {
  std::mt19937 Random(1);
  uint64_t Ns = 2000, Off[2] = {};
  for (unsigned I = 0; I < 100000; ++I) {
    const bool Preempted = Random() % 4 == 0;
    Ns += 1 + Random() % 5000;
    Log.switchOut(1, Ns, Preempted);
    const uint64_t Length = 1 + Random() % 5000;
    Off[Preempted] += Length;
    Log.switchIn(1, Ns += Length);
    if (I % 1000 == 0)
      Log.endReading(Ns);
  }
  Log.endReading(Ns);
  EXPECT_EQ(offNs(1, SampleKind::Blocked, SampleKind::BlockedSum), Off[0]);
  EXPECT_EQ(offNs(1, SampleKind::Preempted, SampleKind::PreemptedSum), Off[1]);
  // 100 KB a second.
  EXPECT_LT(Records.size() * sizeof(SampleRecord), 100 * Ns / 1000000);
  // They do not overlap, and none is longer than the time that it lies in.
  uint64_t Last = 0;
  for (const SampleRecord &Of : Records) {
    const bool IsSum = Of.kind() > SampleKind::Unknown;
    const uint64_t Length = IsSum ? static_cast<uint32_t>(Of.Value) : Of.Value;
    EXPECT_GE(Of.Ns, Last);
    EXPECT_LE(Of.Value >> 32, Length);
    Last = Of.Ns + Length;
  }
  EXPECT_LE(Last, Ns);
}

TEST_F(SwitchLogTest, ManyThreadsAtOnce) {
  for (uint32_t Round = 0; Round < 3; ++Round) {
    for (uint32_t Tid = 10; Tid < 1010; ++Tid)
      Log.fork(Tid, 1, 2000 + Round * 1000);
    for (uint32_t Tid = 10; Tid < 1010; ++Tid)
      Log.switchIn(Tid, 2100 + Round * 1000);
    // Some in another order.
    for (uint32_t Tid = 10; Tid < 1010; Tid += 2)
      Log.exit(Tid, 2200 + Round * 1000);
    for (uint32_t Tid = 11; Tid < 1010; Tid += 2)
      Log.exit(Tid, 2200 + Round * 1000);
  }
  EXPECT_EQ(Entries.size(), 3001u);
  EXPECT_EQ(Records.size(), 3000u);
  unsigned Left = 0;
  Log.forEachThread([&](SwitchLog::Thread &) { ++Left; });
  EXPECT_EQ(Left, 1u);
}

TEST_F(SwitchLogTest, AFullSpoolKeepsWhatItSaid) {
  Room = 1;
  Log.switchOut(1, 2000, false);
  Log.switchIn(1, 2100);
  Log.switchOut(1, 3000, false);
  EXPECT_FALSE(Log.isFull());
  Log.switchIn(1, 3100);
  EXPECT_TRUE(Log.isFull());
  EXPECT_EQ(Log.dropped(), 1u);
  // It may have run since, which no record can say.
  EXPECT_EQ(Entries[0].Off, 3000u << 3 | static_cast<uint64_t>(SampleKind::Blocked));
}

} // namespace
