//===- Statements.h - what the statements of generated C++ say -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ESTIMATE_STATEMENTS_H
#define SEAMSCOPE_TOOLS_ESTIMATE_STATEMENTS_H

#include "torch/LoopNodes.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// One line of Inductor's C++.
struct CodeStatement {
  bool IsVector = false;    ///< of at::vec's vectors, else of single values
  std::string_view Pointer; ///< tensor that it loads or stores, "in_ptr0"; empty: none
                            ///< a view of the source
  /// Each iteration of all loops around it accesses another element of that: the index has all
  /// their variables.
  bool IsStream = false;
  /// Variable that it computes from its own value, "tmp_acc0_vec"; empty: none. A view of the
  /// source.
  std::string_view Accumulator;
  unsigned Registers =
      1; ///< that hold Accumulator: as many chains, which do not wait for each other
};

/// By line, from 0. \p Loops: codeLoops() of \p Source.
std::vector<CodeStatement> statementsOf(std::string_view Source, std::span<const CodeLoop> Loops);

/// The width in bits of the vectors that \p Source loads; 0: it loads none of floats or doubles.
unsigned vectorBits(std::string_view Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ESTIMATE_STATEMENTS_H
