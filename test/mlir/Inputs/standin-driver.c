// A libcuda.so.1 for tests of libseamscope-mlir-cuda: its only kernel doubles 64 floats, or it fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult cuInit(unsigned Flags) { return CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice *Device, int Number) { return *Device = Number, CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *Context, CUdevice Device) {
  return *Context = (CUcontext)16, CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext Context) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent(CUcontext *Context) { return *Context = (CUcontext)16, CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult Error, const char **Name) {
  return *Name = "CUDA_ERROR_LAUNCH_FAILED", CUDA_SUCCESS;
}
CUresult cuModuleLoadDataEx(CUmodule *Module, const void *Image, unsigned Count, CUjit_option *Options,
                            void **Values) {
  // PTX, as text.
  if (!strstr(Image, ".entry twice"))
    return CUDA_ERROR_INVALID_PTX;
  return *Module = (CUmodule)32, CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule Module) { return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *Function, CUmodule Module, const char *Name) {
  return *Function = (CUfunction)48, strcmp(Name, "twice") ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction Function, unsigned GridX, unsigned GridY, unsigned GridZ, unsigned X,
                        unsigned Y, unsigned Z, unsigned Shared, CUstream Stream, void **Parameters,
                        void **Extra) {
  if (getenv("STANDIN_FAIL"))
    return CUDA_ERROR_LAUNCH_FAILED;
  // The second field of a memref is the aligned pointer.
  float *Data = *(float **)Parameters[1];
  for (unsigned I = 0; I < X; ++I)
    Data[I] += Data[I];
  return CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream *Stream, unsigned Flags) { return *Stream = (CUstream)64, CUDA_SUCCESS; }
CUresult cuStreamDestroy(CUstream Stream) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream Stream) { return CUDA_SUCCESS; }
CUresult cuMemAlloc(CUdeviceptr *Pointer, size_t Bytes) {
  return *Pointer = (CUdeviceptr)malloc(Bytes), CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr Pointer) { return free((void *)Pointer), CUDA_SUCCESS; }
CUresult cuMemcpyAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes, CUstream Stream) {
  return memcpy((void *)To, (void *)From, Bytes), CUDA_SUCCESS;
}
CUresult cuMemsetD32Async(CUdeviceptr To, unsigned Value, size_t Count, CUstream Stream) {
  for (size_t I = 0; I < Count; ++I)
    ((unsigned *)To)[I] = Value;
  return CUDA_SUCCESS;
}
CUresult cuMemHostRegister(void *Pointer, size_t Bytes, unsigned Flags) {
  return printf("registered %zu bytes\n", Bytes), CUDA_SUCCESS;
}
CUresult cuMemHostUnregister(void *Pointer) { return CUDA_SUCCESS; }
