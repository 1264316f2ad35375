//===- CaptureText.cpp - a kernel's `captured at` in a Chrome trace -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/CaptureText.h"
#include "trace/io/JsonParse.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>

namespace seamscope::tools {

std::optional<Site> parseCapture(std::string_view Json, StringTable &Strings) {
  // Four texts of a site, which are cut at 4096 bytes, escaped at worst.
  constexpr size_t MaxSize = 128 * 1024;
  if (Json.size() > MaxSize)
    return std::nullopt;
  const auto Object = parseJson(Json);
  if (!Object.is_object())
    return std::nullopt;
  const auto Text = [&](const char *Key) -> StringId {
    const auto Found = Object.find(Key);
    return Found != Object.end() && Found->is_string()
               ? Strings.intern(Found->get_ref<const std::string &>())
               : 0;
  };
  const auto Number = [&](const char *Key) -> uint32_t {
    const auto Found = Object.find(Key);
    if (Found == Object.end() || !Found->is_number_unsigned() ||
        Found->get<uint64_t>() > std::numeric_limits<uint32_t>::max())
      return 0;
    return Found->get<uint32_t>();
  };
  Site What;
  What.Name = Text("name");
  if (!What.Name)
    return std::nullopt;
  What.Category = Strings.intern("cuda_launch");
  What.Kernel = Text("kernel");
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) What.Field = Text(Key);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) What.Field = Number(Key);
#include "format/site-arguments.def"
  return What;
}

} // namespace seamscope::tools
