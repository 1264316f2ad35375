//===- DeviceTraceTest.cpp - what a spool has of GPUs, whole and broken ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/ChromeTrace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace seamscope::format;
using Json = nlohmann::json;

namespace {

constexpr uint64_t StartNs = 1700000000000000000u;

/// A spool with one block about devices. Ticks are ns, from 1000 on.
class Spool {
public:
  Spool() : Words((HeaderBytes + BlockBytes) / 8) {
    SpoolHeader &H = *reinterpret_cast<SpoolHeader *>(bytes());
    std::memcpy(H.Magic, SpoolMagic, sizeof(SpoolMagic));
    H.Version = SpoolVersion;
    H.HeaderSize = sizeof(SpoolHeader);
    H.BlockSize = BlockBytes;
    H.Clock = ClockSource::Monotonic;
    H.Mode = 2;
    H.Pid = 42;
    H.Rank = H.WorldSize = -1;
    H.CapacityBlocks = H.BlocksClaimed = 1;
    H.First = {1000, 1000, StartNs, 1};
    H.Last[0] = {1000001000, 1000001000, StartNs + 1000000000, 1};
    reinterpret_cast<BlockHeader *>(block())->Kind = BlockKind::Device;
  }

  template <typename T> void add(T Entry, DeviceEntryKind Kind) {
    Entry.Head = {sizeof(T), Kind};
    std::memcpy(block() + Used, &Entry, sizeof(T));
    Used += sizeof(T);
  }

  void addText(uint32_t Id, const std::string &Text) {
    auto *Entry = reinterpret_cast<DeviceText *>(block() + Used);
    const auto Size = static_cast<uint32_t>((sizeof(DeviceText) + Text.size() + 8) / 8 * 8);
    *Entry = {{Size, DeviceEntryKind::Text}, Id, 0};
    std::memcpy(Entry + 1, Text.c_str(), Text.size() + 1);
    Used += Size;
  }

  void addClock(uint64_t Ns, uint64_t Tick) {
    add(DeviceClock{{}, Ns, Tick}, DeviceEntryKind::Clock);
  }

  void addKernel(uint64_t BeginNs, uint64_t EndNs, uint64_t Number, uint32_t Kernel = 7) {
    DeviceActivity A = {};
    A.Kind = DeviceActivityKind::Kernel;
    A.Name = 1;
    A.BeginNs = BeginNs;
    A.EndNs = EndNs;
    A.Number = Number;
    A.Kernel = Kernel;
    A.Grid[0] = A.Grid[1] = A.Grid[2] = A.Block[1] = A.Block[2] = 1;
    A.Block[0] = 64;
    add(A, DeviceEntryKind::Activity);
  }

  void addInside(uint32_t Number, uint64_t BeginNs, uint64_t EndNs, uint32_t Warps = 2) {
    DeviceInside I = {};
    I.Number = Number;
    I.Kernel = 7;
    I.File = 2;
    I.Line = 30;
    I.Warps = Warps;
    I.Blocks = I.Sms = I.Resident = 1;
    I.BeginNs = BeginNs;
    I.EndNs = EndNs;
    I.SmNs = I.MostSmNs = EndNs - BeginNs;
    I.MostWarps = 32;
    I.SegmentShift = 10;
    add(I, DeviceEntryKind::Inside);
  }

  void addCountedKernel(uint64_t Id) {
    DeviceCountedKernel K = {};
    K.Id = Id;
    K.Kernel = 7;
    K.Name = K.LinkageName = 1;
    K.Counts = 3;
    add(K, DeviceEntryKind::CountedKernel);
  }

  void addWork(uint32_t Number, uint64_t EndNs, uint64_t Word) {
    struct {
      DeviceWork Head = {};
      uint64_t Word;
    } W;
    W.Head.Number = Number;
    W.Head.Kernel = 7;
    W.Head.Words = 1;
    W.Head.Counts = 0xabc;
    W.Head.EndNs = EndNs;
    W.Word = Word;
    W.Head.Head = {sizeof(W), DeviceEntryKind::Work};
    std::memcpy(block() + Used, &W, sizeof(W));
    Used += sizeof(W);
  }

