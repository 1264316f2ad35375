//===- KernelTable.h - kernel tables of device modules ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_KERNELTABLE_H
#define SEAMSCOPE_CUDA_KERNELTABLE_H

#include <cuda.h>

#include <cstdint>
#include <vector>

namespace seamscope::cuda {

class OwnStream;

/// Where a timed loop of a kernel is.
struct LoopPlace {
  uint32_t Name = 0, File = 0, Line = 0, Column = 0;
  uint32_t Parent = 0; ///< as in SeamscopeGpuKernelLoop
  uint32_t InlinedFrom = 0;
};

/// The source place of a kernel. Texts are ids (Entries.h); 0: unknown.
struct KernelPlace {
  uint32_t Name = 0, File = 0, Line = 0;
  std::vector<LoopPlace> Loops;
};

/// What the counters of a kernel count.
struct KernelCounts {
  uint32_t Text = 0; ///< id of the JSON; 0: not known
  uint32_t Words = 0;
};

/// Whether the driver can list a module's kernels, as from CUDA 12.4 on. If not, each kernel's
/// entry is read when it is launched.
bool listsKernels(CUmodule Module);

/// Reads the table entries of all kernels of a module in the current context, which is the
/// stream's, if the driver can list them.
void readKernels(const OwnStream &By, CUmodule Module);

/// Reads the table entry of one kernel.
void readKernel(const OwnStream &By, CUmodule Module, CUfunction Function);

/// The place of the kernel with number \p Id (seamscope_gpu_kernel_id), as read before.
KernelPlace kernelPlace(uint32_t Id);

/// What SeamscopeGpuCounts::id \p Id says, as read before.
KernelCounts kernelCounts(uint64_t Id);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_KERNELTABLE_H
