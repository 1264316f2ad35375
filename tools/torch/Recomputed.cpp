//===- Recomputed.cpp - nodes that kernels compute again ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/Recomputed.h"

#include <algorithm>
#include <array>

namespace seamscope::tools {
namespace {

using std::string_view;

struct Pointwise {
  string_view Name;
  /// Its C++ code in any form (vectors, scalars, approximations) contains one of these; empty if no
  /// text is specific to it.
  string_view Either, Or = {};
};

constexpr auto PointwiseOps = std::to_array<Pointwise>({{"abs", ""},
                                                        {"acos", "acos"},
                                                        {"add", ""},
                                                        {"asin", "asin"},
                                                        {"atan", "atan"},
                                                        {"atan2", "atan2"},
                                                        {"bitwise_and", ""},
                                                        {"bitwise_not", ""},
                                                        {"bitwise_or", ""},
                                                        {"bitwise_xor", ""},
                                                        {"ceil", "ceil"},
                                                        {"clamp", ""},
                                                        {"clamp_max", ""},
                                                        {"clamp_min", ""},
                                                        {"cos", "cos"},
                                                        {"cosh", "cosh", "exp"},
                                                        {"div", ""},
                                                        {"eq", ""},
                                                        {"erf", "erf"},
                                                        {"erfc", "erfc"},
                                                        {"exp", "exp"},
                                                        {"exp2", "exp"},
                                                        {"expm1", "exp"},
                                                        {"floor", "floor"},
                                                        {"fmod", "fmod"},
                                                        {"ge", ""},
                                                        {"gt", ""},
                                                        {"le", ""},
                                                        {"lgamma", "lgamma"},
                                                        {"log", "log"},
                                                        {"log10", "log"},
                                                        {"log1p", "log"},
                                                        {"log2", "log"},
                                                        {"logical_and", ""},
                                                        {"logical_not", ""},
                                                        {"logical_or", ""},
                                                        {"lt", ""},
                                                        {"maximum", ""},
                                                        {"minimum", ""},
                                                        {"mul", ""},
                                                        {"ne", ""},
                                                        {"neg", ""},
                                                        {"pow", ""},
                                                        {"reciprocal", ""},
                                                        {"relu", ""},
                                                        {"remainder", ""},
                                                        {"round", "round"},
                                                        {"rsqrt", "sqrt"},
                                                        {"rsub", ""},
                                                        {"sigmoid", "exp", "sigmoid"},
                                                        {"sign", ""},
                                                        {"sin", "sin"},
                                                        {"sinh", "sinh", "exp"},
                                                        {"sqrt", "sqrt"},
                                                        {"sub", ""},
                                                        {"tan", "tan"},
                                                        {"tanh", "tanh", "exp"},
                                                        {"trunc", "trunc"},
                                                        {"where", ""}});

/// The entry of a pointwise node, or null.
const Pointwise *pointwise(const FxNode &Node) {
  constexpr string_view Start = "torch.ops.aten.";
  string_view Name = Node.Target;
  if (!Name.starts_with(Start))
    return nullptr;
  Name.remove_prefix(Start.size());
  Name = Name.substr(0, Name.find('.'));
  const auto *Found = std::ranges::find(PointwiseOps, Name, &Pointwise::Name);
  return Found == PointwiseOps.end() ? nullptr : Found;
}

} // namespace

bool isPointwise(const FxNode &Node) { return pointwise(Node); }

bool canCompute(string_view Source, const FxNode &Node) {
  const Pointwise *Known = pointwise(Node);
  return !Known || Source.find(Known->Either) != Source.npos ||
         (!Known->Or.empty() && Source.find(Known->Or) != Source.npos);
}

} // namespace seamscope::tools
