//===- DeviceLoops.h - what threads of GPUs spend in loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICELOOPS_H
#define SEAMSCOPE_PASSES_DEVICELOOPS_H

#include "device/DeviceTable.h"
#include "loops/LoopApply.h"

namespace seamscope {

/// Leaves those of \p Loops, of one kernel, that a slot has records for; the rest are skipped,
/// those further in first.
void limitDeviceLoops(LoopsPlan &Loops);

/// The loops of one kernel in the order of their records, with the loop around each.
std::vector<DeviceLoop> deviceLoops(const std::vector<LoopPlan> &All, const llvm::Function &Kernel);

/// Has the warps of a kernel add what their threads spend in \p Loops to their records, which
/// \p Number, the warp's number of slot plus one, or 0, tells.
void insertDeviceLoops(DeviceTable &Table, const LoopsOfFunction &Loops,
                       llvm::ArrayRef<DeviceLoop> Order, llvm::Value *Number);

/// Zeroes the first \p Count records of the slot \p Number, before \p Before.
void zeroDeviceLoops(DeviceTable &Table, llvm::Instruction *Before, llvm::Value *Number,
                     size_t Count);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICELOOPS_H
