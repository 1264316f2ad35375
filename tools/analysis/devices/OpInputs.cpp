//===- OpInputs.cpp - the inputs of an operator's call --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/OpInputs.h"
#include "trace/io/JsonParse.h"
#include "trace/io/JsonText.h"

#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using nlohmann::json;

/// Element \p Index of \p Array; null: no such element.
const json *at(const json &Array, size_t Index) {
  return Array.is_array() && Index < Array.size() ? &Array[Index] : nullptr;
}

std::string textOf(const json *Value) {
  if (!Value)
    return {};
  return Value->is_string() ? Value->get<std::string>() : jsonText(*Value);
}

} // namespace

OpInputs inputsOf(const Trace &Input, const Site &What) {
  OpInputs Result;
  const json Dims = parseJson(Input.text(What.InputDims));
  const json Types = parseJson(Input.text(What.InputTypes));
  const json Values = parseJson(Input.text(What.InputValues));
  const size_t Count = Types.is_array() ? Types.size() : Dims.is_array() ? Dims.size() : 0;
  for (size_t I = 0; I < Count; ++I) {
    const std::string Type = textOf(at(Types, I));
    const DType Element = typeOfProfilerName(Type);
    const json *Shape = at(Dims, I);
    std::string Text;
    if (Element != DType::Unknown || (Shape && !Shape->empty() && Shape->is_array())) {
      Text = Shape ? textOf(Shape) : "[]";
      Text += Element == DType::Unknown ? Type : nameOf(Element);
    } else {
      Text = textOf(at(Values, I));
    }
    if (Text.empty())
      continue;
    if (!Result.Text.empty())
      Result.Text += ';';
    Result.Text += Text;
    const bool Better =
        Result.Elements == DType::Unknown || (categoryOf(Result.Elements) < DTypeCategory::Real &&
                                              categoryOf(Element) >= DTypeCategory::Real);
    if (Element != DType::Unknown && Better)
      Result.Elements = Element;
  }
  return Result;
}

OpArguments argumentsOf(const Trace &Input, const Site &What) {
  if (!What.InputDims)
    return {};
  return OpArguments::parse(Input.text(What.InputDims), Input.text(What.InputTypes),
                            Input.text(What.InputStrides), Input.text(What.InputValues));
}

} // namespace seamscope::tools
