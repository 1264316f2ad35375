//===- Alignment.h - sets two sequences of operators side by side --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_ALIGNMENT_H
#define SEAMSCOPE_TOOLS_ANALYSIS_ALIGNMENT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// An operator with the shapes of its inputs.
struct ShapedOp {
  std::string Name;
  std::optional<std::string> Shapes; ///< as shapesIn() gives them; nothing: not known
  /// Expected operators: what takes over the time; operators with the same one are one piece of
  /// work. Negative: nothing does.
  int64_t Owner = -1;

  bool operator==(const ShapedOp &) const = default;
};

/// Whether the shapes of both are known, and equal.
inline bool sameShapes(const ShapedOp &A, const ShapedOp &B) {
  return A.Shapes && B.Shapes && *A.Shapes == *B.Shapes;
}

/// How sure it is that a call is the expected one.
enum class Aligned : uint8_t {
  No,      ///< it has no counterpart that is certain
  ByOrder, ///< by its place between calls that are proven
  Proven,  ///< same operator and shapes, in order
};

struct AlignedOp {
  Aligned How = Aligned::No;
  int64_t Owner = -1;                    ///< as of the expected one
  std::optional<uint32_t> Expected = {}; ///< its index; nothing where only the owner is known
};

/// Finds for each of \p Calls, what a run did, the expected operator, in order on both sides. Calls
/// between proven ones are given to the owner of all that is expected there, if that is one.
std::vector<AlignedOp> align(const std::vector<ShapedOp> &Expected,
                             const std::vector<ShapedOp> &Calls);

/// The shapes of tensors with at least one dimension in a text like "[[4,128],[],[128]]", in an
/// order that does not depend on that of the arguments.
std::string shapesIn(std::string_view Dimensions);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_ALIGNMENT_H
