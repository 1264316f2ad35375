//===- Ring.h - the ring of one context ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_RING_H
#define SEAMSCOPE_CUDA_RING_H

#include "cuda/OwnStream.h"
#include "cuda/SeenLaunches.h"
#include "cuda/WorkRecords.h"

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace seamscope::cuda {

struct Driver;

/// Not thread-safe.
class Ring {
public:
  /// Creates a ring in the current context, \p Context. Null: that failed, and a line says why.
  static std::unique_ptr<Ring> make(const Driver &Cuda, CUcontext Context);

  /// Segments of a ring, and so the number of launches that it holds, where there is memory enough.
  static size_t segments();

  /// The control block for the context's modules.
  const SeamscopeGpuControl &control() const { return Control; }
  CUcontext context() const { return Context; }
  const OwnStream &stream() const { return Stream; }

  /// Device address of the records of loops (SEAMSCOPE_GPU_LOOPS), which the first call allocates;
  /// 0: no memory.
  CUdeviceptr loops();

  /// Device address of the sums of counters (SEAMSCOPE_GPU_WORK); 0: no memory.
  CUdeviceptr work() { return Work.memory(Device); }

  /// Reads the ring, and appends the entries of launches that are no longer in it; with \p All, of
  /// every launch. Returns false if the context is lost, and the ring with it.
  bool drain(bool All);

  /// Appends the entries of what was read before the context was lost. Does not call CUDA.
  void writeKnown();

private:
  Ring(const Driver &Cuda, CUcontext Context)
      : Cuda(Cuda), Context(Context), Stream(Cuda), Work(Cuda, Stream) {}

  bool fetchHeads();
  bool fetchSegment(size_t Segment);
  std::vector<LaunchSlots> launchesInSegment() const;
  static void write(LaunchSummary &Launch);

  const Driver &Cuda;
  CUcontext Context;
  CUdevice Device = 0;
  OwnStream Stream;
  WorkRecords Work;
  SeamscopeGpuControl Control = {};
  SeamscopeGpuSlot *Heads = nullptr; ///< the first slot of each segment; pinned
  SeamscopeGpuSlot *Slots = nullptr; ///< the slots of one segment; pinned
  bool AskedForLoops = false;
  CUdeviceptr Loops = 0;
  SeamscopeGpuLoop *Records = nullptr; ///< the records of one segment; pinned
  SeamscopeGpuSlot *Again = nullptr;   ///< the segment's slots, read again after Records; pinned
  bool HasRecords = false;             ///< Records are of the segment that was read last
  std::optional<SeenLaunches> Launches;
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_RING_H
