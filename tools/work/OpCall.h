//===- OpCall.h - one call of an operator, as its formula sees it ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_OPCALL_H
#define SEAMSCOPE_TOOLS_WORK_OPCALL_H

#include "work/Count.h"
#include "work/OpWork.h"

#include <array>
#include <initializer_list>

namespace seamscope::tools {

class OpCall;

/// Which type or how many results an operator has; each formula says what it means there.
enum class OpResult : uint8_t {
  Promote,     ///< by torch's rules from all operands
  Boolean,     ///< comparisons
  Real,        ///< as Promote, but integers give float32: sqrt, div
  First,       ///< the type of the first operand
  SkipFirst,   ///< as Promote, without the first operand, a condition
  Sum,         ///< the type of the input, but int64 for small integers
  Int64,       ///< int64
  WithIndices, ///< one of the input's type and one of int64
  Two,         ///< two of the input's type
};

/// A line of the registry.
struct OpRule {
  std::string_view Name; ///< without "aten::"; others with their namespace
  OpWorkKind Kind;
  bool Composite;
  bool List; ///< over lists of tensors, one of each at a time
  void (*Formula)(OpCall &);
  uint8_t Operands;   ///< what it means is the formula's
  uint8_t PerElement; ///< operations for each element
  uint8_t PerResult;  ///< operations for each element of the result, besides
  OpResult Type;
};

/// The rule of an operator; null when there is none. \p InPlace: the call writes its first
/// argument.
/// \p List: the call does what the rule says for each tensor of its lists.
const OpRule *findRule(std::string_view Name, bool &InPlace, bool &List);

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
  /// Makes this the broadcast of both; false when they do not fit.
  bool broadcast(std::span<const int64_t> Other);
  operator std::span<const int64_t>() const { return {Sizes.data(), Rank}; }

private:
  std::array<int64_t, OpArguments::MaxRank> Sizes;
  size_t Rank = 0;
};

Count elementsOf(std::span<const int64_t> Dims);
/// The elements that a tensor has in memory: an expanded one has fewer than its dimensions say.
Count storedElements(const TensorRef &Tensor);

/// Arguments and the figures so far. A formula that cannot go on says why and returns.
class OpCall {
public:
  OpCall(const OpRule &Rule, const OpArguments &Args, bool InPlace, DType Fallback)
      : Rule(Rule), Args(Args), InPlace(InPlace), Fallback(Fallback) {}

  const OpRule &Rule;
  const OpArguments &Args;
  const bool InPlace;
  /// Which tensor of the lists; meaningless where there are none.
  size_t Item = 0;
  /// Set for operators over lists.
  bool List = false;

  /// A tensor argument, of a list the one whose turn it is. The type may be the fallback.
  std::optional<TensorRef> tensor(size_t Index) const;
  /// The same where a formula needs it; otherwise fails.
  std::optional<TensorRef> need(size_t Index);
  /// Tensors of a rank; fails otherwise.
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
