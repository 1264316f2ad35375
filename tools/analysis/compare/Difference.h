//===- Difference.h - rows of two traces next to each other ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_DIFFERENCE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_DIFFERENCE_H

#include "analysis/compare/PlaceMatch.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace seamscope::tools {

/// What shows that the two sides of a row belong together.
enum class DiffMatch : uint8_t {
  Kernel,        ///< kernels of one name
  Renamed,       ///< kernels of two names, with the same contents
  Numbered,      ///< kernels whose names have numbers, in order
  Ambiguous,     ///< the same, but other pairs fit as well
  OperatorShape, ///< kernels of different names, launched by one operator on inputs of the same
                 ///< shapes
  Operator,      ///< the same with any shapes
  Path,          ///< launched inside the same annotations, by any operator
  None,          ///< one side only
  Unattributed,  ///< the part of the windows outside kernels
  Blocked,       ///< the part in which threads were blocked in kernels, and none worked
  Preempted,     ///< the part in which threads in kernels were ready, and none worked
  Spinning,      ///< the part in which threads in kernels ran but only waited, by samples
  Recording,     ///< the part in which hooks ran, by samples
};

/// Whether a row is of time of no kernel.
inline bool isOutside(DiffMatch Match) { return Match >= DiffMatch::Unattributed; }

/// One row. Times are parts of the windows, see selfTimes(): on each thread, a moment belongs to
/// the innermost call, and threads that work at the same time share it.
struct DiffRow {
  std::string Key; ///< name of the kernel or operator, with the inputs if they distinguish rows
  DiffMatch Match = DiffMatch::None;
  int64_t FirstNs = 0, SecondNs = 0;
  uint64_t FirstCalls = 0, SecondCalls = 0;

  int64_t deltaNs() const { return SecondNs - FirstNs; }
  bool isPair() const { return FirstNs > 0 && SecondNs > 0 && Match != DiffMatch::Ambiguous; }
};

/// A kernel that both traces have, or a place in one.
struct PlaceDiffRow {
  PlaceKind Kind = PlaceKind::Kernel;
  std::string Kernel;     ///< key of its row
  std::string Name;       ///< in the first trace if it is there, else in the second
  std::string SecondName; ///< in the second trace; empty: the same, or it has none
  uint32_t Depth = 0;     ///< 0: the kernel
  PlaceMatch Match = PlaceMatch::None;
  PlaceTimes First, Second; ///< the texts belong to the traces

  int64_t deltaNs() const { return Second.Ns - First.Ns; }
  /// Whether both sides are certainly one place; else there is no ratio.
  bool isPair() const { return First.Calls && Second.Calls && Match != PlaceMatch::Ambiguous; }
};

/// What rows call kernels, by their names in the two traces, if that is not their name.
struct RowNames {
  std::map<std::string, std::string> First, Second;
};

struct Difference {
  int64_t FirstWindowNs = 0, SecondWindowNs = 0;
  std::vector<DiffRow> Rows; ///< largest change first; the deltas add up to that of the windows
  /// For kernels that both traces have and that have regions or loops: each kernel before its
  /// places, and the kernels whose places changed most first. Loops only if both traces have some.
  std::vector<PlaceDiffRow> Places;
  bool FirstHasLoops = false, SecondHasLoops = false; ///< at all
  bool HasSwitches = false; ///< of the threads of all traces: else blocked time is in kernels
  RowNames Names;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DIFFERENCE_H
