//===- OpWork.cpp - FLOPs and bytes of an operator, by formula ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/OpWork.h"
#include "work/Formulas.h"

#include <algorithm>
#include <unordered_map>

namespace seamscope::tools {
namespace {

using enum OpWorkKind;
using enum OpResult;

constexpr OpRule Rules[] = {
#define RULE(NAME, KIND, COMPOSITE, LIST, FORMULA, OPERANDS, ELEMENT, RESULT, TYPE)                \
  {NAME, KIND, COMPOSITE, LIST, formulas::FORMULA, OPERANDS, ELEMENT, RESULT, TYPE},
#define OP(NAME, KIND, FORMULA, OPERANDS, ELEMENT, RESULT, TYPE)                                   \
  RULE(#NAME, KIND, false, false, FORMULA, OPERANDS, ELEMENT, RESULT, TYPE)
#define NAMED(NAME, KIND, FORMULA, OPERANDS, ELEMENT, RESULT, TYPE)                                \
  RULE(NAME, KIND, false, false, FORMULA, OPERANDS, ELEMENT, RESULT, TYPE)
#define CALL(NAME, KIND, FORMULA, OPERANDS, ELEMENT, RESULT, TYPE)                                 \
  RULE(#NAME, KIND, true, false, FORMULA, OPERANDS, ELEMENT, RESULT, TYPE)
#define LIST(NAME, KIND, FORMULA) RULE(#NAME, KIND, false, true, FORMULA, 0, 0, 0, Promote)
#define UNARY(NAME, ELEMENT) OP(NAME, Pointwise, pointwise, 1, ELEMENT, 0, Promote)
#define BINARY(NAME, ELEMENT) OP(NAME, Pointwise, pointwise, 2, ELEMENT, 0, Promote)
#define REAL(NAME, OPERANDS, ELEMENT) OP(NAME, Pointwise, pointwise, OPERANDS, ELEMENT, 0, Real)
#define COMPARE(NAME, OPERANDS) OP(NAME, Pointwise, pointwise, OPERANDS, 1, 0, Boolean)
#define VIEW(NAME) OP(NAME, View, nothing, 0, 0, 0, Promote)
#include "work/OpRules.def"
#undef VIEW
#undef COMPARE
#undef REAL
#undef BINARY
#undef UNARY
#undef LIST
#undef CALL
#undef NAMED
#undef OP
#undef RULE
};

const OpRule *exactRule(std::string_view Name) {
  static const std::unordered_map<std::string_view, const OpRule *> ByName = [] {
    std::unordered_map<std::string_view, const OpRule *> Map;
    for (const OpRule &R : Rules)
      Map.emplace(R.Name, &R);
    return Map;
  }();
  const auto Found = ByName.find(Name);
  return Found == ByName.end() ? nullptr : Found->second;
}

/// The number of tensors that an operator over lists processes.
size_t itemsOf(const OpArguments &Arguments) {
  size_t Items = 0;
  for (size_t I = 0; I < Arguments.size(); ++I)
    if (Arguments.kind(I) == ArgumentKind::TensorList)
      Items = std::max(Items, Arguments.tensors(I));
  return Items;
}

/// The rule of an operator, or null. \p InPlace: the call writes its first argument. \p List: the
/// rule applies to each tensor of the call's lists.
const OpRule *findRule(std::string_view Name, bool &InPlace, bool &List) {
  InPlace = List = false;
  if (Name.starts_with("aten::"))
    Name.remove_prefix(6);
  else if (Name.find("::") == std::string_view::npos)
    return nullptr; // a user's record_function name, not an operator
  if (Name.starts_with("_foreach_")) {
    Name.remove_prefix(9);
    List = true;
  }
  const OpRule *Rule = exactRule(Name);
  if (!Rule && Name.ends_with('_')) {
    Rule = exactRule(Name.substr(0, Name.size() - 1));
    InPlace = Rule != nullptr;
  }
  if (Rule && Rule->List)
    List = true;
  return Rule;
}

} // namespace

bool hasFormula(std::string_view Name) {
  bool InPlace = false, List = false;
  const OpRule *Rule = findRule(Name, InPlace, List);
  return Rule && Rule->Kind != View;
}

OpWorkKind kindOf(std::string_view Name) {
  bool InPlace = false, List = false;
  const OpRule *Rule = findRule(Name, InPlace, List);
  return Rule ? Rule->Kind : Unknown;
}

OpWork workOf(std::string_view Name, const OpArguments &Arguments, DType Fallback) {
  bool InPlace = false, List = false;
  const OpRule *Rule = findRule(Name, InPlace, List);
  OpWork Missing;
  if (!Rule) {
    Missing.Why = WorkUnknown::Operator;
    return Missing;
  }
  if (Rule->Kind != View && !Arguments.known()) {
    Missing.Kind = Rule->Kind;
    Missing.Composite = Rule->Composite;
    Missing.Why = WorkUnknown::Shapes;
    return Missing;
  }
  OpCall Call(*Rule, Arguments, InPlace, Fallback);
  if (!List) {
    Rule->Formula(Call);
    return Call.result();
  }
  Call.List = true;
  const size_t Items = itemsOf(Arguments);
  if (!Items)
    Call.fail(WorkUnknown::LongList);
  for (Call.Item = 0; Call.Item < Items; ++Call.Item)
    Rule->Formula(Call);
  return Call.result();
}

std::string_view nameOf(OpWorkKind Kind) {
  switch (Kind) {
  case Unknown:
    return "unknown";
  case View:
    return "view";
  case MatMul:
    return "matmul";
  case Convolution:
    return "convolution";
  case Attention:
    return "attention";
  case Normalization:
    return "normalization";
  case Softmax:
    return "softmax";
  case Pointwise:
    return "pointwise";
  case Reduction:
    return "reduction";
  case Scan:
    return "scan";
  case Sort:
    return "sort";
  case Embedding:
    return "embedding";
  case OpWorkKind::Index:
    return "index";
  case Copy:
    return "copy";
  case Fill:
    return "fill";
  case Dropout:
    return "dropout";
  case Pooling:
    return "pooling";
  case Loss:
    return "loss";
  case Optimizer:
    return "optimizer";
  }
  return "unknown";
}

std::string_view nameOf(WorkSource Source) {
  switch (Source) {
  case WorkSource::None:
    return "";
  case WorkSource::Counted:
    return "counted";
  case WorkSource::Recorded:
    return "recorded";
  case WorkSource::Graph:
    return "graph";
  case WorkSource::Formula:
    return "formula";
  }
  return "";
}

std::string_view textOf(WorkUnknown Why) {
  switch (Why) {
  case WorkUnknown::No:
    return "known";
  case WorkUnknown::Operator:
    return "no formula for this operator";
  case WorkUnknown::Shapes:
    return "shapes were not recorded (record_shapes=True)";
  case WorkUnknown::ElementType:
    return "the element type was not recorded (--dtype)";
  case WorkUnknown::LongList:
    return "the profiler leaves out lists of more than 30 tensors";
  case WorkUnknown::Argument:
    return "an argument that the formula needs was not recorded";
  case WorkUnknown::Data:
    return "depends on the contents of a tensor";
  case WorkUnknown::NoCount:
    return "the number of operations depends on the algorithm";
  case WorkUnknown::Inconsistent:
    return "the recorded shapes cannot be those of this operator";
  case WorkUnknown::Overflow:
    return "does not fit in 64 bits";
  }
  return "unknown";
}

} // namespace seamscope::tools
