//===- Attributes.h - attributes that hooks make untrue --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_ATTRIBUTES_H
#define SEAMSCOPE_PASSES_ATTRIBUTES_H

#include "llvm/IR/Module.h"

namespace seamscope {

/// Removes the attributes that hooks make untrue from the functions \p Hooked, from every function
/// of \p M that may reach them, and from the calls between. Linear in the size of the call graph.
void repairAttributes(llvm::Module &M, llvm::ArrayRef<llvm::Function *> Hooked);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_ATTRIBUTES_H
