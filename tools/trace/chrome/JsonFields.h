//===- JsonFields.h - members of a JSON object, of the type they should be -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROME_JSONFIELDS_H
#define SEAMSCOPE_TOOLS_TRACE_CHROME_JSONFIELDS_H

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace seamscope::tools {

/// The member \p Key of \p Object, or null.
inline const nlohmann::json &member(const nlohmann::json &Object, const char *Key) {
  static const nlohmann::json Nothing;
  if (!Object.is_object())
    return Nothing;
  const auto Found = Object.find(Key);
  return Found == Object.end() ? Nothing : *Found;
}

inline std::string textOf(const nlohmann::json &Object, const char *Key) {
  const nlohmann::json &Value = member(Object, Key);
  return Value.is_string() ? Value.get<std::string>() : std::string();
}

inline std::optional<int64_t> integerOf(const nlohmann::json &Value) {
  if (Value.is_number_unsigned() &&
      Value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return std::nullopt;
  if (!Value.is_number_integer())
    return std::nullopt;
  return Value.get<int64_t>();
}

inline std::optional<int64_t> integerOf(const nlohmann::json &Object, const char *Key) {
  return integerOf(member(Object, Key));
}

/// 0 if the member is missing, not an integer, or negative.
inline uint64_t countOf(const nlohmann::json &Object, const char *Key) {
  return static_cast<uint64_t>(std::max<int64_t>(0, integerOf(Object, Key).value_or(0)));
}

/// A pid or tid: an integer or a text.
inline std::string labelOf(const nlohmann::json &Object, const char *Key) {
  if (const auto Number = integerOf(Object, Key))
    return fmt::to_string(*Number);
  return textOf(Object, Key);
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROME_JSONFIELDS_H
