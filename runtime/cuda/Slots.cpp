//===- Slots.cpp - reads the stamps of GPU kernels -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/Slots.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace seamscope::cuda {
namespace {

/// Clocks from \p Begin to \p End, between which the clock may have wrapped; 0 if the end is before
/// the begin.
uint64_t since(uint64_t Begin, uint64_t End) {
  const uint64_t Length = End - Begin;
  return Length >> 63 ? 0 : Length;
}

/// Adds, but not beyond the largest number: sums of invalid data must not wrap to small ones.
void add(uint64_t &Sum, uint64_t More) {
  if (__builtin_add_overflow(Sum, More, &Sum))
    Sum = UINT64_MAX;
}

/// Calls Visit for each run of neighbours that \p IsSame joins.
template <typename T, typename SameT, typename VisitT>
void forEachRun(std::vector<T> &Items, SameT IsSame, VisitT Visit) {
  for (size_t First = 0; First < Items.size();) {
    size_t Last = First + 1;
    while (Last < Items.size() && IsSame(Items[First], Items[Last]))
      ++Last;
    Visit(std::span<T>(Items).subspan(First, Last - First));
    First = Last;
  }
}

/// The length of the union of the blocks' times, and the most blocks at a time.
struct SmTimes {
  uint64_t BusyNs = 0, LastEndNs = 0;
  uint32_t Resident = 0;
};

SmTimes timesOfSm(std::span<BlockTimes> Blocks) {
  SmTimes Sm;
  std::ranges::sort(Blocks, {}, [](const BlockTimes &Each) {
    return std::tuple(Each.BeginNs, Each.EndNs, Each.Block);
  });
  uint64_t BusyUntil = 0;
  for (const BlockTimes &Each : Blocks) {
    const uint64_t From = std::max(Each.BeginNs, BusyUntil);
    if (Each.EndNs > From)
      add(Sm.BusyNs, Each.EndNs - From);
    BusyUntil = std::max(BusyUntil, Each.EndNs);
  }
  Sm.LastEndNs = BusyUntil;
  // The SM's clock is finer than the global timer, of which several blocks have the same reading.
  // At equal times, ends come before begins: the block that left made room for the other.
  struct Edge {
    uint64_t Clock;
    int32_t Step;
  };
  std::vector<Edge> Edges;
  const uint64_t Origin = Blocks.front().BeginClock - (uint64_t{1} << 62);
  for (const BlockTimes &Each : Blocks) {
    Edges.push_back({Each.BeginClock - Origin, 1});
    Edges.push_back({Each.BeginClock - Origin + since(Each.BeginClock, Each.EndClock), -1});
  }
  std::ranges::sort(Edges, {}, [](const Edge &Each) { return std::pair(Each.Clock, Each.Step); });
  int64_t Now = 0, Most = 0;
  for (const Edge &Each : Edges)
    Most = std::max(Most, Now += Each.Step);
  // A block that took no time was resident, too.
  Sm.Resident = static_cast<uint32_t>(std::max<int64_t>(Most, 1));
  return Sm;
}

} // namespace

void addLoops(LoopTimes &Sums, const SeamscopeGpuSlot &Slot,
              std::span<const SeamscopeGpuLoop> Records) {
  const uint64_t Length = since(Slot.begin_clock, Slot.end_clock);
  if (!Slot.end_ns || !Slot.loops || Slot.loops > Records.size() || !Slot.threads ||
      Slot.threads > 32 || Length > UINT64_MAX / 32)
    return;
  const uint64_t Clocks = Length * Slot.threads;
  const auto Loops = Records.first(Slot.loops);
  if (!std::ranges::all_of(Loops, [&](const SeamscopeGpuLoop &Each) {
        return !Each.inside && Each.clocks <= Clocks;
      }))
    return;
  Sums.Loops.resize(std::max<size_t>(Sums.Loops.size(), Slot.loops));
  ++Sums.Warps;
  Sums.Threads += Slot.threads;
  add(Sums.Clocks, Clocks);
  for (size_t I = 0; I < Loops.size(); ++I) {
    Sums.Loops[I].Entries += Loops[I].entries;
    add(Sums.Loops[I].Clocks, Loops[I].clocks);
  }
}

std::vector<LaunchSlots> launchesIn(std::span<const SeamscopeGpuSlot> Segment) {
  return launchesIn(Segment, {}, {});
}

