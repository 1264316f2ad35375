// Kernels whose executed work is known as a formula (check-work.py). Accesses are volatile, so that
// the optimiser leaves all of them. With CUDA's headers it is a program: work prints each launch.
#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#include <cstdio>
#include <cstdlib>
#include <cstring>
#else
#include "device.h"
#endif

__device__ unsigned number() { return threadIdx.x + blockDim.x * blockIdx.x; }
using Out = volatile float *;
using In = const volatile float *;

extern "C" __global__ void axpy(Out y, In x, unsigned n) {
  const unsigned i = number();
  if (i < n)
    y[i] = 3.0f * x[i] + y[i];
}

// Each thread has its own number of turns.
extern "C" __global__ void uneven(Out y, In x, unsigned n) {
  const unsigned i = number();
  float sum = 0;
  for (unsigned k = 0; k < i % (n + 1); ++k)
    sum += x[k];
  y[i] = sum;
}

// Each thread leaves when it finds a number, which no test knows before.
extern "C" __global__ void search(Out y, In x, unsigned n) {
  const unsigned i = number();
  float sum = 0;
  for (unsigned k = i; k < i + n; ++k) {
    const float each = x[k];
    if (each == 0.75f)
      return;
    sum += each * x[k];
  }
  y[i] = sum;
}

// A condition in an innermost loop.
extern "C" __global__ void some(Out y, In x, unsigned n) {
  const unsigned i = number();
  for (unsigned k = 0; k < n; ++k)
    if (x[k] > 0.5f)
      y[i] = x[k] / 3.0f;
}

// A nest in which half of the threads run the inner loop.
extern "C" __global__ void nest(Out y, In x, unsigned n) {
  const unsigned i = number();
  for (unsigned r = 0; r < n; ++r) {
    float sum = x[r];
    if (i % 2)
      for (unsigned k = 0; k < r + i % 5; ++k)
        sum += x[k];
    y[i] = sum;
  }
}

// n tiles of 8 x 8 in shared memory.
extern "C" __global__ void tiles(Out c, In a, unsigned n) {
  __shared__ volatile float left[8][8], right[8][8];
  const unsigned t = threadIdx.x;
  if (t >= 64)
    return;
  const unsigned row = t / 8, column = t % 8;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) {
    left[row][column] = a[k * 64 + t];
    right[row][column] = a[k * 64 + column * 8 + row];
    __syncthreads();
    for (unsigned j = 0; j < 8; ++j)
      sum += left[row][j] * right[j][column];
    __syncthreads();
  }
  c[blockIdx.x * 64 + t] = sum;
}

// A sum over each warp, and one addition of its first thread.
extern "C" __global__ void total(Out y, In x, unsigned n) {
  float sum = number() < n ? x[number()] : 0;
  for (int by = 16; by; by /= 2)
    sum += __nvvm_shfl_sync_down_f32(~0u, sum, by, 31);
  y[number()] = sum;
  if (threadIdx.x % 32 == 0)
    __nvvm_atom_add_gen_f(const_cast<float *>(y), sum);
}

extern "C" __global__ void types(Out y, In x, unsigned n) {
  const unsigned i = number();
  const _Float16 half = static_cast<_Float16>(x[0]);
  const double wide = x[1];
  volatile _Float16 h = 0; // of the thread: not counted
  volatile double d = 0;
  for (unsigned k = 0; k < n; ++k) {
    h = h * half;
    d = d / wide - wide;
  }
  y[i] = static_cast<float>(d);
}

// 16 x 16 x 16 products of a warp, n times, and a function of the hardware.
extern "C" __global__ void tensor(Out y, In x, unsigned n) {
  int a[8], b[8];
  float c[8] = {};
  auto *const from = reinterpret_cast<const int *>(const_cast<const float *>(x));
  __hmma_m16n16k16_ld_a(a, from, 16, 0);
  __hmma_m16n16k16_ld_b(b, from, 16, 0);
  for (unsigned k = 0; k < n; ++k)
    __hmma_m16n16k16_mma_f32f32(c, a, b, c, 1, 0);
  __hmma_m16n16k16_st_c_f32(const_cast<float *>(y) + blockIdx.x * 256, c, 16, 0);
  y[number()] = __nvvm_ex2_approx_ftz_f(x[0]) * __nvvm_rcp_approx_ftz_d(x[1]);
}

// Each launch takes one more turn than the one before.
extern "C" __global__ void grow(Out y, In x, unsigned) {
  const unsigned turns = static_cast<unsigned>(y[0]);
  __syncthreads();
  for (unsigned k = 0; k < turns; ++k)
    y[1 + threadIdx.x] = x[k] + 1.0f;
  if (threadIdx.x == 0)
    y[0] = static_cast<float>(turns + 1);
}

extern "C" __global__ void nothing(Out, In, unsigned) {}

#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#define CHECK(call)                                                                                \
  if (const cudaError_t error = (call)) {                                                          \
    std::printf("%s: %s\n", #call, cudaGetErrorString(error));                                     \
    std::exit(3);                                                                                  \
  }
#define RUN(kernel, blocks, threads, n)                                                            \
  kernel<<<blocks, threads, 0, streams[launches++ % 2]>>>(y, x, n);                                \
  std::printf("%s %u %u %u\n", #kernel, blocks, threads, unsigned(n));

// Two kernels of a graph, in each replay.
void runGraph(float *y, const float *x, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaMemset(y, 0, 4));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  grow<<<1, 40, 0, stream>>>(y, x, 0);
  uneven<<<2, 45, 0, stream>>>(y + 1, x, 7);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (unsigned replay = 0; replay < 5; ++replay) {
    CHECK(cudaGraphLaunch(exec, stream));
    std::printf("grow 1 40 %u\nuneven 2 45 7\n", replay);
  }
  CHECK(cudaStreamSynchronize(stream));
}

int main(int argc, char **argv) {
  constexpr unsigned N = 4096;
  static float host[N];
  float *x, *y;
  for (unsigned i = 0; i < N; ++i)
    host[i] = static_cast<float>(i % 7) / 8;
  CHECK(cudaMalloc(&x, sizeof(host)));
  CHECK(cudaMalloc(&y, sizeof(host)));
  CHECK(cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, sizeof(host)));
  cudaStream_t streams[2];
  for (cudaStream_t &each : streams)
    CHECK(cudaStreamCreate(&each));
  unsigned launches = 0;
  if (argc > 1 && !std::strcmp(argv[1], "graph"))
    runGraph(y, x, streams[0]);
  else
    for (const unsigned n : {0u, 1u, 7u, 40u}) {
      RUN(axpy, 3u, 70u, n * 5)
      RUN(uneven, 2u, 45u, n)
      RUN(search, 2u, 33u, n)
      RUN(some, 2u, 40u, n)
      RUN(nest, 2u, 37u, n % 30)
      RUN(tiles, 3u, 80u, n)
      RUN(total, 3u, 96u, n)
      RUN(types, 1u, 31u, n)
      RUN(tensor, 2u, 64u, n)
      RUN(nothing, 1u, 1u, n)
    }
  CHECK(cudaDeviceSynchronize());
}
#endif
