//===- Parts.cpp - the parts that a step's time is attributed to ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Parts.h"
#include "analysis/core/Operators.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace seamscope::tools {
namespace {

using std::string_view;

/// Products, by a part of their names: `_grouped_mm`, `transformers::grouped_mm_fallback`.
constexpr auto MatMulWords = std::to_array<string_view>(
    {"mm", "bmm", "addmm", "baddbmm", "linear", "qlinear", "qconv1d", "qconv2d", "qconv3d"});

constexpr auto MatMuls = std::to_array<string_view>({"addbmm",
                                                     "addmv",
                                                     "addr",
                                                     "mv",
                                                     "matmul",
                                                     "einsum",
                                                     "bilinear",
                                                     "dot",
                                                     "vdot",
                                                     "outer",
                                                     "ger",
                                                     "tensordot",
                                                     "chain_matmul",
                                                     "convolution",
                                                     "_convolution",
                                                     "conv1d",
                                                     "conv2d",
                                                     "conv3d",
                                                     "conv_transpose1d",
                                                     "conv_transpose2d",
                                                     "conv_transpose3d",
                                                     "mkldnn_convolution",
                                                     "convolution_overrideable",
                                                     "convolution_backward",
                                                     "_slow_conv2d_forward",
                                                     "thnn_conv2d",
                                                     "_convolution_pointwise"});

bool isMatMul(string_view Bare) {
  if (std::ranges::find(MatMuls, Bare) != MatMuls.end())
    return true;
  for (const auto Word : std::views::split(Bare, '_'))
    if (std::ranges::find(MatMulWords, string_view(Word.begin(), Word.end())) != MatMulWords.end())
      return true;
  return false;
}

constexpr auto Views = std::to_array<string_view>(
    {"view",       "_unsafe_view", "reshape", "permute",          "transpose", "t",
     "expand",     "expand_as",    "squeeze", "unsqueeze",        "slice",     "select",
     "as_strided", "getitem",      "split",   "split_with_sizes", "chunk",     "unbind",
     "detach",     "alias",        "unfold",  "diagonal",         "view_as",   "movedim",
     "swapaxes",   "numpy_T",      "narrow",  "flatten",          "unflatten", "lift_fresh"});

} // namespace

string_view keyOf(StepPart Part) {
  constexpr std::array<string_view, StepParts> Keys = {
      "gemm", "attention", "memory_bound", "other", "overhead", "unknown", "idle", "unattributed"};
  return Keys[static_cast<size_t>(Part)];
}

string_view titleOf(StepPart Part) {
  constexpr std::array<string_view, StepParts> Titles = {
      "GEMM and convolution", "attention", "memory-bound (fused)", "other operators",
      "framework overhead",   "[unknown]", "idle (waits)",         "[unattributed]"};
  return Titles[static_cast<size_t>(Part)];
}

string_view titleOnDevice(StepPart Part) {
  if (Part == StepPart::Overhead)
    return "GPU idle: not launched";
  return Part == StepPart::Idle ? "GPU idle: launched" : titleOf(Part);
}

StepPart partOfOperator(string_view Name) {
  // The library does not matter: aten::, mkldnn::, mkl::.
  const size_t Colons = Name.rfind("::");
  const std::string Bare = bareOperator(Colons == Name.npos ? Name : Name.substr(Colons + 2));
  if (Bare.find("scaled_dot_product") != Bare.npos || Bare.find("flex_attention") != Bare.npos ||
      Bare.find("flash_attention") != Bare.npos)
    return StepPart::Attention;
  return isMatMul(Bare) ? StepPart::MatMul : StepPart::Other;
}

bool isView(string_view Name) {
  const std::string Bare = bareOperator(Name);
  return Bare.starts_with("view_as_") || std::ranges::find(Views, Bare) != Views.end();
}

} // namespace seamscope::tools
