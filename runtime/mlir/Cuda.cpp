//===- Cuda.cpp - GPU functions that MLIR's code calls, on the driver -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libseamscope-mlir-cuda: the functions mgpu* that the code of gpu-to-llvm calls. The first call
// opens the driver; no library of CUDA is linked.
//
// A call that fails ends the program with one line and exit code 1: otherwise memory that no kernel
// wrote would pass for results. exit() runs the handlers, so that the trace is written.
//
// If the program records, libseamscope-cuda is notified of each module of kernels.
//
//===----------------------------------------------------------------------===//
#include "seamscope/seamscope.h"

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <unistd.h>

#define SEAMSCOPE_TEXT(Text) #Text
/// The exported symbol of a function of cuda.h: cuMemAlloc is "cuMemAlloc_v2".
#define SEAMSCOPE_SYMBOL(Function) SEAMSCOPE_TEXT(Function)
/// \p What: the action in the user's words; then the driver's function and its arguments.
#define SEAMSCOPE_CALL(What, Function, ...)                                                        \
  check(What, #Function, found<decltype(&Function)>(SEAMSCOPE_SYMBOL(Function))(__VA_ARGS__))

namespace {

[[noreturn]] void fail() {
  // An exit handler may fail as well, such as the one that unloads modules.
  static thread_local bool Failed = false;
  if (Failed)
    _Exit(1);
  Failed = true;
  exit(1);
}

void *driver() {
  static void *const Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    fputs(
        "seamscope: no CUDA driver (libcuda.so.1) here, and the program runs kernels of MLIR on a "
        "GPU: run it where an NVIDIA driver is installed\n",
        stderr);
    fail();
  }
  return Library;
}

template <typename FnT> FnT found(const char *Symbol) {
  const auto Function = reinterpret_cast<FnT>(dlsym(driver(), Symbol));
  if (!Function) {
    fprintf(stderr, "seamscope: this CUDA driver has no %s: install a newer one\n", Symbol);
    fail();
  }
  return Function;
}

void check(const char *What, const char *Function, CUresult Result) {
  if (Result == CUDA_SUCCESS)
    return;
  const char *Name = nullptr;
  if (const auto NameOf =
          reinterpret_cast<decltype(&cuGetErrorName)>(dlsym(driver(), "cuGetErrorName")))
    NameOf(Result, &Name);
  fprintf(stderr, "seamscope: %s failed: %s says %s (%d); the program ends here\n", What, Function,
          Name ? Name : "an unknown error", static_cast<int>(Result));
  fail();
}

thread_local int Device = 0;

/// While it lives, the primary context of the thread's device is current.
class Current {
public:
  Current() {
    SEAMSCOPE_CALL("starting CUDA", cuInit, 0);
    CUdevice Handle;
    SEAMSCOPE_CALL("choosing a GPU", cuDeviceGet, &Handle, Device);
    // Retained once for a thread and device, and never released: modules live as long.
    static thread_local CUcontext Primary = nullptr;
    static thread_local int Of = -1;
    if (Of != Device) {
      SEAMSCOPE_CALL("opening the GPU", cuDevicePrimaryCtxRetain, &Primary, Handle);
      Of = Device;
    }
    SEAMSCOPE_CALL("opening the GPU", cuCtxPushCurrent, Primary);
  }
  ~Current() {
    CUcontext Old;
    SEAMSCOPE_CALL("leaving the GPU", cuCtxPopCurrent, &Old);
  }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;
};

CUdeviceptr address(const void *Pointer) { return reinterpret_cast<CUdeviceptr>(Pointer); }

/// A memref without its rank: sizes and strides follow.
struct MemRef {
  void *Allocated, *Aligned;
  int64_t Offset;
  int64_t SizesAndStrides[];
};

struct Extent {
  char *Begin;
  size_t Bytes;
};

Extent extentOf(int64_t Rank, const MemRef *Of, int64_t ElementBytes) {
  int64_t Elements = 1;
  for (int64_t I = 0; I < Rank; ++I) {
    const int64_t Size = Of->SizesAndStrides[I], Stride = Of->SizesAndStrides[Rank + I];
    if (Size <= 0)
      return {nullptr, 0};
    if (Stride < 0) {
      fputs(
          "seamscope: gpu.host_register of a memref with a negative stride: not possible, copy it "
          "first\n",
          stderr);
      fail();
    }
    Elements += (Size - 1) * Stride;
  }
  return {static_cast<char *>(Of->Aligned) + Of->Offset * ElementBytes,
          static_cast<size_t>(Elements * ElementBytes)};
}

/// libseamscope-cuda, which makes kernels write stamps: the one that the driver has loaded
/// (`seamscope run`) or, if the program records, the one next to this library. Null: none.
void *recorder() {
  if (void *Loaded = dlopen("libseamscope-cuda.so", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD))
    return Loaded;
  // Host code with markers is linked with libseamscope: the program, or a library that was loaded
  // with RTLD_LOCAL, as JIT compilers do.
  void *const Runtime = dlopen(SEAMSCOPE_SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  const auto Mode = reinterpret_cast<decltype(&seamscope_mode)>(
      dlsym(Runtime ? Runtime : RTLD_DEFAULT, "seamscope_mode"));
  Dl_info Own = {};
  if (!Mode || Mode() != SEAMSCOPE_TRACE || !dladdr(reinterpret_cast<void *>(&recorder), &Own) ||
      !Own.dli_fname)
    return nullptr;
  const char *const Slash = strrchr(Own.dli_fname, '/');
  char Path[PATH_MAX];
  const int Size = snprintf(Path, sizeof(Path), "%.*slibseamscope-cuda.so",
                            Slash ? static_cast<int>(Slash + 1 - Own.dli_fname) : 0, Own.dli_fname);
  if (Size < 0 || static_cast<size_t>(Size) >= sizeof(Path) || access(Path, F_OK))
    return nullptr;
  void *const Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    fprintf(stderr, "seamscope: GPU kernels are not timed from within: %s\n", dlerror());
  return Library;
}

/// Notifies libseamscope-cuda of a module, which it cannot find by a launch of the CUDA runtime.
void announceModule(CUmodule Module) {
  if (void *const Library = recorder())
    if (const auto Announce =
            reinterpret_cast<int (*)(void *)>(dlsym(Library, "seamscope_gpu_module")))
      Announce(Module);
}

void setSharedMemory(CUfunction Function, int32_t Bytes) {
  // The driver gives a kernel more than this only on request.
  constexpr int32_t Usual = 48 << 10;
  if (Bytes > Usual)
    SEAMSCOPE_CALL("asking for a kernel's shared memory", cuFuncSetAttribute, Function,
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, Bytes);
}

} // namespace

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

SEAMSCOPE_EXPORT CUmodule mgpuModuleLoadJIT(const void *Image, int Optimisation) {
  const Current Scope;
  char Log[2048] = "";
  CUjit_option Options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_OPTIMIZATION_LEVEL};
  void *Values[] = {Log, reinterpret_cast<void *>(sizeof(Log)),
                    reinterpret_cast<void *>(static_cast<intptr_t>(Optimisation))};
  CUmodule Module = nullptr;
  const CUresult Result = found<decltype(&cuModuleLoadDataEx)>("cuModuleLoadDataEx")(
      &Module, Image, 3, Options, Values);
  if (Result && *Log)
    fprintf(stderr, "seamscope: the driver's compiler of PTX says: %s\n", Log);
  check("loading a module of kernels", "cuModuleLoadDataEx", Result);
  announceModule(Module);
  return Module;
}