  Json trace() const {
    SpoolReader Reader;
    EXPECT_EQ(Reader.open(Words.data(), Words.size() * 8).Reason, nullptr);
    std::string Text;
    EXPECT_TRUE(writeChromeTrace(Reader, {},
                                 {[](void *To, const char *From, size_t Size) {
                                    static_cast<std::string *>(To)->append(From, Size);
                                    return true;
                                  },
                                  &Text}));
    return Json::parse(Text);
  }

  std::vector<Json> kernels() const {
    std::vector<Json> Found;
    const Json Trace = trace();
    for (const Json &Event : Trace["traceEvents"])
      if (Event.value("cat", "") == "kernel")
        Found.push_back(Event);
    return Found;
  }

  unsigned char *block() { return bytes() + HeaderBytes; }
  size_t used() const { return Used; }

private:
  unsigned char *bytes() { return reinterpret_cast<unsigned char *>(Words.data()); }

  std::vector<uint64_t> Words;
  size_t Used = sizeof(BlockHeader);
};

int64_t ns(const Json &Event, const char *Key) {
  return std::llround(Event[Key].get<double>() * 1000);
}

TEST(DeviceTrace, ClocksMoveOnlyWhereTheyReallyWentApart) {
  Spool S;
  S.addText(1, "k");
  S.addClock(StartNs + 5000, 2000);       // 4 us ahead
  S.addClock(StartNs + 105300, 102000);   // 300 ns of noise
  S.addClock(StartNs + 1205000, 1002000); // the time of day was set 200 us ahead
  S.addKernel(StartNs + 6000, StartNs + 7000, 1);
  S.addKernel(StartNs + 106000, StartNs + 107000, 2);
  S.addKernel(StartNs + 1206000, StartNs + 1207500, 3);
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 3u);
  EXPECT_EQ(ns(Kernels[0], "ts"), 2000);
  EXPECT_EQ(ns(Kernels[1], "ts"), 102000);
  EXPECT_EQ(ns(Kernels[2], "ts"), 1002000);
  EXPECT_EQ(ns(Kernels[2], "dur"), 1500);
  EXPECT_EQ(S.trace()["seamscope"]["cuda"]["clock_skew_ns"], 200000);
}

TEST(DeviceTrace, StampsAndRecordsAreJoinedByTheLaunchesNumber) {
  Spool S;
  S.addText(1, "k");
  S.addText(2, "k.cu");
  for (const uint32_t Number : {3u, 1u, 2u})
    S.addInside(Number, 900 + Number * 10000, 1000 + Number * 10000);
  for (const uint64_t Number : {1u, 2u, 3u, 4u})
    S.addKernel(StartNs + Number * 10000, StartNs + Number * 10000 + 500, Number + (1ull << 32));
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 4u);
  for (size_t I = 0; I < 3; ++I)
    EXPECT_EQ(Kernels[I]["args"]["inside"]["ns"], 100);
  EXPECT_FALSE(Kernels[3]["args"].contains("inside"));
  // The line is the kernel's, not the launch's.
  EXPECT_EQ(Kernels[3]["args"]["file"], "k.cu");
  EXPECT_EQ(Kernels[3]["args"]["line"], 30);
  const Json About = S.trace()["seamscope"]["cuda"];
  EXPECT_EQ(About["joined_by"], "number");
  EXPECT_EQ(About["stamped_launches_joined"], 3);
  EXPECT_EQ(About["launches_without_stamps"], 1);
}

