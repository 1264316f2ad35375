//===- GpuSlotsTest.cpp - stamps of random launches are read ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/Slots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>

using namespace seamscope::cuda;

namespace {

/// A launch as it might be, and the slots that its warps write into a segment.
struct RandomLaunch {
  uint32_t Number, Kernel, Blocks, Warps;
  std::vector<SeamscopeGpuSlot> Slots; ///< by block and warp

  template <typename RandomT> explicit RandomLaunch(RandomT &Random) {
    const auto Some = [&](uint64_t Most) { return Random() % Most; };
    Number = static_cast<uint32_t>(Random());
    Kernel = static_cast<uint32_t>(Random()) | 1;
    Blocks = 1 + static_cast<uint32_t>(Some(40));
    Warps = 1 + static_cast<uint32_t>(Some(8));
    const uint32_t Sms = 1 + static_cast<uint32_t>(Some(9));
    const uint64_t Ns = 1'000'000'000 + Some(1'000'000);
    // Now and then clocks wrap in the middle of the launch.
    const uint64_t Clock = Some(4) ? Some(1'000'000) : UINT64_MAX - Some(3000);
    for (uint32_t Block = 0; Block < Blocks; ++Block) {
      const auto Sm = static_cast<uint32_t>(Some(Sms));
      const uint64_t First = Some(2000);
      for (uint32_t Warp = 0; Warp < Warps; ++Warp) {
        const uint64_t Begin = First + Some(50), Length = Some(1000);
        SeamscopeGpuSlot Slot = {};
        Slot.begin_ns = Ns + Begin;
        Slot.end_ns = Ns + Begin + Length;
        Slot.begin_clock = Clock + Sm * 77 + Begin * 2;
        Slot.end_clock = Slot.begin_clock + Length * 2;
        Slot.grid = Number;
        Slot.kernel = Kernel;
        Slot.block = Block;
        Slot.warp = Warp;
        Slot.sm = Sm;
        Slots.push_back(Slot);
      }
    }
  }
};

TEST(GpuSlots, RandomLaunchesAreReadAsTheyWere) {
  std::mt19937_64 Random(7);
  for (int Round = 0; Round < 300; ++Round) {
    const RandomLaunch Launch(Random);
    // In any order, among slots that nobody wrote.
    std::vector<SeamscopeGpuSlot> Segment = Launch.Slots;
    Segment.resize(Segment.size() + Random() % 50);
    std::ranges::shuffle(Segment, Random);
    const std::vector<LaunchSlots> Found = launchesIn(Segment);
    ASSERT_EQ(Found.size(), 1u);
    EXPECT_TRUE(Found[0].isSame(Launch.Number, Launch.Kernel));
    ASSERT_EQ(Found[0].Warps.size(), Launch.Slots.size());
    EXPECT_EQ(Found[0].Open, 0u);

    const std::vector<BlockTimes> Blocks = blocksOf(Found[0]);
    ASSERT_EQ(Blocks.size(), Launch.Blocks);
    uint64_t First = UINT64_MAX, Last = 0;
    std::map<uint32_t, std::set<uint64_t>> Busy;
    std::map<uint32_t, uint64_t> LastOf;
    for (uint32_t B = 0; B < Launch.Blocks; ++B) {
      uint64_t Begin = UINT64_MAX, End = 0;
      for (uint32_t W = 0; W < Launch.Warps; ++W) {
        Begin = std::min(Begin, Launch.Slots[B * Launch.Warps + W].begin_ns);
        End = std::max(End, Launch.Slots[B * Launch.Warps + W].end_ns);
      }
      EXPECT_EQ(Blocks[B].Block, B);
      EXPECT_EQ(Blocks[B].Warps, Launch.Warps);
      EXPECT_EQ(Blocks[B].BeginNs, Begin);
      EXPECT_EQ(Blocks[B].EndNs, End);
      EXPECT_EQ(Blocks[B].EndClock - Blocks[B].BeginClock, 2 * (End - Begin));
      First = std::min(First, Begin);
      Last = std::max(Last, End);
      for (uint64_t Ns = Begin; Ns < End; ++Ns)
        Busy[Blocks[B].Sm].insert(Ns);
      Busy[Blocks[B].Sm];
      LastOf[Blocks[B].Sm] = std::max(LastOf[Blocks[B].Sm], End);
    }
    const LaunchTimes Times = timesOf(Found[0], Blocks);
    EXPECT_EQ(Times.BeginNs, First);
    EXPECT_EQ(Times.EndNs, Last);
    EXPECT_EQ(Times.Sms, Busy.size());
    uint64_t Sum = 0, Most = 0, Tail = 0;
    for (const auto &[Sm, Moments] : Busy) {
      Sum += Moments.size();
      Most = std::max(Most, Moments.size());
      Tail += Last - LastOf[Sm];
    }
    EXPECT_EQ(Times.SmNs, Sum);
    EXPECT_EQ(Times.MostSmNs, Most);
    EXPECT_EQ(Times.TailNs, Tail);
    // At the begin of some block as many are there as ever are.
    uint32_t Resident = 1;
    for (const BlockTimes &At : Blocks)
      Resident = std::max(
          Resident,
          static_cast<uint32_t>(std::ranges::count_if(Blocks, [&](const BlockTimes &Each) {
            return Each.Sm == At.Sm && Each.BeginNs <= At.BeginNs && At.BeginNs < Each.EndNs;
          })));
    EXPECT_EQ(Times.Resident, Resident);
    if (Launch.Warps > 1) {
      EXPECT_GE(Times.MostWarpClocks, Times.WarpClocks);
    } else {
      EXPECT_EQ(Times.MostWarpClocks, 0u);
    }
  }
}

TEST(GpuSlots, LoopsOfWarpsThatAreDoneAreAddedUp) {
  std::mt19937_64 Random(11);
  for (int Round = 0; Round < 300; ++Round) {
    RandomLaunch Launch(Random);
    std::vector<SeamscopeGpuLoop> Records(Launch.Slots.size() * SEAMSCOPE_GPU_MOST_LOOPS);
    std::vector<SeamscopeGpuSlot> Again = Launch.Slots;
    const auto Loops = static_cast<uint32_t>(1 + Random() % SEAMSCOPE_GPU_MOST_LOOPS);
    LoopTimes Wanted;
    std::vector<uint64_t> Entries(Loops), Clocks(Loops);
    for (size_t I = 0; I < Launch.Slots.size(); ++I) {
      SeamscopeGpuSlot &Slot = Launch.Slots[I];
      Slot.loops = Loops;
      Slot.threads = static_cast<uint32_t>(1 + Random() % 32);
      const uint64_t Length = Slot.threads * (Slot.end_clock - Slot.begin_clock);
      const auto Its = std::span(Records).subspan(I * SEAMSCOPE_GPU_MOST_LOOPS, Loops);
      for (SeamscopeGpuLoop &Each : Its)
        Each = {Length ? Random() % (Length + 1) : 0, static_cast<uint32_t>(Random() % 9), 0};
      SeamscopeGpuLoop &Some = Its[Random() % Loops];
      Again[I] = Slot;
      switch (Random() % 10) {
      case 0: // threads of it trapped there
        Some.inside = 1;
        continue;
      case 1: // it was in the loop when the record was read
        Some.clocks = 0 - uint64_t{5000};
        continue;
      case 2: // it is in the kernel
        Slot.end_ns = Slot.end_clock = Again[I].end_ns = Again[I].end_clock = 0;
        continue;
      case 3: // another launch took the slot when the records were read
        ++Again[I].grid;
        continue;
      case 4: // nobody wrote such numbers
        Slot.threads = Again[I].threads = Random() % 2 ? 0 : 33;
        continue;
      default:
        break;
      }
      ++Wanted.Warps;
      Wanted.Threads += Slot.threads;
      Wanted.Clocks += Length;
      for (uint32_t L = 0; L < Loops; ++L) {
        Entries[L] += Its[L].entries;
        Clocks[L] += Its[L].clocks;
      }
    }
    const std::vector<LaunchSlots> Found = launchesIn(Launch.Slots, Records, Again);
    ASSERT_EQ(Found.size(), 1u);
    EXPECT_EQ(Found[0].Warps.size(), Launch.Slots.size());
    const LoopTimes &Times = Found[0].Loops;
    EXPECT_EQ(Times.Warps, Wanted.Warps);
    EXPECT_EQ(Times.Threads, Wanted.Threads);
    EXPECT_EQ(Times.Clocks, Wanted.Clocks);
    ASSERT_EQ(Times.Loops.size(), Wanted.Warps ? Loops : 0);
    for (size_t L = 0; L < Times.Loops.size(); ++L) {
      EXPECT_EQ(Times.Loops[L].Entries, Entries[L]);
      EXPECT_EQ(Times.Loops[L].Clocks, Clocks[L]);
    }
    EXPECT_TRUE(launchesIn(Launch.Slots)[0].Loops.Loops.empty());
  }
}

TEST(GpuSlots, LaterLaunchesLeaveRestsOfEarlierOnes) {
  std::mt19937_64 Random(8);
  for (int Round = 0; Round < 500; ++Round) {
    RandomLaunch Earlier(Random), Later(Random);
    std::vector<SeamscopeGpuSlot> Segment(512);
    std::ranges::copy(Earlier.Slots, Segment.begin());
    std::ranges::copy(Later.Slots, Segment.begin());
    const std::vector<LaunchSlots> Found = launchesIn(Segment);
    const size_t Left =
        Earlier.Slots.size() > Later.Slots.size() ? Earlier.Slots.size() - Later.Slots.size() : 0;
    ASSERT_EQ(Found.size(), Left ? 2u : 1u);
    EXPECT_EQ(Found[0].Warps.size(), Later.Slots.size());
    if (Left) {
      EXPECT_TRUE(Found[1].isSame(Earlier.Number, Earlier.Kernel));
      EXPECT_EQ(Found[1].Warps.size(), Left);
    }
  }
}

TEST(GpuSlots, WarpsThatHaveNotLeftAreOpen) {
  std::mt19937_64 Random(9);
  for (int Round = 0; Round < 500; ++Round) {
    RandomLaunch Launch(Random);
    uint32_t Open = 0;
    for (SeamscopeGpuSlot &Slot : Launch.Slots)
      if (Random() % 3 == 0) {
        Slot.end_ns = Slot.end_clock = 0;
        ++Open;
      }
    const std::vector<LaunchSlots> Found = launchesIn(Launch.Slots);
    ASSERT_EQ(Found.size(), 1u);
    EXPECT_EQ(Found[0].Open, Open);
    const std::vector<BlockTimes> Blocks = blocksOf(Found[0]);
    const LaunchTimes Times = timesOf(Found[0], Blocks);
    for (const BlockTimes &Each : Blocks) {
      EXPECT_LE(Times.BeginNs, Each.BeginNs);
      EXPECT_LE(Each.BeginNs, Each.EndNs);
      EXPECT_LE(Each.EndNs, Times.EndNs);
    }
  }
}

// What a device writes meanwhile may be anything.
TEST(GpuSlots, GarbageIsReadWithoutHarm) {
  std::mt19937_64 Random(10);
  for (int Round = 0; Round < 500; ++Round) {
    std::vector<SeamscopeGpuSlot> Segment(1 + Random() % 100);
    for (SeamscopeGpuSlot &Slot : Segment) {
      uint64_t Words[sizeof(Slot) / 8];
      for (uint64_t &Word : Words)
        Word = Random() % 5 ? Random() : 0;
      std::memcpy(&Slot, Words, sizeof(Slot));
      if (Random() % 2)
        Slot.grid = Slot.kernel = 5;
    }
    for (const LaunchSlots &Launch : launchesIn(Segment)) {
      const LaunchTimes Times = timesOf(Launch, blocksOf(Launch));
      EXPECT_LE(Times.BeginNs, Times.EndNs);
      EXPECT_GE(Times.Sms, 1u);
      EXPECT_LE(Times.MostSmNs, Times.SmNs);
    }
  }
}

} // namespace
