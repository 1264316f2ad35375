//===- Ring.h - the ring of one context ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_RING_H
#define SEAMSCOPE_CUDA_RING_H

#include "cuda/Slots.h"

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
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

  /// Appends what launches did that are complete, or with \p AtEnd of all. False: the context is
  /// lost, and the ring with it.
  bool drain(bool AtEnd);

private:
  Ring(const Driver &Cuda, CUcontext Context) : Cuda(Cuda), Context(Context) {}

  /// What was seen of a launch.
  struct Seen {
    size_t Warps = 0;
    bool Written = false; ///< appended to the spool
    uint64_t Drain = 0;   ///< in which it was seen last
  };
  static uint64_t keyOf(uint32_t Number, uint32_t Kernel) {
    return uint64_t{Number} << 32 | Kernel;
  }
  bool fetchHeads();
  bool fetchSegment(size_t Segment);
  void take(const LaunchSlots &Launch, bool AtEnd);
  void write(const LaunchSlots &Launch) const;

  const Driver &Cuda;
  CUcontext Context;
  CUdevice Device = 0;
  CUstream Stream = nullptr;
  SeamscopeGpuControl Control = {};
  SeamscopeGpuSlot *Heads = nullptr; ///< of each segment; pinned
  SeamscopeGpuSlot *Slots = nullptr; ///< of one segment; pinned
  std::unordered_map<uint64_t, Seen> Launches;
  uint64_t Drains = 0;
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_RING_H
