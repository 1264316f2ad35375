//===- CountedWork.h - FLOPs and bytes that kernels counted --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_COUNTEDWORK_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_COUNTEDWORK_H

#include "report/sections/Sections.h"
#include "report/sections/WorkRoofs.h"

namespace seamscope::tools {

/// What a kernel of the host counted; null: nothing, or it cannot be told from kernels of the same
/// name.
const KernelWork *countedWork(const ReportContext &In, const KernelRow &Row);
/// The same, also of a GPU kernel.
const KernelWork *anyWork(const ReportContext &In, const KernelRow &Row);

/// Threads that ran a kernel at most: those of its teams.
unsigned threadsOf(const KernelRow &Row);

/// `work` of a kernel or of a part of it, over all calls.
Fields<ExecutedWork> executedFields();

/// "12", "<=12", "3 to 12"; "+ ?" behind it: there is more that is not known.
std::string shownBounds(const Bounds &Of, bool IsWhole, std::string (*Show)(double));
/// "1.31 M".
std::string shownFlop(double Flop);
/// The exact value, if it is known, shown by shownBounds().
Cell boundsCell(const Bounds &Of, bool IsWhole, std::string (*Show)(double));
/// "expf 1.31 M, tanhf 12".
std::string shownMath(const ExecutedWork &Of);

/// How near a kernel of the host came to the machine's roofs; nothing in it: not known.
RoofShares kernelRoofs(const ReportContext &In, const KernelRow &Row);

/// `work`, `footprint`, `roof` and `lines` of kernels.
Fields<KernelRow> countedFields(const Context &In);

/// `work` of loops.
Field<LoopRow> countedLoopField(const Context &In);

void addCountedWork(Section &To, const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_COUNTEDWORK_H
