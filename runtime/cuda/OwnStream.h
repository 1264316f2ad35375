//===- OwnStream.h - copies that the program does not notice ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The default stream waits for other streams, and ends a capture of a graph. Everything is copied
// on a stream of Seamscope's own instead.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_OWNSTREAM_H
#define SEAMSCOPE_CUDA_OWNSTREAM_H

#include <cuda.h>

#include <cstddef>

namespace seamscope::cuda {

struct Driver;

/// A stream of the current context. It lasts as long as its context. Each function returns when its
/// work is done.
class OwnStream {
public:
  explicit OwnStream(const Driver &Cuda) : Cuda(Cuda) {}

  CUresult create(CUcontext Context);
  CUresult copyTo(CUdeviceptr To, const void *From, size_t Bytes) const;
  CUresult copyFrom(void *To, CUdeviceptr From, size_t Bytes) const;
  CUresult copy(const CUDA_MEMCPY2D &What) const;
  /// \p Bytes is a multiple of 4.
  CUresult zero(CUdeviceptr Memory, size_t Bytes) const;

private:
  CUresult whenDone(CUresult Begun) const;

  const Driver &Cuda;
  CUstream Stream = nullptr;
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_OWNSTREAM_H
