//===- JsonEntry.h - members of an entry that is not trusted ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_JSONENTRY_H
#define SEAMSCOPE_TOOLS_RUN_JSONENTRY_H

#include "trace/io/JsonParse.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

/// Members of an entry; a Refusal is thrown where one is not there, or something else.
namespace seamscope::tools::entry {

using Json = nlohmann::json;

/// Why an entry is not what it should be.
struct Refusal {
  std::string Why;
};

inline const Json &member(const Json &Of, const char *Key) {
  const auto Found = Of.find(Key);
  if (Found == Of.end())
    throw Refusal{fmt::format("its entry has no {}", Key)};
  return *Found;
}

inline std::string text(const Json &Of, const char *Key) {
  const Json &Found = member(Of, Key);
  if (Found.is_null())
    return {};
  if (!Found.is_string())
    throw Refusal{fmt::format("{} is not a text", Key)};
  return Found.get<std::string>();
}

/// \p What \p Found is, for the refusal.
inline uint64_t asNumber(const Json &Found, const char *What, uint64_t Most) {
  if (!Found.is_number_unsigned() || Found.get<uint64_t>() > Most)
    throw Refusal{fmt::format("{} is not a number up to {}", What, Most)};
  return Found.get<uint64_t>();
}

inline uint64_t number(const Json &Of, const char *Key, uint64_t Most) {
  return asNumber(member(Of, Key), Key, Most);
}

/// Calls \p Read with each line of \p Text as JSON, and \p Refuse if that throws a Refusal.
template <typename ReadT, typename RefuseT>
void forEachLine(std::string_view Text, ReadT Read, RefuseT Refuse) {
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size());
    const Json Entry = parseJson(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
    try {
      if (!Entry.is_object())
        throw Refusal{"a line is not a JSON object"};
      Read(Entry);
    } catch (const Refusal &Why) {
      Refuse(Why);
    }
  }
}

} // namespace seamscope::tools::entry
#endif // SEAMSCOPE_TOOLS_RUN_JSONENTRY_H
