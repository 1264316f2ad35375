//===- Fork.h - children that the process forks ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_FORK_H
#define SEAMSCOPE_CORE_FORK_H

#include "core/ModeHistory.h"

namespace seamscope {

/// Forgets the parent's spool and threads, in a child that was forked without the fork handlers.
void leaveParentsSpool();
inline void checkForFork() {
  if (SEAMSCOPE_UNLIKELY(!loadRelaxed(&Owner.Mask)))
    leaveParentsSpool();
}

/// Installs the fork handlers, once.
void watchForks();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_FORK_H
