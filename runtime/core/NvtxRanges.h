//===- NvtxRanges.h - kernels for the configured NVTX tool ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_NVTXRANGES_H
#define SEAMSCOPE_CORE_NVTXRANGES_H

namespace seamscope {

/// Arranges for the configured NVTX tool, if any, to be notified of kernels and regions.
void loadNvtxRanges();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_NVTXRANGES_H
