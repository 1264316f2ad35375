//===- Alignment.h - matches two sequences of operators -------------------===//
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
  /// Expected operators: the call that takes over the time. Operators with the same owner are one
  /// piece of work. Negative: no call does.
  int64_t Owner = -1;

  bool operator==(const ShapedOp &) const = default;
};

/// Whether both shapes are known and equal.
inline bool sameShapes(const ShapedOp &A, const ShapedOp &B) {
  return A.Shapes && B.Shapes && *A.Shapes == *B.Shapes;
}

/// How sure it is that a call is the expected one.
enum class Aligned : uint8_t {
  No,      ///< has no certain counterpart
  ByOrder, ///< by its place between proven calls
  Proven,  ///< same operator and shapes, in order
};

struct AlignedOp {
  Aligned How = Aligned::No;
  int64_t Owner = -1;                    ///< that of the expected one
  std::optional<uint32_t> Expected = {}; ///< its index; nothing if only the owner is known
};

/// Finds the expected operator for each of \p Calls, which a run made; both sides are in order. If
/// all that is expected between two proven calls has one owner, the calls there go to that owner.
std::vector<AlignedOp> align(const std::vector<ShapedOp> &Expected,
                             const std::vector<ShapedOp> &Calls);

/// The shapes of tensors with at least one dimension in a text like "[[4,128],[],[128]]". Their
/// order does not depend on the order of the arguments.
std::string shapesIn(std::string_view Dimensions);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_ALIGNMENT_H