SEAMSCOPE_EXPORT CUmodule mgpuModuleLoad(const void *Image, size_t) {
  const Current Scope;
  CUmodule Module = nullptr;
  SEAMSCOPE_CALL("loading a module of kernels", cuModuleLoadData, &Module, Image);
  announceModule(Module);
  return Module;
}

SEAMSCOPE_EXPORT void mgpuModuleUnload(CUmodule Module) {
  if (!Module)
    return;
  // At exit the driver may be gone already, and all modules with it.
  const CUresult Result = found<decltype(&cuModuleUnload)>("cuModuleUnload")(Module);
  if (Result != CUDA_ERROR_DEINITIALIZED && Result != CUDA_ERROR_CONTEXT_IS_DESTROYED)
    check("unloading a module of kernels", "cuModuleUnload", Result);
}

SEAMSCOPE_EXPORT CUfunction mgpuModuleGetFunction(CUmodule Module, const char *Name) {
  CUfunction Function = nullptr;
  char What[256];
  snprintf(What, sizeof(What), "finding kernel %s", Name);
  const Current Scope;
  SEAMSCOPE_CALL(What, cuModuleGetFunction, &Function, Module, Name);
  return Function;
}

SEAMSCOPE_EXPORT void mgpuLaunchKernel(CUfunction Function, intptr_t GridX, intptr_t GridY,
                                       intptr_t GridZ, intptr_t BlockX, intptr_t BlockY,
                                       intptr_t BlockZ, int32_t SharedBytes, CUstream Stream,
                                       void **Parameters, void **Extra, size_t) {
  // The driver refuses an empty grid, which a program with dynamic sizes may have.
  if (!GridX || !GridY || !GridZ)
    return;
  const Current Scope;
  setSharedMemory(Function, SharedBytes);
  SEAMSCOPE_CALL("launching a kernel", cuLaunchKernel, Function, static_cast<unsigned>(GridX),
                 static_cast<unsigned>(GridY), static_cast<unsigned>(GridZ),
                 static_cast<unsigned>(BlockX), static_cast<unsigned>(BlockY),
                 static_cast<unsigned>(BlockZ), static_cast<unsigned>(SharedBytes), Stream,
                 Parameters, Extra);
}

