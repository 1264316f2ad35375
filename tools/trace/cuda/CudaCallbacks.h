//===- CudaCallbacks.h - names of CUDA's calls by CUPTI's numbers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CUDACALLBACKS_H
#define SEAMSCOPE_TOOLS_TRACE_CUDACALLBACKS_H

#include <cstdint>
#include <string>

namespace seamscope::tools {

/// The function of the runtime or the driver to which CUPTI gave the number \p Id. The numbers
/// never change. Only functions that programs call often, launch with or wait in are listed here;
/// others are named like "CUDA runtime call 123".
std::string cudaCallName(bool Runtime, int64_t Id);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CUDACALLBACKS_H
