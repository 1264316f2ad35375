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

static size_t segmentBytes() { return sizeof(SeamscopeGpuSlot) << Settings::get().SegmentShift; }

size_t Ring::segments() { return std::bit_floor(Settings::get().RingBytes / segmentBytes()); }

std::unique_ptr<Ring> Ring::make(const Driver &Cuda, CUcontext Context) {
  const Settings &S = Settings::get();
  std::unique_ptr<Ring> New(new Ring(Cuda, Context));
  if (Cuda.CtxGetDevice(&New->Device))
    return nullptr;
  const size_t SegmentBytes = segmentBytes();
  unsigned RingShift = static_cast<unsigned>(std::countr_zero(segments()));
  CUdeviceptr Memory = 0;
  CUresult Error = New->Stream.create(Context);
  // Leave scarce memory to the program: a smaller ring loses launches, which are counted.
  while (!Error &&
         (Error = Cuda.MemAlloc(&Memory, SegmentBytes << RingShift)) == CUDA_ERROR_OUT_OF_MEMORY &&
         RingShift) {
    --RingShift;
    Error = CUDA_SUCCESS;
  }
  void *Heads = nullptr, *Slots = nullptr;
  if (Error || (Error = New->Stream.zero(Memory, SegmentBytes << RingShift)) ||
      (Error = Cuda.MemAllocHost(&Heads, sizeof(SeamscopeGpuSlot) << RingShift)) ||
      (Error = Cuda.MemAllocHost(&Slots, SegmentBytes))) {
    const char *Name = nullptr;
    Cuda.GetErrorName(Error, &Name);
    warn("GPU kernels are not timed from within: device %d: %s%s", static_cast<int>(New->Device),
         Name ? Name : "an unknown error",
         Error == CUDA_ERROR_OUT_OF_MEMORY ? "; SEAMSCOPE_GPU_BUFFER sets how much memory is used"
                                           : "");
    return nullptr;
  }
  New->Heads = static_cast<SeamscopeGpuSlot *>(Heads);
  New->Slots = static_cast<SeamscopeGpuSlot *>(Slots);
  New->Control = {
      Memory, S.BlockShift, S.SegmentShift, static_cast<uint8_t>(RingShift), S.MostWarps, 0};
  New->Launches.emplace(
      SeenLaunches::Options{static_cast<uint32_t>(New->Device), New->Control, S.Lanes}, write);
  describeDevice(static_cast<int>(New->Device));
  return New;
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
  return !Stream.copy(Copy);
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
  if (Cuda.MemAlloc(&Memory, Bytes) || Stream.zero(Memory, Bytes) ||
      Cuda.MemAllocHost(&Read, OfSegment) ||
      Cuda.MemAllocHost(&Slots2, sizeof(SeamscopeGpuSlot) << Control.segment_shift)) {
    warn("loops of GPU kernels are not timed: device %d lacks memory for their times, which takes "
         "twice "
         "SEAMSCOPE_GPU_BUFFER more",
         static_cast<int>(Device));
    return 0;
  }
  Records = static_cast<SeamscopeGpuLoop *>(Read);
  Again = static_cast<SeamscopeGpuSlot *>(Slots2);
  return Loops = Memory;
}

/// Also fetches the records of loops if a warp has any.
bool Ring::fetchSegment(size_t Segment) {
  const size_t Count = size_t{1} << Control.segment_shift;
  const size_t Bytes = sizeof(SeamscopeGpuSlot) * Count;
  const CUdeviceptr At = Control.slots + Segment * Bytes;
  if (Stream.copyFrom(Slots, At, Bytes))
    return false;
  HasRecords = Loops && std::any_of(Slots, Slots + Count, [](const SeamscopeGpuSlot &Slot) {
                 return isWritten(Slot) && Slot.loops;
               });
  if (!HasRecords)
    return true;
  const size_t OfRecords = SEAMSCOPE_GPU_MOST_LOOPS * sizeof(SeamscopeGpuLoop) * Count;
  return !Stream.copyFrom(Records, Loops + Segment * OfRecords, OfRecords) &&
         !Stream.copyFrom(Again, At, Bytes);
}

std::vector<LaunchSlots> Ring::launchesInSegment() const {
  const size_t Count = size_t{1} << Control.segment_shift;
  if (!HasRecords)
    return launchesIn({Slots, Count});
  return launchesIn({Slots, Count}, {Records, Count * SEAMSCOPE_GPU_MOST_LOOPS}, {Again, Count});
}

bool Ring::drain(bool All) {
  if (!Work.drain() || !fetchHeads())
    return false;
  const size_t Segments = size_t{1} << Control.ring_shift;
  Launches->beginDrain({Heads, Segments});
  for (size_t Segment = 0; Segment < Segments; ++Segment) {
    if (!Launches->isDue(Heads[Segment], All))
      continue;
    if (!fetchSegment(Segment))
      return false;
    Launches->takeSegment(Segment, launchesInSegment());
  }
  Launches->endDrain(All);
  return true;
}

void Ring::writeKnown() { Launches->writeKnown(); }

void Ring::write(LaunchSummary &Launch) {
  const KernelPlace Place = kernelPlace(Launch.Inside.Kernel);
  Launch.Inside.Name = Place.Name;
  Launch.Inside.File = Place.File;
  Launch.Inside.Line = Place.Line;
  append(Launch.Inside, format::DeviceEntryKind::Inside);
  for (format::DeviceBlockSpan &Span : Launch.Blocks)
    append(Span, format::DeviceEntryKind::BlockSpan);
  // Loops have names only if the kernel's list was read.
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