SEAMSCOPE_EXPORT void mgpuLaunchClusterKernel(CUfunction Function, intptr_t ClusterX,
                                              intptr_t ClusterY, intptr_t ClusterZ, intptr_t GridX,
                                              intptr_t GridY, intptr_t GridZ, intptr_t BlockX,
                                              intptr_t BlockY, intptr_t BlockZ, int32_t SharedBytes,
                                              CUstream Stream, void **Parameters, void **Extra) {
  if (!GridX || !GridY || !GridZ)
    return;
  const Current Scope;
  setSharedMemory(Function, SharedBytes);
  CUlaunchAttribute Cluster = {};
  Cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  Cluster.value.clusterDim = {static_cast<unsigned>(ClusterX), static_cast<unsigned>(ClusterY),
                              static_cast<unsigned>(ClusterZ)};
  CUlaunchConfig Config = {};
  Config.gridDimX = static_cast<unsigned>(GridX);
  Config.gridDimY = static_cast<unsigned>(GridY);
  Config.gridDimZ = static_cast<unsigned>(GridZ);
  Config.blockDimX = static_cast<unsigned>(BlockX);
  Config.blockDimY = static_cast<unsigned>(BlockY);
  Config.blockDimZ = static_cast<unsigned>(BlockZ);
  Config.sharedMemBytes = static_cast<unsigned>(SharedBytes);
  Config.hStream = Stream;
  Config.attrs = &Cluster;
  Config.numAttrs = 1;
  SEAMSCOPE_CALL("launching a kernel of clusters", cuLaunchKernelEx, &Config, Function, Parameters,
                 Extra);
}

SEAMSCOPE_EXPORT CUstream mgpuStreamCreate() {
  const Current Scope;
  CUstream Stream = nullptr;
  SEAMSCOPE_CALL("making a stream", cuStreamCreate, &Stream, CU_STREAM_NON_BLOCKING);
  return Stream;
}

SEAMSCOPE_EXPORT void mgpuStreamDestroy(CUstream Stream) {
  const Current Scope;
  SEAMSCOPE_CALL("ending a stream", cuStreamDestroy, Stream);
}

SEAMSCOPE_EXPORT void mgpuStreamSynchronize(CUstream Stream) {
  const Current Scope;
  SEAMSCOPE_CALL("waiting for a stream", cuStreamSynchronize, Stream);
}

SEAMSCOPE_EXPORT void mgpuStreamWaitEvent(CUstream Stream, CUevent Event) {
  const Current Scope;
  SEAMSCOPE_CALL("having a stream wait", cuStreamWaitEvent, Stream, Event, 0);
}

