//===- DevicePlan.h - which GPU kernels to instrument ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICEPLAN_H
#define SEAMSCOPE_PASSES_DEVICEPLAN_H

#include "Plan.h"

namespace seamscope {

/// Whether \p M is code of a GPU: NVPTX, 64 bits.
bool isDeviceModule(const llvm::Module &M);

/// Whether \p F can be launched.
bool isDeviceKernel(const llvm::Function &F);

/// The plan of a device module: kernels, and functions that are left alone. Only what is launched
/// is timed, and all of it: a function that a kernel calls is a part of it. \p FAM serves the
/// analyses of its functions.
Plan makeDevicePlan(llvm::Module &M, const Selector &Select, const Options &Opts,
                    llvm::FunctionAnalysisManager &FAM);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICEPLAN_H
