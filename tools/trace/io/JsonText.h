//===- JsonText.h - writes JSON of untrusted texts ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names may contain any bytes. All functions replace invalid UTF-8; the library
// throws by default.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_JSONTEXT_H
#define SEAMSCOPE_TOOLS_TRACE_JSONTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace seamscope::tools {

/// \p Value in one line.
std::string jsonText(const nlohmann::json &Value);
std::string jsonText(const nlohmann::ordered_json &Value);

/// \p Value as an indented document in ASCII, which cannot control a terminal; ends with a newline.
std::string jsonDocument(const nlohmann::ordered_json &Value);

/// \p Text in quotes.
std::string quotedText(std::string_view Text);

/// \p Text in quotes, in ASCII.
std::string quotedAscii(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_JSONTEXT_H