SEAMSCOPE_EXPORT CUevent mgpuEventCreate() {
  const Current Scope;
  CUevent Event = nullptr;
  SEAMSCOPE_CALL("making an event", cuEventCreate, &Event, CU_EVENT_DISABLE_TIMING);
  return Event;
}

SEAMSCOPE_EXPORT void mgpuEventDestroy(CUevent Event) {
  const Current Scope;
  SEAMSCOPE_CALL("ending an event", cuEventDestroy, Event);
}

SEAMSCOPE_EXPORT void mgpuEventSynchronize(CUevent Event) {
  const Current Scope;
  SEAMSCOPE_CALL("waiting for an event", cuEventSynchronize, Event);
}

SEAMSCOPE_EXPORT void mgpuEventRecord(CUevent Event, CUstream Stream) {
  const Current Scope;
  SEAMSCOPE_CALL("recording an event", cuEventRecord, Event, Stream);
}

SEAMSCOPE_EXPORT void *mgpuMemAlloc(uint64_t Bytes, CUstream, bool HostShared) {
  if (!Bytes)
    return nullptr;
  const Current Scope;
  CUdeviceptr Pointer = 0;
  char What[64];
  snprintf(What, sizeof(What), "allocating %llu bytes", static_cast<unsigned long long>(Bytes));
  if (HostShared)
    SEAMSCOPE_CALL(What, cuMemAllocManaged, &Pointer, Bytes, CU_MEM_ATTACH_GLOBAL);
  else
    SEAMSCOPE_CALL(What, cuMemAlloc, &Pointer, Bytes);
  return reinterpret_cast<void *>(Pointer);
}

SEAMSCOPE_EXPORT void mgpuMemFree(void *Pointer, CUstream) {
  if (!Pointer)
    return;
  const Current Scope;
  SEAMSCOPE_CALL("freeing memory", cuMemFree, address(Pointer));
}

SEAMSCOPE_EXPORT void mgpuMemcpy(void *To, void *From, size_t Bytes, CUstream Stream) {
  if (!Bytes)
    return;
  const Current Scope;
  SEAMSCOPE_CALL("copying", cuMemcpyAsync, address(To), address(From), Bytes, Stream);
}

SEAMSCOPE_EXPORT void mgpuMemset32(void *To, unsigned Value, size_t Count, CUstream Stream) {
  if (!Count)
    return;
  const Current Scope;
  SEAMSCOPE_CALL("filling memory", cuMemsetD32Async, address(To), Value, Count, Stream);
}

SEAMSCOPE_EXPORT void mgpuMemset16(void *To, unsigned short Value, size_t Count, CUstream Stream) {
  if (!Count)
    return;
  const Current Scope;
  SEAMSCOPE_CALL("filling memory", cuMemsetD16Async, address(To), Value, Count, Stream);
}

SEAMSCOPE_EXPORT void mgpuMemHostRegister(void *Pointer, uint64_t Bytes) {
  if (!Bytes)
    return;
  const Current Scope;
  const CUresult Result =
      found<decltype(&cuMemHostRegister)>(SEAMSCOPE_SYMBOL(cuMemHostRegister))(Pointer, Bytes, 0);
  if (Result != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
    check("registering memory of the host", "cuMemHostRegister", Result);
}

SEAMSCOPE_EXPORT void mgpuMemHostRegisterMemRef(int64_t Rank, MemRef *Of, int64_t ElementBytes) {
  const Extent Whole = extentOf(Rank, Of, ElementBytes);
  mgpuMemHostRegister(Whole.Begin, Whole.Bytes);
}

SEAMSCOPE_EXPORT void mgpuMemHostUnregister(void *Pointer) {
  if (!Pointer)
    return;
  const Current Scope;
  const CUresult Result = found<decltype(&cuMemHostUnregister)>("cuMemHostUnregister")(Pointer);
  if (Result != CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)
    check("unregistering memory of the host", "cuMemHostUnregister", Result);
}

SEAMSCOPE_EXPORT void mgpuMemHostUnregisterMemRef(int64_t Rank, MemRef *Of, int64_t ElementBytes) {
  mgpuMemHostUnregister(extentOf(Rank, Of, ElementBytes).Begin);
}

SEAMSCOPE_EXPORT void mgpuSetDefaultDevice(int32_t Number) { Device = Number; }
