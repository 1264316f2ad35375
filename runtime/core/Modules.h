//===- Modules.h - the instrumented objects of the process -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_MODULES_H
#define SEAMSCOPE_CORE_MODULES_H

#include "seamscope/abi.h"

namespace seamscope {

/// Gives ids to the sites of a module, or of all, that have none yet. Only under Process::Lock.
void numberSites(SeamscopeModule &Module);
void numberSites();

/// Opens or shuts the gate of every module. Only under Process::Lock.
void setGates(bool Open);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_MODULES_H
