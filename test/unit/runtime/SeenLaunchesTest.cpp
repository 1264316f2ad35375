//===- SeenLaunchesTest.cpp - a ring that is read while kernels write it ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/SeenLaunches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

using namespace seamscope::cuda;

namespace {

constexpr uint32_t Kernel = 7;

/// A ring of small segments, and what was written of its launches.
struct TestRing {
  static constexpr size_t SlotsPerSegment = 8;
  std::vector<SeamscopeGpuSlot> Slots;
  std::map<uint32_t, seamscope::format::DeviceInside> Written; ///< the last word on each
  SeenLaunches Launches;

  explicit TestRing(size_t Segments)
      : Slots(Segments * SlotsPerSegment), Launches({}, [this](LaunchSummary &Launch) {
          Written[Launch.Inside.Number] = Launch.Inside;
        }) {}

  size_t segments() const { return Slots.size() / SlotsPerSegment; }
  SeamscopeGpuSlot &slot(uint32_t Number, uint32_t Warp) {
    return Slots[Number % segments() * SlotsPerSegment + Warp];
  }

  /// A warp that has left, or, with \p EndNs of 0, that has not.
  void put(uint32_t Number, uint32_t Warp, uint64_t BeginNs, uint64_t EndNs) {
    slot(Number, Warp) = {BeginNs, 2 * BeginNs, 2 * EndNs, EndNs, Number, Kernel,
                          0,       Warp,        0,         0,     0,      0};
  }

  /// \p BeforeSlot runs before each slot is read.
  template <typename FnT> void drain(bool All, FnT BeforeSlot) {
    std::vector<SeamscopeGpuSlot> Heads;
    for (size_t I = 0; I < segments(); ++I) {
      BeforeSlot();
      Heads.push_back(Slots[I * SlotsPerSegment]);
    }
    Launches.beginDrain(Heads);
    for (size_t I = 0; I < segments(); ++I) {
      if (!Launches.isDue(Heads[I], All))
        continue;
      std::vector<SeamscopeGpuSlot> Read;
      for (size_t J = 0; J < SlotsPerSegment; ++J) {
        BeforeSlot();
        Read.push_back(Slots[I * SlotsPerSegment + J]);
      }
      Launches.takeSegment(I, launchesIn(Read));
    }
    Launches.endDrain(All);
  }
  void drain(bool All = false) {
    drain(All, [] {});
  }
};

// A warp stores its clock at the exit before the time: read in between, it has not left.
TEST(SeenLaunches, AnExitThatWasHalfWrittenIsReadAgain) {
  TestRing R(1);
  R.put(1, 0, 1000, 1100);
  R.put(1, 1, 1000, 1200);
  R.slot(1, 1).end_ns = 0;
  R.drain();
  R.slot(1, 1).end_ns = 1200;
  R.drain(true);
  ASSERT_TRUE(R.Written.contains(1));
  EXPECT_EQ(R.Written[1].Open, 0u);
  EXPECT_EQ(R.Written[1].EndNs, 1200u);
  EXPECT_EQ(R.Written[1].Overwritten, 0u);
}

// A warp clears the end before it stores the number of its launch.
TEST(SeenLaunches, AnEntryThatWasHalfWrittenReopensNoWarp) {
  TestRing R(1);
  R.put(1, 0, 1000, 1100);
  R.put(1, 1, 1000, 1200);
  R.drain();
  R.drain();
  R.slot(1, 0).end_clock = R.slot(1, 0).end_ns = 0;
  R.drain();
  R.drain();
  R.put(2, 0, 1300, 1400);
  R.put(2, 1, 1300, 1400);
  R.drain();
  ASSERT_TRUE(R.Written.contains(1));
  EXPECT_EQ(R.Written[1].Open, 0u);
  EXPECT_EQ(R.Written[1].Overwritten, 0u);
}

TEST(SeenLaunches, ALaunchThatWasOverwrittenWhileAWarpRanIsIncomplete) {
  TestRing R(1);
  R.put(1, 0, 1000, 1100);
  R.put(1, 1, 1000, 0);
  R.drain();
  R.put(2, 0, 1300, 1400);
  R.put(2, 1, 1300, 1400);
  R.drain();
  ASSERT_TRUE(R.Written.contains(1));
  EXPECT_EQ(R.Written[1].Overwritten, 1u);
}

// More warps may have come after the one time that it was read, unless others ran by then.
TEST(SeenLaunches, ALaunchThatWasReadOnceIsIncompleteUnlessTheDeviceWentOn) {
  for (const auto &[NextBegin, Incomplete] : {std::pair(2000u, 1u), std::pair(1'200'000u, 0u)}) {
    TestRing R(2);
    R.put(2, 0, 1000, 1100);
    R.put(3, 0, NextBegin, NextBegin + 10);
    R.drain();
    R.put(4, 0, 2'000'000, 2'000'100);
    R.drain();
    ASSERT_TRUE(R.Written.contains(2));
    EXPECT_EQ(R.Written[2].Open, 0u);
    EXPECT_EQ(R.Written[2].Overwritten, Incomplete) << NextBegin;
    EXPECT_FALSE(R.Written.contains(3));
  }
}

// A large launch leaves a rest behind the slots of small ones, for as long as these come.
TEST(SeenLaunches, TheRestOfALaunchDoesNotReplaceIt) {
  TestRing R(1);
  for (uint32_t Warp = 0; Warp < 4; ++Warp)
    R.put(1, Warp, 1000, 1100);
  R.drain();
  R.drain();
  for (uint32_t Number = 2; Number < 300; ++Number) {
    R.put(Number, 0, 1000 * Number, 1000 * Number + 100);
    R.drain();
    R.drain();
  }
  R.drain(true);
  EXPECT_EQ(R.Written.size(), 299u);
  for (const auto &[Number, Inside] : R.Written) {
    EXPECT_EQ(Inside.Warps, Number == 1 ? 4u : 1u) << Number;
    EXPECT_EQ(Inside.Overwritten, 0u) << Number;
  }
}

TEST(SeenLaunches, WhatIsLeftWhenTheContextIsLostIsWrittenTheSameWay) {
  TestRing R(4);
  R.put(1, 0, 1000, 1100); // read twice
  R.drain();
  R.put(2, 0, 1200, 1300); // read once
  R.put(3, 0, 1350, 0);    // runs
  R.drain();
  R.Launches.writeKnown();
  ASSERT_EQ(R.Written.size(), 3u);
  EXPECT_EQ(R.Written[1].Overwritten, 0u);
  EXPECT_EQ(R.Written[2].Overwritten, 1u);
  EXPECT_EQ(R.Written[3].Overwritten, 1u);
}

/// A device that runs one launch after the other, in the stores that its warps make.
class Device {
public:
  Device(TestRing &On, uint64_t Seed) : On(On), Random(Seed) {}

