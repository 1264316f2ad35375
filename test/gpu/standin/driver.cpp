//===- driver.cpp - libcuda.so.1 of the stand-in ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that libseamscope-cuda calls, except those of modules (modules.cpp) and those for
// programs without the runtime (calls.cpp). The only device has one context.
//
//===----------------------------------------------------------------------===//
#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cupti_driver_cbid.h>
#include <dlfcn.h>
#include <utility>

using namespace standin;

namespace {

CUcontext context() { return reinterpret_cast<CUcontext>(0x1000); }

/// Whether a reset destroyed the stream's context.
bool isGone(CUstream On) { return reinterpret_cast<Stream *>(On)->Life != resets(); }

} // namespace

extern "C" {

CUresult cuInit(unsigned) { return start(); }
CUresult cuDriverGetVersion(int *Version) { return *Version = 13000, CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult, const char **Name) { return *Name = "CUDA_ERROR", CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int *Count) { return *Count = 1, CUDA_SUCCESS; }
CUresult cuDeviceGetName(char *Name, int Size, CUdevice) {
  return snprintf(Name, static_cast<size_t>(Size), "Stand-in GPU"), CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t *Bytes, CUdevice) { return *Bytes = 1u << 30, CUDA_SUCCESS; }
CUresult cuDeviceGetAttribute(int *Value, CUdevice_attribute What, CUdevice) {
  switch (What) {
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *Value = getenv("STANDIN_SMS") ? atoi(getenv("STANDIN_SMS")) : 4;
    break;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    *Value = 32;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
    *Value = 2048;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *Value = 8;
    break;
  default:
    *Value = 0;
  }
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext *Context) { return *Context = context(), CUDA_SUCCESS; }
CUresult cuCtxGetId(CUcontext, unsigned long long *Id) { return *Id = 1 + resets(), CUDA_SUCCESS; }
CUresult cuCtxGetDevice(CUdevice *Device) { return *Device = 0, CUDA_SUCCESS; }
CUresult cuCtxPushCurrent(CUcontext) { return start(); }
CUresult cuCtxPopCurrent(CUcontext *) { return start(); }
CUresult cuCtxSynchronize() { return start(); }
CUresult cuMemAllocHost(void **Address, size_t Bytes) {
  mayEndCaptures(false);
  return *Address = malloc(Bytes), CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH(void *To, CUdeviceptr From, size_t Bytes) {
  return memcpy(To, reinterpret_cast<void *>(From), Bytes), start();
}
CUresult cuMemcpyDtoHAsync(void *To, CUdeviceptr From, size_t Bytes, CUstream On) {
  if (isGone(On))
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  mayEndCaptures(!On);
  Stream &Of = *reinterpret_cast<Stream *>(On);
  const Call This(false, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2, "cuMemcpyDtoHAsync_v2",
                  Of.IsTools);
  copy(Of, To, reinterpret_cast<const void *>(From), Bytes, 2, This.correlation());
  return start();
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *Copy, CUstream On) {
  if (isGone(On))
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  for (size_t Row = 0; Row < Copy->Height; ++Row)
    memcpy(static_cast<char *>(Copy->dstHost) + Row * Copy->dstPitch,
           reinterpret_cast<const char *>(Copy->srcDevice) + Row * Copy->srcPitch,
           Copy->WidthInBytes);
  return start();
}
CUresult cuStreamCreate(CUstream *Stream, unsigned) {
  auto *const Made = newStream();
  Dl_info Caller = {};
  Made->IsTools = dladdr(__builtin_return_address(0), &Caller) && Caller.dli_fname &&
                  strstr(Caller.dli_fname, "libseamscope-cuda");
  return *Stream = reinterpret_cast<CUstream>(Made), CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream On) {
  mayEndCaptures(!On);
  if (Stream *const Of = reinterpret_cast<Stream *>(On); Of && Of->IsTools) {
    const Call This(false, CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, "cuStreamSynchronize",
                    true);
    noteWait(*Of, This.correlation());
  }
  return start();
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *Mode) {
  return std::swap(*Mode, captureMode()), CUDA_SUCCESS;
}
// Functions that programs without the runtime call, but not libseamscope-cuda.
CUresult cuDeviceGet(CUdevice *Device, int) { return *Device = 0, CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *Context, CUdevice) {
  return *Context = context(), start();
}
CUresult cuCtxSetCurrent(CUcontext) { return start(); }

} // extern "C"
