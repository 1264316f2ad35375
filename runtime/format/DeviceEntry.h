//===- DeviceEntry.h - what a spool has of GPUs ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of kind Device hold entries one after the other, each with its size
// first, which is stored last. Plain data, as the rest of the spool (Spool.h).
// Activities come from CUPTI, in its clock; insides from the stamps of
// instrumented kernels, in the device's own (seamscope/gpu.h).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_DEVICEENTRY_H
#define SEAMSCOPE_FORMAT_DEVICEENTRY_H

#include <cstdint>

namespace seamscope::format {

enum class DeviceEntryKind : uint32_t {
  Text = 1,
  Clock = 2,
  Properties = 3,
  Activity = 4,
  Inside = 5,
  BlockSpan = 6,
  Count = 7,
  External = 8,
  GraphNode = 9,
  Loop = 10,
};

/// Begin of every entry.
struct DeviceEntry {
  uint32_t Size; ///< of all, a multiple of 8; stored last; 0: end of the entries of this block
  DeviceEntryKind Kind;
};

/// A text that other entries name by its id; NUL-terminated UTF-8 behind the struct.
struct DeviceText {
  DeviceEntry Head;
  uint32_t Id; ///< from 1
  uint32_t Reserved;
};
/// Longer texts are cut.
constexpr uint32_t MaxDeviceText = 64 * 1024;

/// The activities' clock and ours, read at one moment. Activities that begin from then on are
/// placed by it.
struct DeviceClock {
  DeviceEntry Head;
  uint64_t Ns; ///< of the activities
  uint64_t Tick;
};

/// A device, by the driver; what is 0 is not known.
struct DeviceProperties {
  DeviceEntry Head;
  uint32_t Device;
  uint32_t Name; ///< text
  uint32_t Sms, WarpSize;
  uint32_t ThreadsPerSm, BlocksPerSm, RegistersPerSm, SharedPerSm; ///< at most; bytes
  uint32_t Major, Minor;                                           ///< compute capability
  uint32_t ClockKhz, MemoryClockKhz, MemoryBusBits, Reserved;
  uint64_t MemoryBytes;
};

enum class DeviceActivityKind : uint32_t {
  Kernel = 1,
  Copy = 2,
  Fill = 3,
  Wait = 4,        ///< the host waited for a device
  RuntimeCall = 5, ///< of libcudart
  DriverCall = 6,  ///< of libcuda
  Overhead = 7,    ///< CUPTI's own work
};

/// Whether a device did it.
constexpr bool isDeviceWork(DeviceActivityKind Kind) {
  return Kind == DeviceActivityKind::Kernel || Kind == DeviceActivityKind::Copy ||
         Kind == DeviceActivityKind::Fill;
}

constexpr uint32_t UnknownStream = UINT32_MAX;

/// Something that a device did, or the host for it.
struct DeviceActivity {
  DeviceEntry Head;
  DeviceActivityKind Kind;
  uint32_t Name;    ///< text: of the kernel (mangled), of the call, of the overhead's kind
  uint64_t BeginNs; ///< in the activities' clock
  uint64_t EndNs;
  uint32_t Device, Context;
  uint32_t Stream; ///< UnknownStream: of no single one
  uint32_t Correlation;
  uint32_t Thread;    ///< calls: the system's number of the thread
  uint32_t Result;    ///< calls: what it returned; waits: CUPTI's number of their kind
  uint64_t GraphNode; ///< 0: of no graph
  uint32_t Graph;
  uint32_t Registers; ///< of a thread
  uint32_t Grid[3], Block[3];
  uint32_t StaticShared, DynamicShared; ///< bytes of a block
  uint64_t Number;                      ///< kernels: of the launch, as %gridid has it
  uint64_t Bytes;                       ///< copied or filled
  uint32_t Kernel;                      ///< kernels: seamscope_gpu_kernel_id(); else 0
  uint32_t Direction;                   ///< copies: CUPTI's number of their direction
  uint16_t From, To;                    ///< copies, fills (To): CUPTI's numbers of kinds of memory
  uint32_t Reserved;
};

/// What the stamps say of one launch. Times are of the device's clocks: ns by %globaltimer.
struct DeviceInside {
  DeviceEntry Head;
  uint32_t Number;   ///< lower half of %gridid
  uint32_t Kernel;   ///< seamscope_gpu_kernel_id()
  uint32_t Device;   ///< that ran it
  uint32_t Warps;    ///< whose slots were found
  uint32_t Open;     ///< of these, that have not left the kernel
  uint32_t Blocks;   ///< that the warps belong to
  uint32_t Sms;      ///< that these ran on
  uint32_t Resident; ///< blocks that were on one SM at a time, at most
  uint64_t BeginNs, EndNs;
  uint64_t SmNs;     ///< sum over SMs of the time in which at least one block ran
  uint64_t MostSmNs; ///< of the SM with most of it
  uint64_t TailNs;   ///< sum over SMs of the time from their last block's end to EndNs
  uint64_t WarpClocks, MostWarpClocks; ///< over blocks of several warps: sum of the mean, and of
                                       ///< the longest, of a block's warps, in 1/1024 clocks
  uint32_t Name, File, Line;           ///< of the kernel, by its table entry; texts, 0: not known
  uint32_t Overwritten;                ///< 1: another launch may have taken some of its slots
  uint32_t Reserved;
  uint32_t BlockShift, SegmentShift, MostWarps; ///< which warps were kept (SeamscopeGpuControl)
};

/// A block of a launch, where blocks are asked for.
struct DeviceBlockSpan {
  DeviceEntry Head;
  uint32_t Number, Kernel; ///< of the launch, as DeviceInside
  uint32_t Device, Sm;
  uint32_t Block, Warps;
  uint64_t BeginNs, EndNs;
};

/// What the stamps say of one loop in one launch. Threads may have entered and left one by one.
struct DeviceLoop {
  DeviceEntry Head;
  uint32_t Number, Kernel, Device;   ///< of the launch, as DeviceInside
  uint32_t Index;                    ///< from 0, in the kernel's list of them
  uint32_t Name, File, Line, Column; ///< texts, 0: not known
  uint32_t Parent;                   ///< Index, from 1, of the loop around it; 0: none
  uint32_t InlinedFrom;              ///< text
  uint64_t Warps, Threads;           ///< that the following are of
  uint64_t KernelClocks;             ///< in the kernel, sum over threads
  uint64_t Clocks;                   ///< in the loop, sum over threads
  uint64_t Entries;                  ///< of warps, or of what entered of one together
};

/// A number that another layer of the program gave to what it had CUDA do meanwhile
/// (cuptiActivityPushExternalCorrelationId).
struct DeviceExternal {
  DeviceEntry Head;
  uint32_t Correlation; ///< of the call of CUDA, and of the work that it launched
  uint32_t Layer;       ///< CUPTI's number of the kind of layer
  uint64_t Id;
};

/// A node of a CUDA graph as it was made: by a launch that was captured, or as a clone.
struct DeviceGraphNode {
  DeviceEntry Head;
  uint32_t Site; ///< of the call that was open; 0: a clone
  uint32_t Reserved;
  uint64_t Node, Original; ///< CUPTI's numbers; of a clone, and of what it was made from
};

/// What DeviceCount counts.
enum class DeviceCountOf : uint32_t {
  DroppedRecords = 1, ///< that CUPTI had no room for
  BrokenRecords = 2,  ///< without a begin or an end
  TakenOver = 3,      ///< 1: another tool took CUPTI's records
  CapturesSeen = 4,   ///< 1: nodes of graphs were seen as they were made
  CapturesUnseen = 5, ///< 1: they were not, since another tool is CUPTI's subscriber or may be
};

/// Adds to a count.
struct DeviceCount {
  DeviceEntry Head;
  DeviceCountOf What;
  uint32_t Reserved;
  uint64_t Number;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_DEVICEENTRY_H
