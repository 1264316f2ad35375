//===- Diff.h - renders the difference of two traces ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_DIFF_H
#define SEAMSCOPE_TOOLS_REPORT_DIFF_H

#include "analysis/compare/Diff.h"

#include <string>

namespace seamscope::tools {

struct DiffInput {
  const Trace *First;
  const Trace *Second;
  const Difference *Result;
  size_t Top = SIZE_MAX; ///< rows shown
  size_t Width = 0;      ///< of the text's lines, as Table takes it
};

/// For people; bytes of the input that a terminal would obey are escaped.
std::string diffText(const DiffInput &Input, bool Colours);

/// seamscope.diff/1, described in docs/formats.md.
std::string diffJson(const DiffInput &Input);

/// One line a row; times in ns.
std::string diffCsv(const DiffInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_DIFF_H
