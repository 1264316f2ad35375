//===- LineWork.h - counted work next to lines of code ------------ C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_LINEWORK_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_LINEWORK_H

#include "report/sections/Context.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// What lines of one file executed, from 1.
using WorkByLine = std::map<uint32_t, ExecutedWork>;

/// Adds what \p Row executed at lines of \p File.
void addLinesOf(WorkByLine &To, const ReportContext &In, const KernelRow &Row,
                std::string_view File);

/// Puts \p Lines next to those of \p Of.
void addLineWork(Code &Of, const WorkByLine &Lines);

/// Puts the nearest roof of the timed loops of \p Row that begin at lines of \p File next to these:
/// that of the loops' own work, without inner timed loops, in the time of the same code. Nothing
/// where a loop of the line has no time or its work is not known. Memory behind L1 is left out: the
/// distinct bytes of a loop are not counted.
void addLineRoofs(Code &Of, const ReportContext &In, const KernelRow &Row, std::string_view File);

/// "1.31 M FLOPs, 2.00 GB read, 1.00 GB written".
std::string workText(const ExecutedWork &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_LINEWORK_H
