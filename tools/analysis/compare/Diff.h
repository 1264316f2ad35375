//===- Diff.h - two traces, row by row ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H
#define SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seamscope::tools {

/// By what the two sides of a row were found to belong together.
enum class DiffMatch : uint8_t {
  Kernel,        ///< kernels of one name
  OperatorShape, ///< kernels of different names, launched by one operator on inputs of one shape
  Operator,      ///< likewise, whatever the shapes
  Path,          ///< launched inside the same annotations, by whatever operator
  None,          ///< one side only
  Unattributed,  ///< of the windows, no kernel's
};

/// What a report calls it: "kernel", "op+shape", "op", "path", "none", "unattributed".
std::string_view diffMatchName(DiffMatch Match);

/// One row. Times are parts of the windows, see selfTimes(): each thread that works gives a moment
/// to its innermost call, and threads that work at once share it.
struct DiffRow {
  std::string Key; ///< name of the kernel or operator, with the inputs where these tell rows apart
  DiffMatch Match = DiffMatch::None;
  int64_t FirstNs = 0, SecondNs = 0;
  uint64_t FirstCalls = 0, SecondCalls = 0;

  int64_t deltaNs() const { return SecondNs - FirstNs; }
};

struct Difference {
  int64_t FirstWindowNs = 0, SecondWindowNs = 0;
  std::vector<DiffRow> Rows; ///< largest change first; all deltas add up to that of the windows
};

/// Compares kernels of devices, or where neither trace has any the compiled kernels and the
/// operators of the host: both sides in the same terms, so that what is compiled in one of them
/// alone stands beside the operators that went. Where one of them alone has a device, its kernels
/// stand beside what the other one has, kernels or operators.
Difference difference(const Trace &First, const Trace &Second);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H
