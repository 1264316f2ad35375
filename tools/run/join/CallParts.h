//===- CallParts.h - the step part of a graph's call ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_CALLPARTS_H
#define SEAMSCOPE_TOOLS_RUN_CALLPARTS_H

#include "analysis/compare/Attribution.h"
#include "run/join/GraphWork.h"

namespace seamscope::tools {

/// Sets PlannedCall::Part and LayoutFor of a call of \p Work, whose other members are set.
void findPart(const GraphWork &Work, size_t Call, PlannedCall &Plan);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_CALLPARTS_H