std::vector<LaunchSlots> launchesIn(std::span<const SeamscopeGpuSlot> Segment,
                                    std::span<const SeamscopeGpuLoop> Records,
                                    std::span<const SeamscopeGpuSlot> Again) {
  std::vector<LaunchSlots> Launches;
  size_t Last = 0;
  for (size_t I = 0; I < Segment.size(); ++I) {
    const SeamscopeGpuSlot &Slot = Segment[I];
    if (!isWritten(Slot))
      continue;
    if (Last >= Launches.size() || !Launches[Last].isSame(Slot.grid, Slot.kernel)) {
      const auto Found = std::ranges::find_if(
          Launches, [&](const LaunchSlots &Each) { return Each.isSame(Slot.grid, Slot.kernel); });
      Last = static_cast<size_t>(Found - Launches.begin());
      if (Found == Launches.end())
        Launches.push_back({Slot.grid, Slot.kernel, {}});
    }
    Launches[Last].Warps.push_back(Slot);
    Launches[Last].Open += !Slot.end_ns;
    if (!Records.empty() && !memcmp(&Slot, &Again[I], sizeof(Slot)))
      addLoops(Launches[Last].Loops, Slot,
               Records.subspan(I * SEAMSCOPE_GPU_MOST_LOOPS, SEAMSCOPE_GPU_MOST_LOOPS));
  }
  return Launches;
}

std::vector<BlockTimes> blocksOf(const LaunchSlots &Launch) {
  uint64_t LastNs = 0;
  for (const SeamscopeGpuSlot &Warp : Launch.Warps)
    LastNs = std::max({LastNs, Warp.begin_ns, Warp.end_ns});
  std::vector<BlockTimes> Blocks;
  Blocks.reserve(Launch.Warps.size());
  for (const SeamscopeGpuSlot &Warp : Launch.Warps) {
    const uint64_t EndNs = Warp.end_ns ? std::max(Warp.end_ns, Warp.begin_ns) : LastNs;
    const uint64_t EndClock =
        Warp.end_ns ? Warp.begin_clock + since(Warp.begin_clock, Warp.end_clock) : Warp.begin_clock;
    Blocks.push_back({Warp.block, Warp.sm, 1, Warp.begin_ns, EndNs, Warp.begin_clock, EndClock});
  }
  std::ranges::sort(Blocks, {}, &BlockTimes::Block);
  size_t Used = 0;
  for (size_t I = 0; I < Blocks.size(); ++I) {
    if (!Used || Blocks[Used - 1].Block != Blocks[I].Block) {
      Blocks[Used++] = Blocks[I];
      continue;
    }
    BlockTimes &Into = Blocks[Used - 1];
    const BlockTimes &Warp = Blocks[I];
    ++Into.Warps;
    Into.BeginNs = std::min(Into.BeginNs, Warp.BeginNs);
    Into.EndNs = std::max(Into.EndNs, Warp.EndNs);
    if (since(Warp.BeginClock, Into.BeginClock))
      Into.BeginClock = Warp.BeginClock;
    if (since(Into.EndClock, Warp.EndClock))
      Into.EndClock = Warp.EndClock;
  }
  Blocks.resize(Used);
  return Blocks;
}

LaunchTimes timesOf(const LaunchSlots &Launch, const std::vector<BlockTimes> &Blocks) {
  LaunchTimes Times;
  if (Blocks.empty())
    return Times;
  Times.BeginNs = std::ranges::min(Blocks, {}, &BlockTimes::BeginNs).BeginNs;
  Times.EndNs = std::ranges::max(Blocks, {}, &BlockTimes::EndNs).EndNs;
  std::vector<BlockTimes> BySm = Blocks;
  std::ranges::sort(BySm, {}, &BlockTimes::Sm);
  forEachRun(
      BySm, [](const BlockTimes &A, const BlockTimes &B) { return A.Sm == B.Sm; },
      [&](std::span<BlockTimes> Of) {
        const SmTimes Sm = timesOfSm(Of);
        ++Times.Sms;
        Times.Resident = std::max(Times.Resident, Sm.Resident);
        add(Times.SmNs, Sm.BusyNs);
        Times.MostSmNs = std::max(Times.MostSmNs, Sm.BusyNs);
        add(Times.TailNs, Times.EndNs - Sm.LastEndNs);
      });
  std::vector<std::pair<uint32_t, uint64_t>> Clocks; // by block, of its warps that have left
  for (const SeamscopeGpuSlot &Warp : Launch.Warps)
    if (Warp.end_ns)
      Clocks.emplace_back(Warp.block, since(Warp.begin_clock, Warp.end_clock));
  std::ranges::sort(Clocks);
  forEachRun(
      Clocks, [](const auto &A, const auto &B) { return A.first == B.first; },
      [&](std::span<std::pair<uint32_t, uint64_t>> Of) {
        if (Of.size() < 2)
          return;
        uint64_t Sum = 0;
        for (const auto &Each : Of)
          add(Sum, Each.second);
        add(Times.WarpClocks, std::min(Sum, UINT64_MAX / 1024) * 1024 / Of.size());
        add(Times.MostWarpClocks, std::min(Of.back().second, UINT64_MAX / 1024) * 1024);
      });
  return Times;
}

} // namespace seamscope::cuda
