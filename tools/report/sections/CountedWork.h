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

/// The time in which a kernel's counted work was executed; nothing where the counters, which cover
/// calls that ended while recording was on, do not cover the calls of the row.
std::optional<WorkTime> kernelTime(const ReportContext &In, const KernelRow &Row);
/// That of a loop of the kernel, by its name.
std::optional<WorkTime> loopTime(const ReportContext &In, const KernelRow &Row,
                                 std::string_view Loop);

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
/// The same of one of its loops. Memory beyond L1 is only known where the kernel has no other loop.
RoofShares loopRoofs(const ReportContext &In, const KernelRow &Row, std::string_view Loop);
/// "L1 84 %"; "none (L1 10 %)" where no roof bounds, "? (L1 10 %)" where another one may. Nothing:
/// not known.
std::string shownRoof(const RoofShares &Of);

/// `work`, `work_time`, `footprint`, `roof` and `lines` of kernels.
Fields<KernelRow> countedFields(const Context &In);

/// `work`, `work_time` and `roof` of loops.
Fields<LoopRow> countedLoopFields(const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_COUNTEDWORK_H
