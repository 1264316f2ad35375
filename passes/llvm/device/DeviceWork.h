//===- DeviceWork.h - sums of counters of GPU kernels ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICEWORK_H
#define SEAMSCOPE_PASSES_DEVICEWORK_H

#include "device/DeviceTable.h"
#include "work/WorkApply.h"

namespace seamscope {

/// Whether the architecture of \p F can compare numbers of a warp's threads: from sm_70 on.
bool canAddUp(const llvm::Function &F);

/// Makes the threads that leave a kernel together before \p Exit add their counters \p Room to the
/// sums of their launch. \p Kernel: SeamscopeGpuKernel::id; \p Counts: SeamscopeGpuCounts::id.
void insertDeviceWork(DeviceTable &Table, const WorkRoom &Room, llvm::Instruction *Exit,
                      uint32_t Kernel, uint64_t Counts);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICEWORK_H
