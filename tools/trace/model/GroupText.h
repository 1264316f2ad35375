//===- GroupText.h - descriptions of fused groups -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON object that the MLIR passes put into a kernel's `ops`
// (docs/formats.md, "Groups").
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_GROUPTEXT_H
#define SEAMSCOPE_TOOLS_TRACE_GROUPTEXT_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// An operator of a group.
struct GroupOp {
  std::string Name; ///< its name in the front end: `aten.add.Tensor`
  std::string Op;   ///< the MLIR operation: `linalg.generic`
  std::string Type; ///< of its results: `tensor<4x8xf32>`
  std::string File; ///< empty: not known
  uint32_t Line = 0, Column = 0;
};

/// A count for one call; if sizes are dynamic, the expression (`2*arg0.0*arg1.1`: dimension 0 of
/// argument 0, ...). Neither: not known.
struct GroupAmount {
  std::optional<int64_t> Value;
  std::string Expression;
};

struct GroupText {
  std::vector<GroupOp> Ops; ///< in the module's order
  uint64_t More = 0;        ///< operators that are not listed
  GroupAmount Flop;
  GroupAmount Bytes;        ///< read from outside and written for others
  GroupAmount UnfusedBytes; ///< if each operator read and wrote everything
};

/// Whether \p Ops is such an object rather than a list of names.
constexpr bool isGroupText(std::string_view Ops) { return Ops.starts_with('{'); }

/// Reads Site::Group; nothing if it is not such an object.
std::optional<GroupText> parseGroupText(std::string_view Group);

/// Gives \p What its operators: a list of names, or a group with its figures.
void setOperators(Site &What, std::string_view Ops, StringTable &Strings);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_GROUPTEXT_H