TEST(DeviceTrace, ReplaysOfAGraphHaveTheSameNumberAndAreToldByTheirTimes) {
  constexpr uint64_t Ahead = 5000;
  Spool S;
  S.addText(1, "k");
  S.addKernel(StartNs + 1000, StartNs + 3000, 1);
  S.addInside(1, StartNs + 1000 + Ahead, StartNs + 2900 + Ahead);
  for (const uint64_t Begin : {10000u, 20000u, 30000u})
    S.addKernel(StartNs + Begin, StartNs + Begin + 2000, 9);
  S.addInside(9, StartNs + 20100 + Ahead, StartNs + 21800 + Ahead);
  // Read while the next replay wrote it.
  for (const uint64_t Begin : {40000u, 50000u})
    S.addKernel(StartNs + Begin, StartNs + Begin + 2000, 12);
  S.addInside(12, StartNs + 40100 + Ahead, StartNs + 51800 + Ahead);
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 6u);
  for (size_t I = 0; I < Kernels.size(); ++I)
    EXPECT_EQ(Kernels[I]["args"].contains("inside"), I == 0 || I == 2) << I;
  EXPECT_EQ(Kernels[2]["args"]["inside"]["ns"], 1700);
  EXPECT_EQ(S.trace()["seamscope"]["cuda"]["launches_without_stamps"], 4);
}

TEST(DeviceTrace, IfAllKernelsAreOfGraphsTheStampsAreOfTheLastReplay) {
  Spool S;
  S.addText(1, "k");
  for (const uint64_t Begin : {10000u, 20000u, 30000u})
    S.addKernel(StartNs + Begin, StartNs + Begin + 2000, 9);
  S.addInside(9, StartNs + 30100, StartNs + 31800);
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 3u);
  for (size_t I = 0; I < Kernels.size(); ++I)
    EXPECT_EQ(Kernels[I]["args"].contains("inside"), I == 2) << I;
}

TEST(DeviceTrace, WithoutCommonNumbersTheOrderJoins) {
  Spool S;
  S.addText(1, "k");
  for (const uint32_t I : {0u, 1u, 2u}) {
    S.addInside(500 + I, 900 + I * 10000, 1000 + I + I * 10000);
    S.addKernel(StartNs + I * 10000, StartNs + I * 10000 + 500, I);
  }
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 3u);
  for (size_t I = 0; I < 3; ++I)
    EXPECT_EQ(Kernels[I]["args"]["inside"]["ns"], 100 + I);
  EXPECT_EQ(S.trace()["seamscope"]["cuda"]["joined_by"], "order");
}

TEST(DeviceTrace, CountersAreOfTheirLaunch) {
  Spool S;
  S.addText(1, "k");
  S.addText(3, "{}");
  S.addCountedKernel(0xabc);
  S.addKernel(StartNs + 1000, StartNs + 3000, 1);
  S.addKernel(StartNs + 4000, StartNs + 5000, 2);
  S.addKernel(StartNs + 6000, StartNs + 7000, 3);
  S.addKernel(StartNs + 8000, StartNs + 9000, 4, 8);
  S.addWork(3, 6900, 33);
  S.addWork(1, 2900, 11);
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 4u);
  EXPECT_EQ(Kernels[0]["args"]["work"], Json({{"counts", "0000000000000abc"}, {"words", {11}}}));
  EXPECT_EQ(Kernels[1]["args"]["work"],
            Json({{"unknown", "the counters of this launch did not arrive"}}));
  EXPECT_EQ(Kernels[2]["args"]["work"]["words"], Json({33}));
  EXPECT_FALSE(Kernels[3]["args"].contains("work"));
  const Json Counts = S.trace()["seamscope"]["work"];
  ASSERT_EQ(Counts.size(), 1u);
  EXPECT_EQ(Counts[0]["id"], "0000000000000abc");
}

