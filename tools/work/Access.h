//===- Access.h - how operators use the memory of their tensors -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_ACCESS_H
#define SEAMSCOPE_TOOLS_WORK_ACCESS_H

#include <cstdint>
#include <string_view>

namespace seamscope::tools {

enum class OpAccess : uint8_t {
  Whole,   ///< each element of each input, each element of the result
  Part,    ///< a view of a part of its input: slice, select
  Lookup,  ///< elements of its first input that others name, as many as it returns
  Unknown, ///< no rule, or the contents of a tensor decide: index_put, scatter, masked_select
};

/// Whether an operator without a formula only moves, converts or fills elements.
bool onlyMoves(std::string_view Operator);

/// How a fused kernel that contains \p Operator ("aten::add") uses memory for it.
OpAccess accessOf(std::string_view Operator);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_ACCESS_H
