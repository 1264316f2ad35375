//===- Ring.cpp - the ring of one context ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/Ring.h"

#include "cuda/Entries.h"
#include "cuda/KernelTable.h"
#include "cuda/Libraries.h"
#include "cuda/Settings.h"

#include <algorithm>
#include <bit>

namespace seamscope::cuda {

std::unique_ptr<Ring> Ring::make(const Driver &Cuda, CUcontext Context) {
  const Settings &S = Settings::get();
  std::unique_ptr<Ring> Made(new Ring(Cuda, Context));
  if (Cuda.CtxGetDevice(&Made->Device))
    return nullptr;
  const size_t SegmentBytes = sizeof(SeamscopeGpuSlot) << S.SegmentShift;
  unsigned RingShift = static_cast<unsigned>(std::bit_width(S.RingBytes / SegmentBytes)) - 1;
  CUdeviceptr Memory = 0;
  // A device that is nearly full is the program's: a smaller ring loses launches, and says so.
  while (Cuda.MemAlloc(&Memory, SegmentBytes << RingShift)) {
    Memory = 0;
    if (!RingShift--)
      break;
  }
  void *Heads = nullptr, *Slots = nullptr;
  if (!Memory || Cuda.MemsetD32(Memory, 0, (SegmentBytes << RingShift) / 4) ||
      Cuda.MemAllocHost(&Heads, sizeof(SeamscopeGpuSlot) << RingShift) ||
      Cuda.MemAllocHost(&Slots, SegmentBytes) ||
      Cuda.StreamCreate(&Made->Stream, CU_STREAM_NON_BLOCKING)) {
    warn("GPU kernels are not timed from within: device %d has no memory for it "
         "(SEAMSCOPE_GPU_BUFFER)",
         static_cast<int>(Made->Device));
    return nullptr;
  }
  Made->Heads = static_cast<SeamscopeGpuSlot *>(Heads);
  Made->Slots = static_cast<SeamscopeGpuSlot *>(Slots);
  Made->Control = {
      Memory, S.BlockShift, S.SegmentShift, static_cast<uint8_t>(RingShift), S.MostWarps, 0};
  describeDevice(static_cast<int>(Made->Device));
  return Made;
}

bool Ring::fetchHeads() {
  CUDA_MEMCPY2D Copy = {};
  Copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  Copy.srcDevice = Control.slots;
  Copy.srcPitch = sizeof(SeamscopeGpuSlot) << Control.segment_shift;
  Copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  Copy.dstHost = Heads;
  Copy.dstPitch = sizeof(SeamscopeGpuSlot);
  Copy.WidthInBytes = sizeof(SeamscopeGpuSlot);
  Copy.Height = size_t{1} << Control.ring_shift;
  return !Cuda.Memcpy2DAsync(&Copy, Stream) && !Cuda.StreamSynchronize(Stream);
}

CUdeviceptr Ring::loops() {
  if (AskedForLoops)
    return Loops;
  AskedForLoops = true;
  constexpr size_t OfSlot = SEAMSCOPE_GPU_MOST_LOOPS * sizeof(SeamscopeGpuLoop);
  const size_t OfSegment = OfSlot << Control.segment_shift;
  const size_t Bytes = OfSegment << Control.ring_shift;
  CUdeviceptr Memory = 0;
  void *Read = nullptr, *Slots2 = nullptr;
  if (Cuda.MemAlloc(&Memory, Bytes) || Cuda.MemsetD32(Memory, 0, Bytes / 4) ||
      Cuda.MemAllocHost(&Read, OfSegment) ||
      Cuda.MemAllocHost(&Slots2, sizeof(SeamscopeGpuSlot) << Control.segment_shift)) {
    warn("loops of GPU kernels are not timed: device %d has no memory for it, which takes twice "
         "SEAMSCOPE_GPU_BUFFER more",
         static_cast<int>(Device));
    return 0;
  }
  Records = static_cast<SeamscopeGpuLoop *>(Read);
  Again = static_cast<SeamscopeGpuSlot *>(Slots2);
  return Loops = Memory;
}

bool Ring::fetch(void *Into, CUdeviceptr From, size_t Bytes) {
  return !Cuda.MemcpyDtoHAsync(Into, From, Bytes, Stream) && !Cuda.StreamSynchronize(Stream);
}

/// With the records of loops where a warp has some.
bool Ring::fetchSegment(size_t Segment) {
  const size_t Count = size_t{1} << Control.segment_shift;
  const size_t Bytes = sizeof(SeamscopeGpuSlot) * Count;
  const CUdeviceptr At = Control.slots + Segment * Bytes;
  if (!fetch(Slots, At, Bytes))
    return false;
  HasRecords = Loops && std::any_of(Slots, Slots + Count, [](const SeamscopeGpuSlot &Slot) {
                 return isWritten(Slot) && Slot.loops;
               });
  if (!HasRecords)
    return true;
  const size_t OfRecords = SEAMSCOPE_GPU_MOST_LOOPS * sizeof(SeamscopeGpuLoop) * Count;
  return fetch(Records, Loops + Segment * OfRecords, OfRecords) && fetch(Again, At, Bytes);
}

std::vector<LaunchSlots> Ring::launchesInSegment() const {
  const size_t Count = size_t{1} << Control.segment_shift;
  if (!HasRecords)
    return launchesIn({Slots, Count});
  return launchesIn({Slots, Count}, {Records, Count * SEAMSCOPE_GPU_MOST_LOOPS}, {Again, Count});
}

bool Ring::drain(bool All) {
  ++Drains;
  if (!fetchHeads())
    return false;
  const size_t Segments = size_t{1} << Control.ring_shift;
  for (size_t Segment = 0; Segment < Segments; ++Segment) {
    // Block 0 is kept whatever is sampled: its first warp has the first slot.
    const SeamscopeGpuSlot &Head = Heads[Segment];
    if (!isWritten(Head))
      continue;
    const auto Known = Launches.find(keyOf(Head.grid, Head.kernel));
    if (Known != Launches.end() && !All && Drains < Known->second.Next) {
      Known->second.Drain = Drains;
      continue;
    }
    if (!fetchSegment(Segment))
      return false;
    takeSegment(launchesInSegment());
  }
  // Rests of so many launches are not in the ring, and a trace drops what it has twice.
  if (Written.size() > 64 * Segments)
    Written.clear();
  for (auto Each = Launches.begin(); Each != Launches.end();) {
    const bool IsGone = Each->second.Drain != Drains;
    // What still ran when it was read last was overwritten before anybody saw it leave.
    Each->second.Inside.Overwritten |= IsGone && Each->second.Inside.Open;
    if (IsGone || All)
      write(Each->second);
    if (IsGone)
      Written.insert(Each->first);
    Each = IsGone ? Launches.erase(Each) : std::next(Each);
  }
  return true;
}

void Ring::writeKnown() {
  for (auto &[Key, Launch] : Launches) {
    // Read once, or when some of its warps still ran: more of them may have come.
    Launch.Inside.Overwritten |= Launch.Pause == 1;
    write(Launch);
  }
  Launches.clear();
}

/// Launches that share a segment take each other's slots. The newest one has the first slot; it is
/// whole if nobody who might still run is there beside it.
void Ring::takeSegment(const std::vector<LaunchSlots> &Found) {
  const auto IsOver = [&](const LaunchSlots &Launch) {
    const uint64_t Key = keyOf(Launch.Number, Launch.Kernel);
    const auto Known = Launches.find(Key);
    return Written.contains(Key) || (Known != Launches.end() && Known->second.Pause > 1);
  };
  const bool OthersAreOver = Found.empty() || std::all_of(Found.begin() + 1, Found.end(), IsOver);
  for (size_t I = 0; I < Found.size(); ++I)
    take(Found[I], I || !OthersAreOver);
}

void Ring::take(const LaunchSlots &Launch, bool Overwritten) {
  constexpr uint64_t LongestPause = 1024;
  const uint64_t Key = keyOf(Launch.Number, Launch.Kernel);
  if (Written.contains(Key))
    return;
  Seen &Known = Launches[Key];
  // What is left of it says less than what was there.
  if (Launch.Warps.size() < Known.Inside.Warps)
    return;
  Known.Drain = Drains;
  Known.Inside.Overwritten |= Overwritten;
  uint64_t Ends = Launch.Warps.size();
  for (const SeamscopeGpuSlot &Warp : Launch.Warps)
    Ends += Warp.end_clock;
  const bool IsSame = Known.Ends == Ends;
  Known.Pause = IsSame && !Launch.Open ? std::min(2 * Known.Pause, LongestPause) : 1;
  Known.Next = Drains + Known.Pause;
  Known.Ends = Ends;
  if (!IsSame)
    sumUp(Launch, Known);
}

void Ring::sumUp(const LaunchSlots &Launch, Seen &Into) const {
  const std::vector<BlockTimes> Blocks = blocksOf(Launch);
  const LaunchTimes Times = timesOf(Launch, Blocks);
  format::DeviceInside &Inside = Into.Inside;
  Inside.Number = Launch.Number;
  Inside.Kernel = Launch.Kernel;
  Inside.Device = static_cast<uint32_t>(Device);
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
  Inside.BlockShift = Control.block_shift;
  Inside.SegmentShift = Control.segment_shift;
  Inside.MostWarps = Control.most_warps;
  sumUpLoops(Launch, Into);
  if (!Settings::get().Lanes)
    return;
  Into.Blocks.clear();
  for (const BlockTimes &Block : Blocks) {
    format::DeviceBlockSpan &Span = Into.Blocks.emplace_back();
    Span.Number = Launch.Number;
    Span.Kernel = Launch.Kernel;
    Span.Device = static_cast<uint32_t>(Device);
    Span.Sm = Block.Sm;
    Span.Block = Block.Block;
    Span.Warps = Block.Warps;
    Span.BeginNs = Block.BeginNs;
    Span.EndNs = Block.EndNs;
  }
}

void Ring::sumUpLoops(const LaunchSlots &Launch, Seen &Into) const {
  const LoopTimes &Times = Launch.Loops;
  Into.Loops.clear();
  for (const LoopTimes::Loop &Each : Times.Loops) {
    format::DeviceLoop &Loop = Into.Loops.emplace_back();
    Loop.Number = Launch.Number;
    Loop.Kernel = Launch.Kernel;
    Loop.Device = static_cast<uint32_t>(Device);
    Loop.Index = static_cast<uint32_t>(Into.Loops.size() - 1);
    Loop.Warps = Times.Warps;
    Loop.Threads = Times.Threads;
    Loop.KernelClocks = Times.Clocks;
    Loop.Entries = Each.Entries;
    Loop.Clocks = Each.Clocks;
  }
}

void Ring::write(Seen &Launch) {
  const KernelPlace Place = kernelPlace(Launch.Inside.Kernel);
  Launch.Inside.Name = Place.Name;
  Launch.Inside.File = Place.File;
  Launch.Inside.Line = Place.Line;
  append(Launch.Inside, format::DeviceEntryKind::Inside);
  for (format::DeviceBlockSpan &Span : Launch.Blocks)
    append(Span, format::DeviceEntryKind::BlockSpan);
  // Without its list there is nothing to say of what they are.
  for (size_t I = 0; I < std::min(Launch.Loops.size(), Place.Loops.size()); ++I) {
    format::DeviceLoop &Loop = Launch.Loops[I];
    const LoopPlace &Where = Place.Loops[I];
    Loop.Name = Where.Name;
    Loop.File = Where.File;
    Loop.Line = Where.Line;
    Loop.Column = Where.Column;
    Loop.Parent = Where.Parent;
    Loop.InlinedFrom = Where.InlinedFrom;
    append(Loop, format::DeviceEntryKind::Loop);
  }
}

} // namespace seamscope::cuda
