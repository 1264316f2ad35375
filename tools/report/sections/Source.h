//===- Source.h - one kernel beside where it comes from, as a section ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCE_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCE_H

#include "report/sections/Context.h"

namespace seamscope::tools {

class SourceRoots;

/// One kernel for `seamscope source`: its calls and time and its source with the time of what was
/// timed in it; of one that torch generated also the nodes and lines of Python that it stands for.
/// The source of another one is read if it lies in \p Roots.
void addKernelSource(Section &To, const Context &In, const KernelRow &Row,
                     const SourceRoots &Roots);

/// The line on which a function ends that begins on line \p First of a C or C++ file: where its
/// braces close. \p First where none does within some hundred lines. Comments over several lines
/// and raw strings are not looked into.
uint32_t lastLineOfFunction(std::string_view Source, uint32_t First);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCE_H
