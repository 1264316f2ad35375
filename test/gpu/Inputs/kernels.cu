// Kernels with one exit and several, barriers, shared memory, device functions, grids of all kinds.
#include "device.h"

__device__ unsigned threadNumber() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ unsigned globalNumber() {
  const unsigned Block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  return Block * blockDim.x * blockDim.y * blockDim.z + threadNumber();
}

extern "C" __global__ void saxpy(float *y, const float *x, float a, unsigned n) {
  const unsigned i = globalNumber();
  if (i < n)
    y[i] += a * x[i];
}

// Threads leave one after the other, even those of a warp at different places.
extern "C" __global__ void leave(float *y, const float *x, float a, unsigned n) {
  const unsigned i = globalNumber();
  if (i >= n)
    return;
  if (i % 3 == 0)
    return;
  float sum = 0;
  for (unsigned k = 0; k < i % 7; ++k) {
    sum += a * x[i];
    if (sum > 1e6f)
      return;
  }
  y[i] = sum;
}

extern "C" __global__ void reduce(float *y, const float *x, float a, unsigned n) {
  __shared__ float part[1024];
  const unsigned t = threadNumber(), all = blockDim.x * blockDim.y * blockDim.z;
  const unsigned i = globalNumber();
  part[t] = i < n ? a * x[i] : 0;
  __syncthreads();
  for (unsigned s = 512; s; s >>= 1) {
    if (t < s && t + s < all)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t)
    return;
  y[i / all] = part[0];
}

extern "C" __global__ void gemm(float *y, const float *x, float a, unsigned n) {
  __shared__ float left[8][8], right[8][8];
  const unsigned r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 8 + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < n; k += 8) {
    left[threadIdx.y][threadIdx.x] = x[r * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = x[(k + threadIdx.y) * n + c];
    __syncthreads();
    for (unsigned j = 0; j < 8; ++j)
      sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  y[r * n + c] = a * sum;
}

__attribute__((noinline)) __device__ float polynomial(float x, unsigned degree) {
  float sum = 1;
  for (unsigned i = 0; i < degree; ++i)
    sum = sum * x + 1;
  return sum;
}

extern "C" __global__ void calls(float *y, const float *x, float a, unsigned n) {
  const unsigned i = globalNumber();
  if (i < n)
    y[i] = polynomial(a * x[i], 3 + i % 4);
}

extern "C" __global__ void never(float *y, const float *, float, unsigned n) {
  if (globalNumber() >= n)
    __builtin_trap();
  y[globalNumber()] = 1;
}

extern "C" __global__ void empty(float *, const float *, float, unsigned) {}

extern "C" __global__ void stencil(float *y, const float *x, float a, unsigned n) {
  const unsigned i = globalNumber();
  if (i == 0 || i + 1 >= n)
    return;
  y[i] = a * (x[i - 1] + x[i + 1]) - 2 * x[i];
}

extern "C" __global__ void histogram(float *y, const float *x, float a, unsigned n) {
  __shared__ unsigned bins[16];
  const unsigned t = threadNumber(), i = globalNumber();
  if (t < 16)
    bins[t] = 0;
  __syncthreads();
  if (i < n)
    __nvvm_atom_add_gen_i((int *)&bins[(unsigned)(a * x[i]) % 16], 1);
  __syncthreads();
  if (t < 16)
    y[16 * (i / (blockDim.x * blockDim.y * blockDim.z)) + t] = bins[t];
}

template <typename T> __device__ T dot(const T *a, const T *b, unsigned n) {
  T sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

extern "C" __global__ void rows(float *y, const float *x, float a, unsigned n) {
  const unsigned i = globalNumber();
  if (i >= n)
    return;
  y[i] = a * dot(x, x + i, n - i);
}
