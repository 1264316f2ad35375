//===- Diff.h - two traces, row by row ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H
#define SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H

#include "analysis/compare/PlaceMatch.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <map>
#include <optional>
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
};

/// Its name in reports: "kernel", "renamed", "order", "ambiguous", "op+shape", "op", "path",
/// "none", "unattributed".
std::string_view diffMatchName(DiffMatch Match);

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

/// \p Second over \p First; nothing unless both are above 0.
std::optional<double> ratioOf(int64_t First, int64_t Second);
/// The same for one call each.
std::optional<double> callRatioOf(int64_t First, uint64_t FirstCalls, int64_t Second,
                                  uint64_t SecondCalls);

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
  RowNames Names;
};

/// Compares kernels of devices. If neither trace has any, it compares the compiled kernels and the
/// operators of the host, on both sides: what is compiled in only one trace is next to the
/// operators that it replaced. If only one has a device, its kernels are next to the other's
/// kernels or operators. \p Texts: the sources, to follow places in kernels from one version to
/// another.
Difference difference(const Trace &First, const Trace &Second, const SourceTexts &Texts = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H
