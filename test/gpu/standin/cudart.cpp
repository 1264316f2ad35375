//===- cudart.cpp - libcudart.so.13 of the stand-in ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that compiled CUDA code and the test's programs call. A missing function gives a link
// error.
//
//===----------------------------------------------------------------------===//
#include "machine.h"

#include <cuda_runtime_api.h>
#include <cupti_runtime_cbid.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

using namespace standin;

extern "C" CUfunction standinFunction(const char *Name);

namespace {

std::map<const void *, std::string> &kernels() {
  static std::map<const void *, std::string> Names;
  return Names;
}

Stream &streamOf(cudaStream_t Given) {
  return Given ? *reinterpret_cast<Stream *>(Given) : defaultStream();
}

struct Configuration {
  dim3 Grid, Block;
  size_t Shared;
  void *On;
};
thread_local std::vector<Configuration> Configurations;

cudaError_t state() { return start() ? cudaErrorIllegalAddress : cudaSuccess; }

#define CALL(Name, Version)                                                                        \
  start();                                                                                         \
  const Call This(true, CUPTI_RUNTIME_TRACE_CBID_##Name##_v##Version, #Name)

uint32_t wayOf(cudaMemcpyKind Kind) {
  static constexpr uint32_t Ways[] = {9, 1, 2, 8, 8};
  return Ways[Kind];
}

/// Graphs outlive what they were made from, since nothing is freed here.
uint32_t Graphs = 0;
uint64_t Nodes = 100;

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *) { return reinterpret_cast<void **>(new char); }
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int) {}
void __cudaRegisterFunction(void **, const char *Host, char *, const char *Name, int, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *) {
  kernels()[Host] = Name;
}
unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared, void *On) {
  Configurations.push_back({Grid, Block, Shared, On});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared, void *On) {
  const Configuration Last = Configurations.back();
  Configurations.pop_back();
  *Grid = Last.Grid;
  *Block = Last.Block;
  *Shared = Last.Shared;
  *static_cast<void **>(On) = Last.On;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *Kernel, dim3 Grid, dim3 Block, void **Arguments,
                             size_t Shared, cudaStream_t On) {
  CALL(cudaLaunchKernel, 7000);
  const uint32_t GridOf[] = {Grid.x, Grid.y, Grid.z}, BlockOf[] = {Block.x, Block.y, Block.z};
  Stream &Where = streamOf(On);
  if (!Where.Capture)
    return runKernel(Where, kernels()[Kernel], GridOf, BlockOf, static_cast<uint32_t>(Shared),
                     Arguments, This.correlation())
               ? cudaSuccess
               : cudaErrorInvalidConfiguration;
  KernelNode Node = {kernels()[Kernel],
                     {Grid.x, Grid.y, Grid.z},
                     {Block.x, Block.y, Block.z},
                     static_cast<uint32_t>(Shared),
                     {},
                     ++Nodes};
  // At most four arguments of eight bytes: the test's kernels have no more.
  for (int I = 0; I < 4; ++I)
    Node.Arguments.emplace_back(static_cast<char *>(Arguments[I]),
                                static_cast<char *>(Arguments[I]) + 4 * (1 + (I < 2)));
  Where.Capture->Nodes.push_back(Node);
  if (OnGraphNode)
    OnGraphNode(Node.Node, 0);
  return cudaSuccess;
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *Function, const void *Kernel) {
  start();
  const auto Found = kernels().find(Kernel);
  if (Found == kernels().end())
    return cudaErrorInvalidDeviceFunction;
  *Function = reinterpret_cast<cudaFunction_t>(standinFunction(Found->second.c_str()));
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **Address, size_t Bytes) {
  CALL(cudaMalloc, 3020);
  return *Address = malloc(Bytes), state();
}
cudaError_t cudaFree(void *Address) {
  CALL(cudaFree, 3020);
  return free(Address), state();
}
cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes, cudaMemcpyKind Kind) {
  CALL(cudaMemcpy, 3020);
  copy(defaultStream(), To, From, Bytes, wayOf(Kind), This.correlation());
  return state();
}
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes, cudaMemcpyKind Kind,
                            cudaStream_t On) {
  CALL(cudaMemcpyAsync, 3020);
  copy(streamOf(On), To, From, Bytes, wayOf(Kind), This.correlation());
  return state();
}
cudaError_t cudaMemset(void *To, int Value, size_t Bytes) {
  CALL(cudaMemset, 3020);
  fill(defaultStream(), To, Value, Bytes, This.correlation());
  return state();
}
cudaError_t cudaDeviceSynchronize() {
  CALL(cudaDeviceSynchronize, 3020);
  wait(&defaultStream(), 4, This.correlation());
  return state();
}
cudaError_t cudaDeviceReset() {
  CALL(cudaDeviceReset, 3020);
  return reset(), state();
}
cudaError_t cudaStreamSynchronize(cudaStream_t On) {
  CALL(cudaStreamSynchronize, 3020);
  wait(&streamOf(On), 3, This.correlation());
  return state();
}
cudaError_t cudaStreamCreate(cudaStream_t *Made) {
  CALL(cudaStreamCreate, 3020);
  return *Made = reinterpret_cast<cudaStream_t>(newStream()), state();
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return state(); }
const char *cudaGetErrorString(cudaError_t Error) { return Error ? "an error" : "no error"; }

// By the host's clock, since no program here is timed.
cudaError_t cudaEventCreate(cudaEvent_t *Made) {
  return *Made = reinterpret_cast<cudaEvent_t>(new uint64_t(0)), cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t) {
  return *reinterpret_cast<uint64_t *>(Event) = nowNs(), state();
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return state(); }
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Begin, cudaEvent_t End) {
  const uint64_t Ns = *reinterpret_cast<uint64_t *>(End) - *reinterpret_cast<uint64_t *>(Begin);
  return *Milliseconds = static_cast<float>(Ns) / 1e6f, cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t On, cudaStreamCaptureMode) {
  CALL(cudaStreamBeginCapture, 10000);
  streamOf(On).Capture = new standin::Graph{{}, ++Graphs};
  CaptureFailed = OpenCaptures++ && CaptureFailed;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t On, cudaGraph_t *Made) {
  CALL(cudaStreamEndCapture, 10000);
  *Made = reinterpret_cast<cudaGraph_t>(streamOf(On).Capture);
  streamOf(On).Capture = nullptr;
  --OpenCaptures;
  return CaptureFailed ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Made, cudaGraph_t From, unsigned long long) {
  CALL(cudaGraphInstantiate, 12000);
  // A copy is launched, whose nodes have other numbers.
  auto *const Copy = new standin::Graph(*reinterpret_cast<standin::Graph *>(From));
  Copy->Number = ++Graphs;
  for (KernelNode &Each : Copy->Nodes) {
    const uint64_t Original = std::exchange(Each.Node, ++Nodes);
    if (OnGraphNode)
      OnGraphNode(Each.Node, Original);
  }
  return *Made = reinterpret_cast<cudaGraphExec_t>(Copy), cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t Given, cudaStream_t On) {
  CALL(cudaGraphLaunch, 10000);
  auto *const Of = reinterpret_cast<standin::Graph *>(Given);
  for (KernelNode &Node : Of->Nodes) {
    std::vector<void *> Arguments;
    for (std::vector<char> &Each : Node.Arguments)
      Arguments.push_back(Each.data());
    runKernel(streamOf(On), Node.Name, Node.Grid, Node.Block, Node.Shared, Arguments.data(),
              This.correlation(), Of->Number, Node.Node);
  }
  return state();
}
} // extern "C"
