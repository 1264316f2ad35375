//===- Modules.h - the instrumented objects of the process -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_MODULES_H
#define SEAMSCOPE_CORE_MODULES_H

#include "seamscope/abi.h"

namespace seamscope {

/// Gives ids to those sites of a module, or of all modules, that have none. Only under
/// Process::Lock.
void numberSites(SeamscopeModule &Module);
void numberSites();

/// Opens or shuts the gates of all modules. Only under Process::Lock.
void setGates(bool Open);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_MODULES_H