  struct Truth {
    uint32_t Warps = 0;
    uint64_t BeginNs = UINT64_MAX, EndNs = 0;
  };
  std::map<uint32_t, Truth> Truths;

  void step() {
    Ns += 5 + Random() % 40;
    if (Running.empty() && Begun == Warps)
      launch();
    if (Begun < Warps && (Running.empty() || Random() % 4 == 0))
      Running.push_back({Begun++, 0});
    const size_t Which = Random() % Running.size();
    if (store(Running[Which]))
      Running.erase(Running.begin() + static_cast<ptrdiff_t>(Which));
  }
  /// Ends what runs.
  void finish() {
    while (!Running.empty() || Begun < Warps)
      step();
  }

private:
  struct Warp {
    uint32_t Number;
    unsigned Stores; ///< that it has made
  };

  void launch() {
    ++Number;
    Warps = Truths[Number].Warps = 1 + static_cast<uint32_t>(Random() % TestRing::SlotsPerSegment);
    Begun = 0;
    if (Random() % 8 == 0)
      Ns += 50'000;
  }

  /// In the order of passes/llvm/device/DeviceApply.cpp. True: it was the warp's last.
  bool store(Warp &W) {
    SeamscopeGpuSlot &Slot = On.slot(Number, W.Number);
    Truth &Right = Truths[Number];
    switch (W.Stores++) {
    case 0:
      Slot.end_clock = 0;
      return false;
    case 1:
      Slot.end_ns = 0;
      return false;
    case 2:
      Slot.grid = Number;
      return false;
    case 3:
      Slot.kernel = Kernel;
      Slot.warp = W.Number;
      return false;
    case 4:
      Slot.begin_ns = Ns;
      Right.BeginNs = std::min(Right.BeginNs, Ns);
      return false;
    case 5:
      Slot.begin_clock = 2 * Ns;
      return false;
    case 6:
    case 8: // of other threads
      Slot.end_clock = 2 * Ns;
      return false;
    default:
      Slot.end_ns = Ns;
      Right.EndNs = std::max(Right.EndNs, Ns);
      return W.Stores > 8 || Random() % 2;
    }
  }

  TestRing &On;
  std::mt19937_64 Random;
  uint64_t Ns = 1'000'000;
  uint32_t Number = 0, Warps = 0, Begun = 0;
  std::vector<Warp> Running;
};

TEST(SeenLaunches, WhatIsNotIncompleteIsAsItWas) {
  std::mt19937_64 Random(12);
  size_t Whole = 0, Parts = 0;
  for (uint64_t Round = 0; Round < 400; ++Round) {
    TestRing R(1 + Random() % 4);
    Device D(R, Round);
    for (int Drain = 0; Drain < 60; ++Drain) {
      // A warp that begins or leaves meanwhile is seen to have.
      for (uint64_t Steps = 24 + Random() % (Random() % 4 ? 40 : 400); Steps; --Steps)
        D.step();
      R.drain(false, [&] {
        for (uint64_t Steps = Random() % 3; Steps; --Steps)
          D.step();
      });
    }
    D.finish();
    R.drain(true);
    for (const auto &[Number, Inside] : R.Written) {
      if (Inside.Overwritten) {
        ++Parts;
        continue;
      }
      ++Whole;
      const Device::Truth &Right = D.Truths[Number];
      EXPECT_EQ(Inside.Open, 0u);
      EXPECT_EQ(Inside.Warps, Right.Warps);
      EXPECT_EQ(Inside.BeginNs, Right.BeginNs);
      EXPECT_EQ(Inside.EndNs, Right.EndNs);
    }
  }
  // Neither is rare.
  EXPECT_GT(Whole, 1000u);
  EXPECT_GT(Parts, 1000u);
}

} // namespace
