//===- JsonTextTest.cpp - JSON of untrusted texts -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/JsonText.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

// A byte that is not UTF-8, and a letter that is not ASCII.
constexpr const char *Text = "a\xff\xc3\xa9";

TEST(JsonText, ReplacesInvalidUtf8) {
  EXPECT_EQ(quotedText(Text), "\"a\xef\xbf\xbd\xc3\xa9\"");
  EXPECT_EQ(jsonText(nlohmann::json{{"b", Text}}), "{\"b\":\"a\xef\xbf\xbd\xc3\xa9\"}");
  EXPECT_EQ(quotedAscii(Text), R"("a\ufffd\u00e9")");
}

TEST(JsonText, KeepsTheOrderOfKeys) {
  const nlohmann::ordered_json Value = {{"b", 1}, {"a", Text}};
  EXPECT_EQ(jsonText(Value), "{\"b\":1,\"a\":\"a\xef\xbf\xbd\xc3\xa9\"}");
  EXPECT_EQ(jsonDocument(Value), "{\n  \"b\": 1,\n  \"a\": \"a\\ufffd\\u00e9\"\n}\n");
}

} // namespace
} // namespace seamscope::tools
