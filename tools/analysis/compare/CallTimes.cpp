//===- CallTimes.cpp - times of a graph's calls and of operators ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/CallTimes.h"

namespace seamscope::tools {

OpTimes &operator+=(OpTimes &To, const OpTimes &Other) {
  To.Calls += Other.Calls;
  To.Ns += Other.Ns;
  To.Proven += Other.Proven;
  To.BytesCalls += Other.BytesCalls;
  if (__builtin_add_overflow(To.Bytes, Other.Bytes, &To.Bytes)) { // sizes are impossible
    To.Bytes = 0;
    To.BytesCalls = 0;
  }
  To.Work.add(Other.Work.Of, Other.Work.Calls);
  return To;
}

OpTimes sumOf(const OpsByShape &Ops) {
  OpTimes Sum;
  for (const auto &[Name, Each] : Ops)
    Sum += Each;
  return Sum;
}

void CallTimes::add(const CallTimes &Other) {
  Calls += Other.Calls;
  CompiledNs += Other.CompiledNs;
  EagerNs += Other.EagerNs;
  for (const auto &[Name, Times] : Other.Ops)
    Ops[Name] += Times;
  int64_t Sum = 0;
  Bytes = Bytes && Other.Bytes && !__builtin_add_overflow(*Bytes, *Other.Bytes, &Sum)
              ? std::optional(Sum)
              : std::nullopt;
  Shared |= Other.Shared;
  Groups.insert(Other.Groups.begin(), Other.Groups.end());
  if (LayoutFor.empty())
    LayoutFor = Other.LayoutFor;
  Paired.addBeside(Other.Paired);
}

void CallTimes::addSteps(const CallTimes &Other, uint32_t Before) {
  PairedTimes Both = Paired;
  Both.addSteps(Other.Paired, Before);
  add(Other);
  Paired = Both;
}

bool CallTimes::isSlower(double Factor) const {
  if (!compares() || EagerNs <= 0)
    return false;
  if (const std::optional<RatioEstimate> Ratio = Paired.ratio())
    return Ratio->differs() && Ratio->Value * Factor < 1;
  return static_cast<double>(CompiledNs) > Factor * static_cast<double>(EagerNs);
}

std::optional<SavedBytes> CallTimes::savedBytes() const {
  const OpTimes Eager = sumOf(Ops);
  if (!Bytes || Shared || !Eager.Calls || Eager.BytesCalls != Eager.Calls)
    return std::nullopt;
  // Both are lower bounds. A call that must move more than the operators that it replaced handles
  // something that they did not, such as a weight that was packed for it: the two cannot be
  // compared.
  if (*Bytes > Eager.Bytes)
    return std::nullopt;
  return SavedBytes{Eager.Bytes, *Bytes};
}

} // namespace seamscope::tools
