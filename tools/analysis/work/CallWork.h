//===- CallWork.h - the work of each call of a kernel -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions count their work by thread, and keep it apart where it changes from call to call. So
// the calls of a thread, in their order, have their work; that of a kernel's call is what its
// function, and the regions and tasks in the meantime, did.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CALLWORK_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CALLWORK_H

#include "analysis/work/ExecutedWork.h"

namespace seamscope::tools {

/// The work of all calls of one kernel.
struct CountedCalls {
  std::vector<uint32_t> Events;    ///< the calls, by begin
  std::vector<uint32_t> WorkOf;    ///< of each, an index of `Works`
  std::vector<ExecutedWork> Works; ///< each once
};

using CallWorkByKernel = std::map<KernelId, CountedCalls>;

/// Kernels are left out whose calls are not all in the trace, each with its
/// own work: calls were counted but not recorded, a thread's work differed too often, calls of one
/// kernel overlap, or its code is partly inlined elsewhere.
CallWorkByKernel workOfCalls(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CALLWORK_H
