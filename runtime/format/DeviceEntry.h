//===- DeviceEntry.h - GPU entries of a spool ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of kind Device hold entries one after the other. Each begins with its
// size, which is stored last. Plain data, like the rest of the spool (Spool.h).
// Activities come from CUPTI and have its clock. Insides come from the stamps of
// instrumented kernels and have the device's clock (seamscope/gpu.h).
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
  Work = 11,
  CountedKernel = 12,
};

/// The begin of every entry.
struct DeviceEntry {
  uint32_t
      Size; ///< of the whole entry, a multiple of 8; stored last; 0: this block has no more entries
  DeviceEntryKind Kind;
};

/// A text that other entries refer to by its id: NUL-terminated UTF-8 behind the struct.
struct DeviceText {
  DeviceEntry Head;
  uint32_t Id; ///< from 1
  uint32_t Reserved;
};
/// Longer texts are cut.
constexpr uint32_t MaxDeviceText = 64 * 1024;

/// One reading of the activities' clock and of the spool's. Activities that begin later are placed
/// by it.
struct DeviceClock {
  DeviceEntry Head;
  uint64_t Ns; ///< reading of the activities' clock
  uint64_t Tick;
};

/// Properties of a device, from the driver; 0: unknown.
struct DeviceProperties {
  DeviceEntry Head;
  uint32_t Device;
  uint32_t Name; ///< text
  uint32_t Sms, WarpSize;
  uint32_t ThreadsPerSm, BlocksPerSm, RegistersPerSm,
      SharedPerSm;       ///< maximum per SM; shared memory in bytes
  uint32_t Major, Minor; ///< compute capability
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

/// Whether a device did the work.
constexpr bool isDeviceWork(DeviceActivityKind Kind) {
  return Kind == DeviceActivityKind::Kernel || Kind == DeviceActivityKind::Copy ||
         Kind == DeviceActivityKind::Fill;
}

constexpr uint32_t UnknownStream = UINT32_MAX;

/// Work of a device, or something that the host did for it.
struct DeviceActivity {
  DeviceEntry Head;
  DeviceActivityKind Kind;
  uint32_t Name;    ///< text: mangled name of the kernel, name of the call, or kind of the overhead
  uint64_t BeginNs; ///< in the activities' clock
  uint64_t EndNs;
  uint32_t Device, Context;
  uint32_t Stream; ///< UnknownStream: not of a single stream
  uint32_t Correlation;
  uint32_t Thread;    ///< calls: the system's number of the thread
  uint32_t Result;    ///< calls: the returned value; waits: CUPTI's number of their kind
  uint64_t GraphNode; ///< 0: not of a graph
  uint32_t Graph;
  uint32_t Registers; ///< per thread
  uint32_t Grid[3], Block[3];
  uint32_t StaticShared, DynamicShared; ///< bytes per block
  uint64_t Number;                      ///< kernels: number of the launch, as in %gridid
  uint64_t Bytes;                       ///< copied or filled bytes
  uint32_t Kernel;                      ///< kernels: seamscope_gpu_kernel_id(); else 0
  uint32_t Direction;                   ///< copies: CUPTI's number of the direction
  uint16_t From, To; ///< copies, and To of fills: CUPTI's numbers of kinds of memory
  uint32_t Reserved;
};

/// Figures of one launch from its stamps. Times are of the device's clocks: ns by %globaltimer.
struct DeviceInside {
  DeviceEntry Head;
  uint32_t Number;   ///< lower half of %gridid
  uint32_t Kernel;   ///< seamscope_gpu_kernel_id()
  uint32_t Device;   ///< the device that ran it
  uint32_t Warps;    ///< warps whose slots were found
  uint32_t Open;     ///< those of them that have not left the kernel
  uint32_t Blocks;   ///< blocks of these warps
  uint32_t Sms;      ///< SMs of these blocks
  uint32_t Resident; ///< the most blocks on one SM at a time
  uint64_t BeginNs, EndNs;
  uint64_t SmNs;     ///< sum over SMs of the time in which at least one block ran
  uint64_t MostSmNs; ///< the same for the SM with the most
  uint64_t TailNs;   ///< sum over SMs of the time from their last block's end to EndNs
  /// Sums over blocks of several warps, in 1/1024 clocks: of the mean time of a block's warps, and
  /// of the time of its longest warp.
  uint64_t WarpClocks, MostWarpClocks;
  uint32_t Name, File, Line; ///< of the kernel, from its table entry; texts, 0: unknown
  uint32_t Overwritten;      ///< 1: another launch may have overwritten some of its slots
  uint32_t Reserved;
  uint32_t BlockShift, SegmentShift, MostWarps; ///< which warps were recorded (SeamscopeGpuControl)
};

/// A block of a launch, if blocks are asked for.
struct DeviceBlockSpan {
  DeviceEntry Head;
  uint32_t Number, Kernel; ///< of the launch, as in DeviceInside
  uint32_t Device, Sm;
  uint32_t Block, Warps;
  uint64_t BeginNs, EndNs;
};

/// Figures of one loop in one launch, from the stamps. Threads may have entered and left one by
/// one.
struct DeviceLoop {
  DeviceEntry Head;
  uint32_t Number, Kernel, Device;   ///< of the launch, as in DeviceInside
  uint32_t Index;                    ///< from 0, in the kernel's list of loops
  uint32_t Name, File, Line, Column; ///< texts, 0: unknown
  uint32_t Parent;                   ///< 1 + Index of the loop around it; 0: none
  uint32_t InlinedFrom;              ///< text
  uint64_t Warps, Threads;           ///< to which the following figures apply
  uint64_t KernelClocks;             ///< time in the kernel, sum over threads
  uint64_t Clocks;                   ///< time in the loop, sum over threads
  uint64_t Entries;                  ///< threads of a warp that enter together count once
};

/// A kernel that counts its work. Kernels of one name may count differently: each has an entry.
struct DeviceCountedKernel {
  DeviceEntry Head;
  uint64_t Id;                            ///< SeamscopeGpuCounts::id
  uint32_t Kernel;                        ///< seamscope_gpu_kernel_id()
  uint32_t Counts;                        ///< text: what its counters count
  uint32_t Name, File, Line, LinkageName; ///< texts, 0: unknown
};

/// The counters of one launch, all of whose threads have left. The numbers follow, 8 bytes each.
struct DeviceWork {
  DeviceEntry Head;
  uint32_t Number, Kernel, Device; ///< of the launch, as in DeviceInside
  uint32_t Words;                  ///< how many numbers
  uint64_t Counts;                 ///< DeviceCountedKernel::Id
  uint64_t EndNs;                  ///< %globaltimer when its last threads left

