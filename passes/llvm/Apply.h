//===- Apply.h - the only code that changes IR -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_APPLY_H
#define SEAMSCOPE_PASSES_APPLY_H

#include "Plan.h"

namespace seamscope {

/// Instruments \p M as \p Plan says. \p Plan's pointers into the module stay valid.
void apply(llvm::Module &M, const Plan &P);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_APPLY_H
