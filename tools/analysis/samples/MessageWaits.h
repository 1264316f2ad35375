//===- MessageWaits.h - calls of MPI as times without work ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_MESSAGEWAITS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_MESSAGEWAITS_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Whether calls of a site are calls of MPI, which hooks timed.
bool isMessage(const Trace &Input, const Site &What);

/// Makes each timed call of MPI a stretch of Trace::OffCpu in which its thread is blocked:
/// libraries of MPI wait in loops, and for the switches of a thread that is work. \p Input is in
/// order.
void addMessageWaits(Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_MESSAGEWAITS_H
