//===- Hooks.h - the hot path ---------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_HOOKS_H
#define SEAMSCOPE_CORE_HOOKS_H

#include "seamscope/abi.h"

namespace seamscope {

/// Opens a call without notifying mirrors. No other copy of the library may serve the process.
void enterUnmirrored(const SeamscopeSite *Site, SeamscopeFrame *Frame);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_HOOKS_H
