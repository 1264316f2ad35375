//===- FusedOperators.h - operators in generated kernels -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_FUSEDOPERATORS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_FUSEDOPERATORS_H

#include "report/sections/Sections.h"
#include "torch/SourceLine.h"

namespace seamscope::tools {

/// `operators` and `recomputed` of kernels that torch generated and that counted their work.
Fields<KernelRow> fusedOperatorFields(const Context &In);

/// The work of an operator in a kernel, and where it comes from.
struct OperatorLine {
  const ExecutedWork *Work;
  std::optional<SourceLine> Python; ///< nothing: several lines, or not known
  bool IsRest = false;              ///< it is that of no single operator
  bool IsJoined = false;            ///< see FusedOperator
};

/// The operators of a kernel and the rest, whose work adds up to the kernel's. Empty: not known.
std::vector<OperatorLine> operatorLines(const ReportContext &In, const KernelRow &Row);

void addFusedOperators(Section &To, const Context &In);

/// `estimate` of such kernels.
Field<KernelRow> estimateField(const Context &In);
void addOperatorCosts(Section &To, const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_FUSEDOPERATORS_H
