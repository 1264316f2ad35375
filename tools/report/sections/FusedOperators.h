//===- FusedOperators.h - operators in generated kernels -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_FUSEDOPERATORS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_FUSEDOPERATORS_H

#include "report/sections/Sections.h"

namespace seamscope::tools {

/// `operators` and `recomputed` of kernels that torch generated and that counted their work.
Fields<KernelRow> fusedOperatorFields(const Context &In);

void addFusedOperators(Section &To, const Context &In);

/// `estimate` of such kernels.
Field<KernelRow> estimateField(const Context &In);
void addOperatorCosts(Section &To, const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_FUSEDOPERATORS_H
