//===- FusedCall.cpp - work of fused kernels, from a trace ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/FusedCall.h"
#include "kernels/InductorNames.h"
#include "work/Access.h"
#include "work/OpCall.h"
#include "work/OpWork.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

using std::string_view;

constexpr auto Pointwise = string_view("triton_poi_fused_");
constexpr auto Reductions = std::to_array<string_view>({"triton_red_fused_", "triton_per_fused_"});

/// Versions of Inductor that cut names keep this many operators (config.kernel_name_max_ops).
constexpr size_t CutAt = 10;

/// The operators in the name of a fused loop, without the number at its end.
std::vector<std::string> operatorsOf(string_view Kernel) {
  string_view Middle = Kernel.substr(Pointwise.size());
  const size_t Number = Middle.rfind('_') + 1;
  if (std::ranges::all_of(Middle.substr(Number), [](unsigned char C) { return std::isdigit(C); }))
    Middle = Middle.substr(0, Number ? Number - 1 : 0);
  return splitInductorName(Middle);
}

bool computes(const std::string &Operator) {
  const OpWorkKind Kind = kindOf(Operator);
  return !onlyMoves(Operator) && Kind != OpWorkKind::View && Kind != OpWorkKind::Copy &&
         Kind != OpWorkKind::Fill;
}

/// Sizes that a result of the call may have, by the numbers after its tensors: the kernel's
/// elements, for a reduction also its rows. Empty: not known.
std::vector<int64_t> resultSizes(string_view Kernel, const OpArguments &Arguments, size_t Tensors) {
  std::vector<int64_t> Numbers;
  for (size_t I = Tensors; I < Arguments.size(); ++I)
    if (const auto Number = Arguments.integer(I); Number && *Number >= 0)
      Numbers.push_back(*Number);
    else
      return {};
  // More numbers would be sizes that are not fixed, of which any may come first.
  const bool IsPointwise = Kernel.starts_with(Pointwise);
  if (Numbers.empty() || Numbers.size() > 2 || (!IsPointwise && Numbers.size() != 2))
    return {};
  const std::optional<int64_t> All =
      (Count(Numbers.front()) * (Numbers.size() == 2 ? Numbers.back() : 1)).value();
  if (!All)
    return {};
  return IsPointwise ? std::vector{*All} : std::vector{Numbers.front(), *All};
}

} // namespace

bool isFusedTritonLoop(string_view Kernel) {
  return Kernel.starts_with(Pointwise) || std::ranges::any_of(Reductions, [&](string_view Start) {
           return Kernel.starts_with(Start);
         });
}

FusedWork fusedCallWork(string_view Kernel, const OpArguments &Arguments) {
  FusedWork Made;
  const auto Fail = [&](const std::string &Why) {
    Made.FlopWhy = Made.FlopWhy.empty() ? Why : Made.FlopWhy;
    Made.BytesWhy = Why;
    return Made;
  };
  if (!Arguments.known())
    return Fail(std::string(textOf(WorkUnknown::Shapes)));
  const std::vector<std::string> Operators = operatorsOf(Kernel);
  if (Operators.size() == CutAt)
    return Fail(fmt::format("its name may be cut after {} operators", CutAt));
  bool Computes = false;
  for (const std::string &Name : Operators) {
    const std::string Operator = "aten::" + Name;
    Computes |= computes(Operator);
    if (accessOf(Operator) == OpAccess::Whole)
      continue;
    if (accessOf(Operator) != OpAccess::Unknown)
      return Fail(fmt::format("{} may read a part of a tensor", Operator));
    return Fail(fmt::format("{}: shapes do not say what it reads and writes", Operator));
  }
  if (Computes)
    Made.FlopWhy = "its name lists an operator once, however often it runs";
  else
    Made.Flop = 0;

  size_t Tensors = 0;
  Count Sum = 0;
  for (; Arguments.kind(Tensors) == ArgumentKind::Tensor; ++Tensors) {
    const TensorRef Each = Arguments.tensor(Tensors);
    if (Each.Type == DType::Unknown)
      return Fail(std::string(textOf(WorkUnknown::ElementType)));
    Sum += storedElements(Each) * sizeOf(Each.Type);
  }
  for (size_t I = Tensors; I < Arguments.size(); ++I)
    if (Arguments.tensors(I))
      return Fail("its arguments are not those of a fused loop");
  Made.Bytes = Sum.value();
  if (!Tensors || !Made.Bytes) {
    Made.Bytes.reset();
    return Fail(Tensors ? std::string(textOf(WorkUnknown::Overflow)) : "it has no tensors");
  }
  // Arguments that are changed in place come first and have the size of a result.
  const std::vector<int64_t> Sizes = resultSizes(Kernel, Arguments, Tensors);
  const std::optional<int64_t> First = elementsOf(Arguments.tensor(0).Dims).value();
  Made.BytesAtLeast = Sizes.empty() || !First || std::ranges::find(Sizes, *First) != Sizes.end();
  return Made;
}

} // namespace seamscope::tools
