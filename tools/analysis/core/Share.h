//===- Share.h - a part of a whole ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SHARE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SHARE_H

namespace seamscope::tools {

/// \p Part over \p Whole; 0 if the whole is 0.
double shareOf(auto Part, auto Whole) {
  return Whole > 0 ? static_cast<double>(Part) / static_cast<double>(Whole) : 0;
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SHARE_H
