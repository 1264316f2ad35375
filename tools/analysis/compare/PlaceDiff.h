//===- PlaceDiff.h - what is in the kernels of two traces, row by row -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PLACEDIFF_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PLACEDIFF_H

#include "analysis/compare/Diff.h"

namespace seamscope::tools {

/// Fills the places and names of \p To. By the keys of their rows: how kernels were found, if not
/// by their names.
std::map<std::string, PlaceMatch> addPlaces(Difference &To, const Trace &First, const Trace &Second,
                                            const SourceTexts &Texts);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PLACEDIFF_H
