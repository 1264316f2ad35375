//===- OpCall.h - one call of an operator, for its formula ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_OPCALL_H
#define SEAMSCOPE_TOOLS_WORK_OPCALL_H

#include "work/Count.h"
#include "work/OpArguments.h"
#include "work/WorkFigures.h"

#include <array>
#include <initializer_list>
#include <string_view>

namespace seamscope::tools {

class OpCall;

/// The type or number of results of an operator; each formula interprets it.
enum class OpResult : uint8_t {
  Promote,     ///< torch's promotion of all operands
  Boolean,     ///< comparisons
  Real,        ///< like Promote, but integers give float32: sqrt, div
  First,       ///< the type of the first operand
  SkipFirst,   ///< like Promote, without the first operand, which is a condition
  Sum,         ///< the type of the input, but int64 for small integers
  Int64,       ///< int64
  WithIndices, ///< a result of the input's type and one of int64
  Two,         ///< two results of the input's type
};

/// A line of the registry.
struct OpRule {
  std::string_view Name; ///< without "aten::"; other namespaces are kept
  OpWorkKind Kind;
  bool Composite;
  bool List; ///< runs over lists of tensors, one of each at a time
  void (*Formula)(OpCall &);
  uint8_t Operands;   ///< the formula defines the meaning
  uint8_t PerElement; ///< operations per element
  uint8_t PerResult;  ///< additional operations per element of the result
  OpResult Type;
};

/// Dimensions that a formula derives.
class Dims {
public:
  Dims() = default;
  Dims(std::span<const int64_t> From) { append(From); }

  void push(int64_t Size) {
    if (Rank < OpArguments::MaxRank)
      Sizes[Rank++] = Size;
  }
  void append(std::span<const int64_t> More) {
    for (int64_t Size : More)
      push(Size);
  }
  size_t rank() const { return Rank; }
  int64_t &operator[](size_t I) { return Sizes[I]; }
  Count elements() const;
  /// Replaces this by the broadcast of both; false if they do not fit.
  bool broadcast(std::span<const int64_t> Other);
  operator std::span<const int64_t>() const { return {Sizes.data(), Rank}; }

private:
  std::array<int64_t, OpArguments::MaxRank> Sizes;
  size_t Rank = 0;
};

Count elementsOf(std::span<const int64_t> Dims);
/// The number of elements in memory: an expanded tensor has fewer than its dimensions say.
Count storedElements(const TensorRef &Tensor);

/// The arguments of a call and its figures so far. A formula that cannot continue gives a reason
/// and returns.
class OpCall {
public:
  OpCall(const OpRule &Rule, const OpArguments &Args, bool InPlace, DType Fallback)
      : Rule(Rule), Args(Args), InPlace(InPlace), Fallback(Fallback) {}

  const OpRule &Rule;
  const OpArguments &Args;
  const bool InPlace;
  /// The index of the current tensor in the lists.
  size_t Item = 0;
  /// Set for operators over lists.
  bool List = false;

  /// A tensor argument, or the current tensor of a list. Its type may be the fallback.
  std::optional<TensorRef> tensor(size_t Index) const;
  /// The same, but fails if there is none.
  std::optional<TensorRef> need(size_t Index);
  /// The same, but fails if its rank differs from \p Rank.
  std::optional<TensorRef> needRank(size_t Index, size_t Rank);

  void flop(Count More) { Flop += More; }
  void read(const TensorRef &Tensor) { move(storedElements(Tensor), Tensor.Type); }
  void readIfTensor(size_t Index);
  void move(Count Elements, DType Type);
  void compute(DType Type) {
    if (Compute == DType::Unknown)
      Compute = Type;
  }

  void noFlop(WorkUnknown Why);
  void noBytes(WorkUnknown Why);
  void fail(WorkUnknown Why) {
    noFlop(Why);
    noBytes(Why);
  }

  OpWork result() const;

private:
  DType Fallback;
  Count Flop, Bytes;
  DType Compute = DType::Unknown;
  WorkUnknown WhyFlop = WorkUnknown::No, WhyBytes = WorkUnknown::No;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_OPCALL_H
