//===- GroupText.cpp - descriptions of fused groups -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/model/GroupText.h"
#include "trace/io/JsonParse.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace seamscope::tools {
namespace {

using Json = nlohmann::json;

std::string textOf(const Json &Object, const char *Key) {
  const auto Found = Object.find(Key);
  return Found != Object.end() && Found->is_string() ? Found->get<std::string>() : std::string();
}

uint32_t positionOf(const Json &Object, const char *Key) {
  const auto Found = Object.find(Key);
  if (Found == Object.end() || !Found->is_number_unsigned())
    return 0;
  const auto Value = Found->get<uint64_t>();
  return Value <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(Value) : 0;
}

GroupAmount amountOf(const Json &Object, const char *Key) {
  const auto Found = Object.find(Key);
  if (Found == Object.end())
    return {};
  if (Found->is_string())
    return {std::nullopt, Found->get<std::string>()};
  if (!Found->is_number_unsigned() ||
      Found->get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()})
    return {};
  return {Found->get<int64_t>(), {}};
}

} // namespace

std::optional<GroupText> parseGroupText(std::string_view Group) {
  if (!isGroupText(Group))
    return std::nullopt;
  const Json Whole = parseJson(Group);
  if (!Whole.is_object() || !Whole.contains("ops") || !Whole["ops"].is_array())
    return std::nullopt;
  GroupText Read;
  for (const Json &Entry : Whole["ops"])
    if (Entry.is_object())
      Read.Ops.push_back({textOf(Entry, "name"), textOf(Entry, "op"), textOf(Entry, "type"),
                          textOf(Entry, "file"), positionOf(Entry, "line"),
                          positionOf(Entry, "column")});
  Read.More = positionOf(Whole, "more");
  Read.Flop = amountOf(Whole, "flops");
  Read.Bytes = amountOf(Whole, "bytes");
  Read.UnfusedBytes = amountOf(Whole, "unfused_bytes");
  return Read;
}

void setOperators(Site &What, std::string_view Ops, StringTable &Strings) {
  if (!isGroupText(Ops)) {
    What.Operators = Strings.intern(Ops);
    return;
  }
  What.Group = Strings.intern(Ops);
  if (const auto Group = parseGroupText(Ops)) {
    What.Flop = Group->Flop.Value.value_or(-1);
    What.Bytes = Group->Bytes.Value.value_or(-1);
  }
}

} // namespace seamscope::tools
