//===- DeviceApply.h - stamps in GPU kernels, in IR ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICEAPPLY_H
#define SEAMSCOPE_PASSES_DEVICEAPPLY_H

#include "Plan.h"
#include "work/WorkApply.h"

namespace seamscope {

/// Makes the kernels of \p P, in the device module \p M, write their stamps: seamscope/gpu.h.
/// Kernels with counters \p Rooms add these to the sums of their launch.
void applyToDevice(llvm::Module &M, const Plan &P, llvm::ArrayRef<WorkRoom> Rooms);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICEAPPLY_H
