//===- NvtxText.cpp - what the text of an NVTX range says -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/cuda/NvtxText.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// Cuts ", KEY = VALUE" off the end of \p Text, if \p IsValue accepts VALUE.
template <typename F>
bool cutOff(std::string_view &Text, std::string_view Key, F IsValue, std::string_view &Value) {
  const size_t At = Text.rfind(Key);
  if (At == Text.npos || At == 0 || !IsValue(Text.substr(At + Key.size())))
    return false;
  Value = Text.substr(At + Key.size());
  Text = Text.substr(0, At);
  return true;
}

bool isNumber(std::string_view Text) { return !Text.empty() && std::ranges::all_of(Text, isDigit); }

/// "[[4, 8], []]": lists of numbers, or, for tensor lists, of such lists.
bool isSizes(std::string_view Text) {
  constexpr int MaxDepth = 4;
  int Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == '[' ? ++Depth > MaxDepth : C == ']' ? --Depth < 0 : Depth == 0)
      return false;
    if (C == ']' && Depth == 0)
      return I + 1 == Text.size() && I > 0;
    if (!isDigit(C) && std::string_view("[], -").find(C) == std::string_view::npos)
      return false;
  }
  return false;
}

/// "[(3,0), (4,1)]": the operators that made the inputs.
bool isEdges(std::string_view Text) {
  return Text.starts_with('[') && Text.ends_with(']') && std::ranges::all_of(Text, [](char C) {
           return isDigit(C) || std::string_view("[](), -").find(C) != std::string_view::npos;
         });
}

/// "aten::add", "autograd::engine::evaluate_function: AddBackward0": in a namespace.
bool isQualified(std::string_view Name) {
  const size_t At = Name.find("::");
  return At != Name.npos && At > 0 && std::ranges::all_of(Name.substr(0, At), [](char C) {
           return isDigit(C) || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
         });
}

/// These distinguish operators from other C++ names if torch recorded only the name.
bool isOfTorch(std::string_view Name) {
  for (const std::string_view Space : {"aten::", "prim::", "prims::", "c10::", "c10d::",
                                       "autograd::", "torch::", "torchvision::", "quantized::"})
    if (Name.starts_with(Space))
      return true;
  return false;
}

} // namespace

NvtxText parseNvtxText(std::string_view Text) {
  NvtxText Result;
  std::string_view Value;
  cutOff(Text, ", input_op_ids = ", isEdges, Value);
  const bool HasSizes = cutOff(Text, ", sizes = ", isSizes, Result.Sizes);
  const bool HasId = cutOff(Text, ", op_id = ", isNumber, Value);
  const bool HasSequence = cutOff(Text, ", seq = ", isNumber, Value);
  Result.Name = Text;
  Result.IsOperator = HasSizes || HasSequence || (HasId && isQualified(Text)) || isOfTorch(Text);
  return Result;
}

} // namespace seamscope::tools
