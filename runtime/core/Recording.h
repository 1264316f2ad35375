//===- Recording.h - begins recording and switches its mode ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_RECORDING_H
#define SEAMSCOPE_CORE_RECORDING_H

#include "seamscope/seamscope.h"

namespace seamscope {

/// Reads the environment, once. Only with Process::Lock held.
void configure();

/// Reads the environment and opens the spool, once. Returns false if nothing can be recorded. Only
/// under SignalBlocker, with Process::Lock held.
bool ensureOpen();

/// Switches all gates. Only with Process::Lock held.
void applyMode(SeamscopeMode Mode);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_RECORDING_H
