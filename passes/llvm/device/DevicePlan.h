//===- DevicePlan.h - which GPU kernels to instrument ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICEPLAN_H
#define SEAMSCOPE_PASSES_DEVICEPLAN_H

#include "Plan.h"

namespace seamscope {

/// Whether \p M is GPU code: 64-bit NVPTX.
bool isDeviceModule(const llvm::Module &M);

/// Whether the host can launch \p F.
bool isDeviceKernel(const llvm::Function &F);

/// The plan of a device module. Every launchable function is timed as a whole: device functions
/// that it calls are part of it. \p FAM provides the analyses of its functions.
Plan makeDevicePlan(llvm::Module &M, const Selector &Select, const Options &Opts,
                    llvm::FunctionAnalysisManager &FAM);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICEPLAN_H
