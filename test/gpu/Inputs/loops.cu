// Kernels with loops one after another, nested, in parts of a warp, and left by threads at different
// times. With CUDA's headers it is a program: loops KERNEL prints a checksum.
#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#include <cstdio>
#include <cstdlib>
#include <cstring>
#else
#include "device.h"
#endif

__device__ unsigned number() { return threadIdx.x + blockDim.x * blockIdx.x; }

// The second loop runs four times as many turns.
extern "C" __global__ void two(float *y, const float *x, float a, unsigned n) {
  __shared__ float part[64];
  const unsigned t = threadIdx.x;
  part[t] = x[number()];
  for (unsigned i = 0; i < n; ++i) { // first
    part[t] = part[t] * a + a * part[t ^ 1];
    __syncthreads();
  }
  y[number()] = part[t];
  for (unsigned i = 0; i < 4 * n; ++i) { // second
    part[t] = part[t] * a + a * part[t ^ 2];
    __syncthreads();
  }
  y[number()] += part[t];
}

// Two loops in each turn of an outer loop.
extern "C" __global__ void nest(float *y, const float *x, float a, unsigned n) {
  __shared__ float part[64];
  const unsigned t = threadIdx.x;
  part[t] = x[number()];
  for (unsigned r = 0; r < n / 2; ++r) { // outer
    for (unsigned i = 0; i < n; ++i) { // left
      for (unsigned k = 0; k < n; ++k)
        part[t] = part[t] * a + a * part[t ^ 1];
      __syncthreads();
    }
    for (unsigned i = 0; i < n; ++i) { // right
      for (unsigned k = 0; k < n; ++k)
        part[t] = part[t] * a + a * part[t ^ 2];
      __syncthreads();
    }
  }
  y[number()] = part[t];
}

// Each thread leaves after its own number of turns, by one of two ways or by leaving the kernel.
extern "C" __global__ void apart(float *y, const float *x, float a, unsigned n) {
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (unsigned i = 0; i < n + t % 7; ++i) { // uneven
    sum = sum * a + x[number()];
    if (sum > 1e6f)
      return;
    if (sum < -1e6f)
      break;
  }
  if (t % 2)
    for (unsigned i = 0; i < n; ++i) // odd
      sum += a * x[i];
  else
    for (unsigned i = 0; i < n; ++i) // even
      sum -= a * x[i] * x[i];
  y[number()] = sum;
}

// Threads that trap in a loop do not leave it.
extern "C" __global__ void stuck(float *y, const float *x, float a, unsigned n) {
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) {
    sum += a * x[i];
    if (x[i] < 0)
      __builtin_trap();
  }
  y[number()] = sum;
}

// More loops than there are records.
extern "C" __global__ void many(float *y, const float *x, float a, unsigned n) {
  float sum = x[number()];
#define LOOP(k)                                                                                    \
  for (unsigned i = 0; i < n; ++i)                                                                 \
    sum = sum * a + x[i * k];
  LOOP(1)
  LOOP(2)
  LOOP(3)
  LOOP(4)
  LOOP(5)
  LOOP(6)
  LOOP(7)
  LOOP(8)
  LOOP(9)
  LOOP(10)
  y[number()] = sum;
}

// None.
extern "C" __global__ void none(float *y, const float *x, float a, unsigned n) {
  if (number() < n)
    y[number()] = a * x[number()];
}

#ifdef __CLANG_CUDA_RUNTIME_WRAPPER_H__
#define CHECK(call)                                                                                \
  if (const cudaError_t error = (call)) {                                                          \
    std::printf("%s: %s\n", #call, cudaGetErrorString(error));                                     \
    std::exit(3);                                                                                  \
  }

int main(int argc, char **argv) {
  constexpr unsigned N = 1024;
  const char *which = argc > 1 ? argv[1] : "two";
  float host[N], *x, *y;
  for (unsigned i = 0; i < N; ++i)
    host[i] = static_cast<float>(i % 7) / 8;
  CHECK(cudaMalloc(&x, sizeof(host)));
  CHECK(cudaMalloc(&y, sizeof(host)));
  CHECK(cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, sizeof(host)));
  for (unsigned k = 0; k < 3; ++k) {
    if (!std::strcmp(which, "two"))
      two<<<5, 64>>>(y, x, 0.5f, 40);
    if (!std::strcmp(which, "nest"))
      nest<<<3, 48>>>(y, x, 0.5f, 6);
    if (!std::strcmp(which, "apart"))
      apart<<<4, 40>>>(y, x, 0.5f, k + 1);
    if (!std::strcmp(which, "many"))
      many<<<2, 32>>>(y, x, 0.5f, 20);
    if (!std::strcmp(which, "none"))
      none<<<2, 32>>>(y, x, 0.5f, 20);
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host, y, sizeof(host), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (const float each : host)
    sum += each;
  std::printf("%s %.3f\n", which, sum);
}
#endif
