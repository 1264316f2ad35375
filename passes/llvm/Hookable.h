//===- Hookable.h - which code can have hooks ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_HOOKABLE_H
#define SEAMSCOPE_PASSES_HOOKABLE_H

#include "Reason.h"

#include "llvm/IR/Module.h"
#include <optional>

namespace seamscope {

/// Whether the runtime supports the target of \p M: ELF objects for Linux on a 64-bit processor,
/// not a GPU. Modules without a target count as the host's.
bool isSupportedTarget(const llvm::Module &M);

/// Why \p F cannot have hooks, whoever asks for them: in a kernel, in the body of a region, or
/// around a fork. None if it can.
std::optional<Reason> whyNotHookable(const llvm::Function &F);

/// Marks the coroutines of \p M before they are split: the parts of a split coroutine would look
/// like any other function. Returns true if there are any.
bool markCoroutines(llvm::Module &M);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_HOOKABLE_H
