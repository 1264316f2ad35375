//===- GroupMarkers.h - calls that mark operator groups --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_GROUPMARKERS_H
#define SEAMSCOPE_PASSES_GROUPMARKERS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// The calls of the MLIR passes that begin, or end, a group. Other uses of the functions are left
/// out.
llvm::SmallVector<llvm::CallInst *> groupEnters(const llvm::Module &M);
llvm::SmallVector<llvm::CallInst *> groupExits(const llvm::Module &M);

/// Whether \p F has markers: then its groups are timed instead of the function.
bool hasGroups(const llvm::Function &F);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_GROUPMARKERS_H
