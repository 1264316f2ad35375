//===- JsonText.h - fields of torch's JSON records ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_JSONTEXT_H
#define SEAMSCOPE_TOOLS_TORCH_JSONTEXT_H

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace seamscope::tools {

/// The string under \p Key of the object \p Object; empty if there is none.
inline std::string textAt(const nlohmann::json &Object, const char *Key) {
  const auto Found = Object.find(Key);
  return Found != Object.end() && Found->is_string() ? Found->get<std::string>() : std::string();
}

inline std::optional<uint32_t> numberAt(const nlohmann::json &Object, const char *Key) {
  const auto Found = Object.find(Key);
  if (Found == Object.end() || !Found->is_number_unsigned() || Found->get<uint64_t>() > UINT32_MAX)
    return std::nullopt;
  return Found->get<uint32_t>();
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_JSONTEXT_H
