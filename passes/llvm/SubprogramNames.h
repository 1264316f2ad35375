//===- SubprogramNames.h - symbols of functions in line tables -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_SUBPROGRAMNAMES_H
#define SEAMSCOPE_PASSES_SUBPROGRAMNAMES_H

#include "llvm/IR/Module.h"

namespace seamscope {

/// Line tables alone (-gline-tables-only) have names without classes and namespaces: `scale`. Puts
/// the symbols of the functions of \p M into their debug information, where those that are inlined
/// can be found later.
void nameSubprograms(llvm::Module &M);

/// Removes these symbols again: the debug information of the object is that of the compiler.
void restoreSubprograms(llvm::Module &M);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_SUBPROGRAMNAMES_H
