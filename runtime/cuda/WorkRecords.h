//===- WorkRecords.h - the sums of counters of one context -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that count their work leave a record of each launch that is complete, in a ring that the
// device writes (SeamscopeGpuWork). A record that was overwritten before it was read is lost.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_WORKRECORDS_H
#define SEAMSCOPE_CUDA_WORKRECORDS_H

#include "cuda/OwnStream.h"
#include "seamscope/gpu.h"

#include <cuda.h>

#include <cstdint>

namespace seamscope::cuda {

/// Not thread-safe. The context is current in all calls.
class WorkRecords {
public:
  WorkRecords(const Driver &Cuda, const OwnStream &Stream) : Cuda(Cuda), Stream(Stream) {}

  /// Device address of the SeamscopeGpuWork, which the first call allocates on \p Device; 0: no
  /// memory.
  CUdeviceptr memory(CUdevice Device);

  /// Appends the entries of new records. Returns false if the context is lost.
  bool drain();

private:
  bool fetch(uint64_t From, uint64_t To);
  bool fetchTickets(uint64_t &Tickets);
  void write(const SeamscopeGpuWorkRecord &Record) const;

  const Driver &Cuda;
  const OwnStream &Stream;
  bool Asked = false;
  CUdevice Device = 0;
  CUdeviceptr Memory = 0;
  SeamscopeGpuWorkRecord *Records = nullptr; ///< as many as on the device; pinned
  uint64_t Seen = 0;                         ///< records before this one were read, or lost
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_WORKRECORDS_H
