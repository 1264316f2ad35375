//===- OwnStream.cpp - copies that the program does not notice -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/OwnStream.h"

#include "cuda/Libraries.h"
#include "cuda/OwnCalls.h"

namespace seamscope::cuda {

CUresult OwnStream::whenDone(CUresult Begun) const {
  return Begun ? Begun : Cuda.StreamSynchronize(Stream);
}

CUresult OwnStream::create(CUcontext Context) {
  const CUresult Error = Cuda.StreamCreate(&Stream, CU_STREAM_NON_BLOCKING);
  if (!Error)
    addOwnStream(Context, Stream);
  return Error;
}

CUresult OwnStream::copyTo(CUdeviceptr To, const void *From, size_t Bytes) const {
  return whenDone(Cuda.MemcpyHtoDAsync(To, From, Bytes, Stream));
}

CUresult OwnStream::copyFrom(void *To, CUdeviceptr From, size_t Bytes) const {
  return whenDone(Cuda.MemcpyDtoHAsync(To, From, Bytes, Stream));
}

CUresult OwnStream::copy(const CUDA_MEMCPY2D &What) const {
  return whenDone(Cuda.Memcpy2DAsync(&What, Stream));
}

CUresult OwnStream::zero(CUdeviceptr Memory, size_t Bytes) const {
  return whenDone(Cuda.MemsetD32Async(Memory, 0, Bytes / 4, Stream));
}

} // namespace seamscope::cuda
