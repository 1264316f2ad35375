//===- Ring.h - the ring of one context ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_RING_H
#define SEAMSCOPE_CUDA_RING_H

#include "cuda/SeenLaunches.h"

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace seamscope::cuda {

struct Driver;

/// Not safe from several threads.
class Ring {
public:
  /// In the current context, \p Context. Null: there is no memory, or the context is lost.
  static std::unique_ptr<Ring> make(const Driver &Cuda, CUcontext Context);

  /// What modules of the context get.
  const SeamscopeGpuControl &control() const { return Control; }
  CUcontext context() const { return Context; }
  /// Device address of the records of loops (SEAMSCOPE_GPU_LOOPS), which the first call allocates;
  /// 0: there is no memory.
  CUdeviceptr loops();

  /// Reads what the ring holds, and appends what is known of launches that it holds no more; with
  /// \p All of every launch. False: the context is lost, and the ring with it.
  bool drain(bool All);

  /// Writes what was read before the context went away. Calls nothing of CUDA.
  void writeKnown();

private:
  Ring(const Driver &Cuda, CUcontext Context) : Cuda(Cuda), Context(Context) {}

  bool fetchHeads();
  bool fetchSegment(size_t Segment);
  bool fetch(void *Into, CUdeviceptr From, size_t Bytes);
  std::vector<LaunchSlots> launchesInSegment() const;
  static void write(LaunchSummary &Launch);

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
  std::optional<SeenLaunches> Launches;
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_RING_H
