//===- calls.cpp - driver functions for programs without the runtime ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, streams and events of the driver. CUPTI has records of copies and fills. Device memory
// is host memory, identified by its address.
//
//===----------------------------------------------------------------------===//
#include "machine.h"

#include <cupti_driver_cbid.h>

#include <cstdlib>
#include <map>
#include <mutex>

using namespace standin;

namespace {

std::mutex Lock;
/// Sizes of allocations, by address.
std::map<CUdeviceptr, size_t> &blocks() {
  static auto *const Made = new std::map<CUdeviceptr, size_t>;
  return *Made;
}

bool isOfDevice(CUdeviceptr Address) {
  const std::lock_guard Guard(Lock);
  auto Behind = blocks().upper_bound(Address);
  return Behind != blocks().begin() && Address - (--Behind)->first < Behind->second;
}

Stream &streamOf(CUstream On) { return On ? *reinterpret_cast<Stream *>(On) : defaultStream(); }

/// The value of CUpti_ActivityMemcpyKind.
uint32_t wayOf(CUdeviceptr To, CUdeviceptr From) {
  return isOfDevice(To) ? isOfDevice(From) ? 8 : 1 : isOfDevice(From) ? 2 : 9;
}

template <typename T>
CUresult fillWith(CUdeviceptr Address, T Value, size_t Count, CUstream On, uint32_t Correlation) {
  auto *const Data = reinterpret_cast<T *>(Address);
  fill(streamOf(On), Data, 0, Count * sizeof(T), Correlation);
  for (size_t I = 0; I < Count; ++I)
    Data[I] = Value;
  return start();
}

} // namespace

extern "C" {

CUresult cuMemAlloc(CUdeviceptr *Address, size_t Bytes) {
  mayEndCaptures(false);
  // More than the device's memory.
  if (Bytes > 256u << 20)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *Address = reinterpret_cast<CUdeviceptr>(malloc(Bytes));
  const std::lock_guard Guard(Lock);
  blocks()[*Address] = Bytes;
  return start();
}
CUresult cuMemAllocManaged(CUdeviceptr *Address, size_t Bytes, unsigned) {
  return cuMemAlloc(Address, Bytes);
}
CUresult cuMemFree(CUdeviceptr Address) {
  const std::lock_guard Guard(Lock);
  if (!blocks().erase(Address))
    return CUDA_ERROR_INVALID_VALUE;
  return free(reinterpret_cast<void *>(Address)), start();
}
CUresult cuMemHostRegister(void *, size_t, unsigned) { return start(); }
CUresult cuMemHostUnregister(void *) { return start(); }
CUresult cuMemcpyHtoDAsync(CUdeviceptr To, const void *From, size_t Bytes, CUstream On) {
  mayEndCaptures(!On);
  const Call This(false, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync_v2",
                  streamOf(On).IsTools);
  copy(streamOf(On), reinterpret_cast<void *>(To), From, Bytes, 1, This.correlation());
  return start();
}
CUresult cuMemcpyAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes, CUstream On) {
  const Call This(false, CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync, "cuMemcpyAsync");
  copy(streamOf(On), reinterpret_cast<void *>(To), reinterpret_cast<void *>(From), Bytes,
       wayOf(To, From), This.correlation());
  return start();
}
CUresult cuMemsetD8Async(CUdeviceptr Address, unsigned char Value, size_t Count, CUstream On) {
  const Call This(false, CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, "cuMemsetD8Async");
  return fillWith(Address, Value, Count, On, This.correlation());
}
CUresult cuMemsetD16Async(CUdeviceptr Address, unsigned short Value, size_t Count, CUstream On) {
  const Call This(false, CUPTI_DRIVER_TRACE_CBID_cuMemsetD16Async, "cuMemsetD16Async");
  return fillWith(Address, Value, Count, On, This.correlation());
}
CUresult cuMemsetD32Async(CUdeviceptr Address, unsigned Value, size_t Count, CUstream On) {
  mayEndCaptures(!On);
  const Call This(false, CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async, "cuMemsetD32Async",
                  streamOf(On).IsTools);
  return fillWith(Address, Value, Count, On, This.correlation());
}
// All work runs at once, so nothing waits.
CUresult cuStreamDestroy(CUstream) { return start(); }
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { return start(); }
CUresult cuEventCreate(CUevent *Made, unsigned) {
  return *Made = reinterpret_cast<CUevent>(new char), start();
}
CUresult cuEventDestroy(CUevent Event) { return delete reinterpret_cast<char *>(Event), start(); }
CUresult cuEventRecord(CUevent, CUstream) { return start(); }
CUresult cuEventSynchronize(CUevent) { return start(); }

} // extern "C"
