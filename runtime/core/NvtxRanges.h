//===- NvtxRanges.h - kernels for the NVTX tool that is attached ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_NVTXRANGES_H
#define SEAMSCOPE_CORE_NVTXRANGES_H

namespace seamscope {

/// Has the NVTX tool that is configured, if any, notified of kernels and regions.
void loadNvtxRanges();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_NVTXRANGES_H
