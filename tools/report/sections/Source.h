//===- Source.h - the source of one kernel -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCE_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCE_H

#include "report/sections/Context.h"

#include <map>

namespace seamscope::tools {

class SourceRoots;

/// One kernel for `seamscope source`: its calls and time, and its source with the times of its
/// parts. For one that torch generated, also the nodes and Python lines that it stands for. The
/// source of other kernels is read if it is in \p Roots.
void addKernelSource(Section &To, const Context &In, const KernelRow &Row,
                     const SourceRoots &Roots);

/// Time by line, in ns.
using LineTimes = std::map<uint32_t, int64_t>;

/// Lines [\p First, \p Last] of \p Rest, the whole file, with their times.
Code codeOf(std::string Title, std::string_view Rest, uint32_t First, uint32_t Last,
            const LineTimes &Times);

/// The sum of the lines of a file, and that of the same kernels on lines of others.
std::string lineTimesText(const LineTime &Here, const LineTime &Elsewhere);

/// The last line of a function that begins on line \p First of a C or C++ file: where its braces
/// close. \p First if none close within some hundred lines. Does not understand multi-line comments
/// or raw strings.
uint32_t lastLineOfFunction(std::string_view Source, uint32_t First);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCE_H
