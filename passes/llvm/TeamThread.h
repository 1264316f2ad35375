//===- TeamThread.h - the number of a thread in its team -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_TEAMTHREAD_H
#define SEAMSCOPE_PASSES_TEAMTHREAD_H

#include "llvm/IR/Module.h"

namespace seamscope {

/// The function `int()` that a region's hook calls for the number of the calling thread in its
/// team. Created if \p M does not have it.
llvm::Function *teamThreadFunction(llvm::Module &M);

/// The same for a league: the number of the team.
llvm::Function *teamFunction(llvm::Module &M);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_TEAMTHREAD_H
