//===- OpInputs.cpp - the inputs of an operator's call --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/OpInputs.h"
#include "trace/io/JsonParse.h"

#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using nlohmann::json;

/// Element \p Index of the array \p Key; null: there is none.
const json *at(const json &Inputs, const char *Key, size_t Index) {
  const auto Found = Inputs.find(Key);
  if (Found == Inputs.end() || !Found->is_array() || Index >= Found->size())
    return nullptr;
  return &(*Found)[Index];
}

std::string textOf(const json *Value) {
  if (!Value)
    return {};
  return Value->is_string() ? Value->get<std::string>()
                            : Value->dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace

std::string_view dimensionsIn(std::string_view Inputs) {
  constexpr std::string_view Head = "{\"dims\":";
  const size_t End = Inputs.find(",\"types\":");
  if (!Inputs.starts_with(Head) || End == Inputs.npos)
    return {};
  return Inputs.substr(Head.size(), End - Head.size());
}

OpInputs parseInputs(std::string_view Json) {
  OpInputs Result;
  const json Inputs = parseJson(Json);
  if (!Inputs.is_object())
    return Result;
  const auto Dims = Inputs.find("dims"), Types = Inputs.find("types");
  const size_t Count = Types != Inputs.end() && Types->is_array() ? Types->size()
                       : Dims != Inputs.end() && Dims->is_array() ? Dims->size()
                                                                  : 0;
  for (size_t I = 0; I < Count; ++I) {
    const std::string Type = textOf(at(Inputs, "types", I));
    const DType Element = typeOfProfilerName(Type);
    const json *Shape = at(Inputs, "dims", I);
    std::string Text;
    if (Element != DType::Unknown || (Shape && !Shape->empty() && Shape->is_array())) {
      Text = Shape ? textOf(Shape) : "[]";
      Text += Element == DType::Unknown ? Type : nameOf(Element);
    } else {
      Text = textOf(at(Inputs, "values", I));
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

OpArguments argumentsOf(std::string_view Inputs, std::string (&Texts)[4]) {
  if (Inputs.empty())
    return {};
  const json Json = parseJson(Inputs);
  if (!Json.is_object())
    return {};
  static constexpr const char *Keys[] = {"dims", "types", "strides", "values"};
  for (size_t I = 0; I < std::size(Keys); ++I)
    if (const auto Found = Json.find(Keys[I]); Found != Json.end() && !Found->is_null())
      Texts[I] = Found->dump(-1, ' ', false, json::error_handler_t::replace);
  return OpArguments::parse(Texts[0], Texts[1], Texts[2], Texts[3]);
}

} // namespace seamscope::tools
