//===- Renumber.h - gives sites and texts of a part new numbers ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_RENUMBER_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_RENUMBER_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Numbers sites and texts in the order of the events that have them, and drops sites that nothing
/// refers to. Tables order equal rows by these numbers: a part of a trace and a file that was cut
/// out of it then show them alike.
void renumber(Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_RENUMBER_H
