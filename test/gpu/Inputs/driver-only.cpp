// A program that uses only the driver API, which it opens at run time: nothing of CUDA is linked.
#include <cstdio>
#include <cuda.h>
#include <dlfcn.h>
#include <vector>

static void *Library;

template <typename FnT, typename... ArgsT> void call(const char *Name, ArgsT... Arguments) {
  const auto Function = reinterpret_cast<FnT *>(dlsym(Library, Name));
  if (!Function || Function(Arguments...))
    std::printf("%s failed\n", Name);
}

int main() {
  Library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Library) {
    std::puts("no driver");
    return 0;
  }
  CUcontext context;
  CUmodule module;
  CUfunction saxpy;
  CUdeviceptr x, y;
  constexpr unsigned N = 256;
  std::vector<float> host(N, 1.5f);
  unsigned n = N;
  float a = 2;
  call<decltype(cuInit)>("cuInit", 0u);
  call<decltype(cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain", &context, 0);
  call<decltype(cuCtxSetCurrent)>("cuCtxSetCurrent", context);
  call<decltype(cuModuleLoadData)>("cuModuleLoadData", &module, (const void *)"");
  call<decltype(cuModuleGetFunction)>("cuModuleGetFunction", &saxpy, module,
                                      "_Z5saxpyIfEvPT_PKS0_S0_j");
  call<decltype(cuMemAlloc)>("cuMemAlloc_v2", &x, N * sizeof(float));
  call<decltype(cuMemAlloc)>("cuMemAlloc_v2", &y, N * sizeof(float));
  call<decltype(cuMemcpyHtoDAsync)>("cuMemcpyHtoDAsync_v2", x, (const void *)host.data(),
                                    N * sizeof(float), CUstream());
  call<decltype(cuMemsetD8Async)>("cuMemsetD8Async", y, (unsigned char)0, N * sizeof(float),
                                  CUstream());
  void *arguments[] = {&y, &x, &a, &n};
  for (int i = 0; i < 3; ++i)
    call<decltype(cuLaunchKernel)>("cuLaunchKernel", saxpy, 2u, 1u, 1u, 128u, 1u, 1u, 0u,
                                   CUstream(), arguments, (void **)nullptr);
  call<decltype(cuCtxSynchronize)>("cuCtxSynchronize");
  call<decltype(cuMemcpyDtoH)>("cuMemcpyDtoH_v2", (void *)host.data(), y, N * sizeof(float));
  std::printf("y is %.1f\n", host[N - 1]);
}
