//===- GraphBreak.h - graph breaks and recompilations of torch.compile ----===//
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
  std::vector<SourceLine> Stack;   ///< frames of the user's program, outermost first
  std::vector<std::string> Graphs; ///< compile ids of the graphs that it ended, "1/0"

  /// The first hint for the program's author, not for torch's developers; empty if there is none.
  std::string_view action() const;
};

/// Why an earlier graph of the same function did not fit.
struct FailedGuard {
  std::string Graph;  ///< its compile id; empty: unknown
  std::string Reason; ///< "tensor 'x' size mismatch at index 0. expected 8, actual 9"
};

/// A recompilation of a function.
struct Recompile {
  std::string Graph; ///< compile id of the new graph
  SourceLine Where;  ///< the function
  std::vector<FailedGuard> Failed;
  /// torch's recompile limit was reached: nothing was compiled, and calls that do not fit an
  /// earlier graph run eagerly from then on.
  bool LimitReached = false;
};

/// Reads the payload of dynamo_graph_break_reason.
GraphBreak parseGraphBreak(std::string_view Text);

/// Reads the payload of recompile_reasons: lines, or a JSON array of them.
std::vector<FailedGuard> parseFailedGuards(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_GRAPHBREAK_H