  const uint64_t *words() const { return reinterpret_cast<const uint64_t *>(this + 1); }
};

/// A number that another layer of the program gave to its calls of CUDA for a time
/// (cuptiActivityPushExternalCorrelationId).
struct DeviceExternal {
  DeviceEntry Head;
  uint32_t Correlation; ///< of the CUDA call, and of the work that it launched
  uint32_t Layer;       ///< CUPTI's number of the kind of layer
  uint64_t Id;
};

/// A node of a CUDA graph when it was created: by a captured launch, or as a clone.
struct DeviceGraphNode {
  DeviceEntry Head;
  uint32_t Site; ///< of the call that was open; 0: the node is a clone
  uint32_t Reserved;
  uint64_t Node, Original; ///< CUPTI's numbers: of this node, and of the node that it is a clone of
};

enum class DeviceCountOf : uint32_t {
  DroppedRecords = 1, ///< records that CUPTI had no room for
  BrokenRecords = 2,  ///< records without a begin or an end
  TakenOver = 3,      ///< 1: another tool took CUPTI's records
  CapturesSeen = 4,   ///< 1: the creation of graph nodes was observed
  CapturesUnseen = 5, ///< 1: it was not, since another tool is CUPTI's subscriber or may be
};

/// An addition to a count.
struct DeviceCount {
  DeviceEntry Head;
  DeviceCountOf What;
  uint32_t Reserved;
  uint64_t Number;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_DEVICEENTRY_H
