//===- DiffPlaces.h - regions, loops and waits of two traces -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_DIFFPLACES_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_DIFFPLACES_H

#include "analysis/compare/Diff.h"
#include "report/model/Document.h"

namespace seamscope::tools {

/// `places` and `loops` of `seamscope.diff/1`; \p Of must outlive the section.
void addPlaces(Section &To, const Difference &Of, size_t Top);
/// For the summary of the page: the places whose self time changed most.
void addLargestPlaces(Section &To, const Difference &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_DIFFPLACES_H
