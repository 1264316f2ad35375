//===- JsonCheckerTest.cpp ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/JsonChecker.h"
#include "trace/io/JsonParse.h"

#include <gtest/gtest.h>

#include <string>

using namespace seamscope::tools;

namespace {

/// In one piece, and byte by byte.
bool check(const std::string &Text) {
  JsonChecker ByByte;
  for (const char C : Text)
    ByByte.take({&C, 1});
  EXPECT_EQ(isJson(Text), ByByte.isWhole()) << Text;
  return isJson(Text);
}

TEST(JsonChecker, WhatIsJson) {
  for (const char *Text : {"[]", "{}", " [ ] ", "{\"\":0}", "[1,-2,0.5,-0,1e5,1E+2,2.5e-3,1e999]",
                           "\"a\\u00e9\\/\"", "[true,false,null]", "{\"a\":{\"b\":[{}]},\"a\":1}",
                           "7", "\"\xc3\xa9\xe4\xb8\x96\xf0\x9f\x98\x80\"", "\"\\ud800\"",
                           "\t\r\n{\"a\" :\t1 , \"b\":[ 1 , 2 ]}\n", "\xef\xbb\xbf[]", "\"\x7f\""})
    EXPECT_TRUE(isJson(Text)) << Text;
}

TEST(JsonChecker, ByteByByteItIsTheSame) {
  // But for the mark at the beginning, which comes in one piece with what follows.
  for (const char *Text :
       {"[1.5e3, \"\\u12ab\xe4\xb8\x96\", {\"a\": null}]", "[1,]", "[\"\xe4\xb8\"]"})
    check(Text);
}

TEST(JsonChecker, WhatIsNot) {
  for (const char *Text : {"",
                           " ",
                           "[",
                           "]",
                           "{",
                           "[1,]",
                           "[,1]",
                           "[1,,2]",
                           "[1 2]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{,}",
                           "{a:1}",
                           "{\"a\":1 \"b\":2}",
                           "[}",
                           "{]",
                           "[]]",
                           "[] []",
                           "01",
                           "-01",
                           "-",
                           "1.",
                           ".5",
                           "+1",
                           "1e",
                           "1e+",
                           "0x1",
                           "--1",
                           "1_0",
                           "NaN",
                           "Infinity",
                           "-Infinity",
                           "nul",
                           "nulll",
                           "True",
                           "'a'",
                           "\"a",
                           "\"\\q\"",
                           "\"\\u12\"",
                           "\"\\u12g4\"",
                           "\"\n\"",
                           "\"\x01\"",
                           "\"\xff\"",
                           "\"\xc0\xaf\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "\"\xe4\xb8\"",
                           "\"\xe4\xb8x\"",
                           "\"\x80\"",
                           "\"\xe0\x80\x80\"",
                           "[1]//x",
                           "\xef\xbb[]"})
    EXPECT_FALSE(check(Text)) << Text;
  EXPECT_FALSE(isJson(std::string("[\"a\0b\"]", 7)));
  EXPECT_FALSE(isJson(std::string("[]\0", 3)));
}

TEST(JsonChecker, NestingIsBounded) {
  const auto Nested = [](size_t Depth) {
    return std::string(Depth, '[') + std::string(Depth, ']');
  };
  EXPECT_TRUE(isJson(Nested(100000)));
  EXPECT_FALSE(isJson(Nested(2 << 20)));
}

TEST(ParseJson, WhatNestsDeeplyIsDiscarded) {
  const auto Nested = [](size_t Depth) {
    return std::string(Depth, '[') + std::string(Depth, ']');
  };
  EXPECT_TRUE(parseJson(Nested(500)).is_array());
  EXPECT_TRUE(parseJson(Nested(600)).is_discarded());
  EXPECT_TRUE(parseJson("{").is_discarded());
  // Brackets in strings, behind escapes, and one after the other are no nesting.
  std::string Wide = "[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\\\\\"";
  for (int I = 0; I < 1000; ++I)
    Wide += ",[{}]";
  EXPECT_TRUE(parseJson(Wide + "]").is_array());
  EXPECT_FALSE(nestsDeeply("\"\\"));
  EXPECT_FALSE(nestsDeeply("\""));
}

} // namespace
