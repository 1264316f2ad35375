// The parts of CUDA's headers that launches need, so that no toolkit has to be installed.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
using cudaStream_t = struct CUstream_st *;

extern "C" {
int cudaLaunchKernel(const void *, dim3, dim3, void **, unsigned long, cudaStream_t);
int cudaGraphLaunch(void *, cudaStream_t);
unsigned __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0, cudaStream_t = nullptr);
}
