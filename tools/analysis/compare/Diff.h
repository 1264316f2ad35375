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

/// By what the two sides of a row were found to belong together.
enum class DiffMatch : uint8_t {
  Kernel,        ///< kernels of one name
  Renamed,       ///< kernels of two names, by what is in them
  Numbered,      ///< kernels whose names have numbers, by their order
  Ambiguous,     ///< the same, where other pairs fit as well
  OperatorShape, ///< kernels of different names, launched by one operator on inputs of one shape
  Operator,      ///< the same, whatever the shapes
  Path,          ///< launched inside the same annotations, by whatever operator
  None,          ///< one side only
  Unattributed,  ///< of the windows, outside kernels
};

/// What a report calls it: "kernel", "renamed", "order", "ambiguous", "op+shape", "op", "path",
/// "none", "unattributed".
std::string_view diffMatchName(DiffMatch Match);

/// One row. Times are parts of the windows, see selfTimes(): each thread that works gives a moment
/// to its innermost call, and threads that work at once share it.
struct DiffRow {
  std::string Key; ///< name of the kernel or operator, with the inputs where these tell rows apart
  DiffMatch Match = DiffMatch::None;
  int64_t FirstNs = 0, SecondNs = 0;
  uint64_t FirstCalls = 0, SecondCalls = 0;

  int64_t deltaNs() const { return SecondNs - FirstNs; }
  bool isPair() const { return FirstNs > 0 && SecondNs > 0 && Match != DiffMatch::Ambiguous; }
};

/// \p Second over \p First; nothing where either is not above 0.
std::optional<double> ratioOf(int64_t First, int64_t Second);
/// The same of one call each.
std::optional<double> callRatioOf(int64_t First, uint64_t FirstCalls, int64_t Second,
                                  uint64_t SecondCalls);

/// What is in a kernel that both traces have, or the kernel itself.
struct PlaceDiffRow {
  PlaceKind Kind = PlaceKind::Kernel;
  std::string Kernel;     ///< key of its row
  std::string Name;       ///< in the first trace that has it
  std::string SecondName; ///< in the second trace; empty: the same, or it has none
  uint32_t Depth = 0;     ///< 0: the kernel
  PlaceMatch Match = PlaceMatch::None;
  PlaceTimes First, Second; ///< the texts are the traces'

  int64_t deltaNs() const { return Second.Ns - First.Ns; }
  /// Whether both sides are one place for certain: else there is no ratio.
  bool isPair() const { return First.Calls && Second.Calls && Match != PlaceMatch::Ambiguous; }
};

/// What kernels are called in rows, by their names in the two traces, where that is not their name.
struct RowNames {
  std::map<std::string, std::string> First, Second;
};

struct Difference {
  int64_t FirstWindowNs = 0, SecondWindowNs = 0;
  std::vector<DiffRow> Rows; ///< largest change first; all deltas add up to that of the windows
  /// Of kernels that both traces have and that have regions or loops: a kernel before what is in
  /// it, kernels whose places changed most first. Loops where both traces have some.
  std::vector<PlaceDiffRow> Places;
  bool FirstHasLoops = false, SecondHasLoops = false; ///< at all
  RowNames Names;
};

/// Compares kernels of devices, or where neither trace has any the compiled kernels and the
/// operators of the host: both sides in the same terms, so that what is compiled in one of them
/// alone stands beside the operators that went. Where one of them alone has a device, its kernels
/// stand beside what the other one has, kernels or operators. \p Texts: the sources, for following
/// the places in kernels from one version to another.
Difference difference(const Trace &First, const Trace &Second, const SourceTexts &Texts = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H
