//===- Ring.h - the ring of one context ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_RING_H
#define SEAMSCOPE_CUDA_RING_H

#include "cuda/Slots.h"
#include "format/DeviceEntry.h"

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace seamscope::cuda {

struct Driver;

/// Not safe from several threads.
class Ring {
public:
  /// In the current context, \p Context. Null: there is no memory, or the context is lost.
  static std::unique_ptr<Ring> make(const Driver &Cuda, CUcontext Context);

  /// What modules of the context are told.
  const SeamscopeGpuControl &control() const { return Control; }
  CUcontext context() const { return Context; }
  /// Device address of the records of loops (SEAMSCOPE_GPU_LOOPS), for which memory is taken when
  /// the first module asks; 0: there is none.
  CUdeviceptr loops();

  /// Reads what the ring holds, and appends what is known of launches that it holds no more; with
  /// \p All of every launch. False: the context is lost, and the ring with it.
  bool drain(bool All);

  /// Writes what was read before the context went away. Asks nothing of CUDA.
  void writeKnown();

private:
  Ring(const Driver &Cuda, CUcontext Context) : Cuda(Cuda), Context(Context) {}

  /// What is known of a launch. A warp's slot is not final before its last threads have left, and
  /// more warps may begin: so it is read again as long as the ring holds it, but less and less
  /// often.
  struct Seen {
    uint64_t Ends = 0;            ///< of its warps, summed up; with how many there are
    uint64_t Drain = 0;           ///< in which it was in the ring last
    uint64_t Next = 0, Pause = 1; ///< drain in which it is read again, and drains from then on
    format::DeviceInside Inside = {};
    std::vector<format::DeviceBlockSpan> Blocks; ///< where these are asked for
    std::vector<format::DeviceLoop> Loops;
  };
  static uint64_t keyOf(uint32_t Number, uint32_t Kernel) {
    return uint64_t{Number} << 32 | Kernel;
  }
  bool fetchHeads();
  bool fetchSegment(size_t Segment);
  void takeSegment(const std::vector<LaunchSlots> &Found);
  void take(const LaunchSlots &Launch, bool Overwritten);
  void sumUp(const LaunchSlots &Launch, Seen &Into) const;
  void sumUpLoops(const LaunchSlots &Launch, Seen &Into) const;
  bool fetch(void *Into, CUdeviceptr From, size_t Bytes);
  std::vector<LaunchSlots> launchesInSegment() const;
  static void write(Seen &Launch);

  const Driver &Cuda;
  CUcontext Context;
  CUdevice Device = 0;
  CUstream Stream = nullptr;
  SeamscopeGpuControl Control = {};
  SeamscopeGpuSlot *Heads = nullptr; ///< of each segment; pinned
  SeamscopeGpuSlot *Slots = nullptr; ///< of one segment; pinned
  bool AskedForLoops = false;
  CUdeviceptr Loops = 0;
  SeamscopeGpuLoop *Records = nullptr; ///< of one segment; pinned
  SeamscopeGpuSlot *Again = nullptr;   ///< its slots, read behind them; pinned
  bool HasRecords = false;             ///< of the segment that was read last
  std::unordered_map<uint64_t, Seen> Launches;
  /// Written ones, of which a rest may still be in the ring.
  std::unordered_set<uint64_t> Written;
  uint64_t Drains = 0;
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_RING_H
