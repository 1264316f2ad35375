//===- PageJson.h - members of the page's document -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_PAGEJSON_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_PAGEJSON_H

#include "report/render/JsonWriter.h"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace seamscope::tools {

class PageJson : public JsonWriter {
public:
  explicit PageJson(const WriteText &Write) : JsonWriter(Write, /*Indents=*/false) {}

  void member(std::string_view Key, std::string_view Of) {
    key(Key);
    value(Of);
  }
  template <typename T>
    requires std::is_arithmetic_v<T>
  void member(std::string_view Key, T Of) {
    key(Key);
    value(Of);
  }
  template <typename T> void valueOrNull(const std::optional<T> &Of) { Of ? value(*Of) : null(); }

  template <typename Range, typename Fn> void elements(Range &&Of, Fn Each) {
    beginArray();
    for (const auto &One : Of)
      Each(One);
    endArray();
  }
  template <typename Range, typename Fn> void array(std::string_view Key, Range &&Of, Fn Each) {
    key(Key);
    elements(std::forward<Range>(Of), Each);
  }
  void texts(std::string_view Key, const std::vector<std::string> &Of) {
    array(Key, Of, [&](const std::string &One) { value(std::string_view(One)); });
  }
  template <typename T> void numbers(std::string_view Key, const std::vector<T> &Of) {
    array(Key, Of, [&](T One) { value(One); });
  }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_PAGEJSON_H
