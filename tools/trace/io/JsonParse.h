//===- JsonParse.h - parses untrusted JSON --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_JSONPARSE_H
#define SEAMSCOPE_TOOLS_TRACE_JSONPARSE_H

#include <nlohmann/json.hpp>

#include <string_view>

namespace seamscope::tools {

/// Whether \p Text, JSON or not, nests so many brackets that recursion could overflow the stack.
bool nestsDeeply(std::string_view Text);

/// \p Text as JSON; discarded if it is not JSON, or too deep to be copied, compared and written,
/// which the library does by recursion.
template <typename JsonT = nlohmann::json> JsonT parseJson(std::string_view Text) {
  if (nestsDeeply(Text))
    return JsonT(JsonT::value_t::discarded);
  return JsonT::parse(Text, nullptr, /*allow_exceptions=*/false);
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_JSONPARSE_H
