//===- JsonText.cpp - writes JSON of untrusted texts ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/JsonText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace seamscope::tools {
namespace {

template <typename JsonT> std::string textOf(const JsonT &Value, bool Ascii, int Indent = -1) {
  return Value.dump(Indent, ' ', Ascii, JsonT::error_handler_t::replace);
}

} // namespace

std::string jsonText(const nlohmann::json &Value) { return textOf(Value, /*Ascii=*/false); }

std::string jsonText(const nlohmann::ordered_json &Value) { return textOf(Value, /*Ascii=*/false); }

std::string jsonDocument(const nlohmann::ordered_json &Value) {
  return textOf(Value, /*Ascii=*/true, /*Indent=*/2) + '\n';
}

std::string quotedText(std::string_view Text) { return jsonText(nlohmann::json(Text)); }

std::string quotedAscii(std::string_view Text) {
  // Most texts have nothing to escape.
  if (std::ranges::all_of(Text,
                          [](char C) { return C >= ' ' && C <= '~' && C != '"' && C != '\\'; }))
    return fmt::format("\"{}\"", Text);
  return textOf(nlohmann::json(Text), /*Ascii=*/true);
}

} // namespace seamscope::tools
