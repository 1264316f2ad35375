//===- LaunchApply.h - hooks around launches, in IR -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LAUNCHAPPLY_H
#define SEAMSCOPE_PASSES_LAUNCHAPPLY_H

#include "Hooks.h"
#include "launch/LaunchPlan.h"

#include "llvm/ADT/SmallVector.h"

namespace seamscope {

/// Marks these calls so that a later run of the pass over the same code, in a link, skips them.
void markLaunches(const LaunchesPlan &P);

/// Inserts hooks around the calls of \p P and adds the functions that contain them to \p Hooked.
void applyLaunches(llvm::Module &M, const LaunchesPlan &P, HookWriter &Hooks, SiteTable &Table,
                   llvm::SmallVectorImpl<llvm::Function *> &Hooked);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LAUNCHAPPLY_H
