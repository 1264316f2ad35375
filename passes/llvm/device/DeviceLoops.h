//===- DeviceLoops.h - time that GPU threads spend in loops ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICELOOPS_H
#define SEAMSCOPE_PASSES_DEVICELOOPS_H

#include "device/DeviceTable.h"
#include "loops/LoopApply.h"

namespace seamscope {

/// Keeps as many \p Loops of a kernel as a slot has records for and skips the rest, innermost
/// first.
void limitDeviceLoops(LoopsPlan &Loops);

/// The loops of one kernel in the order of their records, with each loop's parent.
std::vector<DeviceLoop> deviceLoops(const std::vector<LoopPlan> &All, const llvm::Function &Kernel);

/// Makes the warps of a kernel add the time that their threads spend in \p Loops to their records.
/// \p Number is the number of the warp's slot plus one, or 0.
void insertDeviceLoops(DeviceTable &Table, const LoopsOfFunction &Loops,
                       llvm::ArrayRef<DeviceLoop> Order, llvm::Value *Number);

/// Zeroes the first \p Count records of the slot \p Number before \p Before.
void zeroDeviceLoops(DeviceTable &Table, llvm::Instruction *Before, llvm::Value *Number,
                     size_t Count);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICELOOPS_H
