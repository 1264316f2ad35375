//===- Apply.h - the only code that changes IR -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_APPLY_H
#define SEAMSCOPE_PASSES_APPLY_H

#include "Plan.h"
#include "work/WorkApply.h"

namespace seamscope {

/// Instruments \p M as \p Plan says, and lets functions hand over the words of \p Rooms when a call
/// ends. \p Plan's pointers into the module stay valid.
void apply(llvm::Module &M, const Plan &P, llvm::ArrayRef<WorkRoom> Rooms);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_APPLY_H