TEST(DeviceTrace, ReplaysOfAGraphHaveTheirOwnCounters) {
  Spool S;
  S.addText(1, "k");
  S.addCountedKernel(0xabc);
  for (const uint64_t Begin : {10000u, 20000u, 30000u})
    S.addKernel(StartNs + Begin, StartNs + Begin + 2000, 9);
  S.addWork(9, 31900, 3);
  S.addWork(9, 11900, 1);
  S.addWork(9, 21900, 2);
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 3u);
  for (size_t I = 0; I < 3; ++I)
    EXPECT_EQ(Kernels[I]["args"]["work"]["words"], Json({I + 1})) << I;
}

TEST(DeviceTrace, IfReplaysAreMissingTheTimeTellsWhoseCountersTheOthersAre) {
  constexpr uint64_t Ahead = 5000;
  Spool S;
  S.addText(1, "k");
  S.addCountedKernel(0xabc);
  S.addKernel(StartNs + 1000, StartNs + 3000, 1);
  S.addInside(1, StartNs + 1000 + Ahead, StartNs + 2900 + Ahead);
  for (const uint64_t Begin : {10000u, 12500u, 15000u})
    S.addKernel(StartNs + Begin, StartNs + Begin + 2000, 9);
  S.addWork(9, StartNs + 14400 + Ahead, 2);
  S.addWork(9, StartNs + 90000 + Ahead, 4);
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 4u);
  for (size_t I = 0; I < 4; ++I)
    EXPECT_EQ(Kernels[I]["args"]["work"].contains("words"), I == 2) << I;
}

TEST(DeviceTrace, TheLastWordOnALaunchCounts) {
  Spool S;
  S.addText(1, "k");
  S.addKernel(StartNs + 1000, StartNs + 1500, 1);
  S.addInside(1, 900, 950, 1);
  S.addInside(1, 900, 1000, 2);
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 1u);
  EXPECT_EQ(Kernels[0]["args"]["inside"]["warps"], 2);
}

TEST(DeviceTrace, OfAPartNothingFollowsForTheWhole) {
  Spool S;
  S.addText(1, "k");
  S.addKernel(StartNs + 1000, StartNs + 1500, 1);
  S.addInside(1, 900, 1000, 1); // of two warps
  S.addKernel(StartNs + 100000, StartNs + 200000, 2);
  S.addInside(2, 900, 1000, 2); // the kernel went on for 99.9 us
  const auto Kernels = S.kernels();
  ASSERT_EQ(Kernels.size(), 2u);
  for (const Json &Kernel : Kernels) {
    const Json &Inside = Kernel["args"]["inside"];
    EXPECT_EQ(Inside["incomplete"], 1);
    EXPECT_FALSE(Inside.contains("tail_percent"));
    EXPECT_FALSE(Inside.contains("waves"));
  }
}

// What a killed process or a broken disk leaves is read, and what is written is JSON.
TEST(DeviceTrace, RandomDamageDoesNoHarm) {
  std::mt19937 Random(11);
  for (int Round = 0; Round < 400; ++Round) {
    Spool S;
    S.addText(1, "name \xff\x1b \"quoted\"");
    S.addClock(StartNs, 1000);
    for (uint32_t I = 1; I < 6; ++I) {
      S.addKernel(StartNs + I * 1000, StartNs + I * 1000 + 500, I);
      S.addInside(I, I * 1000, I * 1000 + 400);
    }
    S.add(DeviceBlockSpan{{}, 1, 7, 0, 3, 0, 2, 10, 20}, DeviceEntryKind::BlockSpan);
    DeviceProperties Properties = {};
    Properties.Name = 1;
    Properties.Sms = 4;
    S.add(Properties, DeviceEntryKind::Properties);
    for (unsigned I = 0; I < 1 + Random() % 8; ++I) {
      const size_t At = sizeof(BlockHeader) + Random() % (S.used() - sizeof(BlockHeader));
      S.block()[At] = static_cast<unsigned char>(Random() % 3 ? Random() : 0xff);
    }
    EXPECT_TRUE(S.trace()["traceEvents"].is_array());
  }
}

} // namespace
