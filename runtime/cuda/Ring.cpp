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

bool Ring::fetchSegment(size_t Segment) {
  const size_t Bytes = sizeof(SeamscopeGpuSlot) << Control.segment_shift;
  return !Cuda.MemcpyDtoHAsync(Slots, Control.slots + Segment * Bytes, Bytes, Stream) &&
         !Cuda.StreamSynchronize(Stream);
}

bool Ring::drain(bool AtEnd) {
  ++Drains;
  if (!fetchHeads())
    return false;
  for (size_t Segment = 0; Segment < size_t{1} << Control.ring_shift; ++Segment) {
    // Block 0 is kept whatever is sampled: its first warp has the first slot.
    const SeamscopeGpuSlot &Head = Heads[Segment];
    const auto Known = Launches.find(keyOf(Head.grid, Head.kernel));
    if (Known != Launches.end() && Known->second.Written)
      Known->second.Drain = Drains;
    else if (isWritten(Head)) {
      if (!fetchSegment(Segment))
        return false;
      for (const LaunchSlots &Launch : launchesIn({Slots, size_t{1} << Control.segment_shift}))
        take(Launch, AtEnd);
    }
  }
  std::erase_if(Launches, [&](const auto &Each) {
    // One that is overwritten but for slots behind the newer one's may come once more.
    return Each.second.Drain + 64 < Drains;
  });
  return true;
}

/// A launch is complete when all warps that began have left, and no more came since the last time.
void Ring::take(const LaunchSlots &Launch, bool AtEnd) {
  Seen &Before = Launches[keyOf(Launch.Number, Launch.Kernel)];
  Before.Drain = Drains;
  if (Before.Written)
    return;
  if (!AtEnd && (Launch.Open || Before.Warps != Launch.Warps.size())) {
    Before.Warps = Launch.Warps.size();
    return;
  }
  Before.Written = true;
  write(Launch);
}

void Ring::write(const LaunchSlots &Launch) const {
  const std::vector<BlockTimes> Blocks = blocksOf(Launch);
  const LaunchTimes Times = timesOf(Launch, Blocks);
  const KernelPlace Place = kernelPlace(Launch.Kernel);
  format::DeviceInside Inside = {};
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
  Inside.Name = Place.Name;
  Inside.File = Place.File;
  Inside.Line = Place.Line;
  Inside.BlockShift = Control.block_shift;
  Inside.SegmentShift = Control.segment_shift;
  Inside.MostWarps = Control.most_warps;
  append(Inside, format::DeviceEntryKind::Inside);
  if (!Settings::get().Lanes)
    return;
  for (const BlockTimes &Block : Blocks) {
    format::DeviceBlockSpan Span = {};
    Span.Number = Launch.Number;
    Span.Kernel = Launch.Kernel;
    Span.Device = static_cast<uint32_t>(Device);
    Span.Sm = Block.Sm;
    Span.Block = Block.Block;
    Span.Warps = Block.Warps;
    Span.BeginNs = Block.BeginNs;
    Span.EndNs = Block.EndNs;
    append(Span, format::DeviceEntryKind::BlockSpan);
  }
}

} // namespace seamscope::cuda
