//===- PlaceDiff.h - places in the kernels of two traces ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PLACEDIFF_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PLACEDIFF_H

#include "analysis/compare/Difference.h"
#include "trace/model/Trace.h"

#include <map>
#include <string>

namespace seamscope::tools {

/// Fills the places and names of \p To. \p How: how kernels were found that do not have equal
/// names, by the keys of their rows.
std::map<std::string, PlaceMatch> addPlaces(Difference &To, const Trace &First, const Trace &Second,
                                            const SourceTexts &Texts, bool SplitOff);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PLACEDIFF_H
