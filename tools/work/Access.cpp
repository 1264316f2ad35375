//===- Access.cpp - how operators use the memory of their tensors ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Access.h"
#include "work/OpWork.h"

#include <algorithm>
#include <array>

namespace seamscope::tools {
namespace {

using std::string_view;

constexpr auto Parts = std::to_array<string_view>(
    {"aten::as_strided", "aten::chunk", "aten::diagonal", "aten::narrow", "aten::select",
     "aten::slice", "aten::split", "aten::split_with_sizes", "aten::unbind", "aten::unfold"});
constexpr auto Lookups =
    std::to_array<string_view>({"aten::_unsafe_index", "aten::embedding", "aten::gather",
                                "aten::index", "aten::index_select"});

/// Operators after autograd that have no rule, because eager programs do not run them as kernels of
/// their own or because only their bytes would count.
constexpr auto Moving = std::to_array<string_view>({"aten::arange",
                                                    "aten::constant_pad_nd",
                                                    "aten::empty",
                                                    "aten::empty_like",
                                                    "aten::flip",
                                                    "aten::full",
                                                    "aten::full_like",
                                                    "aten::lift_fresh_copy",
                                                    "aten::new_full",
                                                    "aten::new_ones",
                                                    "aten::new_zeros",
                                                    "aten::ones",
                                                    "aten::ones_like",
                                                    "aten::reshape",
                                                    "aten::roll",
                                                    "aten::scalar_tensor",
                                                    "aten::zeros",
                                                    "aten::zeros_like",
                                                    "aten::_unsafe_index",
                                                    "prims::broadcast_in_dim",
                                                    "prims::convert_element_type",
                                                    "prims::device_put",
                                                    "prims::iota",
                                                    "prims::view_of"});

bool holds(const auto &Names, string_view Name) {
  return std::ranges::find(Names, Name) != Names.end();
}

} // namespace

bool onlyMoves(string_view Operator) { return holds(Moving, Operator); }

OpAccess accessOf(string_view Operator) {
  if (holds(Parts, Operator))
    return OpAccess::Part;
  if (holds(Lookups, Operator))
    return OpAccess::Lookup;
  // Negative padding crops.
  if (onlyMoves(Operator))
    return Operator == "aten::constant_pad_nd" ? OpAccess::Unknown : OpAccess::Whole;
  switch (kindOf(Operator)) {
  case OpWorkKind::View:
  case OpWorkKind::MatMul:
  case OpWorkKind::Convolution:
  case OpWorkKind::Normalization:
  case OpWorkKind::Softmax:
  case OpWorkKind::Pointwise:
  case OpWorkKind::Reduction:
  case OpWorkKind::Scan:
  case OpWorkKind::Copy:
  case OpWorkKind::Fill:
  case OpWorkKind::Dropout:
    return OpAccess::Whole;
  case OpWorkKind::Unknown:
  case OpWorkKind::Attention:
  case OpWorkKind::Sort:
  case OpWorkKind::Embedding:
  case OpWorkKind::Index:
  case OpWorkKind::Pooling:
  case OpWorkKind::Loss:
  case OpWorkKind::Optimizer:
    break;
  }
  return OpAccess::Unknown;
}

} // namespace seamscope::tools
