//===- GraphBreak.h - where and why torch.compile gave up or began anew ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_GRAPHBREAK_H
#define SEAMSCOPE_TOOLS_TORCH_GRAPHBREAK_H

#include "torch/SourceLine.h"

#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A place where dynamo ended a graph because it could not follow the program.
struct GraphBreak {
  SourceLine Where;
  std::string Reason;              ///< one line
  std::string Explanation;         ///< one line, or empty
  std::vector<std::string> Hints;  ///< one line each
  std::vector<SourceLine> Stack;   ///< of the user's program, outermost first
  std::vector<std::string> Graphs; ///< compile ids that met it, "1/0"

  /// The first hint that the program's author can follow: not to report an issue, nor to change
  /// torch. Empty: no such hint.
  std::string_view action() const;
};

/// Why an earlier graph of the same function did not fit.
struct FailedGuard {
  std::string Graph;  ///< its compile id; empty: unknown
  std::string Reason; ///< "tensor 'x' size mismatch at index 0. expected 8, actual 9"
};

/// A function that was compiled again.
struct Recompile {
  std::string Graph; ///< compile id of the new graph
  SourceLine Where;  ///< the function
  std::vector<FailedGuard> Failed;
  /// Torch's limit of recompilations was reached: nothing was compiled, and from then on calls that
  /// no earlier graph fits run in eager mode.
  bool LimitReached = false;
};

/// Reads the payload of dynamo_graph_break_reason.
GraphBreak parseGraphBreak(std::string_view Text);

/// Reads the payload of recompile_reasons: lines, or a JSON array of them.
std::vector<FailedGuard> parseFailedGuards(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_GRAPHBREAK_H
