// The parts of CUDA's headers that these kernels need, so that no toolkit has to be installed.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(most) __attribute__((launch_bounds(most)))

struct Places {
  unsigned x, y, z;
};
#define PLACE(place) static_cast<unsigned>(__nvvm_read_ptx_sreg_##place())
#define PLACES(x_, y_, z_) (Places{PLACE(x_), PLACE(y_), PLACE(z_)})
#define threadIdx PLACES(tid_x, tid_y, tid_z)
#define blockDim PLACES(ntid_x, ntid_y, ntid_z)
#define blockIdx PLACES(ctaid_x, ctaid_y, ctaid_z)
#define gridDim PLACES(nctaid_x, nctaid_y, nctaid_z)

extern "C" __device__ void __syncthreads(void);
