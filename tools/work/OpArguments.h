//===- OpArguments.h - the recorded arguments of an operator --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_OPARGUMENTS_H
#define SEAMSCOPE_TOOLS_WORK_OPARGUMENTS_H

#include "work/DType.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A tensor as recorded. Sizes are never negative.
struct TensorRef {
  std::span<const int64_t> Dims;
  std::span<const int64_t> Strides; ///< in elements; empty if not recorded
  DType Type = DType::Unknown;
};

enum class ArgumentKind : uint8_t {
  None, ///< an optional argument that was not given, or one that the profiler cannot record
  Tensor,
  TensorList, ///< tensors whose types are not recorded
  Value,      ///< a number, a list of numbers, a boolean
};

/// The arguments of one call of an operator, from the four texts that torch.profiler writes into
/// its `args` with record_shapes=True. Keeps views into the texts, which must outlive this.
///
/// The texts are untrusted: if one is malformed, there are no arguments at all.
class OpArguments {
public:
  /// Limits; tensors and calls beyond them are rejected.
  static constexpr size_t MaxRank = 64;
  static constexpr size_t MaxArguments = 4096;

  OpArguments() = default;

  /// \p Dims ("[[4, 8], [], [[2], [3]]]") and \p Types (["float", "Scalar", "TensorList"]) are
  /// required. \p Strides (like Dims) and \p Concrete (["", "[1, 1]", ""]) may be empty. Takes time
  /// and memory linear in the texts.
  static OpArguments parse(std::string_view Dims, std::string_view Types, std::string_view Strides,
                           std::string_view Concrete);

  /// Appends an argument, for callers that do not have the profiler's texts. Values are views,
  /// which must outlive this. At most MaxArguments, of at most MaxRank.
  void addTensor(const TensorRef &Tensor);
  void addTensors(std::span<const TensorRef> List);
  void addValue(std::string_view Text);
  void addNone();

  /// Whether shapes and types were recorded.
  bool known() const { return Known; }
  size_t size() const { return Arguments.size(); }
  /// None for an index past the last argument.
  ArgumentKind kind(size_t Index) const;

  /// The number of tensors: 1 for a Tensor, the recorded ones of a TensorList, else 0. The profiler
  /// records a list of more than 30 as empty.
  size_t tensors(size_t Index) const;
  /// Tensor number \p Item of the argument.
  TensorRef tensor(size_t Index, size_t Item = 0) const;

  /// Whether the values of the arguments were recorded.
  bool hasConcrete() const { return HasConcrete; }
  /// The value as recorded: "[1, 1]", "False", "0.5"; empty without one.
  std::string_view concrete(size_t Index) const;
  std::optional<int64_t> integer(size_t Index) const;
  std::optional<bool> boolean(size_t Index) const;
  /// A list of integers; a list of booleans as ones and zeros.
  std::optional<std::vector<int64_t>> integers(size_t Index) const;

private:
  struct Shape {
    uint32_t First = 0;   ///< in Numbers
    uint32_t Strides = 0; ///< in Numbers; 0 if not recorded
    uint32_t Rank = 0;
  };
  struct Argument {
    ArgumentKind Kind = ArgumentKind::None;
    DType Type = DType::Unknown;
    uint32_t FirstShape = 0, Shapes = 0;
    std::string_view Concrete;
  };
  friend class ArgumentsParser;
  void addShape(const TensorRef &Tensor);

  std::vector<Argument> Arguments;
  std::vector<Shape> Shapes;
  std::vector<int64_t> Numbers{0};
  bool Known = false, HasConcrete = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_OPARGUMENTS_H
