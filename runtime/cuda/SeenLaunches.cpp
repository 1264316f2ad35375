//===- SeenLaunches.cpp - follows the launches in a ring -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/SeenLaunches.h"

#include <algorithm>

namespace seamscope::cuda {
namespace {

uint64_t keyOf(uint32_t Number, uint32_t Kernel) { return uint64_t{Number} << 32 | Kernel; }
uint64_t keyOf(const LaunchSlots &Launch) { return keyOf(Launch.Number, Launch.Kernel); }

bool contains(const std::vector<uint64_t> &Keys, uint64_t Key) {
  return std::ranges::find(Keys, Key) != Keys.end();
}

} // namespace

void SeenLaunches::beginDrain(std::span<const SeamscopeGpuSlot> Heads) {
  ++Drains;
  Segments.resize(Heads.size());
  NewestNs = 0;
  for (const SeamscopeGpuSlot &Head : Heads)
    if (isWritten(Head))
      NewestNs = std::max({NewestNs, Head.begin_ns, Head.end_ns});
}

bool SeenLaunches::isDue(const SeamscopeGpuSlot &Head, bool All) {
  // The first slot belongs to the first warp of block 0, which is recorded with any sampling.
  if (!isWritten(Head))
    return false;
  const auto Known = Launches.find(keyOf(Head.grid, Head.kernel));
  if (Known == Launches.end() || All || Drains >= Known->second.Next)
    return true;
  Known->second.Drain = Drains;
  return false;
}

bool SeenLaunches::isOver(const Segment &In, uint64_t Key) const {
  const auto Known = Launches.find(Key);
  return contains(In.Written, Key) || (Known != Launches.end() && Known->second.IsOver);
}

/// Launches that share a segment overwrite each other's slots. The newest one has the first slot,
/// and has all of its slots if every other launch there was over before.
void SeenLaunches::takeSegment(size_t Index, const std::vector<LaunchSlots> &Found) {
  Segment &S = Segments[Index];
  S.Found.clear();
  for (const LaunchSlots &Launch : Found)
    S.Found.push_back(keyOf(Launch));
  std::erase_if(S.Written, [&](uint64_t Key) { return !contains(S.Found, Key); });
  const bool OthersAreOver =
      S.Found.empty() ||
      std::all_of(S.Found.begin() + 1, S.Found.end(), [&](uint64_t Key) { return isOver(S, Key); });
  for (size_t I = 0; I < Found.size(); ++I)
    if (!contains(S.Written, S.Found[I]))
      take(Index, Found[I], I || !OthersAreOver);
}

/// Whether the device wrote other stamps long after the last one of this launch.
/// format/DeviceFacts.cpp uses the same margin for a kernel that continued after its last stamp.
bool SeenLaunches::wentOnAfter(const format::DeviceInside &Inside) const {
  const uint64_t Margin = std::max<uint64_t>(10'000, (Inside.EndNs - Inside.BeginNs) / 10);
  return NewestNs > Inside.EndNs && NewestNs - Inside.EndNs > Margin;
}

void SeenLaunches::take(size_t Index, const LaunchSlots &Launch, bool Overwritten) {
  constexpr uint64_t LongestPause = 1024;
  Seen &Known = Launches[keyOf(Launch)];
  Known.Segment = Index;
  format::DeviceInside &Inside = Known.Summary.Inside;
  const size_t Warps = Launch.Warps.size(), KnownWarps = Inside.Warps;
  // A launch with fewer warps than before was partly overwritten. Warps that have left do not come
  // back: if fewer have left, a later launch has begun to write the slots.
  if (Warps < KnownWarps || Warps - Launch.Open < KnownWarps - Inside.Open)
    return;
  Known.Drain = Drains;
  Inside.Overwritten |= Overwritten;
  uint64_t Ends = Warps;
  for (const SeamscopeGpuSlot &Warp : Launch.Warps)
    Ends += Warp.end_clock + Warp.end_ns;
  const bool IsSame = Known.Ends == Ends;
  Known.Pause = IsSame && !Launch.Open ? std::min(2 * Known.Pause, LongestPause) : 1;
  Known.Next = Drains + Known.Pause;
  Known.Ends = Ends;
  if (!IsSame)
    sumUp(Launch, Known.Summary);
  Known.IsOver = !Launch.Open && (IsSame || wentOnAfter(Inside));
}

void SeenLaunches::endDrain(bool All) {
  for (auto Each = Launches.begin(); Each != Launches.end();) {
    const bool IsGone = Each->second.Drain != Drains;
    if (IsGone || All)
      write(Each->second, IsGone);
    if (Segment &Held = Segments[Each->second.Segment]; IsGone && contains(Held.Found, Each->first))
      Held.Written.push_back(Each->first);
    Each = IsGone ? Launches.erase(Each) : std::next(Each);
  }
}

void SeenLaunches::writeKnown() {
  for (auto &[Key, Launch] : Launches)
    write(Launch, true);
  Launches.clear();
}

/// What a launch wrote after it was last read is lost if the ring no longer holds it.
void SeenLaunches::write(Seen &Launch, bool IsGone) const {
  Launch.Summary.Inside.Overwritten |= IsGone && !Launch.IsOver;
  Write(Launch.Summary);
}

void SeenLaunches::sumUp(const LaunchSlots &Launch, LaunchSummary &Into) const {
  const std::vector<BlockTimes> Blocks = blocksOf(Launch);
  const LaunchTimes Times = timesOf(Launch, Blocks);
  format::DeviceInside &Inside = Into.Inside;
  Inside.Number = Launch.Number;
  Inside.Kernel = Launch.Kernel;
  Inside.Device = Opts.Device;
  Inside.Warps = static_cast<uint32_t>(Launch.Warps.size());
  Inside.Open = Launch.Open;
  Inside.Blocks = static_cast<uint32_t>(Blocks.size());
  Inside.Sms = Times.Sms;
  Inside.Resident = Times.Resident;
  Inside.BeginNs = Times.BeginNs;
  Inside.EndNs = Times.EndNs;
  Inside.SmNs = Times.SmNs;
  Inside.MostSmNs = Times.MostSmNs;
  Inside.TailNs = Times.TailNs;
  Inside.WarpClocks = Times.WarpClocks;
  Inside.MostWarpClocks = Times.MostWarpClocks;
  Inside.BlockShift = Opts.Control.block_shift;
  Inside.SegmentShift = Opts.Control.segment_shift;
  Inside.MostWarps = Opts.Control.most_warps;
  sumUpLoops(Launch, Into);
  if (!Opts.Lanes)
    return;
  Into.Blocks.clear();
  for (const BlockTimes &Block : Blocks) {
    format::DeviceBlockSpan &Span = Into.Blocks.emplace_back();
    Span.Number = Launch.Number;
    Span.Kernel = Launch.Kernel;
    Span.Device = Opts.Device;
    Span.Sm = Block.Sm;
    Span.Block = Block.Block;
    Span.Warps = Block.Warps;
    Span.BeginNs = Block.BeginNs;
    Span.EndNs = Block.EndNs;
  }
}

void SeenLaunches::sumUpLoops(const LaunchSlots &Launch, LaunchSummary &Into) const {
  const LoopTimes &Times = Launch.Loops;
  Into.Loops.clear();
  for (const LoopTimes::Loop &Each : Times.Loops) {
    format::DeviceLoop &Loop = Into.Loops.emplace_back();
    Loop.Number = Launch.Number;
    Loop.Kernel = Launch.Kernel;
    Loop.Device = Opts.Device;
    Loop.Index = static_cast<uint32_t>(Into.Loops.size() - 1);
    Loop.Warps = Times.Warps;
    Loop.Threads = Times.Threads;
    Loop.KernelClocks = Times.Clocks;
    Loop.Entries = Each.Entries;
    Loop.Clocks = Each.Clocks;
  }
}

} // namespace seamscope::cuda
