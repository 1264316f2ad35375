//===- Hookable.h - what can have hooks at all -----------------------------===//
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

/// Whether there is a runtime for the code that \p M becomes: an ELF object for Linux on a
/// processor of 64 bits, no GPU. Modules without a target count as the host's.
bool isSupportedTarget(const llvm::Module &M);

/// What forbids hooks in \p F, whoever wants them: in a kernel, in the body of a region, and
/// around a fork. None where they may stand.
std::optional<Reason> whyNotHookable(const llvm::Function &F);

/// Marks the coroutines of \p M, which are not split yet. Each part of a split one has the
/// attributes of the whole and would look like any other function. True if there are any.
bool markCoroutines(llvm::Module &M);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_HOOKABLE_H
