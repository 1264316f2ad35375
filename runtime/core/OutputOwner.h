//===- OutputOwner.h - which process of a program gets the trace's name ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_OUTPUTOWNER_H
#define SEAMSCOPE_CORE_OUTPUTOWNER_H

#include "core/Config.h"

namespace seamscope {

/// The process that the trace's name in \p C belongs to: the one that announced it to the programs
/// that it starts, else \p Pid itself.
uint32_t outputOwner(const Config &C, uint32_t Pid);

/// Puts into the environment that the name belongs to process \p Pid, whichever of the programs
/// that it starts ends first. Nothing happens where there is no memory.
void announceOutputOwner(const Config &C, uint32_t Pid);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_OUTPUTOWNER_H
