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

/// A loop of a kernel that both traces have, or one of them. Times are of all threads together.
struct LoopDiffRow {
  std::string Kernel;                        ///< name
  std::string Loop;                          ///< name, and the calls through which it was inlined
  uint32_t Depth = 1;                        ///< 1: in the kernel or one of its regions
  int64_t FirstNs = 0, SecondNs = 0;         ///< with what is in it
  int64_t FirstSelfNs = 0, SecondSelfNs = 0; ///< without other loops, calls and waits in it
  uint64_t FirstCalls = 0, SecondCalls = 0;  ///< 0: that trace has no such loop
};

struct Difference {
  int64_t FirstWindowNs = 0, SecondWindowNs = 0;
  std::vector<DiffRow> Rows; ///< largest change first; all deltas add up to that of the windows
  std::vector<LoopDiffRow> Loops;                     ///< see addLoopDifference()
  bool FirstHasLoops = false, SecondHasLoops = false; ///< at all
};

/// Compares kernels of devices, or where neither trace has any the compiled kernels and the
/// operators of the host: both sides in the same terms, so that what is compiled in one of them
/// alone stands beside the operators that went. Where one of them alone has a device, its kernels
/// stand beside what the other one has, kernels or operators.
Difference difference(const Trace &First, const Trace &Second);

/// Compares loops of kernels that both traces have: by the kernel's name, then the loop's, its
/// file, line, column and inlining, and that of the loops around it, then by their order. A
/// kernel's loops stand together, by place, kernels whose loops changed most first. Empty where one
/// of the traces has none.
void addLoopDifference(Difference &To, const Trace &First, const Trace &Second);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H
