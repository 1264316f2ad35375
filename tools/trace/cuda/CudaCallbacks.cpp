//===- CudaCallbacks.cpp - names of CUDA's calls by CUPTI's numbers -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/cuda/CudaCallbacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

namespace seamscope::tools {
namespace {

struct Call {
  int64_t Id;
  std::string_view Name;
};

// By number.
constexpr Call RuntimeCalls[] = {{3, "cudaGetDeviceCount"},
                                 {4, "cudaGetDeviceProperties"},
                                 {8, "cudaConfigureCall"},
                                 {9, "cudaSetupArgument"},
                                 {10, "cudaGetLastError"},
                                 {11, "cudaPeekAtLastError"},
                                 {13, "cudaLaunch"},
                                 {14, "cudaFuncSetCacheConfig"},
                                 {15, "cudaFuncGetAttributes"},
                                 {16, "cudaSetDevice"},
                                 {17, "cudaGetDevice"},
                                 {20, "cudaMalloc"},
                                 {21, "cudaMallocPitch"},
                                 {22, "cudaFree"},
                                 {25, "cudaMallocHost"},
                                 {26, "cudaFreeHost"},
                                 {27, "cudaHostAlloc"},
                                 {28, "cudaHostGetDevicePointer"},
                                 {30, "cudaMemGetInfo"},
                                 {31, "cudaMemcpy"},
                                 {32, "cudaMemcpy2D"},
                                 {39, "cudaMemcpyToSymbol"},
                                 {40, "cudaMemcpyFromSymbol"},
                                 {41, "cudaMemcpyAsync"},
                                 {44, "cudaMemcpy2DAsync"},
                                 {47, "cudaMemcpyToSymbolAsync"},
                                 {49, "cudaMemset"},
                                 {50, "cudaMemset2D"},
                                 {51, "cudaMemsetAsync"},
                                 {52, "cudaMemset2DAsync"},
                                 {55, "cudaBindTexture"},
                                 {126, "cudaThreadSynchronize"},
                                 {129, "cudaStreamCreate"},
                                 {130, "cudaStreamDestroy"},
                                 {131, "cudaStreamSynchronize"},
                                 {132, "cudaStreamQuery"},
                                 {133, "cudaEventCreate"},
                                 {134, "cudaEventCreateWithFlags"},
                                 {135, "cudaEventRecord"},
                                 {136, "cudaEventDestroy"},
                                 {137, "cudaEventSynchronize"},
                                 {138, "cudaEventQuery"},
                                 {139, "cudaEventElapsedTime"},
                                 {144, "cudaMemcpy3D"},
                                 {145, "cudaMemcpy3DAsync"},
                                 {147, "cudaStreamWaitEvent"},
                                 {151, "cudaPointerGetAttributes"},
                                 {152, "cudaHostRegister"},
                                 {153, "cudaHostUnregister"},
                                 {160, "cudaMemcpyPeer"},
                                 {161, "cudaMemcpyPeerAsync"},
                                 {164, "cudaDeviceReset"},
                                 {165, "cudaDeviceSynchronize"},
                                 {197, "cudaStreamAddCallback"},
                                 {198, "cudaStreamCreateWithFlags"},
                                 {200, "cudaDeviceGetAttribute"},
                                 {201, "cudaStreamDestroy"},
                                 {202, "cudaStreamCreateWithPriority"},
                                 {206, "cudaMallocManaged"},
                                 {207, "cudaOccupancyMaxActiveBlocksPerMultiprocessor"},
                                 {210, "cudaOccupancyMaxActiveBlocksPerMultiprocessor"},
                                 {211, "cudaLaunchKernel"},
                                 {213, "cudaLaunch_ptsz"},
                                 {214, "cudaLaunchKernel_ptsz"},
                                 {215, "cudaMemcpy_ptds"},
                                 {225, "cudaMemcpyAsync_ptsz"},
                                 {235, "cudaMemsetAsync_ptsz"},
                                 {239, "cudaStreamSynchronize_ptsz"},
                                 {242, "cudaEventRecord_ptsz"},
                                 {247, "cudaStreamWaitEvent_ptsz"},
                                 {251, "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"},
                                 {252, "cudaMemPrefetchAsync"},
                                 {269, "cudaLaunchCooperativeKernel"},
                                 {272, "cudaLaunchCooperativeKernelMultiDevice"},
                                 {273, "cudaFuncSetAttribute"},
                                 {311, "cudaGraphLaunch"}};

constexpr Call DriverCalls[] = {{1, "cuInit"},
                                {9, "cuDeviceGetAttribute"},
                                {17, "cuCtxSynchronize"},
                                {19, "cuModuleLoadData"},
                                {20, "cuModuleLoadDataEx"},
                                {22, "cuModuleUnload"},
                                {23, "cuModuleGetFunction"},
                                {38, "cuMemFreeHost"},
                                {39, "cuMemHostAlloc"},
                                {85, "cuFuncGetAttribute"},
                                {86, "cuFuncSetCacheConfig"},
                                {113, "cuParamSetv"},
                                {115, "cuLaunch"},
                                {116, "cuLaunchGrid"},
                                {117, "cuLaunchGridAsync"},
                                {118, "cuEventCreate"},
                                {119, "cuEventRecord"},
                                {120, "cuEventQuery"},
                                {121, "cuEventSynchronize"},
                                {123, "cuEventElapsedTime"},
                                {124, "cuStreamCreate"},
                                {125, "cuStreamQuery"},
                                {126, "cuStreamSynchronize"},
                                {216, "cuMemsetD8Async"},
                                {220, "cuMemsetD32Async"},
                                {235, "cuCtxCreate_v2"},
                                {242, "cuMemGetInfo_v2"},
                                {243, "cuMemAlloc_v2"},
                                {245, "cuMemFree_v2"},
                                {249, "cuMemsetD8_v2"},
                                {251, "cuMemsetD32_v2"},
                                {276, "cuMemcpyHtoD_v2"},
                                {277, "cuMemcpyHtoDAsync_v2"},
                                {278, "cuMemcpyDtoH_v2"},
                                {279, "cuMemcpyDtoHAsync_v2"},
                                {280, "cuMemcpyDtoD_v2"},
                                {281, "cuMemcpyDtoDAsync_v2"},
                                {294, "cuMemAllocHost_v2"},
                                {295, "cuStreamWaitEvent"},
                                {303, "cuCtxSetCurrent"},
                                {304, "cuCtxGetCurrent"},
                                {307, "cuLaunchKernel"},
                                {319, "cuMemcpyPeerAsync"},
                                {323, "cuCtxPushCurrent_v2"},
                                {324, "cuCtxPopCurrent_v2"},
                                {325, "cuEventDestroy_v2"},
                                {326, "cuStreamDestroy_v2"},
                                {371, "cuMemAllocManaged"},
                                {442, "cuLaunchKernel_ptsz"},
                                {477, "cuLaunchCooperativeKernel"},
                                {514, "cuGraphLaunch"}};

} // namespace

std::string cudaCallName(bool Runtime, int64_t Id) {
  const std::span<const Call> Calls =
      Runtime ? std::span<const Call>(RuntimeCalls) : std::span<const Call>(DriverCalls);
  const auto Found = std::ranges::lower_bound(Calls, Id, {}, &Call::Id);
  if (Found != Calls.end() && Found->Id == Id)
    return std::string(Found->Name);
  return fmt::format("CUDA {} call {}", Runtime ? "runtime" : "driver", Id);
}

} // namespace seamscope::tools
